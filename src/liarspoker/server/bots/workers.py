"""The bot workers of a server: requests are served in order, and workers that end are replaced."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal, TypeAlias, get_args

from liarspoker.bots.catalogue import UnknownBot
from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.bots.worker import HEAD, LONGEST_ANSWER, Answer, MalformedAnswer, framed, request_of

HowItFailed: TypeAlias = Literal["bot-crashed", "bot-too-slow", "bot-nonsense"]


class BotFailed(LiarsPokerError):
    """A bot failed to return an action. A retry with the same seed is likely to fail too.

    Attributes:
        bot: its name.
        code: how it failed.
    """

    def __init__(self, bot: str, code: HowItFailed, why: str) -> None:
        super().__init__(f"bot {bot}: {why}")
        self.bot = bot
        self.code = code


class BotsBusy(LiarsPokerError):
    """No worker was free in time; nothing is wrong with the bot."""

    code = "bots-busy"


MODULE = "liarspoker.server.bots.worker"

START_SECONDS = 30.0
"""Timeout of the start of a worker."""

INHERITED_VARIABLES = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT")
"""The environment variables that workers inherit; none contains keys or database URLs."""

ENGINE_VARIABLES = (*INHERITED_VARIABLES, "HOME", "LIARSPOKER_CACHE", "XDG_CACHE_HOME")
"""The environment variables of processes with the extra `engine`, which keeps compiled code in the user's cache."""


class WorkerLost(Exception):
    """The process has ended, or sent something invalid."""


class Worker:
    """A running worker process. Send it one request at a time.

    Attributes:
        has_worked: whether it has ever received a request.
        warm: the bots that have answered here, each with its game family, so that their modules and tables are loaded.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self.has_worked = False
        self.warm: set[tuple[str, str]] = set()

    @classmethod
    async def start(cls, loader: str, seconds: float, memory: int, niceness: int, variables: Sequence[str]) -> Worker:
        """Start a worker, and wait until it is ready.

        Raises:
            WorkerLost: it ended before it was ready, or took too long; errors are on standard error.
            OSError: the process can't be started.
        """
        # -P: don't import modules from the current folder.
        command = (sys.executable, "-P", "-m", MODULE, loader, *map(str, (seconds, memory, niceness)))
        environment = {name: os.environ[name] for name in variables if name in os.environ}
        worker = cls(await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=environment))
        try:
            async with asyncio.timeout(START_SECONDS):
                if (await worker._answer()).kind != "ready":
                    raise WorkerLost("it sent an answer before it was ready")
        except BaseException as error:
            worker.kill()
            await worker.ended()
            if isinstance(error, TimeoutError):
                raise WorkerLost(f"it wasn't ready after {START_SECONDS:g} seconds") from error
            raise
        return worker

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process isn't known to have ended."""
        return self._process.returncode is None

    async def ask(self, request: bytes) -> Answer:
        """Send a request and return the answer. After a timeout, `kill` the worker, since it would still answer.

        Raises:
            WorkerLost: the process has ended, or its answer is invalid.
        """
        self.has_worked = True
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
                raise MalformedAnswer(f"{size} bytes are too long")
            return Answer.from_bytes(await self._process.stdout.readexactly(size))
        except MalformedAnswer as error:
            raise WorkerLost(f"its process sent an invalid answer: {error}") from error
        except (asyncio.IncompleteReadError, OSError) as error:
            raise WorkerLost("its process has ended") from error

    def kill(self) -> None:
        """Kill the process; `ended` waits for its end."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def ended(self) -> None:
        """Wait until the process has ended."""
        await self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()


LOG = logging.getLogger(__name__)

CATALOGUE = "liarspoker.bots.catalogue:load"
"""The function that loads bots by name."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds before the next start, if a worker ended before its first request; the pause doubles each time."""


CLOSED = "the bot workers are closed"


class BotWorkers:
    """A pool of processes that run bots. They are started by `start`, or by the first call of `action`.

    Use it within one event loop, and `close` it there, or use `async with BotWorkers() as workers`.

    Args:
        processes: the number of processes.
        seconds: the time limit of an action, once a worker has begun.
        first_seconds: the additional time for a bot's first action in a worker, when it imports its modules and
            computes its tables.
        timeout: the maximum time that a request waits for a free worker, in seconds.
        longest_queue: the maximum number of waiting requests.
        memory: the memory limit of a worker in bytes, 0 for none.
        loader: `module:name` of the function that loads a bot by name and family, such as
            `liarspoker.bots.catalogue.load`. Workers import it, so it must be trusted.
        niceness: the niceness of workers, so that the server has priority.
        variables: the environment variables that workers inherit.
        idle_seconds: the processes are stopped when nobody has asked for this time, until somebody asks again; `None`
            to keep them.

    Attributes:
        playing: the number of bots that are choosing an action now.
        waiting: the number of requests that wait for a worker.
        failures: the number of failed requests, by error code.
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
        niceness: int = 10,
        variables: Sequence[str] = INHERITED_VARIABLES,
        idle_seconds: float | None = None,
    ) -> None:
        self._processes = processes
        self._seconds = seconds
        self._first_seconds = first_seconds
        self._timeout = timeout
        self._longest_queue = longest_queue
        self._idle_seconds = idle_seconds
        self._start_worker = (loader, seconds + first_seconds, memory, niceness, variables)
        self._idle: asyncio.Queue[Worker | None] = asyncio.Queue()
        self._workers: dict[int, Worker] = {}
        self._keepers: list[asyncio.Task[None]] = []
        self._stopping: set[asyncio.Task[None]] = set()
        self._rest: asyncio.TimerHandle | None = None
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
        """The process ids of the workers that are ready or working."""
        return tuple(worker.pid for worker in self._workers.values())

    def start(self) -> None:
        """Start the workers, unless they have been started, without waiting for them."""
        if not self._keepers and not self._closed:
            self._keepers = [asyncio.create_task(self._keep(place)) for place in range(self._processes)]

    async def close(self) -> None:
        """End all workers and wait for their end. Pending requests fail."""
        self._closed = True
        for _ in range(self.waiting):
            self._idle.put_nowait(None)
        self._stop()
        await asyncio.gather(*self._stopping, return_exceptions=True)

    def _stop(self) -> None:
        """End all workers, without waiting for their end."""
        if self._rest is not None:
            self._rest.cancel()
        for keeper in self._keepers:
            self._stopping.add(keeper)
            keeper.add_done_callback(self._stopping.discard)
            keeper.cancel()
        self._keepers = []

    def _rest_later(self) -> None:
        """Stop the workers after a while if nobody asks, in which case this is called again."""
        if self._rest is not None:
            self._rest.cancel()
        if self._idle_seconds is not None and not (self.waiting or self.playing or self._closed):
            self._rest = asyncio.get_running_loop().call_later(self._idle_seconds, self._rest_now)

    def _rest_now(self) -> None:
        if not (self.waiting or self.playing):
            self._idle = asyncio.Queue()  # those in it are about to end
            self._stop()

    async def action(self, bot: str, family: str, view: Any, seed: bytes) -> int:
        """Return a bot's action, which may be illegal.

        Args:
            bot: its name in the catalogue; unknown names are harmless.
            family: the game family, see `GamePreset.family`.
            view: the view of the seat to act, from `session.view(session.to_act)`.
            seed: the bot's random seed. The same view and seed give the same action.

        Raises:
            UnknownBot: the bot doesn't exist, or doesn't play this game family.
            BotFailed: the bot crashed, was too slow, or didn't return an action.
            BotsBusy: too many requests are waiting, no worker was free in time, or the workers are closed.
        """
        try:
            return await self._action(bot, family, view, seed)
        except LiarsPokerError as error:
            self.failures[error.code] += 1
            raise
        finally:
            self._rest_later()

    async def _action(self, bot: str, family: str, view: Any, seed: bytes) -> int:
        request = request_of(bot, family, view, seed)
        self.start()
        worker, answer = await self._free(), None
        seconds = self._seconds if (bot, family) in worker.warm else self._seconds + self._first_seconds
        self.playing += 1
        try:
            async with asyncio.timeout(seconds):
                answer = await worker.ask(request)
        except (TimeoutError, WorkerLost) as error:
            raise self._error_of(bot, seconds, error) from error
        else:
            worker.warm.add((bot, family))
            self._idle.put_nowait(worker)
            return _action_of(bot, answer)
        finally:
            self.playing -= 1
            if answer is None:
                worker.kill()  # it may still be working, and would answer the next request with this action

    async def _free(self) -> Worker:
        """Wait for a free worker; requests are served in order."""
        if self.waiting >= self._longest_queue:
            raise BotsBusy(f"{self.waiting} other requests are waiting for a bot")
        self.waiting += 1
        try:
            async with asyncio.timeout(self._timeout):
                while not self._closed:
                    worker = await self._idle.get()
                    if worker is not None and worker.alive:
                        return worker
        except TimeoutError as error:
            raise BotsBusy(f"no bot worker was free within {self._timeout:g} seconds") from error
        finally:
            self.waiting -= 1
        raise BotsBusy(CLOSED)

    def _error_of(self, bot: str, seconds: float, error: TimeoutError | WorkerLost) -> BotFailed | BotsBusy:
        """Return the error for the caller."""
        if self._closed:
            return BotsBusy(CLOSED)
        if isinstance(error, WorkerLost):
            failed = BotFailed(bot, "bot-crashed", str(error))
        else:
            failed = BotFailed(bot, "bot-too-slow", f"no action after {seconds:g} seconds")
        LOG.warning("bot failed, replacing its worker", extra={"bot": bot, "code": failed.code})
        return failed

    async def _keep(self, place: int) -> None:
        """Keep one worker running."""
        pause = FIRST_PAUSE
        while True:
            try:
                worker = await Worker.start(*self._start_worker)
            except (WorkerLost, OSError) as error:
                LOG.error("bot worker failed to start", extra={"error": type(error).__name__, "next_try": pause})
            else:
                await self._watch(place, worker)
                if worker.has_worked:
                    pause = FIRST_PAUSE
                    continue
                LOG.error("bot worker ended before its first request", extra={"next_try": pause})
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _watch(self, place: int, worker: Worker) -> None:
        """Offer a worker for requests until it ends; kill it when cancelled."""
        self._workers[place] = worker
        self._idle.put_nowait(worker)
        try:
            await worker.ended()
        finally:
            del self._workers[place]
            worker.kill()
            await worker.ended()


def _action_of(bot: str, answer: Answer) -> int:
    """Return the action in an answer.

    Raises:
        UnknownBot: the bot doesn't exist.
        BotFailed: the bot hasn't returned an action.
    """
    if answer.kind == "played":
        return int(answer.text)
    if answer.kind == "unknown":
        raise UnknownBot(answer.text)
    failed = BotFailed(bot, "bot-nonsense" if answer.kind == "nonsense" else "bot-crashed", answer.text)
    LOG.warning("bot failed", extra={"bot": bot, "code": failed.code})
    raise failed
