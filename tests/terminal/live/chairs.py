"""People at live tables, for tests: each at a terminal or a pipe, reading what is printed and knowing nothing else."""

from __future__ import annotations

import os
import re
import select
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from tests.server.running import RunningServer
from tests.terminal.sitting import Sitting

PATIENCE = 30.0  # seconds without a word from a process before a test gives it up
TURN = r"Your turn: [^>]*\n> $"
_EXAMPLE = re.compile(r"type ([^,()]+?)(?:,|\))")
_ESCAPE = re.compile(r"\033\[[0-9;]*[A-Za-z]|\r(?!\n)")


class Chair:
    """`liarspoker play --server` in a process of its own.

    Args:
        words: arguments besides the server's address.
        at: the server, or the link of a table.
        folder: the person's home: what he is at servers is kept there.
        terminal: at a terminal, else at pipes.
    """

    def __init__(self, *words: str, at: RunningServer | str, folder: Path, terminal: bool = False) -> None:
        address = at if isinstance(at, str) else at.address
        folder.mkdir(exist_ok=True)
        home = {"XDG_DATA_HOME": str(folder), "HOME": str(folder)}
        self.sitting = Sitting("--server", address, *words, terminal=terminal, folder=folder, settings=home, columns=80)
        self.text = ""
        self._read = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.sitting.__exit__(kind, error, at)

    def until(self, *patterns: str) -> str:
        """Read on until one of the patterns is there; what was printed up to its end, since the last time.

        A blank in a pattern stands for any white space, since lines are wrapped.
        """
        wrapped = [pattern.replace(" ", r"\s+") for pattern in patterns]
        while True:
            fresh = self.text[self._read :]
            ends = [found.end() for pattern in wrapped if (found := re.search(pattern, fresh))]
            if ends:
                self._read += min(ends)
                return fresh[: min(ends)]
            assert self._more(), f"the end came before {patterns}:\n{self.text}"

    def type(self, line: str) -> None:
        os.write(self.sitting.writes, line.encode() + b"\n")

    def table(self) -> str:
        """The link for friends, once it is told."""
        return self.until(r"http://\S+/tables/\S+\n").split()[-1]

    def ends(self) -> int:
        """Read to the end; the exit code."""
        while self._more():
            pass
        return self.sitting.process.wait(PATIENCE)

    def play(self, chance: Random, *until: str) -> str:
        """Play anything that is offered until one of the patterns is printed; all that was printed meanwhile."""
        told = ""
        while True:
            told += self.until(TURN, *until)
            turn = re.search(r"Your turn: [^>]*\n> $", told)
            if turn is None:
                return told
            self.type(chance.choice(offered(turn[0])))

    def _more(self) -> bool:
        """Read what has been printed since; false at the end."""
        reads = self.sitting.reads
        if not select.select([reads], [], [], PATIENCE)[0]:
            raise AssertionError(f"silent for {PATIENCE} seconds after:\n{self.text}")
        try:
            piece = os.read(reads, 1 << 16)
        except OSError:  # how Linux tells that nobody writes to a terminal any more
            piece = b""
        self.text += _ESCAPE.sub("", piece.decode(errors="replace").replace("\r\n", "\n"))
        return bool(piece)


def offered(turn: str) -> list[str]:
    """What a turn offers to type: an example of a claim, and answers."""
    plain = " ".join(turn.split())
    if "discard" in plain:
        return ["discard -"]
    letters = [letter for letter in "cktp" if f"({letter})" in plain]
    return [example.strip() for example in _EXAMPLE.findall(plain)[:1]] + letters * 2
