"""Pages are drawn without holding anybody up: drafts, however often somebody changes his mind; crowds; passers-by."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager

import pytest
from websockets.sync.client import ClientConnection, connect

from liarspoker.web import live
from liarspoker.web.routes import table as table_routes
from liarspoker.web.view_models.table import Seen, TableScene, scene_of
from tests.server.inprocess import PATIENCE, Person, Running


@contextmanager
def page_of(person: Person, table: str) -> Iterator[ClientConnection]:
    """The socket of a table's page."""
    url = f"ws://127.0.0.1:{person.server.port}/t/{table}/live"
    with connect(url, additional_headers=person.headers, open_timeout=PATIENCE, close_timeout=1) as raw:
        yield raw


def pages(raw: ClientConnection) -> Iterator[str]:
    """The pages that come down."""
    while True:
        told = json.loads(raw.recv(timeout=PATIENCE))
        if told["kind"] == "page":
            yield told["html"]


def draft(raw: ClientConnection, **fields: str) -> None:
    raw.send(json.dumps({"kind": "draft", "id": "d", "fields": fields}))


def discarding(house: Running) -> tuple[Person, str, str]:
    """Who has taken the hand of Thorin's game, the table, and the turn."""
    people = [house.person(name) for name in ("Ann", "Bob")]
    table = house.table(people[0], people[1], game="thorin", seats=2)
    assert people[0].ask(table, do="start")["ok"]
    assert people[1].ask(table, do="ready")["ok"]
    by_user = {person.user: person for person in people}
    for action in ("declare pair 2", "take"):
        public = people[0].view(table)["public"]
        answer = by_user[public["to_act"]].ask(table, do="act", turn=public["turn"], action=action)
        assert answer["ok"], answer
    public = people[0].view(table)["public"]
    assert public["round"]["phase"] == "discard"
    return by_user[public["to_act"]], table, str(public["turn"])


def loop_of(house: Running) -> str:
    """The name of the thread in which everybody is served."""
    named: Future[str] = Future()
    house.loop.call_soon_threadsafe(lambda: named.set_result(threading.current_thread().name))
    return named.result(PATIENCE)


def test_the_chances_of_all_discards_are_worked_out_beside_the_loop(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[bool, str]] = []

    def noting(seen: Seen) -> TableScene:
        drawn.append(("chances" in seen.draft, threading.current_thread().name))
        return scene_of(seen)

    person, table, turn = discarding(house)
    monkeypatch.setattr(live, "scene_of", noting)
    with page_of(person, table) as raw:
        told = pages(raw)
        next(told)
        draft(raw, turn=turn, chances="1")
        assert any("thorin-best" in html for html in told)
    assert loop_of(house) not in {name for asked, name in drawn if asked}


def test_a_page_drawn_without_a_script_is_drawn_beside_the_loop_too(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def noting(seen: Seen) -> TableScene:
        threads.append(threading.current_thread().name)
        return scene_of(seen)

    person, table, turn = discarding(house)
    monkeypatch.setattr(table_routes, "scene_of", noting)
    assert "thorin-best" in person.http.get(f"/t/{table}", params={"turn": turn, "chances": "1"}).text
    assert threads
    assert loop_of(house) not in threads


def test_many_changes_of_mind_are_drawn_together_and_the_last_one_stands(house: Running) -> None:
    person, table, turn = discarding(house)
    drawn = 0
    with page_of(person, table) as raw:
        next(pages(raw))
        for _ in range(200):
            draft(raw, turn=turn, chances="1")
        draft(raw, turn=turn)
        raw.send(json.dumps({"kind": "ping"}))
        html = ""
        ponged = False
        while not ponged or not html or "thorin-best" in html:
            told = json.loads(raw.recv(timeout=PATIENCE))
            ponged = ponged or told["kind"] == "pong"
            if told["kind"] == "page":
                html, drawn = told["html"], drawn + 1
        assert "Which discard is best?" in html
    assert drawn < 200


def test_strangers_who_come_and_go_change_no_page_of_a_running_table(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str | None] = []

    def noting(seen: Seen) -> TableScene:
        scene = scene_of(seen)
        drawn.append(scene.me)
        return scene

    person, table, _ = discarding(house)
    monkeypatch.setattr(live, "scene_of", noting)
    with page_of(person, table) as raw:
        next(pages(raw))
        settled(raw)
        before = drawn.count(person.user)
        for _ in range(3):
            with page_of(house.person(), table) as passing:
                next(pages(passing))
            settled(raw)
        assert drawn.count(None) >= 3
        assert drawn.count(person.user) == before


def test_between_two_pages_of_a_crowd_the_server_does_what_else_there_is(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str | None] = []
    done: list[int] = []
    waited_for: list[bool] = []

    def noting(seen: Seen) -> TableScene:
        waited_for.append(len(done) == len(drawn))
        drawn.append(None)
        asyncio.get_running_loop().call_soon(done.append, len(drawn))
        return scene_of(seen)

    person, table, _ = discarding(house)
    with ExitStack() as crowd:
        looking = [crowd.enter_context(page_of(house.person(), table)) for _ in range(8)]
        for raw in looking:
            next(pages(raw))
            settled(raw)
        monkeypatch.setattr(live, "scene_of", noting)
        assert person.ask(table, do="say", text="hello")["ok"]
        for raw in looking:
            next(html for html in pages(raw) if "hello" in html)
    assert len(waited_for) >= 8
    assert all(waited_for)


def settled(raw: ClientConnection) -> None:
    """Wait until all that was to be told has been told."""
    for _ in range(2):
        raw.send(json.dumps({"kind": "ping"}))
        while json.loads(raw.recv(timeout=PATIENCE))["kind"] != "pong":
            pass
