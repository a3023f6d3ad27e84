"""Whoever was removed from a table does not come straight back as a new guest."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from liarspoker.server.config import no_limits, with_limits
from tests.server.inprocess import Person, Running, running

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="it has one loopback address only")

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"
LIMITS = with_limits(no_limits(), ["newcomers=900"])


def table_without(server: Running, removed: Person) -> str:
    """A table of three from another address, who have removed somebody."""
    others = [server.person(name, address=ELSEWHERE) for name in ("Cyd", "Dan", "Eve")]
    table = server.table(others[0], *others[1:], removed)
    assert others[0].ask(table, do="propose", kind="remove", value=removed.user)["ok"]
    for other in others[1:]:
        assert other.ask(table, do="answer", proposal=0, yes=True)["ok"]
    assert removed.user not in [chair and chair["user"] for chair in others[0].view(table)["public"]["chairs"]]
    return table


def test_a_removed_player_cannot_come_back_as_a_new_guest_for_a_while(tmp_path: Path) -> None:
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
        assert old.ask(table, do="join")["ok"], "they were here before"
        server.clock.ahead += 901
        assert again.ask(table, do="join")["ok"]
        assert removed.ask(table, do="join")["code"] == "removed"


def test_newcomers_may_join_all_other_tables(tmp_path: Path) -> None:
    with running(tmp_path, limits=LIMITS) as server:
        table_without(server, server.person("Bob"))
        other = server.table(server.person("Fay", address=ELSEWHERE))
        assert server.person("Bobby").ask(other, do="join")["ok"]


def test_a_player_is_known_by_the_address_of_their_socket_too(tmp_path: Path) -> None:
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


def test_without_the_limit_newcomers_may_join_at_once(server: Running) -> None:
    table = table_without(server, server.person("Bob"))
    assert server.person("Bobby").ask(table, do="join")["ok"]
