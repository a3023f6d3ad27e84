"""The example of a bot, `examples/bot.py`, as it stands: at a server, at tables of every game."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Person, Running

BOT = Path(__file__).resolve().parents[2] / "examples" / "bot.py"
PATIENCE = 4
"""So many empty lines of a stream, which come every seven seconds, before a test gives a table up."""

ROUNDS = 2


def watches(host: Person, table: str, until: Callable[[Any], bool]) -> Any:
    """The first state of the game stream for which `until` is true."""
    quiet = 0
    with host.http.stream("GET", f"/api/tables/{table}/stream", timeout=60) as stream:
        for line in stream.iter_lines():
            quiet = 0 if line else quiet + 1
            assert quiet < PATIENCE, f"nothing happens any more at {table}"
            told = json.loads(line or "{}")
            if told.get("kind") == "state" and until(told["public"]):
                return told["public"]
    raise AssertionError("the stream has ended")


@pytest.mark.slow
def test_the_example_plays_every_game(server: Running, tmp_path: Path) -> None:
    host, robot = server.person("Hanna"), server.person("Robot")
    token = robot.post("/api/tokens", {"label": "bot"}).json()["secret"]
    settings: dict[str, Any] = {"seats": 4, "rounds": ROUNDS, "choose": True, "bots": ("beginner", "uniform")}
    tables = [server.table(host, game=row.id, **settings) for row in catalogue.games()]
    words = [sys.executable, str(BOT), server.url, token, *tables]
    with (tmp_path / "complaints").open("w+") as complaints, subprocess.Popen(words, stderr=complaints) as bot:
        try:
            for table in tables:
                watches(host, table, lambda public: None not in public["chairs"])
                assert host.ask(table, do="start")["ok"]
                assert host.ask(table, do="leave")["ok"]
            ends = [watches(host, table, lambda public: public["stage"] == "ended") for table in tables]
        finally:
            bot.kill()
    assert (tmp_path / "complaints").read_text() == ""
    assert all(end["rounds_played"] >= ROUNDS for end in ends)  # a match goes on until somebody has won
