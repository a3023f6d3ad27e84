from pathlib import Path

import pytest

from liarspoker.server.config import Limit, Limits
from liarspoker.web.app import mount_pages
from liarspoker.web.preferences import CHOICES
from tests.server.inprocess import Running, running
from tests.web.rooms.reading import Reader


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in CHOICES.items() for value in values])
def test_every_look_that_is_chosen_is_kept(ann: Reader, name: str, value: str) -> None:
    ann.read("/settings").send("Keep these", {name: value})
    assert "Kept" in ann.page.one(id="saved").text
    ann.read("/settings")
    assert "checked" in ann.page.one("input", name=name, value=value).at
    shown = {"theme": "data-theme", "motion": "data-still"}.get(name, f"data-{name}")
    assert (shown in ann.page.one("html").at) == (value != "system")


def test_the_switch_in_the_bar_changes_the_theme_and_stays_on_the_page(house: Running, ann: Reader) -> None:
    ann.read("/bots?level=bluffer").send("", within=ann.page.one("form", data_theme_switch=""))
    assert ann.address == f"{house.url}/bots?level=bluffer"
    assert ann.page.one("html").at["data-theme"] == "dark"


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "", "javascript:x"])
def test_nobody_is_led_to_another_server(house: Running, ann: Reader, back: str) -> None:
    ann.post("/settings", theme="dark", back=back)
    assert ann.address == f"{house.url}/"


def test_what_is_no_look_is_passed_over(ann: Reader) -> None:
    ann.post("/settings", theme="neon", sound="on", more="x")
    assert ann.page.one("html").at["data-sound"] == "on"
    assert "data-theme" not in ann.page.one("html").at


@pytest.mark.parametrize("path", ["/nothing", "/t/nosuchtable", "/t/nosuchtable/records", "/static/nothing.css"])
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


def test_a_form_of_another_site_is_refused_as_a_page(house: Running, ann: Reader) -> None:
    response = ann.person.http.post("/quick", data={"name": "Ann"}, headers={"Origin": "http://evil.example"})
    assert response.status_code == 403
    assert "Not from there" in response.text
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]


def test_too_much_at_once_is_told_as_a_page_that_says_when_to_try_again(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, limits=Limits(requests=Limit(2, 0.01))) as house:
        ann = Reader(house.person())
        for _ in range(3):
            ann.read("/settings")
        assert ann.status == 429
        assert "A little slower" in ann.page.one("h1").text
        assert ann.page.one("a", cls="prime").at["href"] == "/settings"
        assert int(ann.person.http.get("/").headers["Retry-After"]) > 0
        assert ann.person.http.get("/api/games").json()["error"]["code"] == "too-many"


def test_too_many_tables_are_refused_as_a_page(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, limits=Limits(tables=Limit(1, 0.01))) as house:
        ann = Reader(house.person())
        ann.read("/").send("Quick table", name="Ann")
        ann.read("/").send("Quick table")
        assert ann.status == 429
        assert "too many tables" in ann.page.text.lower()


def test_what_cannot_be_read_is_told_as_a_page(ann: Reader) -> None:
    ann.post("/bots", game="whist")
    assert ann.status == 422
    assert "there is no game" in ann.page.text.lower()


def test_who_is_not_known_cannot_make_tokens(ann: Reader) -> None:
    ann.post("/you/tokens", label="x")
    assert ann.status == 401
    assert ann.page.all("a", href="/you")
