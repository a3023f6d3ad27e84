"""Slow work runs in threads, once for concurrent requests, and with a time limit."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import islice
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
from liarspoker.web.view_models.table import TableSnapshot, TableViewModel, table_view_model
from tests.server.inprocess import PATIENCE, Person, Running, eventually, running
from tests.web.pages.reading import Reader
from tests.web.study.played_tables import act, begun, played, to_act

# ---------------------------------------------------------------------------------- rendering tables


@contextmanager
def page_of(person: Person, table: str) -> Iterator[ClientConnection]:
    """The WebSocket of a table's page."""
    url = f"ws://127.0.0.1:{person.server.port}/t/{table}/live"
    with connect(url, additional_headers=person.headers, open_timeout=PATIENCE, close_timeout=1) as raw:
        yield raw


def pages(raw: ClientConnection) -> Iterator[str]:
    """The pages that the server sends."""
    while True:
        frame = json.loads(raw.recv(timeout=PATIENCE))
        if frame["kind"] == "page":
            yield frame["html"]


def settled(raw: ClientConnection) -> None:
    """Wait until the server has sent everything."""
    for _ in range(2):
        raw.send(json.dumps({"kind": "ping"}))
        while json.loads(raw.recv(timeout=PATIENCE))["kind"] != "pong":
            pass


def draft(raw: ClientConnection, id: str = "d", **fields: str) -> None:
    raw.send(json.dumps({"kind": "draft", "id": id, "fields": fields}))


def discarding(site: Running) -> tuple[Person, str, str]:
    """The player who has taken the hand of Thorin's game, the table, and the turn."""
    table, people = begun(site, "thorin")
    act(table, people, "declare pair 2", "take")
    return to_act(table, people), table, str(people[0].view(table)["public"]["turn"])


def loop_of(site: Running) -> str:
    """The name of the event loop's thread."""
    named: Future[str] = Future()
    site.loop.call_soon_threadsafe(lambda: named.set_result(threading.current_thread().name))
    return named.result(PATIENCE)


class Noted:
    """Builds view models, and records the user, whether odds were requested, and the thread of each."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str | None, bool, str]] = []

    def __call__(self, seen: TableSnapshot) -> TableViewModel:
        model = table_view_model(seen)
        self.drawn.append((model.me, "chances" in seen.draft, threading.current_thread().name))
        return model


def test_the_odds_of_all_discards_are_computed_in_a_thread(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = Noted()
    person, table, turn = discarding(site)
    monkeypatch.setattr(live, "table_view_model", noted)
    monkeypatch.setattr(table_routes, "table_view_model", noted)
    with page_of(person, table) as raw:
        received = pages(raw)
        next(received)
        draft(raw, turn=turn, chances="1")
        assert any("thorin-best" in html for html in received)
    without_script = person.http.get(f"/t/{table}", params={"turn": turn, "chances": "1"})
    assert "thorin-best" in without_script.text
    threads = [thread for _, chances, thread in noted.drawn if chances]
    assert len(threads) >= 2
    assert loop_of(site) not in threads


def test_many_drafts_are_rendered_together_and_the_last_one_wins(site: Running) -> None:
    person, table, turn = discarding(site)
    drawn = 0
    with page_of(person, table) as raw:
        next(pages(raw))
        for _ in range(200):
            draft(raw, turn=turn, chances="1")
        draft(raw, turn=turn)
        raw.send(json.dumps({"kind": "ping"}))
        html, ponged = "", False
        while not ponged or not html or "thorin-best" in html:
            frame = json.loads(raw.recv(timeout=PATIENCE))
            ponged = ponged or frame["kind"] == "pong"
            if frame["kind"] == "page":
                html, drawn = frame["html"], drawn + 1
        assert "Which discard is best?" in html
    assert drawn < 200


def test_a_page_names_the_draft_that_it_shows_even_if_a_later_one_came_while_it_was_rendered(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, table, turn = discarding(site)
    with page_of(person, table) as raw:
        frames = map(json.loads, iter(lambda: raw.recv(timeout=PATIENCE), ""))
        version = next(frame for frame in frames if frame["kind"] == "page")["version"]

        def drawn_while_another_draft_comes(seen: TableSnapshot) -> TableViewModel:
            if "chances" in seen.draft:
                draft(raw, "second", turn=turn)
                raw.send(json.dumps({"kind": "form", "id": "say", "fields": {"do": "say", "text": "hm"}}))
                eventually(lambda: person.view(table)["public"]["version"] > version)
            return table_view_model(seen)

        monkeypatch.setattr(live, "table_view_model", drawn_while_another_draft_comes)
        draft(raw, "first", turn=turn, chances="1")
        shown = {frame["draft"]: frame["html"] for frame in islice((f for f in frames if f["kind"] == "page"), 2)}
    assert "thorin-best" in shown["first"]
    assert "thorin-best" not in shown["second"]


def test_spectators_who_come_and_go_change_no_page_of_a_running_table(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = Noted()
    person, table, _ = discarding(site)
    monkeypatch.setattr(live, "table_view_model", noted)
    with page_of(person, table) as raw:
        next(pages(raw))
        settled(raw)
        before = sum(user == person.user for user, *_ in noted.drawn)
        for _ in range(3):
            with page_of(site.person(), table) as passing:
                next(pages(passing))
            settled(raw)
        assert sum(user is None for user, *_ in noted.drawn) >= 3
        assert sum(user == person.user for user, *_ in noted.drawn) == before


def test_the_event_loop_runs_other_work_between_two_pages(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    waited_for: list[bool] = []

    def noting(seen: TableSnapshot) -> TableViewModel:
        waited_for.append(len(done) == len(waited_for))
        asyncio.get_running_loop().call_soon(done.append, len(waited_for))
        return table_view_model(seen)

    person, table, _ = discarding(site)
    with ExitStack() as crowd:
        looking = [crowd.enter_context(page_of(site.person(), table)) for _ in range(8)]
        for raw in looking:
            next(pages(raw))
            settled(raw)
        monkeypatch.setattr(live, "table_view_model", noting)
        assert person.ask(table, do="say", text="hello")["ok"]
        for raw in looking:
            next(html for html in pages(raw) if "hello" in html)
    assert len(waited_for) >= 8
    assert all(waited_for)


# ------------------------------------------------------------------------------- long calculations


class Held:
    """Calls of a function that block until released.

    Attributes:
        calls: the number of calls.
        threads: the threads in which they wait.
        come: set by the first call.
        go: releases the calls.
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


def test_a_slow_question_gets_an_error_page_and_does_not_pile_up(tmp_path: Path) -> None:
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


def test_a_page_full_of_tables_is_rendered_in_a_thread(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, str] = {}
    html = Pages.html

    def noting(self: Pages, template: str, context: Mapping[str, Any]) -> str:
        drawn[template] = threading.current_thread().name
        return html(self, template, context)

    monkeypatch.setattr(Pages, "html", noting)
    person = site.person()
    assert person.http.get("/odds/tables", params={"players": 10}).status_code == 200
    assert person.http.get("/settings").status_code == 200
    assert drawn["odds/tables.html"] != drawn["settings.html"]


def test_concurrent_requests_share_one_audit(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = played(site, "dollar-bill")
    check = Held(audit.check)
    monkeypatch.setattr(audit, "check", check)
    readers = [site.person() for _ in range(4)]
    with ThreadPoolExecutor(len(readers)) as pool:
        responses: list[Future[int]] = [
            pool.submit(lambda one: int(one.http.get(f"/t/{table}/verify").status_code), one) for one in readers
        ]
        assert check.come.wait(PATIENCE)
        assert (
            site.person().http.get("/health").status_code == 200
        )  # earlier requests have been handled up to the same point
        check.go.set()
        assert [one.result(PATIENCE) for one in responses] == [200] * len(readers)
    assert check.calls == 1


def test_a_table_that_is_slow_to_count_delays_no_profile(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Reader(played(site, "dollar-bill")[0])
    count = Held(history.played_at)
    monkeypatch.setattr(history, "played_at", count)
    for _ in range(2):
        assert "Still counting 1 older table" in ann.read("/you").page.text
        assert count.calls == 1
    count.go.set()
    while "Still counting" in ann.read("/you").page.text:
        pass
    assert "1 table" in ann.page.text


def test_templates_are_compiled_after_the_start_until_the_server_stops(tmp_path: Path) -> None:
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
