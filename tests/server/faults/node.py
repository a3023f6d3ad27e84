"""A server that kills itself in the middle of a write.

`python -m tests.server.faults.node POINT COUNT serve ...`: the process kills itself when it reaches the named POINT for
the COUNT-th time.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from typing import Any

from liarspoker.cli import main
from liarspoker.server import run

POINTS = ("before-commit", "after-commit", "before-publish", "after-publish", "before-answer")


def serve(point: str, count: str, *words: str) -> int:
    """Serve with these command-line arguments; return the exit status."""
    left, usual = int(count), run.serve

    def probe(name: str) -> None:
        nonlocal left
        left -= name == point
        if name == point and not left:
            os.kill(os.getpid(), signal.SIGKILL)

    def probed(config: Any, *rest: Any, **more: Any) -> None:
        usual(replace(config, probe=probe), *rest, **more)

    run.serve = probed
    return main([*words])


if __name__ == "__main__":
    sys.exit(serve(*sys.argv[1:]))
