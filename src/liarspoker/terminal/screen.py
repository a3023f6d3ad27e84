"""Lines out and lines in: wrapped to the window, and plain where nobody looks at colours."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import TextIO

from liarspoker.records.words import UNBROKEN

NARROWEST = 40
WIDEST = 80

_BOLD = "\033[1m"
_PLAIN = "\033[0m"
_STRONG = re.compile(re.escape(_BOLD) + "(.*?)" + re.escape(_PLAIN))


class InputEnded(Exception):
    """Standard input has come to its end: nobody will answer any more."""


class Screen:
    """Where a game is shown and where its player types.

    Args:
        source: what the player types, standard input by default.
        target: what he reads, standard output by default.
        boxes: draw bills with lines around them; by default where the target is a terminal.
    """

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None, boxes: bool | None = None) -> None:
        self.source: TextIO | None = sys.stdin if source is None else source
        self.target = sys.stdout if target is None else target
        self.is_terminal = self.target.isatty() and os.environ.get("TERM") != "dumb"
        self.boxes = self.is_terminal if boxes is None else boxes
        self._bold = self.is_terminal and not os.environ.get("NO_COLOR")

    @property
    def width(self) -> int:
        """Columns to write in, from 40 to 80."""
        return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))

    def say(self, text: str = "", indent: str = "") -> None:
        """Write a paragraph, wrapped; a line that begins with a space keeps its indent."""
        strong = iter(_STRONG.findall(text))
        for line in _STRONG.sub(r"\1", text).splitlines() or [""]:
            margin = indent + line[: len(line) - len(line.lstrip())]
            wrapped = textwrap.wrap(
                line.strip(), self.width, initial_indent=margin, subsequent_indent=margin + "  ", break_on_hyphens=False
            )
            print(self._strengthened("\n".join(wrapped), strong).replace(UNBROKEN, " "), file=self.target)

    def draw(self, lines: list[str]) -> None:
        """Write lines as they are."""
        print("\n".join(lines), file=self.target)

    def _strengthened(self, wrapped: str, words: Iterator[str]) -> str:
        """The wrapped lines with their strong words bold again; codes have no width, so they come last."""
        told, rest = "", wrapped
        for word in words:
            before, found, rest = rest.partition(word)
            told += before + (self.strong(found) if found else "")
        return told + rest

    def strong(self, text: str) -> str:
        """`text` in bold, where colours and the like are welcome."""
        return f"{_BOLD}{text}{_PLAIN}" if self._bold else text

    def ask(self, prompt: str = "> ") -> str:
        """What the player types next, without the white space around it.

        Raises:
            InputEnded: the input is at its end.
        """
        print(prompt, end="", flush=True, file=self.target)
        line = self.source.readline() if self.source is not None else ""
        if not line:
            print(file=self.target)
            raise InputEnded
        if not (self.source is not None and self.source.isatty() and self.target.isatty()):
            print(line.rstrip("\n"), file=self.target)
        return line.strip()
