"""How pages look, and what they say of what is wrong: no such page, too much at once, or a page that breaks."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI, Request

from liarspoker.server.config import Limit, Limits
from liarspoker.web.app import mount_pages
from liarspoker.web.pages import page
from liarspoker.web.preferences import CHOICES
from tests.server.inprocess import Running, running
from tests.web.rooms.reading import Reader

SECRET = "5eed" * 16


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in CHOICES.items() for value in values])
def test_every_look_that_is_chosen_is_kept(ann: Reader, name: str, value: str) -> None:
    ann.read("/settings").send("Keep these", {name: value})
    assert "Kept" in ann.page.one(id="saved").text
    ann.read("/settings")
    assert "checked" in ann.page.one("input", name=name, value=value).at
    shown = {"theme": "data-theme", "motion": "data-still"}.get(name, f"data-{name}")
    assert (shown in ann.page.one("html").at) == (value != "system")


def test_what_is_no_look_is_passed_over(ann: Reader) -> None:
    ann.post("/settings", theme="neon", sound="on", more="x")
    assert ann.page.one("html").at["data-sound"] == "on"
    assert "data-theme" not in ann.page.one("html").at


def test_the_switch_in_the_bar_changes_the_theme_and_stays_on_the_page(house: Running, ann: Reader) -> None:
    ann.read("/bots?level=bluffer").send("", within=ann.page.one("form", data_theme_switch=""))
    assert ann.address == f"{house.url}/bots?level=bluffer"
    assert ann.page.one("html").at["data-theme"] == "dark"


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "", "javascript:x"])
def test_nobody_is_led_to_another_server(house: Running, ann: Reader, back: str) -> None:
    ann.post("/settings", theme="dark", back=back)
    assert ann.address == f"{house.url}/"


@pytest.mark.parametrize(
    "path", ["/nothing", "/rules/chess", "/t/nosuchtable", "/t/nosuchtable/records", "/static/nothing.css"]
)
def test_what_is_not_there_is_told_as_a_page(ann: Reader, path: str) -> None:
    ann.read(path)
    assert ann.status == 404
    assert ann.page.one("h1").text == "There is nothing here"
    assert ann.page.all("a", href="/")


@pytest.mark.parametrize("path", ["/", "/new", "/rules/thorin", "/odds", "/settings", "/static/app.js", "/nothing"])
def test_head_tells_of_a_page_what_get_does(ann: Reader, path: str) -> None:
    head, got = ann.person.http.head(path), ann.person.http.get(path)
    assert head.status_code == got.status_code
    assert head.headers["content-type"] == got.headers["content-type"]
    assert not head.content


def test_a_form_of_another_site_is_refused_as_a_page(ann: Reader) -> None:
    response = ann.person.http.post("/quick", data={"name": "Ann"}, headers={"Origin": "http://evil.example"})
    assert response.status_code == 403
    assert "Not from there" in response.text
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]


def test_what_cannot_be_read_or_is_not_allowed_is_told_as_a_page(ann: Reader) -> None:
    assert ann.post("/bots", game="whist").status == 422
    assert "there is no game" in ann.page.text.lower()
    assert ann.post("/you/tokens", label="x").status == 401
    assert ann.page.all("a", href="/you")


def test_too_many_requests_are_told_as_a_page_that_says_when_to_try_again(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, limits=Limits(requests=Limit(2, 0.01))) as house:
        ann = Reader(house.person())
        for _ in range(3):
            ann.read("/settings")
        assert ann.status == 429
        assert "A little slower" in ann.page.one("h1").text
        assert ann.page.one("a", cls="prime").at["href"] == "/settings"
        assert int(ann.person.http.get("/").headers["Retry-After"]) > 0
        assert ann.person.http.get("/api/games").json()["error"]["code"] == "too-many"


def test_too_many_tables_histories_and_replays_are_refused_as_pages(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, limits=Limits(tables=Limit(1, 0.01), records=Limit(2, 0.01))) as house:
        ann, ben = (Reader(house.person(address=f"127.0.0.{number}")) for number in (2, 3))
        table = ann.read("/").send("Quick table", name="Ann").table
        assert ann.read("/").send("Quick table").status == 429
        assert "too many tables" in ann.page.text.lower()
        assert [ann.read("/you").status for _ in range(3)] == [200, 200, 429]
        assert ann.read("/").status == 200
        assert [ben.read(f"/t/{table}/replay").status for _ in range(2)] == [200, 200]
        assert ben.person.http.post("/replay", data={"record": "lpn = 1"}).status_code == 429


# ------------------------------------------------------------------------------- a page that breaks


def mount_flaws(app: FastAPI) -> None:
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


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server some of whose pages break."""
    with running(tmp_path_factory.mktemp("broken"), mount_flaws) as house:
        yield house


@pytest.mark.parametrize("path", ["/broken", "/broken/page"])
def test_a_page_that_breaks_is_told_as_a_page_and_tells_nothing(
    broken: Running, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    with caplog.at_level(logging.ERROR):
        ann = broken.person("Ann")
        [cookie] = [cookie.value or "" for cookie in ann.http.cookies.jar]
        response = ann.http.get(path)
        assert response.status_code == 500
        assert response.headers["Cache-Control"] == "no-store"
        assert "default-src 'self'" in response.headers["Content-Security-Policy"]
        for secret in (SECRET, cookie, "RuntimeError", "UndefinedError", "Traceback", __file__, "liarspoker/web"):
            assert secret not in response.text
        bob = Reader(broken.person("Bob")).read(path)
        assert bob.page.one("h1").text == "Something broke"
        assert bob.page.one("a", cls="prime").at["href"] == path
        assert Reader(broken.person()).read("/").status == 200  # all else goes on
    failures = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert len(failures) == 2  # with all that led to them, for whoever runs the server


def test_a_program_is_told_as_json(broken: Running) -> None:
    response = broken.person("Ann").http.get("/api/broken")
    assert response.status_code == 500
    assert response.json()["error"]["code"] == "internal"
    assert SECRET not in response.text
