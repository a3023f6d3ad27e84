"""Bold and coloured text, where the stream is a terminal that shows it."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # type checkers take it for true; the module typing is slow to import
if TYPE_CHECKING:
    from typing import TextIO

BOLD = "\033[1m"
RED = "\033[31m"
PLAIN = "\033[0m"


def has_colour(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that shows colours, and the user hasn't set `NO_COLOR`."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def heading(text: str, stream: TextIO | None = None) -> str:
    """Return `text` in bold for a stream with colours, standard output by default, else as it is."""
    return f"{BOLD}{text}{PLAIN}" if has_colour(stream or sys.stdout) else text


def error(text: str, stream: TextIO | None = None) -> str:
    """Return `text` in bold red for a stream with colours, standard error by default, else as it is."""
    return f"{BOLD}{RED}{text}{PLAIN}" if has_colour(stream or sys.stderr) else text
