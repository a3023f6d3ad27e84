"""Who looks at a table: sockets and streams that are told whenever something has changed.

A view is whole, so a watcher that is slow needs only the last one: what waits to be sent is at most one view, one chat,
one list of who is there, and a bounded number of answers. Memory does not grow with a reader's slowness.
"""

from __future__ import annotations

import asyncio
from collections import deque

from liarspoker.protocol.codec import Encoded
from liarspoker.protocol.frames import Chat, Presence, State

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
        self._presence: Encoded[Presence] | None = None
        self._last_presence: Presence | None = None
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

    def presence(self, presence: Encoded[Presence]) -> None:
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
