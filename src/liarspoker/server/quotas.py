"""How many tables somebody may have open at once, and who may not join a table yet."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

from liarspoker.server.accounts.credentials import User
from liarspoker.server.config import MOST_KEYS, Limits
from liarspoker.server.problems import Problem
from liarspoker.server.storage import retention
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.views import LISTED_SECONDS
from liarspoker.tables.refused import Refused

Key = TypeVar("Key")
Value = TypeVar("Value")


class Newcomers:
    """Which addresses users come from, and from which tables some were removed. It is kept in memory only.

    Args:
        seconds: for how long users who are newer than a removal can't join that table from the removed user's
            address; `None` for not at all.
        now: the time in seconds.
    """

    def __init__(self, seconds: float | None, now: Callable[[], float]) -> None:
        self._seconds = seconds
        self._now = now
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._removals: OrderedDict[tuple[str, str], float] = OrderedDict()

    def seen(self, user_id: str, address: str) -> None:
        """Remember that a user comes from `address`, as `limits.network_of` counts it."""
        _keep(self._addresses, user_id, address)

    def removed(self, table_id: str, user_ids: Iterable[str]) -> None:
        """Remember that these users were removed from a table now."""
        for user_id in user_ids:
            address = self._addresses.get(user_id)
            if address is not None:
                _keep(self._removals, (table_id, address), self._now())

    def check(self, table_id: str, user: User, address: str) -> None:
        """See that a user may join a table.

        Raises:
            Refused: `removed`: the user is newer than a removal from this table, and comes from the same address.
        """
        since = self._removals.get((table_id, address))
        if since is None or self._seconds is None or user.created_at < since:
            return
        left = since + self._seconds - self._now()
        if left > 0:
            raise Refused(
                "removed",
                "the players at this table have just removed somebody from your network, so newcomers from there "
                f"can't join it yet; you can join in {max(1, round(left / 60))} min, or play at another table",
            )


def _keep(known: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    """Remember a value, and forget the oldest one where there are too many."""
    known.pop(key, None)
    known[key] = value
    if len(known) > MOST_KEYS:
        known.popitem(last=False)


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
