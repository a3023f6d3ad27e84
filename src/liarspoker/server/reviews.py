"""Reviews of finished hands, computed in a process of their own, so that no table waits for them."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import zlib
from asyncio.subprocess import PIPE, Process
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.bots.workers import INHERITED_VARIABLES

log = logging.getLogger(__name__)

MODULE = "liarspoker.coach.worker"

NEEDED = ("numba", "numpy", "platformdirs", "psutil")
"""What the process imports, as in the extra `engine`."""

MOST_SECONDS = 120.0
"""The time limit of a review."""

MOST_ACTIONS = 300
"""The maximum number of actions of a hand that is reviewed."""

PLAYOUTS_TOGETHER, FEWEST, MOST = 12_000, 100, 1_000
"""A hand with more actions gets fewer playouts for each, so that it doesn't take much longer."""

IDLE_SECONDS = 300.0
"""The process is stopped when nobody has asked for this time; it takes about 300 MB of memory."""

LONGEST_QUEUE = 20
"""The maximum number of reviews that wait."""

PER_ADDRESS = 2
"""The maximum number of them from one address."""

KEPT = 8_192
"""The number of reviews that are kept, about 10 kB each."""

LONGEST_LINE = 1 << 24

_VARIABLES = (*INHERITED_VARIABLES, "HOME", "LIARSPOKER_CACHE", "XDG_CACHE_HOME")


class NoReview(LiarsPokerError):
    """A hand can't be reviewed.

    Attributes:
        code: `reviews-missing`, `reviews-busy`, `review-failed` or `review-refused`.
    """

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(why or code)
        self.code = code


class Reviews:
    """Reviews hands one at a time, in a process that is started when it is needed. Use it within one event loop.

    Attributes:
        waiting: the number of reviews that wait or are being computed, by address.
    """

    def __init__(self) -> None:
        self.waiting: Counter[str] = Counter()
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._found: OrderedDict[str, bytes] = OrderedDict()
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False

    @staticmethod
    def are_installed() -> bool:
        """Return whether the packages are installed that a review needs."""
        return all(find_spec(name) for name in NEEDED)

    async def review(
        self, record: Mapping[str, Any], hand: int, language: str, address: str, admit: Callable[[], None]
    ) -> dict[str, Any]:
        """Return the review of a hand, as `liarspoker review --json` prints it.

        Args:
            record: a record, limited to what the reader may know.
            hand: the number of the hand in it, from 1.
            language: the language of its sentences.
            address: who asks.
            admit: called before a review is computed; it may raise an error.

        Raises:
            NoReview: the packages aren't installed, too many reviews are waiting, or this hand can't be reviewed.
        """
        key = keys_of(record, language)[hand - 1]
        if key not in self._found:
            if not self.are_installed():
                raise NoReview("reviews-missing")
            if self.waiting.total() >= LONGEST_QUEUE or self.waiting[address] >= PER_ADDRESS:
                raise NoReview("reviews-busy")
            admit()
            self.waiting[address] += 1
            try:
                async with self._turn:
                    if key not in self._found:  # somebody else may have asked for the same one
                        self._keep(key, await self._asked(record, hand, language))
            finally:
                self.waiting[address] -= 1
                self.waiting += Counter()  # without the addresses that wait no longer
        found = self.kept(key)
        assert found is not None
        if "refused" in found:
            raise NoReview(found["refused"], found["why"])
        return found

    def kept(self, key: str) -> dict[str, Any] | None:
        """Return what is known of a review: the review, or `refused` and `why`; `None` if it wasn't asked for."""
        found = self._found.get(key)
        if found is None:
            return None
        self._found.move_to_end(key)
        kept: dict[str, Any] = json.loads(zlib.decompress(found))
        return kept

    def _keep(self, key: str, found: dict[str, Any]) -> None:
        self._found[key] = zlib.compress(json.dumps(found).encode(), 1)
        while len(self._found) > KEPT:
            self._found.popitem(last=False)

    async def close(self) -> None:
        """Stop the process for good."""
        self._closed = True
        await self._stop()

    async def _stop(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _asked(self, record: Mapping[str, Any], hand: int, language: str) -> dict[str, Any]:
        """Return the answer of the process, which is started if it doesn't run; a failure is an answer too."""
        if self._idle is not None:
            self._idle.cancel()
        actions = len(record["rounds"][hand - 1]["actions"])
        if actions > MOST_ACTIONS:
            return {"refused": "review-too-long", "why": ""}
        playouts = max(FEWEST, min(MOST, PLAYOUTS_TOGETHER // max(1, actions)))
        wanted = {"record": {**record, "rounds": record["rounds"][:hand]}, "hand": hand}
        request = json.dumps({**wanted, "language": language, "playouts": playouts}).encode()
        try:
            async with asyncio.timeout(MOST_SECONDS):
                process = await self._running()
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(request + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
            found: dict[str, Any] = json.loads(line)
        except (TimeoutError, OSError, ValueError) as error:
            log.warning("review failed", extra={"error": type(error).__name__})
            await self._stop()
            return {"refused": "review-failed", "why": ""}
        except asyncio.CancelledError:
            await self._stop()  # it would answer the next request with this review
            raise
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(IDLE_SECONDS, lambda: loop.create_task(self._rest()))
        return found

    async def _rest(self) -> None:
        async with self._turn:
            await self._stop()

    async def _running(self) -> Process:
        """Return the process, which is started if it doesn't run.

        Raises:
            OSError: it can't be started, or the server is stopping.
        """
        if self._closed:
            raise OSError("the server is stopping")
        if self._process is None or self._process.returncode is not None:
            # -P: don't import modules from the current folder.
            command = (sys.executable, "-P", "-m", MODULE)
            environment = {name: os.environ[name] for name in _VARIABLES if name in os.environ}
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, env=environment, limit=LONGEST_LINE
            )
        return self._process


def keys_of(record: Mapping[str, Any], language: str) -> list[str]:
    """Return the key of the review of each hand: a hash of the record up to that hand, and of the language."""
    head = {name: value for name, value in record.items() if name != "rounds"}
    so_far, keys = sha256(json.dumps([language, head]).encode()), []
    for played in record["rounds"]:
        so_far.update(json.dumps(played).encode())
        keys.append(so_far.hexdigest())
    return keys
