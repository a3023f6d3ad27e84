"""What takes long is worked out beside the loop, once for all who ask, and not for longer than a page may take."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from starlette.responses import Response
from websockets.sync.client import ClientConnection, connect

from liarspoker.tables.fair import audit
from liarspoker.web import history, live
from liarspoker.web.app import mount_pages
from liarspoker.web.pages import Pages, compile_all, templates
from liarspoker.web.routes import table as table_routes
from liarspoker.web.routes.study import asked
from liarspoker.web.view_models.family import OddsPage
from liarspoker.web.view_models.table import Seen, TableScene, scene_of
from tests.server.inprocess import PATIENCE, Person, Running, running
from tests.web.rooms.reading import Reader
from tests.web.study.evenings import act, begun, played, to_act

# ----------------------------------------------------------------------------------- drawing a table


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


def settled(raw: ClientConnection) -> None:
    """Wait until all that was to be told has been told."""
    for _ in range(2):
        raw.send(json.dumps({"kind": "ping"}))
        while json.loads(raw.recv(timeout=PATIENCE))["kind"] != "pong":
            pass


def draft(raw: ClientConnection, **fields: str) -> None:
    raw.send(json.dumps({"kind": "draft", "id": "d", "fields": fields}))


def discarding(house: Running) -> tuple[Person, str, str]:
    """Who has taken the hand of Thorin's game, the table, and the turn."""
    table, people = begun(house, "thorin")
    act(table, people, "declare pair 2", "take")
    return to_act(table, people), table, str(people[0].view(table)["public"]["turn"])


def loop_of(house: Running) -> str:
    """The name of the thread in which everybody is served."""
    named: Future[str] = Future()
    house.loop.call_soon_threadsafe(lambda: named.set_result(threading.current_thread().name))
    return named.result(PATIENCE)


class Noted:
    """Draws tables, and notes for each who it is for, what was asked and in which thread."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str | None, bool, str]] = []

    def __call__(self, seen: Seen) -> TableScene:
        scene = scene_of(seen)
        self.drawn.append((scene.me, "chances" in seen.draft, threading.current_thread().name))
        return scene


def test_the_chances_of_all_discards_are_worked_out_beside_the_loop(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = Noted()
    person, table, turn = discarding(house)
    monkeypatch.setattr(live, "scene_of", noted)
    monkeypatch.setattr(table_routes, "scene_of", noted)
    with page_of(person, table) as raw:
        told = pages(raw)
        next(told)
        draft(raw, turn=turn, chances="1")
        assert any("thorin-best" in html for html in told)
    without_script = person.http.get(f"/t/{table}", params={"turn": turn, "chances": "1"})
    assert "thorin-best" in without_script.text
    threads = [thread for _, chances, thread in noted.drawn if chances]
    assert len(threads) >= 2
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
        html, ponged = "", False
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
    noted = Noted()
    person, table, _ = discarding(house)
    monkeypatch.setattr(live, "scene_of", noted)
    with page_of(person, table) as raw:
        next(pages(raw))
        settled(raw)
        before = sum(user == person.user for user, *_ in noted.drawn)
        for _ in range(3):
            with page_of(house.person(), table) as passing:
                next(pages(passing))
            settled(raw)
        assert sum(user is None for user, *_ in noted.drawn) >= 3
        assert sum(user == person.user for user, *_ in noted.drawn) == before


def test_between_two_pages_of_a_crowd_the_server_does_what_else_there_is(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    waited_for: list[bool] = []

    def noting(seen: Seen) -> TableScene:
        waited_for.append(len(done) == len(waited_for))
        asyncio.get_running_loop().call_soon(done.append, len(waited_for))
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


# ------------------------------------------------------------------------------- long calculations


class Held:
    """Calls of a function that wait until they are let go.

    Attributes:
        calls: how many have come.
        threads: in which they wait.
        come: the first one has.
        go: lets them go.
    """

    def __init__(self, function: Any = lambda given: given) -> None:
        self.function = function
        self.calls = 0
        self.threads: set[int] = set()
        self.come, self.go = threading.Event(), threading.Event()

    def __call__(self, *given: Any) -> Any:
        self.calls += 1
        self.threads.add(threading.get_ident())
        self.come.set()
        assert self.go.wait(PATIENCE)
        return self.function(*given)


def test_a_question_that_takes_too_long_is_refused_in_words_and_does_not_pile_up(tmp_path: Path) -> None:
    endless = Held()

    def with_a_heavy_question(app: FastAPI) -> None:
        mount_pages(app)

        @app.get("/heavy", include_in_schema=False)
        async def heavy(request: Request) -> Response:
            return await asked(request, OddsPage("/heavy", "", 0, "odds/bid.html", endless), seconds=0.05)

    with running(tmp_path, with_a_heavy_question) as server:
        person = server.person()
        for _ in range(6):
            response = person.http.get("/heavy")
            assert response.status_code == 503
            assert "takes too long" in response.text
        assert len(endless.threads) == 2
        assert person.http.get("/rules").status_code == 200
        endless.go.set()
        assert person.http.get("/odds").status_code == 200


def test_a_page_full_of_tables_is_drawn_beside_the_loop(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, str] = {}
    html = Pages.html

    def noting(self: Pages, template: str, context: Mapping[str, Any]) -> str:
        drawn[template] = threading.current_thread().name
        return html(self, template, context)

    monkeypatch.setattr(Pages, "html", noting)
    person = house.person()
    assert person.http.get("/odds/tables", params={"players": 10}).status_code == 200
    assert person.http.get("/settings").status_code == 200
    assert drawn["odds/tables.html"] != drawn["settings.html"]


def test_a_table_is_checked_once_however_many_come_to_see(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = played(house, "dollar-bill")
    check = Held(audit.check)
    monkeypatch.setattr(audit, "check", check)
    readers = [house.person() for _ in range(4)]
    with ThreadPoolExecutor(len(readers)) as pool:
        told: list[Future[int]] = [
            pool.submit(lambda one: int(one.http.get(f"/t/{table}/verify").status_code), one) for one in readers
        ]
        assert check.come.wait(PATIENCE)
        assert house.person().http.get("/health").status_code == 200  # the others have been served as far as that
        check.go.set()
        assert [one.result(PATIENCE) for one in told] == [200] * len(readers)
    assert check.calls == 1


def test_a_table_that_is_long_to_count_keeps_nobody_from_his_page(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Reader(played(house, "dollar-bill")[0])
    count = Held(history.played_at)
    monkeypatch.setattr(history, "played_at", count)
    for _ in range(2):
        assert "1 older table is not counted yet" in ann.read("/you").page.text
        assert count.calls == 1
    count.go.set()
    while "not counted yet" in ann.read("/you").page.text:
        pass
    assert "1 table" in ann.page.text


def test_every_template_is_compiled_when_a_server_starts_and_no_more_when_it_stops(tmp_path: Path) -> None:
    templates.cache_clear()
    with running(tmp_path, mount_pages):
        for thread in threading.enumerate():
            if thread.name == "templates":
                thread.join(PATIENCE)
    assert sorted(name for _, name in templates().cache or {}) == sorted(templates().list_templates())
    templates.cache_clear()
    at_once = list(templates().cache or {})
    compile_all(stopped=lambda: True)
    assert list(templates().cache or {}) == at_once
    assert len(at_once) < len(templates().list_templates())
