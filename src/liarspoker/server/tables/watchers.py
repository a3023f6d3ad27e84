"""Who looks at a table: sockets and streams that are told whenever something has changed.

A view is whole, so a watcher that is slow needs only the last one: what waits to be sent is at most one view, one chat,
one list of who is there, and a bounded number of answers. Memory does not grow with a reader's slowness.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from math import inf

from liarspoker.protocol.codec import Encoded
from liarspoker.protocol.frames import Chat, State
from liarspoker.protocol.frames import Presence as PresenceFrame

MOST_ANSWERS = 1_000
"""A watcher that leaves so many answers unread is cut off."""


class Watcher:
    """One socket or stream.

    Attributes:
        user: whose it is; `None` for somebody who is not known.
        behind: it sees the table one round behind.
        closed: why it should be closed, once it should.
    """

    def __init__(self, user: str | None, behind: bool) -> None:
        self.user = user
        self.behind = behind
        self.closed: str | None = None
        self._state: Encoded[State] | None = None
        self._chat: Encoded[Chat] | None = None
        self._presence: Encoded[PresenceFrame] | None = None
        self._last_presence: PresenceFrame | None = None
        self._answers: deque[Encoded[object]] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def state(self, state: Encoded[State]) -> None:
        """Send this view instead of any that waits."""
        self._state = state
        self._wake()

    def chat(self, chat: Encoded[Chat]) -> None:
        """Send this chat instead of any that waits."""
        self._chat = chat
        self._wake()

    def presence(self, presence: Encoded[PresenceFrame]) -> None:
        """Send this list of who is there instead of any that waits, unless it was the last one sent."""
        self._presence = None if presence.message == self._last_presence else presence
        if self._presence is not None:
            self._wake()

    def answer(self, answer: Encoded[object]) -> None:
        """Send this too, in order."""
        if len(self._answers) >= MOST_ANSWERS:
            self.close("too-slow")
            return
        self._answers.append(answer)
        self._wake()

    def close(self, why: str) -> None:
        """Have it closed."""
        self.closed = self.closed or why
        self._wake()

    async def next(self) -> list[Encoded[object]]:
        """What is to be sent now, in order; waits until there is something. Empty once it should be closed.

        Only one may wait at a time.
        """
        while not self.closed:
            messages = [*self._answers]
            self._answers.clear()
            messages += [one for one in (self._state, self._chat, self._presence) if one is not None]
            if self._presence is not None:
                self._last_presence = self._presence.message
            self._state = self._chat = self._presence = None
            if messages:
                return messages
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return []

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)


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
