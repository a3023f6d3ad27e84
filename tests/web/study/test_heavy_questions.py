"""A question that takes too long is refused in words, and holds nobody else up."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from starlette.responses import Response

from liarspoker.web.app import mount_pages
from liarspoker.web.pages import Pages
from liarspoker.web.routes.study import asked
from liarspoker.web.view_models.family import OddsPage
from tests.server.inprocess import Running, running


class Endless:
    """A question that takes until it is `done`."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.threads: set[int] = set()

    def __call__(self, given: Mapping[str, str]) -> object:
        self.threads.add(threading.get_ident())
        self.done.wait()
        return given


@contextmanager
def asked_endlessly(folder: Path) -> Iterator[tuple[Running, Endless]]:
    """A server that is asked an endless question at `/heavy`."""
    endless = Endless()

    def with_a_heavy_question(app: FastAPI) -> None:
        mount_pages(app)

        @app.get("/heavy", include_in_schema=False)
        async def heavy(request: Request) -> Response:
            return await asked(request, OddsPage("/heavy", "", 0, "odds/bid.html", endless), seconds=0.05)

    with running(folder, with_a_heavy_question) as server:
        try:
            yield server, endless
        finally:
            endless.done.set()


def test_a_question_that_takes_too_long_is_refused_in_words(tmp_path: Path) -> None:
    with asked_endlessly(tmp_path) as (server, _):
        person = server.person()
        response = person.http.get("/heavy")
        assert response.status_code == 503
        assert "takes too long" in response.text
        assert person.http.get("/rules").status_code == 200


def test_questions_that_were_given_up_do_not_pile_up(tmp_path: Path) -> None:
    with asked_endlessly(tmp_path) as (server, endless):
        person = server.person()
        for _ in range(6):
            assert person.http.get("/heavy").status_code == 503
        assert len(endless.threads) == 2
        endless.done.set()
        assert person.http.get("/odds").status_code == 200


def test_a_page_full_of_tables_is_drawn_beside_the_loop(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, str] = {}
    html = Pages.html

    def noting(self: Pages, template: str, context: Mapping[str, Any]) -> str:
        drawn[template] = threading.current_thread().name
        return html(self, template, context)

    monkeypatch.setattr(Pages, "html", noting)
    person = house.person()
    assert person.http.get("/odds/tables", params={"players": 100}).status_code == 200
    assert person.http.get("/settings").status_code == 200
    assert drawn["odds/tables.html"] != drawn["settings.html"]
