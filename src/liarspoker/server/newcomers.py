"""Keeps a player who was removed from a table from coming straight back as a new guest."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TypeVar

from liarspoker.server.accounts.credentials import User
from liarspoker.server.limiter import MOST_KEYS
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
        """Remember that a user comes from `address`, as `limiter.network_of` counts it."""
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
