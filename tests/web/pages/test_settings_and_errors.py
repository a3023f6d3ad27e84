"""Settings of the pages, and error pages: a missing page, too many requests, or a failure."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI, Request

from liarspoker.language import LANGUAGES
from liarspoker.server.config import Limit, Limits
from liarspoker.web.app import mount_pages
from liarspoker.web.pages import page
from liarspoker.web.preferences import CHOICES
from tests.server.inprocess import Running, running
from tests.web.pages.reading import Reader

SECRET = "5eed" * 16


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in CHOICES.items() for value in values])
def test_every_setting_is_saved(ann: Reader, name: str, value: str) -> None:
    ann.read("/settings").send("Save", {name: value})
    assert {"de": "Gespeichert", "es": "Guardado"}.get(value, "Saved") in ann.page.one(id="saved").text
    ann.read("/settings")
    assert "checked" in ann.page.one("input", name=name, value=value).at
    shown = {"motion": "data-still", "language": "lang"}.get(name, f"data-{name}")
    assert (shown in ann.page.one("html").at) == (value != "system")


def test_pages_are_in_the_chosen_language_or_the_browsers(ann: Reader) -> None:
    ann.person.http.headers["Accept-Language"] = "fr, de-AT;q=0.9, en;q=0.5"
    assert ann.read("/").page.one("html").at["lang"] == "de"
    ann.post("/settings", language="es")
    assert ann.read("/").page.one("html").at["lang"] == "es"


def test_the_lobby_switches_the_language(site: Running, ann: Reader) -> None:
    for name, code in (("Deutsch", "de"), ("Español", "es"), ("English", "en")):
        ann.read("/").send(name)
        assert ann.address == f"{site.url}/"
        assert ann.page.one("html").at["lang"] == code
        assert [one.text for one in ann.page.all("b", aria_current="true")] == [name]


def test_every_page_ends_with_links_and_languages(site: Running, ann: Reader) -> None:
    ann.read("/odds?n=3").send("Español", within=ann.page.one(cls="foot"))
    assert ann.address == f"{site.url}/odds?n=3"
    ann.post("/settings", language="en")
    foot = ann.read("/leaderboard").page.one(cls="foot")
    assert [link.text for link in foot.all("a", aria_current="page")] == ["Leaderboard"]
    assert "Friends" not in foot.text
    assert "Friends" in Reader(site.person("Zoe")).read("/leaderboard").page.one(cls="foot").text


def test_the_answer_to_a_form_offers_no_language_because_it_has_no_address(ann: Reader) -> None:
    ann.read("/replay").post("/replay", record="not a record")
    assert "English" not in ann.page.one(cls="foot").text


def test_the_manifest_is_in_the_language_of_the_page(ann: Reader) -> None:
    for code in LANGUAGES:
        ann.post("/settings", language=code)
        response = ann.person.http.get(ann.page.one("link", rel="manifest").at["href"])
        manifest = response.json()
        assert response.headers["Content-Type"] == "application/manifest+json"
        assert (manifest["lang"], manifest["id"], len(manifest["shortcuts"])) == (code, "/", 2)


def test_errors_that_the_database_reports_are_in_the_language_of_the_reader(ann: Reader) -> None:
    ann.read("/people/nobody", **{"Accept-Language": "de"})
    assert (ann.status, "ieses Konto gibt es nicht" in ann.page.text) == (404, True)
    ann.read("/people/nobody", **{"Accept-Language": "en"})
    assert "This user doesn" in ann.page.text


@pytest.mark.parametrize(("path", "leads_to"), [("/you/login", "/you"), ("/new/rules", "/new"), ("/quick", "/")])
def test_the_address_of_a_form_leads_to_the_page_with_the_form(site: Running, path: str, leads_to: str) -> None:
    response = site.person("Ann").http.get(path, follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (303, leads_to)


def test_unknown_settings_are_ignored(ann: Reader) -> None:
    ann.post("/settings", theme="neon", sound="on", more="x")
    assert ann.page.one("html").at["data-sound"] == "on"
    assert "data-theme" not in ann.page.one("html").at


def test_the_theme_switch_returns_to_the_page(site: Running, ann: Reader) -> None:
    ann.read("/bots?level=bluffer").send("", within=ann.page.one("form", data_theme_switch=""))
    assert ann.address == f"{site.url}/bots?level=bluffer"
    assert ann.page.one("html").at["data-theme"] == "dark"


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "", "javascript:x"])
def test_redirects_stay_on_this_server(site: Running, ann: Reader, back: str) -> None:
    ann.post("/settings", theme="dark", back=back)
    assert ann.address == f"{site.url}/"


@pytest.mark.parametrize(
    "path", ["/nothing", "/rules/chess", "/t/nosuchtable", "/t/nosuchtable/records", "/static/nothing.css"]
)
def test_a_missing_page_is_an_error_page(ann: Reader, path: str) -> None:
    ann.read(path)
    assert ann.status == 404
    assert ann.page.one("h1").text == "Page not found"
    assert ann.page.all("a", href="/")


@pytest.mark.parametrize("path", ["/", "/new", "/rules/thorin", "/odds", "/settings", "/static/app.js", "/nothing"])
def test_head_returns_the_headers_of_get(ann: Reader, path: str) -> None:
    head, got = ann.person.http.head(path), ann.person.http.get(path)
    assert head.status_code == got.status_code
    assert head.headers["content-type"] == got.headers["content-type"]
    assert not head.content


def test_a_form_from_another_site_gets_an_error_page(ann: Reader) -> None:
    response = ann.person.http.post("/quick", data={"name": "Ann"}, headers={"Origin": "http://evil.example"})
    assert response.status_code == 403
    assert "Request refused" in response.text
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]


def test_invalid_and_forbidden_requests_get_error_pages(ann: Reader) -> None:
    assert ann.post("/bots", game="whist").status == 422
    assert "there is no game" in ann.page.text.lower()
    assert ann.post("/you/tokens", label="x").status == 401
    assert ann.page.all("a", href="/you")


def test_too_many_requests_get_an_error_page_with_retry_after(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, limits=Limits(requests=Limit(2, 0.01))) as site:
        ann = Reader(site.person())
        for _ in range(3):
            ann.read("/settings")
        assert ann.status == 429
        assert "Too many requests" in ann.page.one("h1").text
        assert ann.page.one("a", cls="prime").at["href"] == "/settings"
        assert int(ann.person.http.get("/").headers["Retry-After"]) > 0
        assert ann.person.http.get("/api/games").json()["error"]["code"] == "too-many"


def test_too_many_tables_histories_and_replays_get_error_pages(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, limits=Limits(tables=Limit(1, 0.01), records=Limit(2, 0.01))) as site:
        ann, ben = (Reader(site.person(address=f"127.0.0.{number}")) for number in (2, 3))
        table = ann.read("/").send("Play your first hand", name="Ann").table
        assert ann.read("/").send("Play your first hand").status == 429
        assert "too many tables" in ann.page.text.lower()
        assert [ann.read("/you").status for _ in range(3)] == [200, 200, 429]
        assert ann.read("/").status == 200
        assert [ben.read(f"/t/{table}/replay").status for _ in range(2)] == [200, 200]
        assert ben.person.http.post("/replay", data={"record": "lpn = 1"}).status_code == 429


# ----------------------------------------------------------------------------------- failing pages


def mount_flaws(app: FastAPI) -> None:
    """The pages, with one that fails before rendering, one that fails during rendering, and a failing API route."""
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
    """A server with failing pages."""
    with running(tmp_path_factory.mktemp("broken"), mount_flaws) as site:
        yield site


@pytest.mark.parametrize("path", ["/broken", "/broken/page"])
def test_a_failing_page_gets_an_error_page_without_details(
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
        assert bob.page.one("h1").text == "Server error"
        assert bob.page.one("a", cls="prime").at["href"] == path
        assert Reader(broken.person()).read("/").status == 200  # other pages still work
    failures = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert len(failures) == 2  # logged with tracebacks for the operator


def test_programs_get_errors_as_json(broken: Running) -> None:
    response = broken.person("Ann").http.get("/api/broken")
    assert response.status_code == 500
    assert response.json()["error"]["code"] == "internal"
    assert SECRET not in response.text
