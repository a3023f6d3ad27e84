"""Hashing of passphrases with argon2 in threads.

A hash takes a tenth of a second and 64 MiB, so at most two run at once. Further requests wait in a bounded queue,
ordered by rank: those with the fewest recent attempts go first. If the queue is full, the last one in it is refused. So
a flood of attempts from a few addresses doesn't delay others for long.
"""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from liarspoker.server.accounts.credentials import Busy

AT_ONCE = 2
MAX_WAITING = 32
"""The maximum length of the queue: a few seconds of work."""

Made = TypeVar("Made")


class Passphrases:
    """Creates and verifies hashes; `close` ends its threads."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(AT_ONCE, "liarspoker-argon2")
        self._free = AT_ONCE
        self._queue: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = count()
        # Verified if a login doesn't exist, so that the answer takes as long as for a wrong passphrase.
        self._dummy = self._threads.submit(self._hash, "nobody's passphrase")

    async def hash(self, passphrase: str, rank: float = 0.0) -> str:
        """Return the salted hash of a passphrase.

        Args:
            passphrase: any text.
            rank: the position in the queue; the lowest rank goes first.

        Raises:
            Busy: the queue is full, and no request in it has a higher rank.
        """
        return await self._in_turn(rank, lambda: self._hash(passphrase))

    async def verify(self, passphrase: str, stored: str | None, rank: float = 0.0) -> bool:
        """Return whether `stored` is a hash of this passphrase; false, but just as slow, if `stored` is `None`.

        Raises:
            Busy: the queue is full, and no request in it has a higher rank.
        """
        return await self._in_turn(rank, lambda: self._verify(passphrase, stored))

    def needs_rehash(self, stored: str) -> bool:
        """Return whether the hash was made with weaker parameters than the current ones."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """End the threads after their current hash."""
        self._threads.shutdown(cancel_futures=True)

    async def _in_turn(self, rank: float, work: Callable[[], Made]) -> Made:
        """Run `work` in a thread when its turn has come, and return its result."""
        loop = asyncio.get_running_loop()
        if self._free:
            self._free -= 1
        else:
            turn: asyncio.Future[None] = loop.create_future()
            insort(self._queue, (rank, next(self._order), turn))
            if len(self._queue) > MAX_WAITING:
                last = self._queue.pop()[2]
                if not last.done():
                    last.set_exception(Busy())
            try:
                await turn
            except asyncio.CancelledError:
                self._queue = [one for one in self._queue if one[2] is not turn]
                if not turn.cancelled():  # the turn had come at the same moment
                    self._next()
                raise
        working = loop.run_in_executor(self._threads, work)
        # A thread can't be stopped, so it is free only when it is done, even if the caller was cancelled.
        working.add_done_callback(lambda _: self._next())
        return await asyncio.shield(working)

    def _next(self) -> None:
        """Give a free thread to the first request in the queue."""
        while self._queue:
            turn = self._queue.pop(0)[2]
            if not turn.done():  # else its caller was cancelled
                turn.set_result(None)
                return
        self._free += 1

    def _hash(self, passphrase: str) -> str:
        return self._hasher.hash(_bytes(passphrase))

    def _verify(self, passphrase: str, stored: str | None) -> bool:
        try:
            self._hasher.verify(
                self._dummy.result() if stored is None else stored, passphrase.encode(errors="surrogatepass")
            )
        except VerificationError:
            return False
        return stored is not None


def _bytes(passphrase: str) -> bytes:
    """Encode a passphrase; lone surrogates, which a program can send, match no passphrase and raise no error."""
    return passphrase.encode(errors="surrogatepass")
