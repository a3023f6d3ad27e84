"""A page that breaks: what people are told, what stands in the log, and what stands in neither."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from fastapi import FastAPI, Request

from liarspoker.web.app import mount_pages
from liarspoker.web.pages import page
from tests.server.inprocess import running
from tests.web.rooms.reading import Reader

SECRET = "5eed" * 16


def dress_with_a_flaw(app: FastAPI) -> None:
    """The pages, with one that breaks before it is drawn, one that breaks while it is, and a program's."""
    mount_pages(app)

    async def before(request: Request) -> None:
        seed = SECRET
        raise RuntimeError(f"the seed is {seed}, the cookie {request.headers.get('cookie')}")

    async def within(request: Request) -> object:
        return await page(request, "verify/page.html", verify=None, asked=SECRET)

    app.add_api_route("/broken", before)
    app.add_api_route("/broken/page", within)
    app.add_api_route("/api/broken", before)


@pytest.mark.parametrize("path", ["/broken", "/broken/page"])
def test_a_page_that_breaks_is_told_as_a_page_and_tells_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    with running(tmp_path, dress_with_a_flaw) as house, caplog.at_level(logging.ERROR):
        ann = Reader(house.person("Ann"))
        [cookie] = [cookie.value or "" for cookie in ann.person.http.cookies.jar]
        response = ann.person.http.get(path)
        assert response.status_code == 500
        assert response.headers["Cache-Control"] == "no-store"
        assert "default-src 'self'" in response.headers["Content-Security-Policy"]
        for secret in (SECRET, cookie, "RuntimeError", "UndefinedError", "Traceback", __file__, "liarspoker/web"):
            assert secret not in response.text
        bob = Reader(house.person("Bob")).read(path)
        assert bob.page.one("h1").text == "Something broke"
        assert bob.page.one("a", cls="prime").at["href"] == path
        assert Reader(house.person("Cleo")).read("/").status == 200  # all else goes on
    failures = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert len(failures) == 2  # with all that led to them, for whoever runs the server


def test_a_program_is_told_as_json(tmp_path: Path) -> None:
    with running(tmp_path, dress_with_a_flaw) as house:
        response = house.person("Ann").http.get("/api/broken")
    assert response.status_code == 500
    assert response.json()["error"]["code"] == "internal"
    assert SECRET not in response.text
