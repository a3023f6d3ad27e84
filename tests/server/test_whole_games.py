"""Whole games: on each kind of database, between bots only, and with the example bot, `examples/bot.py`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import PATIENCE, Person, Running, running

JSON = {"Content-Type": "application/json"}


def test_invalid_ids_are_refused_and_games_are_stored_on_every_database(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        table = server.table(ann, bob)
        for path in ("tables/%00", "tables/x%00/records", "games/%00", "tables?game=%00", "tables?mine=true&game=%00"):
            assert 400 <= ann.http.get(f"/api/{path}").status_code < 500, path
        assert ann.http.delete("/api/tokens/%00").is_client_error
        with ann.socket("%00") as socket:
            assert socket.end() == (4404, "no-such-table")
        odd = {"login": "a\0b", "passphrase": "\0\ud800 and more", "name": "\0", "label": "\0"}
        for path in ("login", "account", "me/name", "tokens"):
            assert ann.http.post(f"/api/{path}", content=json.dumps(odd), headers=JSON).is_client_error
        assert ann.ask(table, do="say", text="half a sign: \\ud800, and a whole one: \U0001f0a1")["ok"]
        half = json.dumps({"id": "half", "command": {"do": "say", "text": "\ud800"}})
        assert not ann.http.post(f"/api/tables/{table}/commands", content=half, headers=JSON).json()["ok"]
        assert ann.ask(table, do="start")["ok"]
        assert bob.ask(table, do="ready")["ok"]
        before = {key: value for key, value in ann.view(table).items() if key != "now"}
    with running(tmp_path, database=url) as server:
        again = server.person()
        again.http.cookies.update(ann.http.cookies)
        assert {key: value for key, value in again.view(table).items() if key != "now"} == before


def test_bots_finish_a_match_by_themselves(server: Running) -> None:
    """Let a user be eliminated by overclaiming, and start further rounds for the bots."""
    ann, table = server.hosted(bots=("beginner", "beginner"), game="thorin", seats=3, rounds=1)
    assert ann.ask(table, do="start")["ok"]
    end = time.monotonic() + 3 * PATIENCE
    while (seen := ann.view(table))["public"]["stage"] != "ended":
        assert time.monotonic() < end, seen["public"]["gathering"]
        you, public = seen["you"], seen["public"]
        if you.get("gathering", {}).get("wanted"):
            ann.ask(table, do="ready")
        elif (legal := you.get("hand", {}).get("legal")) and public["to_act"] == ann.user:
            ann.ask(table, do="act", turn=public["turn"], action=_worst(legal))


def _worst(legal: dict[str, object]) -> str:
    if legal["declare"]:
        return "declare color-straight-flush ace"
    return "discard -" if legal["discard"] else str(legal["take"] or legal["challenge"])


BOT = Path(__file__).resolve().parents[2] / "examples" / "bot.py"
QUIET = 4
"""Number of empty stream lines, sent every seven seconds, after which a test fails."""

ROUNDS = 2


def watches(host: Person, table: str, until: Callable[[Any], bool]) -> Any:
    """Return the first state of the table's stream for which `until` is true."""
    quiet = 0
    with host.http.stream("GET", f"/api/tables/{table}/stream", timeout=60) as stream:
        for line in stream.iter_lines():
            quiet = 0 if line else quiet + 1
            assert quiet < QUIET, f"nothing happens any more at {table}"
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
    assert all(end["rounds_played"] >= ROUNDS for end in ends)  # a match continues until somebody has won
