"""Reviews of finished hands, computed in a process of their own, so that no table waits for them."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
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

MOST_SECONDS = 60.0
"""The time limit of a review."""

IDLE_SECONDS = 300.0
"""The process is stopped when nobody has asked for this time; it takes about 200 MB of memory."""

LONGEST_QUEUE = 20
"""The maximum number of reviews that wait."""

KEPT = 512
"""The number of reviews that are kept."""

LONGEST_LINE = 1 << 24


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
        waiting: the number of reviews that wait or are being computed.
    """

    def __init__(self) -> None:
        self.waiting = 0
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._found: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._idle: asyncio.TimerHandle | None = None

    @staticmethod
    def are_installed() -> bool:
        """Return whether the packages are installed that a review needs."""
        return all(find_spec(name) for name in NEEDED)

    async def review(
        self, record: Mapping[str, Any], hand: int, language: str, admit: Callable[[], None]
    ) -> dict[str, Any]:
        """Return the review of a hand, as `liarspoker review --json` prints it.

        Args:
            record: a record, limited to what the reader may know.
            hand: the number of the hand in it, from 1.
            language: the language of its sentences.
            admit: called before a review is computed; it may raise an error.

        Raises:
            NoReview: the packages aren't installed, too many reviews are waiting, or this hand can't be reviewed.
        """
        request, key = _request(record, hand, language)
        if key not in self._found:
            if not self.are_installed():
                raise NoReview("reviews-missing")
            if self.waiting >= LONGEST_QUEUE:
                raise NoReview("reviews-busy")
            admit()
            self.waiting += 1
            try:
                async with self._turn:
                    if key not in self._found:  # somebody else may have asked for the same one
                        self._found[key] = await self._asked(request)
            finally:
                self.waiting -= 1
        self._found.move_to_end(key)
        while len(self._found) > KEPT:
            self._found.popitem(last=False)
        found = self._found[key]
        if "refused" in found:
            raise NoReview("review-refused", found["refused"])
        return found

    def kept(self, record: Mapping[str, Any], hand: int, language: str) -> dict[str, Any] | None:
        """Return the review of a hand if it has been computed already, else `None`; see `review`."""
        found = self._found.get(_request(record, hand, language)[1])
        return None if found is None or "refused" in found else found

    async def close(self) -> None:
        """Stop the process."""
        if self._idle is not None:
            self._idle.cancel()
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _asked(self, request: bytes) -> dict[str, Any]:
        """Send a request to the process, which is started if it doesn't run, and return its answer."""
        if self._idle is not None:
            self._idle.cancel()
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
            await self.close()
            raise NoReview("review-failed") from error
        except asyncio.CancelledError:
            await self.close()  # it would answer the next request with this review
            raise
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(IDLE_SECONDS, lambda: loop.create_task(self._rest()))
        return found

    async def _rest(self) -> None:
        async with self._turn:
            await self.close()

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            # -P: don't import modules from the current folder.
            command = (sys.executable, "-P", "-m", MODULE)
            environment = {name: os.environ[name] for name in (*INHERITED_VARIABLES, "HOME") if name in os.environ}
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, env=environment, limit=LONGEST_LINE
            )
        return self._process


def _request(record: Mapping[str, Any], hand: int, language: str) -> tuple[bytes, str]:
    """Return the request for a review, and its key."""
    wanted = {**record, "rounds": record["rounds"][:hand]}
    request = json.dumps({"record": wanted, "hand": hand, "language": language}).encode()
    return request, sha256(request).hexdigest()
