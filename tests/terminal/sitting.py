"""Test players at the terminal, who use only the printed output."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch

import pyte

from liarspoker import cli
from liarspoker.bots.uniform import uniform
from liarspoker.core import catalogue
from liarspoker.records import read_json, report
from liarspoker.terminal.local import LocalGame, Table
from liarspoker.terminal.screen import Screen
from tests.chance import seeded

GAMES = ("dollar-bill", "salomon-1986", "slips")
"""The digit games."""
POOLED = ("queen-annes", "queen-annes-indian", "queen-annes-stud")
CARDS = ("thorin", *POOLED)
ALL_GAMES = (*GAMES, *CARDS)
QUESTIONS = ("odds", "odds 3x2", "why", "hand", "score", "help", "?")
CARD_QUESTIONS = ("odds", "odds pair 7", "why", "hand", "score", "help", "ranks", "check three 4", "declare", "back")
PATIENCE = 60.0  # seconds without output after which a test fails
ENDLESS = 5_000  # lines typed in one session
ESCAPE = "\033"

Player = Callable[[str], str | None]
"""Gets what was printed since the last line that was typed; returns the next line, or `None` to end the input."""

_PROMPT = re.compile(r"(?:^|\n)(?:[A-Z0-9][^\n]*)?> $")
_ACTION = re.compile(r"^ *(\w+): (challenge|count|\d+ [a-z]+)(?: \(a rebid\))?$", re.MULTILINE)


def prompt(told: str) -> str:
    """Return the last line, where the program waits."""
    return told.rstrip("\n").rpartition("\n")[2]


def offered(told: str) -> list[str]:
    """Return the input that the last "Your turn" suggests; empty between hands."""
    turn = " ".join(told.rpartition("Your turn:")[2].split())
    found = (
        ["discard -", "discard #1 #5", "#2"] if "discard up to five" in turn else re.findall(r"\(type ([^,)]*)", turn)
    )
    return found + [letter for letter in "tcpk" if f"({letter})" in turn]


def between_hands(told: str) -> bool:
    """Return whether the prompt waits for the next hand, or for a challenge out of turn."""
    return "Enter" in prompt(told)


def careless(seed: int) -> Player:
    """Plays any offered action, preferring challenges and counts to bids."""
    chance = Random(seed)

    def answer(told: str) -> str | None:
        if between_hands(told):
            return "skip" if "You are out." in told else ""
        return chance.choice([*offered(told), *offered(told)[-1:]])

    return answer


def timid(told: str) -> str | None:
    """Challenges and counts whenever possible."""
    return "" if between_hands(told) else offered(told)[-1]


def scripted(*lines: str) -> Player:
    """Types these lines, then ends the input."""
    waiting = iter(lines)
    return lambda told: next(waiting, None)


def asking(player: Player, *entries: str) -> Player:
    """Types all of `entries` at every prompt before playing as `player`."""
    waiting: list[str] = []
    read: list[str] = []

    def answer(told: str) -> str | None:
        if not read:
            read.append(told)
            waiting.extend(entries)
        return waiting.pop(0) if waiting else player(read.pop())

    return answer


def for_turns(player: Player, entries: int) -> Player:
    """Types this number of lines as `player`, and ends the input."""
    left = iter(range(entries))
    return lambda told: None if next(left, None) is None else player(told)


def then_leaves(player: Player, hands: int) -> Player:
    """Plays this number of hands as `player`, and ends the input."""
    left = [hands]

    def answer(told: str) -> str | None:
        left[0] -= between_hands(told)
        return player(told) if left[0] else None

    return answer


class _Paper(io.StringIO):
    """Standard output, at a terminal or a pipe."""

    terminal = False

    def isatty(self) -> bool:
        return self.terminal


class _Typing(_Paper):
    """Standard input from a player who reads `target`."""

    def __init__(self, target: _Paper, player: Player) -> None:
        super().__init__()
        self.target, self.player, self.terminal = target, player, target.terminal
        self.read_up_to = self.typed = 0

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        printed = self.target.getvalue()
        told, self.read_up_to = printed[self.read_up_to :], len(printed)
        line = self.player(told)
        self.typed += 1
        assert self.typed < ENDLESS, f"typed for ever: {line!r} after {told!r}"
        return "" if line is None else line + "\n"


@dataclass(frozen=True, slots=True)
class Played:
    """The exit code and output of `liarspoker play`."""

    code: int
    text: str

    @property
    def hands(self) -> list[str]:
        """The text of each hand, from its heading on."""
        return re.split(r"^(?=Hand \d+: )", self.text, flags=re.MULTILINE)[1:]

    @property
    def flowing(self) -> str:
        """Return the text unwrapped into one line."""
        return flowing(self.text)


def play(
    *words: str, player: Player, columns: int = 80, terminal: bool = False, settings: Mapping[str, str] | None = None
) -> Played:
    """Play in this process, as if through pipes or at a terminal."""
    target = _Paper()
    target.terminal = terminal
    usual = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with (
        patch.dict(os.environ, {**usual, "COLUMNS": str(columns), "TERM": "xterm", **(settings or {})}, clear=True),
        patch("sys.stdin", _Typing(target, player)),
        patch("sys.stdout", target),
    ):
        code = cli.main(["play", *words])
    return Played(code, target.getvalue())


def played_on(session: Any, player: Player, bot: Any = uniform, record: Path | None = None) -> tuple[str, Any]:
    """Continue a session; return the output and the session at the end."""
    target = _Paper()
    names = ("You", "Bea", "Cal", "Dot")[: session.seats]
    bots = (None, *(bot,) * (session.seats - 1))
    game = catalogue.load(session.view(0).game)
    table = Table(game, session, names, 0, bots, ("", *("uniform",) * (session.seats - 1)), None, record)
    with patch.dict(os.environ, {"COLUMNS": "80"}):
        LocalGame(table, Screen(_Typing(target, player), target), Random(5)).play()
    return target.getvalue(), table.session


class Window:
    """A terminal as a player sees it: the lines up to the cursor, and which characters are bold.

    Args:
        columns: its width; it is so high that nothing scrolls.
    """

    ROWS = 1000

    def __init__(self, columns: int) -> None:
        self.screen = pyte.Screen(columns, self.ROWS)
        self._stream = pyte.ByteStream(self.screen)

    def feed(self, data: bytes) -> None:
        """Show what a program writes."""
        self._stream.feed(data)

    @property
    def text(self) -> str:
        """The lines up to the cursor."""
        row, column = self.screen.cursor.y, self.screen.cursor.x
        lines = [self._line(number).rstrip() for number in range(row)]
        return "\n".join([*lines, self._line(row)[:column]])

    @property
    def bold(self) -> str:
        """All bold characters."""
        rows = (self.screen.buffer[row] for row in range(self.screen.cursor.y + 1))
        return "".join(line[column].data for line in rows for column in sorted(line) if line[column].bold)

    def _line(self, row: int) -> str:
        line = self.screen.buffer[row]
        return "".join(line[column].data for column in range(self.screen.columns))


class Sitting:
    """`liarspoker play` in a process, with pipes or at a terminal; `text` is what is printed.

    Use it for what needs a process of its own: signals, keys, undecodable bytes and line editing.

    Args:
        words: the command's arguments.
        columns: width of the window.
        terminal: whether it runs at a terminal.
        folder: the working directory.
        settings: additional environment variables.
        program: what runs in place of `liarspoker play`.
    """

    def __init__(
        self,
        *words: str,
        columns: int = 80,
        terminal: bool = False,
        folder: Path | None = None,
        settings: Mapping[str, str] | None = None,
        program: str = "from liarspoker.cli import main; sys.exit(main())",
    ) -> None:
        usual = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        usual |= {"TERM": "xterm", "PYTHONUTF8": "1", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.window = Window(columns) if terminal else None
        if terminal:
            self.reads, window = pty.openpty()
            self.writes = os.dup(self.reads)
            fcntl.ioctl(window, termios.TIOCSWINSZ, struct.pack("HHHH", Window.ROWS, columns, 0, 0))
            source = target = window
        else:
            usual["COLUMNS"] = str(columns)
            source, self.writes = os.pipe()
            self.reads, target = os.pipe()
        # Ctrl-C reaches a process only through the terminal that controls it.
        control = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); " if terminal else ""
        self.process = subprocess.Popen(
            [*seeded(control + program), "play", *words],
            stdin=source,
            stdout=target,
            stderr=target,
            cwd=folder,
            env={**usual, **(settings or {})},
            start_new_session=True,
        )
        for end in {source, target}:
            os.close(end)
        self.open = True
        self._printed = b""
        self._seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        if self.open:
            os.close(self.writes)
        os.close(self.reads)

    @property
    def text(self) -> str:
        """The output so far; at a terminal, what the screen shows."""
        return self._printed.decode(errors="replace") if self.window is None else self.window.text

    def until(self, pattern: str) -> str:
        """Read until a pattern is printed after the last call; return the output up to it, or up to the end."""
        while True:
            text = self.text[self._seen :]
            if re.search(pattern, text) or not self._read_piece():
                text = self.text[self._seen :]
                self._seen += len(text)
                return text

    def read(self) -> str:
        """Return what is printed up to the next prompt, or to the end."""
        return self.until(_PROMPT.pattern)

    def key(self, key: bytes) -> None:
        """Press a key."""
        os.write(self.writes, key)

    def type(self, line: str) -> str:
        """Type a line; return what is printed up to the next prompt."""
        self.key(line.encode() + (b"\n" if self.window is None else b"\r"))
        return self.read()

    def end(self) -> int:
        """End the input of a pipe; return the exit code."""
        os.close(self.writes)
        self.open = False
        return self.wait()

    def wait(self) -> int:
        """Read to the end; return the exit code."""
        while self._read_piece():
            pass
        return self.process.wait(PATIENCE)

    def played(self, player: Player) -> Played:
        """Let `player` play to the end."""
        told = self.read()
        while _PROMPT.search(told):
            line = player(told)
            if line is None:
                return Played(self.end(), self.text)
            told = self.type(line)
        return Played(self.wait(), self.text)

    def _read_piece(self) -> bool:
        """Read some output; return whether there was any before the end."""
        assert select.select([self.reads], [], [], PATIENCE)[0], f"silent for {PATIENCE} seconds after {self.text!r}"
        try:
            piece = os.read(self.reads, 1 << 16)
        except OSError:  # Linux raises this error when no process has the terminal open
            return False
        self._printed += piece
        if self.window is not None:
            self.window.feed(piece)
        return bool(piece)


def record_in(path: Path) -> dict[str, Any]:
    """Return the record in a JSON file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def replayed(path: Path) -> list[dict[str, Any]]:
    """Return the finished hands of a record, as in `liarspoker replay --json`."""
    rounds = report(read_json(path.read_bytes()))["rounds"]
    return [told for told in rounds if "outcome" in told]


def actions_told(text: str) -> list[tuple[str, str]]:
    """Return the other players' actions as the text reports them."""
    return [(name, action) for name, action in _ACTION.findall(text)]


def score_told(text: str) -> list[int]:
    """Return the last score that was printed."""
    table = text.rpartition("Score in units:\n")[2]
    return [int(line.split()[-1]) for line in table.splitlines() if line.startswith("  ")]


def flowing(text: str) -> str:
    """Return the text unwrapped into one line."""
    return " ".join(text.split())


def headings(text: str) -> list[str]:
    """Return the heading of each hand, unwrapped: `Hand 2: stake 2 (2 carried over).`"""
    return [" ".join(found.split()) for found in re.findall(r"^Hand \d+: [^.]*\.", text, re.MULTILINE)]
