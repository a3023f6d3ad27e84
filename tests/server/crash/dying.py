"""A server that ends itself with kill -9 when it comes to a named point for the nth time.

`python -m tests.server.crash.dying DATABASE FOLDER POINT COUNT`; the point `never` is never reached.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from liarspoker.server import journal
from liarspoker.server.cluster import membership
from liarspoker.server.config import Config, no_limits
from liarspoker.server.run import serve


def main(database: str, folder: str, point: str, count: str) -> None:
    left = int(count)

    def probe(name: str) -> None:
        nonlocal left
        if name == point:
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    vars(membership)["SILENT_SECONDS"] = 0.0  # whoever starts this has ended the one before
    journal.begin()
    config = Config(database, Path(folder), limits=no_limits(), probe=probe)
    serve(config, "127.0.0.1", 0, lambda port: print(port, flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
