"""Passphrases, hashed with argon2 in threads: a hash takes a tenth of a second and 64 MiB, so two at once at most.

Others wait in a line, which is bounded. Whoever has tried less often goes first, and where the line is full, the last
one in it is refused at once: so a flood of attempts from a few addresses keeps nobody else waiting for long.
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
MOST_WAITING = 32
"""The length of the line: a few seconds of work."""

Made = TypeVar("Made")


class Passphrases:
    """Makes and checks hashes; `close` ends its threads."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(AT_ONCE, "liarspoker-argon2")
        self._free = AT_ONCE
        self._line: list[tuple[float, int, asyncio.Future[None]]] = []
        self._came = count()
        # Checked where there is no login, so that the answer takes as long as for a wrong passphrase.
        self._nobodys = self._threads.submit(self._hash, "nobody's passphrase")

    async def hash(self, passphrase: str, rank: float = 0.0) -> str:
        """What is stored of a passphrase; every call gives another text.

        Args:
            passphrase: any text.
            rank: of those who wait, the one with the lowest rank goes first.

        Raises:
            Busy: the line is full, and nobody in it has a higher rank.
        """
        return await self._in_turn(rank, lambda: self._hash(passphrase))

    async def fits(self, passphrase: str, stored: str | None, rank: float = 0.0) -> bool:
        """Whether `stored` was made from this passphrase; never where there is nothing stored, and as slowly.

        Raises:
            Busy: the line is full, and nobody in it has a higher rank.
        """
        return await self._in_turn(rank, lambda: self._fits(passphrase, stored))

    def is_dated(self, stored: str) -> bool:
        """Whether the hash was made with less work than is asked for today."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """End the threads, after the hash that each is at."""
        self._threads.shutdown(cancel_futures=True)

    async def _in_turn(self, rank: float, work: Callable[[], Made]) -> Made:
        """What `work` returns, in a thread, when its turn has come."""
        loop = asyncio.get_running_loop()
        if self._free:
            self._free -= 1
        else:
            turn: asyncio.Future[None] = loop.create_future()
            insort(self._line, (rank, next(self._came), turn))
            if len(self._line) > MOST_WAITING:
                last = self._line.pop()[2]
                if not last.done():
                    last.set_exception(Busy())
            try:
                await turn
            except asyncio.CancelledError:
                self._line = [one for one in self._line if one[2] is not turn]
                if not turn.cancelled():  # the turn had come at the same moment
                    self._next()
                raise
        working = loop.run_in_executor(self._threads, work)
        # A thread cannot be stopped, so it is free when it is done, and not when nobody waits for it any more.
        working.add_done_callback(lambda _: self._next())
        return await asyncio.shield(working)

    def _next(self) -> None:
        """A thread is free: the first one in the line has it."""
        while self._line:
            turn = self._line.pop(0)[2]
            if not turn.done():  # nobody waits for it any more
                turn.set_result(None)
                return
        self._free += 1

    def _hash(self, passphrase: str) -> str:
        return self._hasher.hash(_bytes(passphrase))

    def _fits(self, passphrase: str, stored: str | None) -> bool:
        try:
            self._hasher.verify(
                self._nobodys.result() if stored is None else stored, passphrase.encode(errors="surrogatepass")
            )
        except VerificationError:
            return False
        return stored is not None


def _bytes(passphrase: str) -> bytes:
    """Half of a sign, which a program may send, has no UTF-8; it fits no passphrase, and breaks nothing."""
    return passphrase.encode(errors="surrogatepass")
