"""The tables of this node that are open although nobody has asked for them, because their clocks run."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any

from liarspoker.server.cluster.membership import Membership
from liarspoker.server.config import WallClock
from liarspoker.server.storage.errors import DatabaseDamaged, StorageError, Unavailable
from liarspoker.server.storage.leases import HEARTBEAT_SECONDS, Lease
from liarspoker.server.storage.log import Listed, shard_of
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.views import PLAYING

log = logging.getLogger(__name__)

OPENED_AT_ONCE = 20
"""Number of tables opened at a time after a start, so that requests are served in between."""
IDLE_SECONDS = 300.0
"""A table without watchers and running clocks is unloaded after this time. It can be reloaded from its log.

A correspondence table is unloaded too while its deadline is further away than this, and opened again before it.
"""
DUE_SECONDS = 60.0
"""Interval at which tables are opened because they are due; it must be shorter than `IDLE_SECONDS`."""


class RunningTables:
    """Opens the tables whose clocks run when this node acquires them, and correspondence tables before they are due.

    Args:
        storage: the storage.
        membership: this node's share of the tables.
        clock: the time.
        open_table: opens a table.
        spawn: runs a coroutine in the background.
    """

    def __init__(
        self,
        storage: Storage,
        membership: Membership,
        clock: WallClock,
        open_table: Callable[[str], Awaitable[object]],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._storage = storage
        self._membership = membership
        self._clock = clock
        self._open_table = open_table
        self._spawn = spawn
        self._waiting: dict[int, Lease] = {}
        self._due_checked = clock.now()
        self._stopped = False

    @property
    def all_opened(self) -> bool:
        """Whether all tables of this node with running clocks have been opened."""
        return not self._waiting

    def stop(self) -> None:
        """Open no more tables."""
        self._stopped = True

    def gained(self, gained: Mapping[int, Lease]) -> None:
        """Open the tables of shards that this node has acquired, in the background."""
        waits = bool(self._waiting)
        self._waiting |= gained
        if not waits:
            self._spawn(self._open_all())

    def lost(self, shard: int) -> None:
        """Leave the tables of a shard to the node that owns it now."""
        self._waiting.pop(shard, None)

    def open_due(self) -> None:
        """Open the correspondence tables of this node that are due soon, in the background; only from time to time."""
        if self._clock.now() - self._due_checked >= DUE_SECONDS:
            self._due_checked = self._clock.now()
            self._spawn(self._open_due())

    async def _open_all(self) -> None:
        """Open tables with running clocks, and extend their deadlines by the time in which no node served them."""
        while self._waiting:
            gained, running = dict(self._waiting), list[str]()
            try:
                async for page in listed(self._storage, PLAYING, running=True):
                    running += [one.table_id for one in page if self._needs_opening(one, gained)]
            except DatabaseDamaged as error:  # tables can still be opened on demand
                log.error("the lobby is damaged, so not every running table is opened", extra={"code": error.code})
            except Unavailable:
                await asyncio.sleep(HEARTBEAT_SECONDS)
                continue
            for start in range(0, len(running), OPENED_AT_ONCE):  # together, so that they share transactions
                await asyncio.gather(*map(self._open, running[start : start + OPENED_AT_ONCE]))
            with suppress(Unavailable):  # otherwise the next owner extends deadlines by more than necessary
                await self._membership.clocks_resumed(gained)
            for shard, lease in gained.items():
                if self._waiting.get(shard) is lease:
                    del self._waiting[shard]

    def _needs_opening(self, one: Listed, gained: Mapping[int, Lease]) -> bool:
        """Whether the clock of a table in a shard that was gained would run out soon, or has in the meantime."""
        lease = gained.get(shard_of(one.table_id))
        if lease is None:
            return False
        now = self._clock.now()
        unserved = 0.0 if lease.alive is None else max(0.0, now - lease.alive)
        return one.listing.due is None or one.listing.due < now + unserved + IDLE_SECONDS

    async def _open_due(self) -> None:
        with suppress(StorageError):
            async for page in listed(self._storage, PLAYING, due_before=self._clock.now() + IDLE_SECONDS):
                for one in page:
                    if shard_of(one.table_id) in self._membership.leases:
                        await self._open(one.table_id)

    async def _open(self, table_id: str) -> None:
        """Open a table with a running clock. Errors are logged, so that other tables are still opened."""
        while not self._stopped:
            try:
                await self._open_table(table_id)
            except Unavailable:
                await asyncio.sleep(HEARTBEAT_SECONDS)  # retry, so that its clock continues when the database is back
                continue
            except StorageError as error:
                log.warning("table not opened", extra={"table": table_id, "code": error.code})
            except Exception as error:
                log.exception("table not opened", extra={"table": table_id, "error": type(error).__name__})
            return


async def listed(
    storage: Storage,
    status: str,
    member: str | None = None,
    running: bool | None = None,
    due_before: float | None = None,
) -> AsyncIterator[list[Listed]]:
    """Yield listings with a status page by page, limited by the same filters as `Storage.listings`."""
    before: tuple[float, str] | None = None
    while page := await storage.listings(
        status=status, member=member, running=running, due_before=due_before, before=before, limit=500
    ):
        yield page
        before = (page[-1].listing.updated_at, page[-1].table_id)
