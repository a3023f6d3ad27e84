"""The server's end of one worker process."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

from liarspoker.server.bots.wire import HEAD, LONGEST_ANSWER, Answer, Garbled, framed

MODULE = "liarspoker.server.bots.worker"

START_SECONDS = 30.0
"""How long a worker may take to start."""

KEPT = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT")
"""What a worker is told of the server's environment: nothing about keys and databases."""


class WorkerLost(Exception):
    """The process has ended, or talks in a way that cannot be read."""


class Worker:
    """One worker process that has started. `ask` it one thing at a time.

    Attributes:
        asked: whether it was ever asked something.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self.asked = False

    @classmethod
    async def start(cls, loader: str, seconds: float, memory: int) -> Worker:
        """A worker that is ready.

        Args:
            loader: `module:name` of what finds a bot by name and family.
            seconds: what a bot has for an action.
            memory: bytes that the process may take, 0 for any number.

        Raises:
            WorkerLost: it ended before it was ready, or took too long; what went wrong is on standard error.
            OSError: the system starts no process.
        """
        # -P: what lies in the folder in which the server was started is no module.
        command = (sys.executable, "-P", "-m", MODULE, loader, str(seconds), str(memory))
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        worker = cls(await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=environment))
        try:
            async with asyncio.timeout(START_SECONDS):
                if (await worker._answer()).kind != "ready":
                    raise WorkerLost("it answers before it is ready")
        except BaseException as error:
            worker.kill()
            await worker.ended()
            if isinstance(error, TimeoutError):
                raise WorkerLost(f"it was not ready after {START_SECONDS:g} seconds") from error
            raise
        return worker

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process has not ended, as far as is known."""
        return self._process.returncode is None

    async def ask(self, request: bytes) -> Answer:
        """The answer to a request. Whoever gives up waiting must `kill` the worker, which would still answer.

        Raises:
            WorkerLost: the process has ended, or its answer cannot be read.
        """
        self.asked = True
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(framed(request))
            await self._process.stdin.drain()
        except OSError as error:
            raise WorkerLost("its process has ended") from error
        return await self._answer()

    async def _answer(self) -> Answer:
        assert self._process.stdout is not None
        try:
            (size,) = HEAD.unpack(await self._process.stdout.readexactly(HEAD.size))
            if size > LONGEST_ANSWER:
                raise Garbled(f"an answer of {size} bytes")
            return Answer.from_bytes(await self._process.stdout.readexactly(size))
        except Garbled as error:
            raise WorkerLost(f"its process cannot be understood: {error}") from error
        except (asyncio.IncompleteReadError, OSError) as error:
            raise WorkerLost("its process has ended") from error

    def kill(self) -> None:
        """End the process at once; `ended` waits for it."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def ended(self) -> None:
        """Wait until the process has ended."""
        await self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()
