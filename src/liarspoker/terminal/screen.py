"""Lines out and lines in: wrapped to the window, and plain where colours can't be shown; and news in between."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, TextIO

from liarspoker.records.words import UNBROKEN, won

if TYPE_CHECKING:
    from liarspoker.terminal.link import LinkNews

NARROWEST = 40
WIDEST = 80

QUIET_SECONDS = 1.0
"""When nothing has happened for so long, the person learns what is waited for."""

_ERASE = "\r\033[K"
_BOLD = "\033[1m"
_PLAIN = "\033[0m"
_STRONG = re.compile(re.escape(_BOLD) + "(.*?)" + re.escape(_PLAIN))


class InputEnded(Exception):
    """Standard input is at its end."""


class Screen:
    """Where a game is shown and where its player types.

    Args:
        source: what the player types, standard input by default.
        target: what they read, standard output by default.
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
        strengthened, rest = "", wrapped
        for word in words:
            before, found, rest = rest.partition(word)
            strengthened += before + (self.strong(found) if found else "")
        return strengthened + rest

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


def show_units(screen: Screen, names: Sequence[str], units: Sequence[int], of: str = "") -> None:
    """Show how much each player has won or lost; `of` says what a unit stands for."""
    width = max(map(len, names))
    screen.say(f"Score in units{f' of {of}' if of else ''}:")
    for name, number in zip(names, units, strict=True):
        screen.say(f"{name:<{width}}  {won(number)}", indent="  ")


@dataclass(frozen=True, slots=True)
class Line:
    """What was typed; `None`: the input is at its end."""

    text: str | None


class Console(Screen):
    """A screen on which news and what is typed come together; lines from a pipe wait until they are wanted."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None, boxes: bool | None = None) -> None:
        super().__init__(source, target, boxes)
        self.at_hand = self.source is not None and self.source.isatty()
        self._inbox: SimpleQueue[Line | LinkNews] = SimpleQueue()
        self._typed: deque[Line] = deque()
        self._prompt = ""
        self._shown = False
        self.on_news: Callable[[LinkNews], None] = lambda news: None
        self.on_quiet: Callable[[], None] = lambda: None
        Thread(target=self._read, args=(_own_reader(self.source),), name="typing", daemon=True).start()

    def put(self, news: LinkNews) -> None:
        """Something has happened; any thread may say so."""
        self._inbox.put(news)

    def say(self, text: str = "", indent: str = "") -> None:
        """Write a paragraph, above the prompt if there is one."""
        self._clear()
        super().say(text, indent)

    def draw(self, lines: list[str]) -> None:
        """Write lines as they are, above the prompt if there is one."""
        self._clear()
        super().draw(lines)

    def wait_for(self, prompt: str) -> None:
        """Show this prompt from now on, or none."""
        if prompt != self._prompt:
            self._clear()
            self._prompt = prompt

    def ask(self, prompt: str = "> ") -> str:
        """What is typed next; news is shown meanwhile."""
        self.wait_for(prompt)
        line = self.next_line(lambda text: True)
        if line is None:
            raise InputEnded
        return line

    def next_line(self, wanted: Callable[[str], bool], done: Callable[[], bool] = lambda: False) -> str | None:
        """The next line that was typed; news is shown meanwhile.

        Args:
            wanted: whether a line from a pipe is to be taken now; it waits otherwise.
            done: whether nothing is waited for any more.

        Returns:
            The line; `None` if `done`.

        Raises:
            InputEnded: the input is at its end, and everything typed is taken.
        """
        while True:
            if done():
                return None
            if self._typed and (self.at_hand or self._typed[0].text is None or wanted(self._typed[0].text)):
                return self._taken(self._typed.popleft())
            self._show()
            try:
                event = self._inbox.get(timeout=QUIET_SECONDS)
            except Empty:
                self.on_quiet()
                continue
            if isinstance(event, Line):
                self._typed.append(event)
            else:
                self.on_news(event)

    def flush(self) -> None:
        """Write out what has been said."""
        self.target.flush()

    def _taken(self, line: Line) -> str:
        prompt, self._prompt = self._prompt, ""
        if line.text is None:
            self._typed.append(line)  # it stays at its end
            self._end_line()
            raise InputEnded
        if not (self.at_hand and self.target.isatty()):
            shown = "" if self._shown else prompt
            print(f"{shown}{line.text.rstrip()}", file=self.target)
        self._shown = False
        return line.text.strip()

    def _show(self) -> None:
        if self._prompt and not self._shown:
            print(self._prompt, end="", file=self.target)
            self._shown = True
        self.target.flush()

    def _clear(self) -> None:
        """Take the prompt away before something is written."""
        if self._shown and self.is_terminal and self.boxes:
            print(_ERASE, end="", file=self.target)
            self._shown = False
        self._end_line()

    def _end_line(self) -> None:
        if self._shown:
            print(file=self.target)
        self._shown = False

    def _read(self, reader: IO[str] | None) -> None:
        if reader is not None:
            with reader:
                for line in iter(reader.readline, ""):
                    self._inbox.put(Line(line))
        self._inbox.put(Line(None))


def _own_reader(source: IO[str] | None) -> IO[str] | None:
    """A reader of its own for what `source` reads, so that no lock is held when the program ends meanwhile."""
    return None if source is None else open(os.dup(source.fileno()), encoding="utf-8", errors="replace")
