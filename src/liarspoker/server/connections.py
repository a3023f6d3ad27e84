"""The sockets and streams that are open: whose they are, how many an address may have, and what closes them."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from liarspoker.server.accounts.credentials import Identity
from liarspoker.server.house.watchers import Watcher
from liarspoker.server.problems import Problem


class Connections:
    """All sockets and streams of this process.

    Args:
        now: the time in seconds.
        most: how many an address may have at once; `None` for any number.
    """

    def __init__(self, now: Callable[[], float], most: int | None) -> None:
        self._now = now
        self._most = most
        self._stopping = False
        self._watchers: set[Watcher] = set()
        self._by_address: Counter[str] = Counter()
        self._by_credential: defaultdict[bytes, set[Watcher]] = defaultdict(set)

    def check(self, address: str) -> None:
        """See that `address` may have one more.

        Raises:
            Problem: `too-many`.
        """
        if self._most is not None and self._by_address[address] >= self._most:
            raise Problem("too-many", f"{self._most} sockets and streams are open from here; close one first", 1.0)

    @contextmanager
    def opened(self, watcher: Watcher, identity: Identity | None, address: str) -> Iterator[None]:
        """Count `watcher` while it is open, and close it when its credential expires or is revoked."""
        timer: asyncio.TimerHandle | None = None
        self._watchers.add(watcher)
        self._by_address[address] += 1
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
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]
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
