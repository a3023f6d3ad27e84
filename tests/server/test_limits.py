"""Configurable limits, and what happens to clients that exceed them or don't complete requests."""

from __future__ import annotations

import socket
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from liarspoker.cli import main
from liarspoker.server import http
from liarspoker.server.config import BadLimit, Limit, Limits, every_limit, format_limit, limiter, no_limits, with_limits
from liarspoker.server.tables.views import LISTED_SECONDS
from liarspoker.web.app import mount_pages
from tests.server.inprocess import PATIENCE, Person, Running, running


def test_limits_are_parsed_as_rate_number_or_none() -> None:
    changed = with_limits(Limits(), ["logins=5/0.1", "connections=12", "guests=none"])
    assert (changed.logins, changed.connections, changed.guests) == (Limit(5, 0.1), 12, None)
    assert type(changed.connections) is int
    assert changed.requests == Limits().requests


def test_written_limits_are_parsed_back() -> None:
    texts = [f"{one.name}={format_limit(one.default)}" for one in every_limit()]
    assert with_limits(no_limits(), texts) == Limits()


def test_no_limits_keeps_explicit_limits() -> None:
    limits = with_limits(no_limits(), ["logins=5/0.1"])
    assert [one.name for one in fields(limits) if getattr(limits, one.name) is not None] == ["logins"]


def test_a_disabled_limit_has_no_effect() -> None:
    assert limiter(None, lambda: 0.0) is None


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"logins={value}"
            for value in ("", "5", "0", "5/0", "0/1", "0.5/1", "1/2/3", "-1/2", "nan/1", "inf/1", "1_0/1")
        ),
        *(f"logins={value}" for value in (" 1/1", "1e3/1", "None")),
        *(f"connections={value}" for value in ("", "0", "1.5", "many", "5/1", "-3")),
        *("logins", "Logins=none", "=", "", "nothing=5", "__init__=none"),
    ],
)
def test_an_invalid_limit_is_rejected(text: str) -> None:
    with pytest.raises(BadLimit):
        with_limits(Limits(), [text])


def test_a_duplicate_limit_is_rejected() -> None:
    with pytest.raises(BadLimit, match="twice"):
        with_limits(Limits(), ["logins=5/1", "logins=none"])


def test_every_limit_has_a_description() -> None:
    for one in every_limit():
        assert one.meaning, one.name
        assert one.unit, one.name


def test_an_unknown_limit_is_a_usage_error_that_lists_all_names(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--limit", "login=5/1"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert all(one.name in told for one in every_limit())


def test_the_effective_limits_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--no-limits", "--limit", "logins=5/0.1", "--list-limits"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        [one.name, "5/0.1" if one.name == "logins" else "none"] for one in every_limit()
    ]
    assert max(map(len, lines)) <= 100


def test_reactions_are_limited_per_user(tmp_path: Path) -> None:
    with running(tmp_path, limits=limits("reactions=3/0.1")) as server:
        ann, table = server.hosted()
        asked = [{"id": f"r{number}", "command": {"do": "react", "reaction": "nice"}} for number in range(4)]
        answers = [ann.post(f"/api/tables/{table}/commands", one) for one in asked]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert ann.ask(table, do="say", text="well")["ok"]


def limits(*changes: str) -> Limits:
    return with_limits(no_limits(), changes)


def refusal(person: Person, **settings: object) -> str:
    """Return why a new table is refused; empty if it isn't."""
    answer = person.post("/api/tables", {"settings": {"game": "slips", **settings}})
    if answer.status_code == 201:
        return ""
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-many")
    return str(answer.json()["error"]["message"])


def tables_of(server: Running, person: Person, count: int, **settings: Any) -> list[str]:
    return [server.table(person, **settings) for _ in range(count)]


def test_open_tables_are_limited_per_owner(tmp_path: Path) -> None:
    with running(tmp_path, limits=limits("open_tables=3")) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        tables = tables_of(server, ann, 3)
        assert refusal(ann) == "you have reached the limit of open tables (3); end one of yours first"
        assert refusal(bob) == ""
        assert ann.ask(tables[0], do="end")["ok"]
        assert refusal(ann) == ""


def test_a_table_counts_for_its_current_owner(tmp_path: Path) -> None:
    with running(tmp_path, limits=limits("open_tables=1")) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        table = server.table(ann, bob)
        assert refusal(ann) != ""
        assert ann.ask(table, do="leave")["ok"]
        assert refusal(ann) == ""
        assert refusal(bob) != "", "the table belongs to them now"


def test_open_tables_are_limited_per_address(tmp_path: Path) -> None:
    with running(tmp_path, limits=limits("address_tables=3")) as server:
        ann = server.person("Ann")
        tables = [*tables_of(server, ann, 2), server.table(server.person("Bob"))]
        told = "your network has reached the limit of open tables (3); end one first"
        assert refusal(server.person("Cyd")) == told
        assert ann.ask(tables[0], do="end")["ok"]
        assert refusal(server.person("Cyd")) == ""
        assert refusal(server.person("Cyd")) != ""


def test_tables_in_the_lobby_are_limited_per_owner(tmp_path: Path) -> None:
    with running(tmp_path, limits=limits("listed_tables=2")) as server:
        ann = server.person("Ann")
        tables_of(server, ann, 2, visibility="open")
        assert "limit of tables in the lobby (2); end one" in refusal(ann, visibility="open")
        assert refusal(ann, visibility="private") == ""
        server.clock.ahead += LISTED_SECONDS + 1
        assert refusal(ann, visibility="open") == "", "the lobby doesn't list them any more"


def test_pages_report_too_many_tables(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, limits=limits("listed_tables=1")) as server:
        ann = server.person("Ann")
        form = {"game": "slips", "visibility": "open"}
        assert ann.http.post("/new", data=form).status_code == 303
        refused = ann.http.post("/new", data=form)
        assert refused.status_code == 429
        assert "limit of tables in the lobby (1)" in refused.text
        assert ann.http.post("/quick", data={"game": "slips"}).status_code == 429


HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"
LIMITS = with_limits(no_limits(), ["newcomers=900"])


def table_without(server: Running, removed: Person) -> str:
    """A table with three users from another address, who have removed one of them."""
    if sys.platform == "darwin":
        pytest.skip("it has one loopback address only")
    others = [server.person(name, address=ELSEWHERE) for name in ("Cyd", "Dan", "Eve")]
    table = server.table(others[0], *others[1:], removed)
    assert others[0].ask(table, do="propose", kind="remove", value=removed.user)["ok"]
    for other in others[1:]:
        assert other.ask(table, do="answer", proposal=0, yes=True)["ok"]
    assert removed.user not in [chair and chair["user"] for chair in others[0].view(table)["public"]["chairs"]]
    return table


def test_a_removed_player_cannot_rejoin_soon_as_a_new_guest(tmp_path: Path) -> None:
    with running(tmp_path, limits=LIMITS) as server:
        old, removed = server.person("Old friend"), server.person("Bob")
        table = table_without(server, removed)
        assert removed.ask(table, do="join")["code"] == "removed"
        again = server.person("Bobby")
        refused = again.ask(table, do="join")
        assert (refused["ok"], refused["code"]) == (False, "removed")
        assert "in 15 min" in refused["message"]
        with again.socket(table) as socket:
            assert socket.ask("a", do="join")["code"] == "removed"
        assert server.person("Far friend", address=ELSEWHERE).ask(table, do="join")["ok"]
        assert old.ask(table, do="join")["ok"], "they were here before the removal"
        server.clock.ahead += 901
        assert again.ask(table, do="join")["ok"]
        assert removed.ask(table, do="join")["code"] == "removed"


def test_newcomers_can_join_all_other_tables(tmp_path: Path) -> None:
    with running(tmp_path, limits=LIMITS) as server:
        table_without(server, server.person("Bob"))
        other = server.table(server.person("Fay", address=ELSEWHERE))
        assert server.person("Bobby").ask(other, do="join")["ok"]


def test_the_address_of_a_socket_identifies_a_removed_player_too(tmp_path: Path) -> None:
    with running(tmp_path, limits=LIMITS) as server:
        removed = server.person("Bob", address=ELSEWHERE)
        table = server.table(removed)
        token = removed.post("/api/tokens", {"label": "phone"}).json()["secret"]
        phone = server.person(authorization=f"Bearer {token}")
        others = [server.person(name, address="127.0.0.3") for name in ("Cyd", "Dan", "Eve")]
        for other in others:
            assert other.ask(table, do="join")["ok"]
        with phone.socket(table) as socket:
            socket.until("state")
            others[0].ask(table, do="propose", kind="remove", value=removed.user)
            for other in others[1:]:
                other.ask(table, do="answer", proposal=0, yes=True)
        assert server.person("Bobby").ask(table, do="join")["code"] == "removed"


def test_without_the_limit_newcomers_can_join_immediately(server: Running) -> None:
    table = table_without(server, server.person("Bob"))
    assert server.person("Bobby").ask(table, do="join")["ok"]


ASK = b"POST /api/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def came_in(server: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def shown_out(one: socket.socket) -> bool:
    """Wait, within a timeout, until the server disconnects; data before that is skipped."""
    try:
        while one.recv(1000):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("said", [b"", b"GET /health HT", ASK[:-2], ASK, ASK + b'{"name": "'])
def test_an_incomplete_request_is_disconnected_after_the_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(http, "REQUEST_SECONDS", 0.2)
    with running(tmp_path) as server, came_in(server) as one:
        one.sendall(said)
        assert shown_out(one)


def test_an_incomplete_second_request_is_disconnected_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "REQUEST_SECONDS", 0.2)
    with running(tmp_path) as server, came_in(server) as one:
        one.sendall(HEALTH)
        assert one.recv(10_000).startswith(b"HTTP/1.1 200")
        one.sendall(HEALTH[:-2])
        assert shown_out(one)


def test_sockets_and_streams_stay_open_beyond_the_request_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "REQUEST_SECONDS", 0.2)
    with running(tmp_path) as server, came_in(server) as silent:
        ann, table = server.hosted()
        with ann.socket(table) as playing, ann.http.stream("GET", f"/api/tables/{table}/stream") as news:
            states = news.iter_lines()
            next(states)
            assert shown_out(silent)
            bob = server.person("Bob")
            assert bob.ask(table, do="join")["ok"]
            assert playing.until("state", version=2)
            assert next(line for line in states if line)
