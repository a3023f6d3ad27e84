"""Rematches on a server: one for each table, found by everyone who has a seat in it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from liarspoker.protocol.commands import Start
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables.decide import read_command
from liarspoker.tables.settings import read_settings
from tests.server.inprocess import Person, Running, running
from tests.server.registries import Lives


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A running server."""
    with running(tmp_path_factory.mktemp("site")) as server:
        yield server


def ended(site: Running, *others: Person, **settings: Any) -> tuple[Person, str]:
    """A table that its owner has closed after the first deal."""
    ann, table = site.hosted(*others, bots=("bluffer",), **settings)
    for do in ("start", "end"):
        assert ann.ask(table, do=do)["ok"]
    return ann, table


def rematch(person: Person, table: str) -> str:
    """Ask for a rematch, and return its id."""
    response = person.post(f"/api/tables/{table}/rematch")
    assert response.status_code == 200, response.text
    return str(response.json()["table"])


def test_everyone_who_asks_gets_the_same_rematch(site: Running) -> None:
    bob, eve = site.person("Bob"), site.person("Eve")
    ann, table = ended(site, bob, seats=4)
    watching = site.person("Watcher")
    made = rematch(bob, table)
    assert {rematch(person, table) for person in (ann, bob)} == {made}
    assert watching.view(table)["public"]["rematch"] == {"table": made, "user": bob.user, "name": "Bob"}
    assert watching.post(f"/api/tables/{made}/rematch").json()["error"]["code"] == "not-ended"
    public = ann.view(made)["public"]
    assert public["owner"] == bob.user
    assert public["reserved"] == [{"chair": 0, "user": ann.user, "name": "Ann"}]
    assert [chair["name"] if chair else None for chair in public["chairs"]] == [None, "Bea", "Bob", None]
    assert made in [one["table"] for one in ann.http.get("/api/tables?mine=true").json()]
    assert made not in [one["table"] for one in eve.http.get("/api/tables?mine=true").json()]
    assert ann.ask(made, do="join")["ok"]
    assert "reserved" not in ann.view(made)["public"]


def test_only_players_open_a_rematch(site: Running) -> None:
    bob, eve = site.person("Bob"), site.person("Eve")
    ann, table = site.hosted(bob, eve)
    assert ann.ask(table, do="remove", user=eve.user)["ok"]
    assert bob.post(f"/api/tables/{table}/rematch").json()["error"]["code"] == "not-ended"
    assert ann.ask(table, do="end")["ok"]
    codes = [one.post(f"/api/tables/{table}/rematch").json()["error"]["code"] for one in (eve, site.person("Dan"))]
    assert codes == ["removed", "not-seated"]


def test_an_event_stream_reports_a_rematch(site: Running) -> None:
    bob = site.person("Bob")
    ann, table = ended(site, bob)
    made = rematch(ann, table)
    with bob.http.stream("GET", "/api/stream") as response:
        assert any(f'"table":"{made}"' in line for line in response.iter_lines())


def test_a_table_that_starts_as_it_is_made_is_the_same_after_a_restart(url: str) -> None:
    lives = Lives(url)

    async def made(registry: TableRegistry) -> tuple[str, object]:
        commands = [read_command({"do": "seat_bot", "bot": "bluffer"}), Start()]
        actor = await registry.create("ann", "Ann", read_settings({"game": "dollar-bill", "seats": 2}), commands)
        return actor.table.id, actor.table.sitting

    async def found(registry: TableRegistry, table: str) -> object:
        return (await registry.table(table)).table.sitting

    table, sitting = lives.live(made)
    assert sitting is not None
    assert lives.live(lambda registry: found(registry, table)) == sitting


def test_two_players_who_ask_at_once_get_one_rematch(site: Running) -> None:
    bob = site.person("Bob")
    ann, table = ended(site, bob)
    with ThreadPoolExecutor(2) as pool:
        assert len(set(pool.map(rematch, (ann, bob), (table, table)))) == 1
