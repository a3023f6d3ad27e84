"""A server in its own process, started with `liarspoker serve`, which can be killed and restarted."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.chance import seeded


class RunningServer:
    """A server on this machine with its own data folder.

    Args:
        folder: the data folder.
        words: additional arguments of `serve`.
    """

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.words = words
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server, on the same port as before."""
        port, folder = str(self.port), str(self.folder)
        words = ["--port", port, "--data", folder, "--bot-pause", "0", "--no-limits", *self.words]
        with (self.folder / "serve.log").open("a") as journal:
            self.process = subprocess.Popen(
                [*seeded("from liarspoker.cli import main; sys.exit(main())"), "serve", *words],
                stdout=subprocess.PIPE,
                stderr=journal,
                text=True,
                env={**os.environ, "PYTHONUTF8": "1"},
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.match(r"Serving on http://\S+:(\d+) ", line)
        assert found is not None, f"{line!r}\n{(self.folder / 'serve.log').read_text()}"
        self.port = int(found[1])

    def kill(self) -> None:
        """Kill the server, as in a power failure."""
        self.process.kill()
        self._wait()

    def stop(self) -> None:
        """Stop the server gracefully."""
        self.process.terminate()
        self._wait()

    def _wait(self) -> None:
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def ask(self, path: str, body: object = None, **headers: str) -> Any:
        """Send a GET request, or a POST request with `body`, and return the response."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data, {"Content-Type": "application/json", **headers})
        with urlopen(request, timeout=60) as response:
            return json.loads(response.read())

    def token(self, name: str) -> str:
        """Create a guest, and return a token."""
        request = Request(self.address + "/api/guest", json.dumps({"name": name}).encode())
        request.add_header("Content-Type", "application/json")
        with urlopen(request, timeout=60) as response:
            cookie = str(response.headers["Set-Cookie"]).partition(";")[0]
        return str(self.ask("/api/tokens", {"label": "test"}, Cookie=cookie)["secret"])


@contextmanager
def running_server(folder: Path, *words: str) -> Iterator[RunningServer]:
    """Run a server, which is killed at the end."""
    server = RunningServer(folder, *words)
    try:
        yield server
    finally:
        server.kill()
