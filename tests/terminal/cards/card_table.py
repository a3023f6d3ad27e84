"""A person at a table of cards, for tests: he reads what is printed and knows nothing else."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from liarspoker import cli
from liarspoker.bots.uniform import uniform
from liarspoker.core import catalogue
from liarspoker.terminal.local import LocalGame, Table
from liarspoker.terminal.screen import Screen

POOLED = ("queen-annes", "queen-annes-indian", "queen-annes-stud")
GAMES = ("thorin", *POOLED)
ENDLESS = 3_000

Player = Callable[[str], str | None]
"""Gets what was printed since he last typed; answers with a line, or with `None` to end the input."""


class _Typing(io.StringIO):
    def __init__(self, target: io.StringIO, player: Player) -> None:
        super().__init__()
        self.target, self.player = target, player
        self.read_up_to = self.typed = 0

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        printed = self.target.getvalue()
        told, self.read_up_to = printed[self.read_up_to :], len(printed)
        line = self.player(told)
        self.typed += 1
        assert self.typed < ENDLESS, f"typed for ever: {line!r} after {told!r}"
        return "" if line is None else line + "\n"


def play(*words: str, player: Player, columns: int = 80, bots: tuple[str, ...] = ("--bots", "uniform")) -> str:
    """All that a call of `liarspoker play` prints, against uniform bots, as if through pipes."""
    target = io.StringIO()
    with (
        patch.dict(os.environ, {"COLUMNS": str(columns)}),
        patch("sys.stdin", _Typing(target, player)),
        patch("sys.stdout", target),
    ):
        assert cli.main(["play", *bots, *words]) == 0
    return target.getvalue()


def told_at(session: Any, player: Player, bot: Any = uniform, record: Path | None = None) -> tuple[str, Any]:
    """What is printed when a session that stands at some point is played on, and how it then stands."""
    target = io.StringIO()
    names = ("You", "Bea", "Cal", "Dot")[: session.seats]
    bots = (None, *(bot,) * (session.seats - 1))
    game = catalogue.load(session.view(0).game)
    table = Table(game, session, names, 0, bots, ("", *("uniform",) * (session.seats - 1)), None, record)
    with patch.dict(os.environ, {"COLUMNS": "80"}):
        LocalGame(table, Screen(_Typing(target, player), target), Random(5)).play()
    return target.getvalue(), table.session


def scripted(*lines: str) -> Player:
    """Types these lines, then ends the input."""
    waiting = iter(lines)
    return lambda told: next(waiting, None)


def prompt(told: str) -> str:
    """The line at which the program waits."""
    return told.rstrip("\n").rpartition("\n")[2]


def offered(told: str) -> list[str]:
    """What the last "Your turn" offers to type."""
    turn = " ".join(told.rpartition("Your turn:")[2].split())
    found = re.findall(r"\(type ([^)]*?)\)", turn) if "discard" not in turn else ["discard -", "discard #1 #5", "#2"]
    return found + [letter for letter in "tcp" if f"({letter})" in turn]


def careless(seed: int) -> Player:
    """Plays anything that is offered."""
    chance = Random(seed)

    def answer(told: str) -> str | None:
        if "Enter" in prompt(told):
            return "skip" if "You are out." in told else ""
        return chance.choice(offered(told))

    return answer


def asking(player: Player, *entries: str) -> Player:
    """Types all of `entries` at every prompt of a turn before he plays as `player`."""
    waiting: list[str] = []
    read: list[str] = []

    def answer(told: str) -> str | None:
        if not read:
            read.append(told)
            waiting.extend(entries if "Your turn:" in told else ())
        return waiting.pop(0) if waiting else player(read.pop())

    return answer


def flowing(text: str) -> str:
    """The text with its lines unwrapped into one."""
    return " ".join(text.split())
