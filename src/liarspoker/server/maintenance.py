"""Background maintenance that keeps the database small, in small batches.

Abandoned tables are closed; ended tables are archived and, if configured, deleted; guests who never played, and expired
sessions, friend requests and invitations are deleted. Several servers on one database may do this at the same time.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from functools import partial

from liarspoker.server.accounts.accounts import DAY, FIRST_PAGE, ROWS_AT_ONCE, Accounts
from liarspoker.server.accounts.passkeys import Passkeys
from liarspoker.server.accounts.people import People
from liarspoker.server.config import Limits
from liarspoker.server.storage import orders, retention
from liarspoker.server.storage.errors import Leased, NotOwner, StorageError, TableDamaged, Unavailable
from liarspoker.server.storage.log import shard_of
from liarspoker.server.tables.registry import TableRegistry

log = logging.getLogger(__name__)

PAUSE_SECONDS = 60.0
"""Pause between batches when nothing is left to do."""
BUSY_SECONDS = 0.5
"""Pause between batches when more is left to do."""
TABLES_AT_ONCE = 20
START = (-math.inf, "")

TableQuery = Callable[..., list[tuple[float, str]]]
"""A query that returns up to `limit` tables as `(updated_at, table_id)`, following the table `after`."""


class Maintenance:
    """The background maintenance of one server."""

    def __init__(self, registry: TableRegistry, accounts: Accounts, limits: Limits) -> None:
        self._registry = registry
        self._storage = registry.storage
        self._accounts = accounts
        self._people = People(registry.storage, registry.clock.now)
        self._passkeys = Passkeys(accounts, registry.storage, registry.clock.now)
        self._limits = limits
        self._after = dict.fromkeys(("close", "archive", "delete"), START)
        self._guest_page = FIRST_PAGE

    async def run(self) -> None:
        """Process one batch after another, until cancelled."""
        more = False
        while True:
            await asyncio.sleep(BUSY_SECONDS if more else PAUSE_SECONDS)
            more = await self.once()

    async def once(self) -> bool:
        """Process one batch of every task; return whether more is left to do at once."""
        more = False
        works = (
            self._close,
            self._archive,
            self._delete,
            self._forget_guests,
            self._forget_sessions,
            self._forget_requests,
            self._forget_challenges,
            self._forget_trail,
        )
        for work in works:
            try:
                more = await work() or more
            except StorageError as error:
                log.warning("maintenance failed", extra={"code": error.code})
            except Exception as error:
                log.exception("maintenance failed", extra={"error": type(error).__name__})
        return more

    def _epoch(self, table_id: str) -> int:
        return self._registry.membership.leases[shard_of(table_id)].epoch

    def _before(self, days: float) -> float:
        return self._registry.clock.now() - days * DAY

    async def _close(self) -> bool:
        """Close abandoned tables."""
        if self._limits.abandoned_days is None:
            return False
        before = self._before(self._limits.abandoned_days)

        async def close(table_id: str) -> None:
            last_command_at = await self._storage.read(partial(retention.last_command_at, table_id=table_id))
            if (last_command_at is None or last_command_at < before) and await self._registry.abandon(table_id, before):
                log.info("table abandoned", extra={"table": table_id})

        return await self._each("close", partial(retention.inactive_tables, before=before), close)

    async def _each(self, what: str, query: TableQuery, work: Callable[[str], Awaitable[None]]) -> bool:
        """Process the next few tables that a query finds; return whether there are more.

        A failure on one table doesn't affect the others.
        """
        found = await self._storage.read(partial(query, after=self._after[what], limit=TABLES_AT_ONCE))
        more = len(found) == TABLES_AT_ONCE
        self._after[what] = found[-1] if more else START
        for _, table_id in found:
            if shard_of(table_id) not in self._registry.membership.leases:
                continue  # its owner does this
            try:
                await work(table_id)
            except (Leased, NotOwner):
                pass  # it has another owner now
            except TableDamaged as damage:
                self._storage.report_damage(damage)
            except Unavailable:
                raise
            except Exception as error:
                code = error.code if isinstance(error, StorageError) else None
                named = {"code": code, "error": type(error).__name__}
                log.warning("maintenance of a table failed", extra={"table": table_id, "do": what, **named})
        return more

    async def _archive(self) -> bool:
        """Move the logs of ended tables into archives."""
        days = [days for days in (self._limits.archive_days, self._limits.delete_days) if days is not None]
        if not days:
            return False
        query = partial(retention.ended_tables, before=self._before(min(days)), archived=False)
        return await self._each("archive", query, self._archive_one)

    async def _archive_one(self, table_id: str) -> None:
        """Archive one table, unless somebody has it open or another server owns it."""
        if not self._registry.unload(table_id):
            return
        rows = await self._storage.read(partial(retention.log_to_archive, table_id=table_id))
        if rows is not None:
            archive = partial(
                retention.archive,
                table_id=table_id,
                entries=len(rows),
                packed=await asyncio.to_thread(retention.packed, rows),
                epoch=self._epoch(table_id),
            )
            if not await self._storage.write(archive):
                return
        self._registry.probe("archived")
        clear = partial(retention.clear, table_id=table_id, now=self._registry.clock.now())
        while not await self._storage.write(clear):
            self._registry.probe("clearing")

    async def _delete(self) -> bool:
        """Delete ended tables, if configured."""
        if self._limits.delete_days is None:
            return False

        async def delete(table_id: str) -> None:
            if self._registry.unload(table_id):
                await self._storage.write(partial(retention.delete, table_id=table_id, epoch=self._epoch(table_id)))

        query = partial(retention.ended_tables, before=self._before(self._limits.delete_days), archived=True)
        return await self._each("delete", query, delete)

    async def _forget_guests(self) -> bool:
        """Delete guests who have no tables and haven't been seen for a long time."""
        if self._limits.guest_days is None:
            return False
        next_page = await self._accounts.forget_guests(self._limits.guest_days, self._guest_page)
        self._guest_page = next_page or FIRST_PAGE
        return next_page is not None

    async def _forget_trail(self) -> bool:
        """Delete old entries of the audit trail."""
        if self._limits.trail_days is None:
            return False
        before = self._before(self._limits.trail_days)
        forgotten = await self._storage.write(partial(orders.forget, before=before, limit=ROWS_AT_ONCE))
        return forgotten == ROWS_AT_ONCE

    async def _forget_sessions(self) -> bool:
        """Delete expired and revoked sessions."""
        return await self._accounts.forget_sessions() == ROWS_AT_ONCE

    async def _forget_requests(self) -> bool:
        """Delete expired friend requests and invitations."""
        return await self._people.forget_expired() == ROWS_AT_ONCE

    async def _forget_challenges(self) -> bool:
        """Delete expired challenges of passkeys."""
        return await self._passkeys.forget_challenges() == ROWS_AT_ONCE
