"""Passphrases, hashed with argon2 in threads: a hash takes a tenth of a second and 64 MiB, so two at once at most."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

AT_ONCE = 2


class Passphrases:
    """Makes and checks hashes; `close` ends its threads.

    Args:
        hasher: how much work a hash is; the library's recommendation by default.
    """

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(AT_ONCE, "liarspoker-argon2")
        # Checked where there is no login, so that the answer takes as long as for a wrong passphrase.
        self._nobodys = self._threads.submit(self._hash, "nobody's passphrase")

    async def hash(self, passphrase: str) -> str:
        """What is stored of a passphrase; every call gives another text."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._hash, passphrase)

    async def fits(self, passphrase: str, stored: str | None) -> bool:
        """Whether `stored` was made from this passphrase; never where there is nothing stored, and as slowly."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._fits, passphrase, stored)

    def is_dated(self, stored: str) -> bool:
        """Whether the hash was made with less work than is asked for today."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """End the threads, after the hash that each is at."""
        self._threads.shutdown(cancel_futures=True)

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
