"""The sockets and streams that are open: whose they are, how many an address may have, and what closes them."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from liarspoker.server.accounts.credentials import Identity
from liarspoker.server.config import Limits
from liarspoker.server.problems import Problem
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.views import Watcher

PLAYERS_SOCKETS = 20
"""The number of sockets and streams that a player may have at a table with too many watchers."""


class Connections:
    """All sockets and streams of this process.

    Args:
        now: the time in seconds.
        limits: how many an address and a table may have at once.
    """

    def __init__(self, now: Callable[[], float], limits: Limits) -> None:
        self._now = now
        self._limits = limits
        self._stopping = False
        self._watchers: set[Watcher] = set()
        self._by_address: Counter[tuple[str, bool]] = Counter()
        self._by_credential: defaultdict[bytes, set[Watcher]] = defaultdict(set)

    def check(self, address: str, identity: Identity | None, actor: TableActor | None = None) -> None:
        """See that there may be one more.

        Args:
            address: where it comes from.
            identity: whose it is; `None` for somebody who is not known.
            actor: the table that it is at, if it is at one.

        Raises:
            Problem: `too-many`.
        """
        strangers, known = self._by_address[address, True], self._by_address[address, False]
        if _reached(strangers + known, self._limits.connections):
            raise Problem("too-many", "too many sockets and streams are open from your address; close one first", 5.0)
        if identity is None and _reached(strangers, self._limits.strangers):
            raise Problem("too-many", "too many people without a name watch from your address; choose a name", 5.0)
        if actor is not None and _reached(len(actor.watchers), self._limits.watchers):
            user = None if identity is None else identity.user.user_id
            if actor.table.chair_of(user) is None or actor.presence.sockets_of(user) >= PLAYERS_SOCKETS:
                raise Problem("too-many", "too many people watch this table now; try again later", 5.0)

    @contextmanager
    def opened(self, watcher: Watcher, identity: Identity | None, address: str) -> Iterator[None]:
        """Count `watcher` while it is open, and close it when its credential expires or is revoked."""
        timer: asyncio.TimerHandle | None = None
        self._watchers.add(watcher)
        counted = address, identity is None
        self._by_address[counted] += 1
        if identity is not None:
            self._by_credential[identity.credential].add(watcher)
            if identity.expires_at != float("inf"):
                left = max(0.0, identity.expires_at - self._now())
                timer = asyncio.get_running_loop().call_later(left, watcher.close, "revoked")
        if self._stopping:
            watcher.close("stopping")
        try:
            yield
        finally:
            if timer is not None:
                timer.cancel()
            self._watchers.discard(watcher)
            self._by_address[counted] -= 1
            if not self._by_address[counted]:
                del self._by_address[counted]
            if identity is not None:
                self._forget(identity.credential, watcher)

    def close(self, credential: bytes) -> None:
        """Close all that was opened with what has been revoked."""
        for watcher in self._by_credential.get(credential, ()):
            watcher.close("revoked")

    def stop(self) -> None:
        """Close everything, and from now on whatever is opened."""
        self._stopping = True
        for watcher in self._watchers:
            watcher.close("stopping")

    def _forget(self, credential: bytes, watcher: Watcher) -> None:
        watchers = self._by_credential[credential]
        watchers.discard(watcher)
        if not watchers:
            del self._by_credential[credential]


def _reached(number: int, most: int | None) -> bool:
    return most is not None and number >= most
