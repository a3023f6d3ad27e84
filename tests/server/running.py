"""A server in a process of its own, as `liarspoker serve` starts it; it can be killed and started again."""

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
    """A server on this machine with a data folder of its own.

    Args:
        folder: where its data is.
        words: further arguments of `serve`.
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
        """Start, on the port that it had before."""
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
        """End it without a word, as a power cut does."""
        self.process.kill()
        self._wait()

    def stop(self) -> None:
        """End it gracefully."""
        self.process.terminate()
        self._wait()

    def _wait(self) -> None:
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def ask(self, path: str, body: object = None, **headers: str) -> Any:
        """What `path` tells, or what comes of sending `body` to it."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data, {"Content-Type": "application/json", **headers})
        with urlopen(request, timeout=60) as response:
            return json.loads(response.read())

    def token(self, name: str) -> str:
        """A token of a new guest's."""
        request = Request(self.address + "/api/guest", json.dumps({"name": name}).encode())
        request.add_header("Content-Type", "application/json")
        with urlopen(request, timeout=60) as response:
            cookie = str(response.headers["Set-Cookie"]).partition(";")[0]
        return str(self.ask("/api/tokens", {"label": "test"}, Cookie=cookie)["secret"])


@contextmanager
def running_server(folder: Path, *words: str) -> Iterator[RunningServer]:
    """A server, killed at the end."""
    server = RunningServer(folder, *words)
    try:
        yield server
    finally:
        server.kill()
