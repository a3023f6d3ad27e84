"""A screen for live tables: messages of the server arrive while the player types."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, main_thread
from typing import IO, TYPE_CHECKING, Any, TextIO

from liarspoker.terminal.screen import InputEnded, Screen

if TYPE_CHECKING:
    from prompt_toolkit.patch_stdout import StdoutProxy

    from liarspoker.terminal.link import LinkNews

QUIET_SECONDS = 1.0
"""After this time without a message, the player sees whom the table waits for."""

CLOSING_SECONDS = 2.0
"""The longest wait for the line editor to release the terminal."""

_ERASE = "\r\033[K"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was typed; `None` at the end of the input."""

    text: str | None


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Ctrl-C was pressed while lines can be edited."""


class Console(Screen):
    """A screen on which messages appear while the player types; lines from a pipe wait until they are wanted."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None, *, plain: bool = False) -> None:
        super().__init__(source, target, plain=plain)
        self.at_hand = self.source is not None and self.source.isatty()
        self._inbox: SimpleQueue[Line | Interrupted | LinkNews] = SimpleQueue()
        self._typed: deque[Line] = deque()
        self._prompt = ""
        self._question = ""
        self._shown = False
        self._proxy: StdoutProxy | None = None
        self._terminal = self.target
        self._editing: Thread | None = None
        self._on_interrupt: Any = None
        self.on_news: Callable[[LinkNews], None] = lambda news: None
        self.on_quiet: Callable[[], None] = lambda: None
        if self._editor is None:
            Thread(target=self._read, args=(_own_reader(self.source),), name="typing", daemon=True).start()

    def close(self) -> None:
        """Release the terminal, and write out what was said."""
        if self._editing is not None and self._editor is not None:
            self._editor.close()
            self._editing.join(CLOSING_SECONDS)
            self._editing = None
        if self._on_interrupt is not None:
            signal.signal(signal.SIGINT, self._on_interrupt)
            self._on_interrupt = None
        if self._proxy is not None:
            self._proxy.close()
            self._proxy, self.target = None, self._terminal

    def put(self, news: LinkNews) -> None:
        """Take a message; any thread may call this."""
        self._inbox.put(news)

    def draw(self, lines: Iterable[str]) -> None:
        """Write lines as they are, above the prompt if there is one."""
        self._clear()
        super().draw(lines)

    def wait_for(self, prompt: str) -> None:
        """Show this prompt from now on, or none; while a question is asked, after its answer."""
        self._show_next(self._question, prompt)

    def ask(self, question: str = "> ") -> str:
        """Return what is typed next; messages are shown until then.

        Raises:
            InputEnded: the input is at its end.
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        self._show_next(question, self._prompt)
        try:
            line = self.next_line(lambda text: True)
        finally:
            self._show_next("", self._prompt)
        if line is None:
            raise InputEnded
        return line

    def next_line(self, wanted: Callable[[str], bool], done: Callable[[], bool] = lambda: False) -> str | None:
        """Return the next line that was typed; messages are shown until then.

        Args:
            wanted: whether a line from a pipe is to be taken now; it waits otherwise.
            done: whether to stop waiting.

        Returns:
            The line; `None` if `done`.

        Raises:
            InputEnded: the input is at its end, and everything typed is taken.
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        self._start_editing()
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
            match event:
                case Line():
                    self._typed.append(event)
                case Interrupted():
                    raise KeyboardInterrupt
                case _:
                    self.on_news(event)

    def flush(self) -> None:
        """Write out what has been said."""
        self.target.flush()

    def _write(self, text: str, indent: str, cards: bool) -> None:
        self._clear()
        super()._write(text, indent, cards)

    def _show_next(self, question: str, prompt: str) -> None:
        """Show a question, or else a prompt, from now on."""
        changed = (question or prompt) != self._current
        if changed:
            self._clear()
        self._question, self._prompt = question, prompt
        if changed and self._editing is not None and self._editor is not None:
            self._editor.redraw()

    @property
    def _current(self) -> str:
        """The question that is asked, or else the prompt."""
        return self._question or self._prompt

    def _taken(self, line: Line) -> str:
        prompt, self._question, self._prompt = self._current, "", ""
        if line.text is None:
            self._typed.append(line)  # the input stays at its end
            self._end_line()
            raise InputEnded
        if not (self.at_hand and self.target.isatty()):
            shown = "" if self._shown else prompt
            print(f"{shown}{line.text.rstrip()}", file=self.target)
        self._shown = False
        return line.text.strip()

    def _show(self) -> None:
        if self._current and not self._shown and self._editing is None:
            print(self._current, end="", file=self.target)
            self._shown = True
        self.target.flush()

    def _clear(self) -> None:
        """Take the prompt away before something is written."""
        if self._shown and self.boxes:
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

    def _start_editing(self) -> None:
        """Start the line editor, in a thread; from now on everything is written above its prompt."""
        if self._editor is None or self._editing is not None:
            return
        from prompt_toolkit.patch_stdout import StdoutProxy

        self._terminal = self.target
        self._terminal.flush()
        self._proxy = StdoutProxy(raw=True, sleep_between_writes=0.05)
        self.target = self._proxy  # type: ignore[assignment]  # it has what print and isatty need
        self._editing = Thread(target=self._edit, name="typing", daemon=True)
        self._editing.start()
        if current_thread() is main_thread():
            # The terminal sends a signal for Ctrl-C while something is written above the prompt. An exception
            # could then stop the editor's redrawing halfway, for good.
            self._on_interrupt = signal.signal(signal.SIGINT, lambda *_: self._inbox.put(Interrupted()))

    def _edit(self) -> None:
        assert self._editor is not None
        while True:
            try:
                self._inbox.put(Line(self._editor.read(lambda: self._current or "> ", main_thread=False)))
            except KeyboardInterrupt:
                self._inbox.put(Interrupted())
            except EOFError:
                self._inbox.put(Line(None))
                return


def _own_reader(source: IO[str] | None) -> IO[str] | None:
    """Return a second reader of `source`, so that the program can end while a thread waits for input."""
    return None if source is None else open(os.dup(source.fileno()), encoding="utf-8", errors="replace")
