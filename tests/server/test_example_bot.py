"""The example of a bot, `examples/bot.py`, as it stands: at a real server, at tables of every game."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from liarspoker.core import catalogue
from tests.server.running import RunningServer, running_server

BOT = Path(__file__).resolve().parents[2] / "examples" / "bot.py"
PATIENCE = 4
"""So many empty lines of a stream, which come every seven seconds, before a test gives a table up."""

ROUNDS = 5


class Host:
    """Somebody who makes tables and looks on."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.headers = {"Authorization": f"Bearer {server.token('Hanna')}"}

    def makes(self, game: str) -> str:
        settings = {"game": game, "seats": 4, "rounds": ROUNDS, "choose": True}
        made = self.server.ask("/api/tables", {"settings": settings, "bots": ["beginner", "uniform"]}, **self.headers)
        return str(made["table"])

    def commands(self, table: str, do: str) -> None:
        answer = self.server.ask(f"/api/tables/{table}/commands", {"id": do, "command": {"do": do}}, **self.headers)
        assert answer["ok"], answer

    def watches(self, table: str, until: Callable[[Any], bool]) -> Any:
        """The first state of the game stream for which `until` is true."""
        request = Request(f"{self.server.address}/api/tables/{table}/stream", headers=self.headers)
        quiet = 0
        with urlopen(request, timeout=60) as stream:
            for line in stream:
                quiet = 0 if line.strip() else quiet + 1
                assert quiet < PATIENCE, f"nothing happens any more at {table}"
                told = json.loads(line) if line.strip() else {}
                if told.get("kind") == "state" and until(told["public"]):
                    return told["public"]
        raise AssertionError("the stream has ended")


def all_sit(public: Any) -> bool:
    return None not in public["chairs"]


@pytest.mark.slow
def test_the_example_plays_every_game(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        host, robot = Host(server), server.token("Robot")
        tables = [host.makes(row.id) for row in catalogue.games()]
        words = [sys.executable, str(BOT), server.address, robot, *tables]
        with (tmp_path / "complaints").open("w+") as complaints, subprocess.Popen(words, stderr=complaints) as bot:
            try:
                for table in tables:
                    host.watches(table, all_sit)
                    host.commands(table, "start")
                    host.commands(table, "leave")
                ends = [host.watches(table, lambda public: public["stage"] == "ended") for table in tables]
            finally:
                bot.kill()
        assert (tmp_path / "complaints").read_text() == ""
    assert all(end["rounds_played"] >= ROUNDS for end in ends)  # a match goes on until somebody has won
