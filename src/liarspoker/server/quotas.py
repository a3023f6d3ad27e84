"""How many tables somebody may have open at once."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

from liarspoker.server.limiter import MOST_KEYS
from liarspoker.server.limits import Limits
from liarspoker.server.problems import Problem
from liarspoker.server.storage import retention
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.listing import LISTED_SECONDS


class TableQuotas:
    """Counts open tables by owner, in the database, and by the address that they were made from, in memory.

    Args:
        storage: where the tables are.
        limits: how many there may be.
        now: the time in seconds.
    """

    def __init__(self, storage: Storage, limits: Limits, now: Callable[[], float]) -> None:
        self._storage = storage
        self._limits = limits
        self._now = now
        self._underway: Counter[tuple[str, str]] = Counter()
        self._made_from: OrderedDict[str, set[str]] = OrderedDict()

    @asynccontextmanager
    async def place(self, user_id: str, address: str, listed: bool) -> AsyncIterator[None]:
        """Hold a place for one more table while it is made, so that many at once don't exceed the limit either.

        Args:
            user_id: who will own it.
            address: where they come from.
            listed: the lobby will list it.

        Raises:
            Problem: `too-many`, with the remedy.
        """
        held = [("owner", user_id), ("address", address), *([("listed", user_id)] if listed else [])]
        self._underway.update(held)
        try:
            await self._check_owner(user_id)
            await self._check_address(address)
            if listed:
                await self._check_listed(user_id)
            yield
        finally:
            self._underway.subtract(held)
            for key in held:
                if not self._underway[key]:
                    del self._underway[key]

    def made(self, address: str, table_id: str) -> None:
        """Count a table that was made from `address`."""
        tables = self._made_from.pop(address, set())
        self._made_from[address] = tables | {table_id}
        if len(self._made_from) > MOST_KEYS:
            self._made_from.popitem(last=False)

    async def _check_owner(self, user_id: str) -> None:
        most = self._limits.open_tables
        if most is None:
            return
        found = await self._storage.read(partial(retention.open_tables, owner=user_id))
        if found + self._underway["owner", user_id] > most:
            raise Problem("too-many", f"you have reached the limit of open tables ({most}); end one of yours first")

    async def _check_listed(self, user_id: str) -> None:
        most = self._limits.listed_tables
        if most is None:
            return
        since = self._now() - LISTED_SECONDS
        found = await self._storage.read(partial(retention.listed_tables, owner=user_id, since=since))
        if found + self._underway["listed", user_id] > most:
            remedy = "end one of yours first, or make this one private"
            raise Problem("too-many", f"you have reached the limit of tables in the lobby ({most}); {remedy}")

    async def _check_address(self, address: str) -> None:
        """Where there seem to be too many, those that have ended meanwhile are forgotten."""
        most = self._limits.address_tables
        if most is None:
            return
        tables = self._made_from.get(address, set())
        if len(tables) + self._underway["address", address] > most:
            still_open = await self._storage.read(partial(retention.still_open, table_ids=sorted(tables)))
            tables -= tables - still_open
        if len(tables) + self._underway["address", address] > most:
            raise Problem("too-many", f"your network has reached the limit of open tables ({most}); end one first")
