"""Several nodes from one command: processes that share a port, and are restarted when they die.

The system distributes connections over all sockets that listen on the port with SO_REUSEPORT. A node that accepts a
connection for another node's table forwards it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from liarspoker.core.errors import LiarsPokerError

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds before a dead node is restarted; the pause doubles each time."""
STEADY_SECONDS = 60.0
"""A node that has run for this long is restarted after the shortest pause."""


class CannotStart(LiarsPokerError):
    """A node didn't start."""

    code = "cannot-start"


class Nodes:
    """The processes of several nodes.

    Each process reads one line from its standard input, writes a line when it serves, and stops when its standard input
    is closed, which happens when this process ends for any reason.

    Args:
        command: the command of a node.
        lines: the line that each node reads, by its name.
        ready: called when all nodes serve.
    """

    def __init__(self, command: Sequence[str], lines: Mapping[str, bytes], ready: Callable[[], None]) -> None:
        self._command = command
        self._lines = lines
        self._ready = ready
        self._starting = set(lines)
        self._running: set[Process] = set()

    async def run(self) -> None:
        """Keep all nodes running until this process is asked to stop; if asked twice, kill them.

        Raises:
            CannotStart: a node ended before it served for the first time.
        """
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()

        def stop() -> None:
            if stopped.is_set():
                self._kill()
            stopped.set()

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop)
        # A terminal that is closed may send this twice, so it never kills.
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            loop.add_signal_handler(signal.SIGHUP, stopped.set)
        stop_requested = asyncio.create_task(stopped.wait())
        keepers = [asyncio.create_task(self._keep(name)) for name in self._lines]
        try:
            await asyncio.wait([stop_requested, *keepers], return_when=asyncio.FIRST_COMPLETED)
        finally:
            failed = [keeper for keeper in keepers if keeper.done()]
            for task in (stop_requested, *keepers):
                task.cancel()
            await asyncio.wait(keepers)
        for keeper in failed:
            keeper.result()

    def _kill(self) -> None:
        for process in self._running:
            with suppress(ProcessLookupError):
                process.kill()

    async def _keep(self, name: str) -> None:
        """Keep one node running."""
        pause = FIRST_PAUSE
        while True:
            began = time.monotonic()
            await self._run(name)
            if name in self._starting:
                raise CannotStart(f"{name} ended before it served; see the log lines above")
            pause = FIRST_PAUSE if time.monotonic() - began > STEADY_SECONDS else pause
            log.error("node ended, restarting", extra={"node": name, "next_try": pause})
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _run(self, name: str) -> None:
        """Run one process of a node, until it ends or this is cancelled."""
        # In a separate process group, so that Ctrl-C reaches only this process, which passes it on.
        process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE, process_group=0)
        self._running.add(process)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(self._lines[name] + b"\n")
            if await process.stdout.readline() and name in self._starting:
                self._starting.remove(name)
                if not self._starting:
                    self._ready()
            while await process.stdout.read(1 << 10):
                pass
            await process.wait()
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()
            process.stdin.close()
            self._running.discard(process)


def read_line() -> bytes:
    """Return the line that the parent process sends; when the parent ends, SIGTERM is sent to this process."""
    with open(0, "rb", buffering=0, closefd=False) as given:
        line = given.readline()

    def watch() -> None:
        os.read(0, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent", daemon=True).start()
    return line
