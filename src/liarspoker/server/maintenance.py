"""What is done in the background to keep the database small, a small batch at a time.

Quiet tables are closed; finished ones are archived and, if the server is set to it, deleted; guests who never played
and sessions that have ended are deleted. Several servers on one database may do this at once.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from functools import partial

from liarspoker.server.accounts.accounts import DAY, NOBODY, ROWS_AT_ONCE, Accounts
from liarspoker.server.config import Limits
from liarspoker.server.storage import orders, retention
from liarspoker.server.storage.errors import Leased, NotOwner, StorageError, TableDamaged, Unavailable
from liarspoker.server.storage.log import shard_of
from liarspoker.server.tables.registry import TableRegistry

log = logging.getLogger(__name__)

PAUSE_SECONDS = 60.0
"""Between two batches when nothing is left to do."""
BUSY_SECONDS = 0.5
"""Between two batches when more is left to do."""
TABLES_AT_ONCE = 20
START = (-math.inf, "")

Ask = Callable[..., list[tuple[float, str]]]
"""A query for the next tables, each as `(updated_at, table_id)`, `after` one of them and at most `limit`."""


class Maintenance:
    """The background work of one server."""

    def __init__(self, registry: TableRegistry, accounts: Accounts, limits: Limits) -> None:
        self._registry = registry
        self._storage = registry.storage
        self._accounts = accounts
        self._limits = limits
        self._after = dict.fromkeys(("close", "archive", "delete"), START)
        self._unseen = NOBODY

    async def run(self) -> None:
        """Do one batch after the other, for ever."""
        more = False
        while True:
            await asyncio.sleep(BUSY_SECONDS if more else PAUSE_SECONDS)
            more = await self.once()

    async def once(self) -> bool:
        """Do one batch of everything; whether more is left to do at once."""
        more = False
        works = (
            self._close,
            self._archive,
            self._delete,
            self._forget_guests,
            self._forget_sessions,
            self._forget_trail,
        )
        for work in works:
            try:
                more = await work() or more
            except StorageError as error:
                log.warning("upkeep failed", extra={"code": error.code})
            except Exception as error:
                log.exception("upkeep failed", extra={"error": type(error).__name__})
        return more

    def _epoch(self, table_id: str) -> int:
        return self._registry.membership.leases[shard_of(table_id)].epoch

    def _before(self, days: float) -> float:
        return self._registry.clock.now() - days * DAY

    async def _close(self) -> bool:
        """Close tables that nobody has come back to."""
        if self._limits.abandoned_days is None:
            return False
        before = self._before(self._limits.abandoned_days)

        async def close(table_id: str) -> None:
            asked_at = await self._storage.read(partial(retention.asked_at, table_id=table_id))
            if (asked_at is None or asked_at < before) and await self._registry.abandon(table_id, before):
                log.info("table abandoned", extra={"table": table_id})

        return await self._each("close", partial(retention.quiet, before=before), close)

    async def _each(self, what: str, ask: Ask, work: Callable[[str], Awaitable[None]]) -> bool:
        """Do some work for the next few tables that a query finds; whether there are more of them.

        A table with which it fails keeps no other one from its turn.
        """
        found = await self._storage.read(partial(ask, after=self._after[what], limit=TABLES_AT_ONCE))
        more = len(found) == TABLES_AT_ONCE
        self._after[what] = found[-1] if more else START
        for _, table_id in found:
            if shard_of(table_id) not in self._registry.membership.leases:
                continue  # the server that owns it sees to it
            try:
                await work(table_id)
            except (Leased, NotOwner):
                pass  # it has another owner by now
            except TableDamaged as damage:
                self._storage.refuse(damage)
            except Unavailable:
                raise
            except Exception as error:
                code = error.code if isinstance(error, StorageError) else None
                named = {"code": code, "error": type(error).__name__}
                log.warning("upkeep of a table failed", extra={"table": table_id, "do": what, **named})
        return more

    async def _archive(self) -> bool:
        """Move the logs of finished tables into archives."""
        days = [days for days in (self._limits.archive_days, self._limits.delete_days) if days is not None]
        if not days:
            return False
        ask = partial(retention.finished, before=self._before(min(days)), archived=False)
        return await self._each("archive", ask, self._archive_one)

    async def _archive_one(self, table_id: str) -> None:
        """Archive one table, unless somebody looks at it or another server owns it: then that has to wait."""
        if not self._registry.let_go(table_id):
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
        """Delete finished tables, if the server is set to it."""
        if self._limits.delete_days is None:
            return False

        async def delete(table_id: str) -> None:
            if self._registry.let_go(table_id):
                await self._storage.write(partial(retention.delete, table_id=table_id, epoch=self._epoch(table_id)))

        ask = partial(retention.finished, before=self._before(self._limits.delete_days), archived=True)
        return await self._each("delete", ask, delete)

    async def _forget_guests(self) -> bool:
        """Delete guests who have no tables and were not here for long."""
        if self._limits.guest_days is None:
            return False
        goes_on = await self._accounts.forget_guests(self._limits.guest_days, self._unseen)
        self._unseen = goes_on or NOBODY
        return goes_on is not None

    async def _forget_trail(self) -> bool:
        """Delete old rows of the audit trail."""
        if self._limits.trail_days is None:
            return False
        before = self._before(self._limits.trail_days)
        forgotten = await self._storage.write(partial(orders.forget, before=before, limit=ROWS_AT_ONCE))
        return forgotten == ROWS_AT_ONCE

    async def _forget_sessions(self) -> bool:
        """Delete sessions that have ended."""
        return await self._accounts.forget_sessions() == ROWS_AT_ONCE
