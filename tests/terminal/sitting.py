"""A person at the terminal, for tests, who reads what is printed and knows nothing else."""

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
PATIENCE = 60.0  # seconds without a word from a process before a test gives it up
AGAIN = 3.0  # seconds after which he presses a key again that nothing came of
ENDLESS = 5_000  # lines typed in one session
ESCAPE = "\033"

Player = Callable[[str], str | None]
"""Who plays: gets what was printed since he last typed, answers with a line, or with `None` to end the input."""

_PROMPT = re.compile(r"(?:^|\n)(?:[A-Z0-9][^\n]*)?> $")
_ACTION = re.compile(r"^ *(\w+): (challenge|count|\d+ [a-z]+)(?: \(a rebid\))?$", re.MULTILINE)


def prompt(told: str) -> str:
    """The line at which the program waits."""
    return told.rstrip("\n").rpartition("\n")[2]


def offered(told: str) -> list[str]:
    """What the last "Your turn" offers to type; nothing between hands."""
    turn = " ".join(told.rpartition("Your turn:")[2].split())
    found = ["discard -", "discard #1 #5", "#2"] if "discard" in turn else re.findall(r"\(type ([^,)]*)", turn)
    return found + [letter for letter in "tcpk" if f"({letter})" in turn]


def between_hands(told: str) -> bool:
    """Whether the prompt waits for the next hand, or for a challenge out of turn."""
    return "Enter" in prompt(told)


def careless(seed: int) -> Player:
    """Plays anything that is offered, rather a challenge or a count than a bid."""
    chance = Random(seed)

    def answer(told: str) -> str | None:
        if between_hands(told):
            return "skip" if "You are out." in told else ""
        return chance.choice([*offered(told), *offered(told)[-1:]])

    return answer


def timid(told: str) -> str | None:
    """Challenges and counts whenever he may."""
    return "" if between_hands(told) else offered(told)[-1]


def scripted(*lines: str) -> Player:
    """Types these lines, then ends the input."""
    waiting = iter(lines)
    return lambda told: next(waiting, None)


def asking(player: Player, *entries: str) -> Player:
    """Types all of `entries` at every prompt before he plays as `player`."""
    waiting: list[str] = []
    read: list[str] = []

    def answer(told: str) -> str | None:
        if not read:
            read.append(told)
            waiting.extend(entries)
        return waiting.pop(0) if waiting else player(read.pop())

    return answer


def for_turns(player: Player, entries: int) -> Player:
    """Types so many lines as `player`, and ends the input."""
    left = iter(range(entries))
    return lambda told: None if next(left, None) is None else player(told)


def then_leaves(player: Player, hands: int) -> Player:
    """Plays as `player` to the end of so many hands, and ends the input."""
    left = [hands]

    def answer(told: str) -> str | None:
        left[0] -= between_hands(told)
        return player(told) if left[0] else None

    return answer


class _Paper(io.StringIO):
    """Standard output, at a terminal or at a pipe."""

    terminal = False

    def isatty(self) -> bool:
        return self.terminal


class _Typing(_Paper):
    """Standard input with a player behind it, who reads `target`."""

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
    """What came of a call of `liarspoker play`: exit code, and all that was printed."""

    code: int
    text: str

    @property
    def hands(self) -> list[str]:
        """The text of each hand, from its heading on."""
        return re.split(r"^(?=Hand \d+: )", self.text, flags=re.MULTILINE)[1:]

    @property
    def flowing(self) -> str:
        """The text with its lines unwrapped into one."""
        return flowing(self.text)


def play(
    *words: str, player: Player, columns: int = 80, terminal: bool = False, settings: Mapping[str, str] | None = None
) -> Played:
    """Play in this very process, as if through pipes or at a terminal."""
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
    """What is printed when a session is played on from where it is, and what becomes of it."""
    target = _Paper()
    names = ("You", "Bea", "Cal", "Dot")[: session.seats]
    bots = (None, *(bot,) * (session.seats - 1))
    game = catalogue.load(session.view(0).game)
    table = Table(game, session, names, 0, bots, ("", *("uniform",) * (session.seats - 1)), None, record)
    with patch.dict(os.environ, {"COLUMNS": "80"}):
        LocalGame(table, Screen(_Typing(target, player), target), Random(5)).play()
    return target.getvalue(), table.session


class Sitting:
    """`liarspoker play` in a process of its own, at pipes or at a terminal; what is printed is in `text`.

    It is for what only a process can show: signals, keys, strange bytes.

    Args:
        words: the command's arguments.
        columns: how wide the window is.
        terminal: at a terminal.
        folder: where it runs.
        settings: environment variables besides the usual ones.
    """

    def __init__(
        self,
        *words: str,
        columns: int = 80,
        terminal: bool = False,
        folder: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        usual = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        usual |= {"TERM": "xterm", "PYTHONUTF8": "1", **({} if terminal else {"COLUMNS": str(columns)})}
        if terminal:
            self.reads, window = pty.openpty()
            self.writes = os.dup(self.reads)
            fcntl.ioctl(window, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            source = target = window
        else:
            source, self.writes = os.pipe()
            self.reads, target = os.pipe()
        # Ctrl-C reaches a process only through the terminal that controls it.
        control = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); " if terminal else ""
        program = f"{control}from liarspoker.cli import main; sys.exit(main())"
        self.process = subprocess.Popen(
            [*seeded(program), "play", *words],
            stdin=source,
            stdout=target,
            stderr=target,
            cwd=folder,
            env={**usual, **(settings or {})},
            start_new_session=True,
        )
        for end in {source, target}:
            os.close(end)
        self.text = ""
        self.open = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        if self.open:
            os.close(self.writes)
        os.close(self.reads)

    def read(self) -> str:
        """What is printed up to the next prompt, or to the end."""
        arrived = b""
        while select.select([self.reads], [], [], PATIENCE)[0]:
            try:
                piece = os.read(self.reads, 1 << 16)
            except OSError:  # how Linux tells that nobody writes to a terminal any more
                piece = b""
            arrived += piece
            told = arrived.decode(errors="replace").replace("\r\n", "\n")
            if not piece or _PROMPT.search(told):
                self.text += told
                return told
        raise AssertionError(f"silent for {PATIENCE} seconds after {self.text!r} {arrived!r}")

    def type(self, line: str) -> str:
        """Type a line; what is printed up to the next prompt."""
        os.write(self.writes, line.encode() + b"\n")
        return self.read()

    def press(self, key: bytes) -> int:
        """Press Ctrl-C or Ctrl-D at the terminal, again if nothing comes of it; the exit code.

        A signal that arrives just before Python asks the system for a line is heeded only after that line.
        """
        os.write(self.writes, key)
        if not self._answers(but=b"^C"):
            os.write(self.writes, key)
        return self.wait()

    def _answers(self, *, but: bytes) -> bool:
        """Whether anything beside `but`, the terminal's echo, comes within a few seconds; what comes is kept."""
        arrived = b""
        while select.select([self.reads], [], [], AGAIN)[0]:
            try:
                piece = os.read(self.reads, 1 << 16)
            except OSError:
                return True
            self.text += piece.decode(errors="replace").replace("\r\n", "\n")
            arrived += piece
            if not piece or arrived.replace(but, b"").strip():
                return True
        return False

    def end(self) -> int:
        """End the input of a pipe; the exit code."""
        os.close(self.writes)
        self.open = False
        return self.wait()

    def wait(self) -> int:
        """The exit code, when all is read."""
        while self.read():
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


def record_in(path: Path) -> dict[str, Any]:
    """The record kept in a JSON file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def replayed(path: Path) -> list[dict[str, Any]]:
    """The finished hands of a record, as `liarspoker replay --json` has them."""
    rounds = report(read_json(path.read_bytes()))["rounds"]
    return [told for told in rounds if "outcome" in told]


def actions_told(text: str) -> list[tuple[str, str]]:
    """Who was said to do what, in order; what the person types is not among it."""
    return [(name, action) for name, action in _ACTION.findall(text)]


def score_told(text: str) -> list[int]:
    """The last score that was printed."""
    table = text.rpartition("Score in units:\n")[2]
    return [int(line.split()[-1]) for line in table.splitlines() if line.startswith("  ")]


def flowing(text: str) -> str:
    """The text with its lines unwrapped into one."""
    return " ".join(text.split())


def headings(text: str) -> list[str]:
    """The line or lines above each hand, unwrapped: `Hand 2: stake 2 (2 carried over).`"""
    return [" ".join(found.split()) for found in re.findall(r"^Hand \d+: [^.]*\.", text, re.MULTILINE)]
