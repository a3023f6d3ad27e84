"""All workers of a server: who asks first is served first, and a worker that ends is replaced."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from contextlib import suppress
from typing import Any, Literal, TypeAlias, get_args

from liarspoker.bots.catalogue import UnknownBot
from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.bots.worker import HEAD, LONGEST_ANSWER, Answer, Garbled, framed, request_of

HowItFailed: TypeAlias = Literal["bot-crashed", "bot-too-slow", "bot-nonsense"]


class BotFailed(LiarsPokerError):
    """A bot was asked and gave no action. Asking again with the same seed is likely to end the same way.

    Attributes:
        bot: its name.
        code: how it failed.
    """

    def __init__(self, bot: str, code: HowItFailed, why: str) -> None:
        super().__init__(f"bot {bot}: {why}")
        self.bot = bot
        self.code = code


class BotsBusy(LiarsPokerError):
    """A bot could not be asked in time; nothing is wrong with the bot."""

    code = "bots-busy"


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
        met: the bots that have answered here, each with its family of games: what they import and count once is ready.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self.asked = False
        self.met: set[tuple[str, str]] = set()

    @classmethod
    async def start(cls, loader: str, seconds: float, memory: int) -> Worker:
        """A worker that is ready.

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


LOG = logging.getLogger(__name__)

CATALOGUE = "liarspoker.bots.catalogue:load"
"""Where bots are found by name."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds before the next start, after a worker that ended unasked; each such pause is twice the one before."""


CLOSED = "the bot workers are closed"


class BotWorkers:
    """Processes in which bots think. It starts none before `start`, or before the first action is asked for.

    Use it within one event loop, and `close` it there, or write `async with BotWorkers() as workers`.

    Args:
        processes: how many bots think at once.
        seconds: what a bot has for an action, from the moment at which a worker turns to it.
        first_seconds: what it has on top for its first action in a worker, where it imports its modules and fills its
            tables.
        timeout: seconds that somebody who asks waits for a worker to turn to him, at most.
        longest_queue: how many wait so at once, at most.
        memory: bytes that a worker may take, 0 for any number.
        loader: `module:name` of what finds a bot by name and family, as `liarspoker.bots.catalogue.load` does. Workers
            import it, so it must not come from a stranger.

    Attributes:
        playing: how many bots think about an action now.
        waiting: how many wait for a worker.
        failures: how many actions were asked for in vain, by the code of the error.
    """

    def __init__(
        self,
        processes: int = 1,
        seconds: float = 5.0,
        *,
        first_seconds: float = 5.0,
        timeout: float = 15.0,
        longest_queue: int = 1000,
        memory: int = 1 << 30,
        loader: str = CATALOGUE,
    ) -> None:
        self._processes = processes
        self._seconds = seconds
        self._first_seconds = first_seconds
        self._timeout = timeout
        self._longest_queue = longest_queue
        self._start_worker = (loader, seconds + first_seconds, memory)
        self._idle: asyncio.Queue[Worker | None] = asyncio.Queue()
        self._workers: dict[int, Worker] = {}
        self._keepers: list[asyncio.Task[None]] = []
        self.playing = self.waiting = 0
        self.failures = Counter(dict.fromkeys((*get_args(HowItFailed), BotsBusy.code), 0))
        self._closed = False

    async def __aenter__(self) -> BotWorkers:
        """Start."""
        self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close."""
        await self.close()

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes that are ready or at work."""
        return tuple(worker.pid for worker in self._workers.values())

    def start(self) -> None:
        """Start the workers, unless they have been started; waits for nothing."""
        if not self._keepers and not self._closed:
            self._keepers = [asyncio.create_task(self._keep(place)) for place in range(self._processes)]

    async def close(self) -> None:
        """End all workers and wait for their end. Whoever still waits for an action gets an error."""
        self._closed = True
        for _ in range(self.waiting):
            self._idle.put_nowait(None)
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    async def action(self, bot: str, family: str, view: Any, seed: bytes) -> int:
        """What a bot plays. Whether the rules allow it, the session must say.

        Args:
            bot: its name in the catalogue; a name that is not there does no harm.
            family: the family of games, as `GameRow.family` names it.
            view: what the seat to act may know, as `session.view(session.to_act)` tells it.
            seed: of the bot's chance. The same view and seed give the same action.

        Raises:
            UnknownBot: there is no such bot, or it does not play such games.
            BotFailed: the bot crashed, was too slow or answered nonsense.
            BotsBusy: too many others are waiting, no worker came free in time, or the workers are closed.
        """
        try:
            return await self._action(bot, family, view, seed)
        except LiarsPokerError as error:
            self.failures[error.code] += 1
            raise

    async def _action(self, bot: str, family: str, view: Any, seed: bytes) -> int:
        request = request_of(bot, family, view, seed)
        self.start()
        worker, answer = await self._free(), None
        seconds = self._seconds if (bot, family) in worker.met else self._seconds + self._first_seconds
        self.playing += 1
        try:
            async with asyncio.timeout(seconds):
                answer = await worker.ask(request)
        except (TimeoutError, WorkerLost) as error:
            raise self._told(bot, seconds, error) from error
        else:
            worker.met.add((bot, family))
            self._idle.put_nowait(worker)
            return _action_of(bot, answer)
        finally:
            self.playing -= 1
            if answer is None:
                worker.kill()  # It may still be at work, and its next answer would not be the next request's.

    async def _free(self) -> Worker:
        """The next worker that is free, for who has waited longest."""
        if self.waiting >= self._longest_queue:
            raise BotsBusy(f"{self.waiting} others wait for a bot's action")
        self.waiting += 1
        try:
            async with asyncio.timeout(self._timeout):
                while not self._closed:
                    worker = await self._idle.get()
                    if worker is not None and worker.alive:
                        return worker
        except TimeoutError as error:
            raise BotsBusy(f"no bot worker came free in {self._timeout:g} seconds") from error
        finally:
            self.waiting -= 1
        raise BotsBusy(CLOSED)

    def _told(self, bot: str, seconds: float, error: TimeoutError | WorkerLost) -> BotFailed | BotsBusy:
        """The error for whoever asked."""
        if self._closed:
            return BotsBusy(CLOSED)
        if isinstance(error, WorkerLost):
            failed = BotFailed(bot, "bot-crashed", str(error))
        else:
            failed = BotFailed(bot, "bot-too-slow", f"no action after {seconds:g} seconds")
        LOG.warning("bot failed, its worker is replaced", extra={"bot": bot, "code": failed.code})
        return failed

    async def _keep(self, place: int) -> None:
        """Keep one worker running."""
        pause = FIRST_PAUSE
        while True:
            try:
                worker = await Worker.start(*self._start_worker)
            except (WorkerLost, OSError) as error:
                LOG.error("a bot worker does not start", extra={"error": type(error).__name__, "next_try": pause})
            else:
                await self._watch(place, worker)
                if worker.asked:
                    pause = FIRST_PAUSE
                    continue
                LOG.error("a bot worker ended before it was asked anything", extra={"next_try": pause})
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _watch(self, place: int, worker: Worker) -> None:
        """Let a worker be asked until it ends; end it if nobody wants it any more."""
        self._workers[place] = worker
        self._idle.put_nowait(worker)
        try:
            await worker.ended()
        finally:
            del self._workers[place]
            worker.kill()
            await worker.ended()


def _action_of(bot: str, answer: Answer) -> int:
    """The action that an answer tells.

    Raises:
        UnknownBot: there is no such bot.
        BotFailed: the bot has not played.
    """
    if answer.kind == "played":
        return int(answer.text)
    if answer.kind == "unknown":
        raise UnknownBot(answer.text)
    failed = BotFailed(bot, "bot-nonsense" if answer.kind == "nonsense" else "bot-crashed", answer.text)
    LOG.warning("bot failed", extra={"bot": bot, "code": failed.code})
    raise failed
