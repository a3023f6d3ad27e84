"""Who watches one table, and when the others are told of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from math import inf

from liarspoker.protocol.codec import Encoded
from liarspoker.protocol.frames import Presence as PresenceFrame
from liarspoker.server.house.watchers import Watcher

PRESENCE_SECONDS = 1.0
"""The time between two updates at one table, at least. An update goes to every watcher, so without this many who come
or go together would cost as many messages as their number squared."""

MOST_USERS = 50
"""Of more users than this, an update lists only those who sit at the table."""


class Presence:
    """The watchers of one table.

    Args:
        seated: returns the users who sit at the table now.

    Attributes:
        watchers: all of them.
    """

    def __init__(self, seated: Callable[[], set[str]]) -> None:
        self.watchers: set[Watcher] = set()
        self._seated = seated
        self._sockets: Counter[str] = Counter()
        self._told_players: frozenset[str] = frozenset()
        self._told_at = -inf
        self._timer: asyncio.TimerHandle | None = None

    def add(self, watcher: Watcher) -> None:
        """A watcher has come: it learns at once who is there, and the others learn of it soon."""
        self.watchers.add(watcher)
        if watcher.user is not None:
            self._sockets[watcher.user] += 1
        watcher.presence(self._message())
        self._tell_soon()

    def remove(self, watcher: Watcher) -> None:
        """A watcher has gone; nothing happens where it was not there."""
        if watcher not in self.watchers:
            return
        self.watchers.remove(watcher)
        if watcher.user is not None:
            self._sockets[watcher.user] -= 1
            if not self._sockets[watcher.user]:
                del self._sockets[watcher.user]
        self._tell_soon()

    def sockets_of(self, user: str | None) -> int:
        """The number of watchers that belong to `user`."""
        return 0 if user is None else self._sockets[user]

    def shown(self) -> None:
        """The table was shown to everybody: that is the moment to tell which players are here, if that has changed."""
        if self._players() != self._told_players:
            self._tell()

    def _tell_soon(self) -> None:
        """Tell everybody, now or when the last update is long enough ago."""
        if not self.watchers or self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        wait = self._told_at + PRESENCE_SECONDS - loop.time()
        if wait <= 0:
            self._tell()
        else:
            self._timer = loop.call_later(wait, self._tell)

    def _tell(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._told_players, self._told_at = self._players(), asyncio.get_running_loop().time()
        message = self._message()
        for watcher in self.watchers:
            watcher.presence(message)

    def _players(self) -> frozenset[str]:
        """Those who sit at the table and watch it."""
        return frozenset(self._seated()) & self._sockets.keys()

    def _message(self) -> Encoded[PresenceFrame]:
        users: set[str] | Counter[str] = self._sockets
        if len(users) > MOST_USERS:
            users = set(self._players())
        return Encoded(PresenceFrame(users=tuple(sorted(users)), watchers=len(self.watchers)))
