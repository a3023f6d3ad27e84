"""How many tables somebody may have open at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from liarspoker.server.config import Limits, no_limits, with_limits
from liarspoker.server.tables.views import LISTED_SECONDS
from liarspoker.web.app import mount_pages
from tests.server.inprocess import Person, Running, running


def limits(*changes: str) -> Limits:
    return with_limits(no_limits(), changes)


def refusal(person: Person, **settings: object) -> str:
    """Why a new table is refused; empty where it isn't."""
    answer = person.post("/api/tables", {"settings": {"game": "slips", **settings}})
    if answer.status_code == 201:
        return ""
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-many")
    return str(answer.json()["error"]["message"])


def tables_of(server: Running, person: Person, count: int, **settings: Any) -> list[str]:
    return [server.table(person, **settings) for _ in range(count)]


def test_an_owner_has_so_many_open_tables_and_no_more(tmp_path: Path) -> None:
    with running(tmp_path, limits=limits("open_tables=3")) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        tables = tables_of(server, ann, 3)
        assert refusal(ann) == "you have reached the limit of open tables (3); end one of yours first"
        assert refusal(bob) == ""
        assert ann.ask(tables[0], do="end")["ok"]
        assert refusal(ann) == ""


def test_a_table_counts_for_whoever_owns_it(tmp_path: Path) -> None:
    with running(tmp_path, limits=limits("open_tables=1")) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        table = server.table(ann, bob)
        assert refusal(ann) != ""
        assert ann.ask(table, do="leave")["ok"]
        assert refusal(ann) == ""
        assert refusal(bob) != "", "it belongs to them now"


def test_an_address_has_so_many_open_tables_whoever_makes_them(tmp_path: Path) -> None:
    with running(tmp_path, limits=limits("address_tables=3")) as server:
        ann = server.person("Ann")
        tables = [*tables_of(server, ann, 2), server.table(server.person("Bob"))]
        told = "your network has reached the limit of open tables (3); end one first"
        assert refusal(server.person("Cyd")) == told
        assert ann.ask(tables[0], do="end")["ok"]
        assert refusal(server.person("Cyd")) == ""
        assert refusal(server.person("Cyd")) != ""


def test_the_lobby_has_so_many_tables_of_one_owner(tmp_path: Path) -> None:
    with running(tmp_path, limits=limits("listed_tables=2")) as server:
        ann = server.person("Ann")
        tables_of(server, ann, 2, visibility="open")
        assert "limit of tables in the lobby (2); end one" in refusal(ann, visibility="open")
        assert refusal(ann, visibility="private") == ""
        server.clock.ahead += LISTED_SECONDS + 1
        assert refusal(ann, visibility="open") == "", "the lobby lists them no longer"


def test_pages_say_that_there_are_too_many_tables(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, limits=limits("listed_tables=1")) as server:
        ann = server.person("Ann")
        form = {"game": "slips", "visibility": "open"}
        assert ann.http.post("/new", data=form).status_code == 303
        refused = ann.http.post("/new", data=form)
        assert refused.status_code == 429
        assert "limit of tables in the lobby (1)" in refused.text
        assert ann.http.post("/quick").status_code == 429
