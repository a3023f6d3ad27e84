"""Test players at live tables, who use only the printed output."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
from functools import partial
from pathlib import Path
from random import Random
from threading import Condition, Thread
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch

from msgspec import to_builtins

from liarspoker import cli
from liarspoker.cli import play
from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol import frames
from liarspoker.protocol.commands import Command
from liarspoker.terminal.console import Console
from liarspoker.terminal.link import _read
from liarspoker.terminal.state import State
from tests.server.inprocess import Person, Running

PATIENCE = 30.0  # seconds without output after which a test fails
TURN = r"Your turn: [^>]*\n> $"
_EXAMPLE = re.compile(r"type ([^,()]+?)(?:,|\))")
_ESCAPE = re.compile(r"\033\[[0-9;]*[A-Za-z]|\r(?!\n)")


class _Keys(io.TextIOWrapper):
    """Standard input, at a terminal or a pipe."""

    terminal = False

    def isatty(self) -> bool:
        return self.terminal


class _Paper(io.StringIO):
    """Standard output, at a terminal or a pipe; readers can wait for more."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal, self.fresh, self.closed_by_writer = terminal, Condition(), False

    def isatty(self) -> bool:
        return self.terminal

    def flush(self) -> None:
        with self.fresh:
            self.fresh.notify_all()


def typed(*lines: str, words: tuple[str, ...], folder: Path) -> tuple[int, str]:
    """Pipe lines into `liarspoker play`; return the exit code and the output."""
    reads, writes = os.pipe()
    with open(writes, "w") as pipe:
        pipe.write("".join(f"{line}\n" for line in lines))
    target = io.StringIO()
    with (
        open(reads) as source,
        patch.dict(os.environ, {"COLUMNS": "200", "XDG_DATA_HOME": str(folder)}),
        patch("sys.stdin", source),
        patch("sys.stdout", target),
    ):
        code = cli.main(["play", *words])
    return code, target.getvalue()


class Client:
    """`liarspoker play --server` in a thread.

    Args:
        words: arguments in addition to the server's address.
        at: the server, or the link of a table.
        folder: the folder where the user's identity on each server is saved.
        terminal: whether it runs at a terminal, not with pipes.
    """

    def __init__(self, *words: str, at: Running | str, folder: Path, terminal: bool = False) -> None:
        folder.mkdir(exist_ok=True)
        parser = argparse.ArgumentParser(exit_on_error=False)
        play.add_arguments(parser)
        self._args = parser.parse_args(["--server", at if isinstance(at, str) else at.url, *words])
        reads, self.writes = os.pipe()
        self._keys = _Keys(open(reads, "rb"))  # noqa: SIM115  # closed in the end
        self._paper = _Paper(terminal)
        self._keys.terminal = terminal
        self._folder = folder
        self._code = -1
        self._seen = 0
        self.open = True
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            console = Console(self._keys, self._paper)
            self._code = play.sit_down(self._args, console, self._folder)
        except LiarsPokerError as error:
            self._paper.write(f"liarspoker: {error}\n")
            self._code = 1
        self._paper.closed_by_writer = True
        self._paper.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.hang_up()
        self._thread.join(PATIENCE)
        self._keys.close()

    @property
    def text(self) -> str:
        """Everything printed so far."""
        return _ESCAPE.sub("", self._paper.getvalue())

    def hang_up(self) -> None:
        """End the input."""
        if self.open:
            os.close(self.writes)
        self.open = False

    def until(self, *patterns: str) -> str:
        """Read until one of the patterns is found; return what was printed up to its end, since the last call.

        A blank in a pattern matches any white space, since lines are wrapped.
        """
        wrapped = [pattern.replace(" ", r"\s+") for pattern in patterns]
        while True:
            with self._paper.fresh:
                written, ended, text = self._paper.tell(), self._paper.closed_by_writer, self.text
                fresh = text[self._seen :]
                ends = [found.end() for pattern in wrapped if (found := re.search(pattern, fresh))]
                if ends:
                    self._seen += min(ends)
                    return fresh[: min(ends)]
                assert not ended, f"the end came before {patterns}:\n{text}"
                more = self._paper.fresh.wait_for(partial(self._has_more, written), PATIENCE)
            assert more, f"silent for {PATIENCE} seconds, not {patterns}, after:\n{text}"

    def _has_more(self, written: int) -> bool:
        return self._paper.tell() > written or self._paper.closed_by_writer

    def type(self, line: str) -> None:
        os.write(self.writes, line.encode() + b"\n")

    def table(self) -> str:
        """The link for friends, once it is shown."""
        return self.until(r"http://\S+/tables/\S+\n").split()[-1]

    def ends(self) -> int:
        """Read to the end; return the exit code."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), f"there is no end after:\n{self.text}"
        return self._code

    def play(self, chance: Random, *until: str) -> str:
        """Play any offered action until one of the patterns is printed; return everything printed."""
        told = ""
        while True:
            told += self.until(TURN, *until)
            turn = re.search(r"Your turn: [^>]*\n> $", told)
            if turn is None:
                return told
            self.type(chance.choice(offered(turn[0])))


def offered(turn: str) -> list[str]:
    """Return the input that a turn suggests: an example of a claim, and answers."""
    plain = " ".join(turn.split())
    if "discard" in plain:
        return ["discard -"]
    letters = [letter for letter in "cktp" if f"({letter})" in plain]
    return [example.strip() for example in _EXAMPLE.findall(plain)[:1]] + letters * 2


def token_of(person: Person) -> str:
    """Return an API token of this user."""
    return str(person.post("/api/tokens", {"label": "test"}).json()["secret"])


def state_of(view: dict[str, Any]) -> State:
    """Return the state of a table's view."""
    frame = _read(json.dumps({"kind": "state", "version": view["public"]["version"], **view}))
    assert isinstance(frame, frames.State)
    return State.of(frame)


def send(person: Person, table: str, command: Command) -> bool:
    """Send a command; return whether it takes effect."""
    fields = {name: value for name, value in to_builtins(command).items() if value is not None}
    return bool(person.ask(table, **fields)["ok"])
