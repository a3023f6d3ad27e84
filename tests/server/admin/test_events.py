"""`liarspoker admin` lists and shows duplicate events, and cancels those that haven't started."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from liarspoker.cli import main
from liarspoker.server.admin.queries import ID_PREFIX_LENGTH
from liarspoker.server.storage.connection import database_at, value
from liarspoker.server.storage.schema import DUPLICATE_PLAYERS, SECRETS
from tests.server.admin.conftest import Admin
from tests.server.inprocess import Person, Running, running

On = Callable[[str], Admin]


def _organised(server: Running, names: tuple[str, ...] = ("Ann", "Bob")) -> tuple[str, list[Person]]:
    """Make an event with these players, of whom the first is its creator; return its id and the players."""
    players = [server.person(name) for name in names]
    settings = {"game": "dollar-bill", "seats": 2, "clock": {"turn": 600, "ready": 600}}
    made = players[0].post("/api/events", {"name": "Cup", "settings": settings, "hands": 2, "bots": True})
    event: str = made.json()["event"]
    for player in players:
        assert player.post(f"/api/events/{event}/join", {"words": "words"}).status_code == 200
    return event, players


def test_events_are_listed_and_shown_without_links(
    url: str, tmp_path: Path, admin: On, capsys: pytest.CaptureFixture[str]
) -> None:
    run = admin(f"--database {url}")
    with running(tmp_path, database=url) as server:
        waiting, _ = _organised(server)
        event, players = _organised(server, ("Cyd", "Dan", "Eve"))
        assert players[0].post(f"/api/events/{event}/start").status_code == 200
        listed = run("events")
        assert [(one["event"], one["status"], one["players"]) for one in listed["events"]] == [
            (event[:ID_PREFIX_LENGTH], "playing", 3),
            (waiting[:ID_PREFIX_LENGTH], "waiting", 2),
        ]
        assert run("events --limit 1")["more"]
        assert not run("events --limit 1 --page 2")["more"]
        shown = run("event", event[:6])
        assert shown["players"] == [
            {"user": player.user, "name": name} for player, name in zip(players, ("Cyd", "Dan", "Eve"), strict=True)
        ]
        assert [one["status"] for one in shown["tables"]] == ["playing", "playing"]
        assert {name for one in shown["tables"] for name in one["players"]} > {"Cyd", "Dan", "Eve"}
        tables = [player.http.get(f"/api/events/{event}").json()["table"] for player in players]
        capsys.readouterr()
        for command in (["events"], ["event", "--", event], ["event", "--", waiting]):
            assert main(["admin", command[0], "--database", url, *command[1:]]) == 0
        text = capsys.readouterr().out
        assert "Cyd, Dan, Eve" in text
        assert event[:ID_PREFIX_LENGTH] in text
        assert not [one for one in (event, waiting, *tables) if one in text]


def test_only_an_event_that_has_not_started_is_cancelled(url: str, tmp_path: Path, admin: On) -> None:
    run = admin(f"--database {url}")
    with running(tmp_path, database=url) as server:
        event, [owner, _] = _organised(server)
        assert run("cancel-event", event) == {"event": event[:ID_PREFIX_LENGTH], "outcome": "done"}
        for path in ("start", "join", "leave"):
            assert owner.post(f"/api/events/{event}/{path}", {"words": ""}).json()["error"]["code"] == "no-such-event"
        assert f"no event matches '{event}'" in run("cancel-event", event, code=1)
        with closing(database_at(url).connect()) as connection:
            for column in (DUPLICATE_PLAYERS.c.event_id, SECRETS.c.table_id):
                assert (
                    connection.execute(sa.select(column).where(column == value(column)), **{column.name: event}) == []
                )
        entry = run("audit --what cancel-event")["trail"][0]
        assert entry["details"] == {"event": event[:ID_PREFIX_LENGTH]}
        started, [owner, _] = _organised(server)
        assert owner.post(f"/api/events/{started}/start").status_code == 200
        assert "has started; end its tables instead" in run("cancel-event", started, code=1)
