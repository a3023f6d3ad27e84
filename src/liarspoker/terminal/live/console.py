"""The terminal of somebody at a live table: what he types and what arrives come through one inbox, in order.

A prompt stands only where he is waited for. News that arrives meanwhile are written above it; he may type at any time.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from liarspoker.terminal.live.link import News
from liarspoker.terminal.screen import InputEnded, Screen

QUIET_SECONDS = 1.0
"""When nothing has happened for so long, what is waited for is told."""

_ERASE = "\r\033[K"


@dataclass(frozen=True, slots=True)
class Line:
    """What was typed; `None`: the input is at its end."""

    text: str | None


class Console(Screen):
    """A screen on which news and what is typed come together.

    Attributes:
        at_hand: somebody sits at a terminal; else lines come from a pipe, and wait until they are wanted.
        on_news: called with what happens at the other end.
        on_quiet: called again and again while nothing happens.
    """

    def __init__(self, boxes: bool | None = None) -> None:
        super().__init__(boxes=boxes)
        self.at_hand = self.source is not None and self.source.isatty()
        self._inbox: SimpleQueue[Line | News] = SimpleQueue()
        self._typed: deque[Line] = deque()
        self._prompt = ""
        self._told = False
        self.on_news: Callable[[News], None] = lambda news: None
        self.on_quiet: Callable[[], None] = lambda: None
        Thread(target=self._read, args=(_own_reader(self.source),), name="typing", daemon=True).start()

    def put(self, news: News) -> None:
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
        """What is typed next; news are told meanwhile.

        Raises:
            InputEnded: the input is at its end.
        """
        self.wait_for(prompt)
        line = self.next_line(lambda text: True)
        if line is None:
            raise InputEnded
        return line

    def next_line(self, wanted: Callable[[str], bool], done: Callable[[], bool] = lambda: False) -> str | None:
        """The next line that was typed; news are told meanwhile.

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
            shown = "" if self._told else prompt
            print(f"{shown}{line.text.rstrip()}", file=self.target)
        self._told = False
        return line.text.strip()

    def _show(self) -> None:
        if self._prompt and not self._told:
            print(self._prompt, end="", file=self.target)
            self._told = True
        self.target.flush()

    def _clear(self) -> None:
        """Take the prompt away before something is written."""
        if self._told and self.is_terminal and self.boxes:
            print(_ERASE, end="", file=self.target)
            self._told = False
        self._end_line()

    def _end_line(self) -> None:
        if self._told:
            print(file=self.target)
        self._told = False

    def _read(self, reader: IO[str] | None) -> None:
        if reader is not None:
            with reader:
                for line in iter(reader.readline, ""):
                    self._inbox.put(Line(line))
        self._inbox.put(Line(None))


def _own_reader(source: IO[str] | None) -> IO[str] | None:
    """A reader of its own for what `source` reads, so that no lock is held when the program ends meanwhile."""
    return None if source is None else open(os.dup(source.fileno()), encoding="utf-8", errors="replace")
