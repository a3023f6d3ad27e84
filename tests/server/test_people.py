"""Friends, blocks and invitations over HTTP, on sockets and on event streams."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from liarspoker.server.accounts.accounts import DAY
from liarspoker.server.accounts.people import INVITATION_DAYS
from liarspoker.server.config import Limit, NodeConfig, no_limits
from liarspoker.server.online import ONLINE_SECONDS
from tests.server.inprocess import Person, Running, eventually, running
from tests.server.postgres import Server


def friends(server: Running) -> tuple[Person, Person]:
    """Two users who are friends."""
    ann, bob = server.person("Ann"), server.person("Bob")
    assert ann.http.put(f"/api/friends/{bob.user}").json() == {"relation": "request"}
    assert bob.http.put(f"/api/friends/{ann.user}").json() == {"relation": "friend"}
    return ann, bob


def invite(sender: Person, table: str, other: Person) -> str:
    """Invite somebody; return the error code, or an empty string."""
    answer = sender.post("/api/invitations", {"table": table, "user": other.user})
    return "" if answer.status_code == 204 else str(answer.json()["error"]["code"])


def invited(person: Person) -> list[str]:
    """The tables to which a user is invited."""
    return [one["table"] for one in person.http.get("/api/invitations").json()["received"]]


def sent(person: Person) -> list[tuple[str, bool]]:
    """To whom a user has sent open invitations, and whether they were declined."""
    return [(one["name"], one["declined"]) for one in person.http.get("/api/invitations").json()["sent"]]


@contextmanager
def news(person: Person) -> Iterator[Iterator[dict[str, Any]]]:
    """A user's event stream, without status lines."""
    with person.http.stream("GET", "/api/stream") as response:
        eventually(lambda: person.user in person.server.service.news._followers)
        yield (json.loads(line) for line in response.iter_lines() if '"invitations"' in line)


def test_a_friend_is_invited_declines_and_accepts(server: Running) -> None:
    ann, bob = friends(server)
    first, second = server.table(ann, title="First"), server.table(ann)
    assert [invite(ann, table, bob) for table in (first, second)] == ["", ""]
    assert invited(bob) == [second, first]
    assert sent(ann) == [("Bob", False), ("Bob", False)]
    bob.http.delete(f"/api/invitations/{first}")
    assert invited(bob) == [second]
    assert sent(ann) == [("Bob", False), ("Bob", True)]
    assert invite(ann, first, bob) == ""  # a declined invitation isn't repeated
    assert invited(bob) == [second]
    assert bob.ask(second, do="join")["ok"]
    assert invited(bob) == []


def test_an_invitation_ends_when_it_is_withdrawn_expires_or_its_table_ends(server: Running) -> None:
    ann, bob = friends(server)
    tables = [server.table(ann) for _ in range(3)]
    for table in tables:
        assert invite(ann, table, bob) == ""
    ann.http.delete(f"/api/invitations/{tables[0]}/{bob.user}")
    assert ann.ask(tables[1], do="end")["ok"]
    assert invited(bob) == [tables[2]]
    bob.http.delete(f"/api/invitations/{tables[2]}/{bob.user}")  # only the sender can withdraw
    assert invited(bob) == [tables[2]]
    server.clock.ahead += INVITATION_DAYS * DAY + 1
    assert invited(bob) == []
    assert sent(ann) == []
    assert invite(ann, tables[2], bob) == ""  # an expired one can be repeated
    assert invited(bob) == [tables[2]]


def test_only_friends_are_invited_and_only_by_players_of_an_open_table(server: Running) -> None:
    ann, bob = friends(server)
    eve = server.person("Eve")
    table = server.table(ann, eve)
    ended = server.table(ann)
    assert ann.ask(ended, do="end")["ok"]
    hidden = server.table(eve, spectators="none")
    assert invite(eve, table, bob) == "not-friends"
    assert invite(bob, table, ann) == "not-seated"
    assert invite(ann, ended, bob) == "table-ended"
    assert {invite(ann, one, bob) for one in (hidden, "missing")} == {"no-such-table"}
    assert invited(bob) == []


def test_a_new_invitation_is_sent_to_the_event_stream_at_once(server: Running) -> None:
    ann, bob = friends(server)
    secret = bob.post("/api/tokens", {"label": "bot"}).json()["secret"]
    bot = server.person(Authorization=f"Bearer {secret}")
    bot.user = bob.user
    with news(bot) as lines:
        tables = [server.table(ann), server.table(ann, title="Tonight")]
        for count, table in enumerate(tables, 1):
            assert invite(ann, table, bob) == ""
            told = next(lines)["invitations"]
            assert [one["table"] for one in told] == tables[:count][::-1]
        assert (told[0]["name"], told[0]["title"], told[1]["title"]) == ("Ann", "Tonight", "Dollar-bill Liar's Poker")
    assert bot.http.put(f"/api/friends/{server.person('Eve').user}").json()["error"]["code"] == "needs-login"


def test_a_blocked_friend_cannot_invite_or_see_presence_and_is_not_told(server: Running) -> None:
    ann, bob = friends(server)
    table = server.table(bob)
    assert invite(bob, table, ann) == ""
    [friend] = bob.http.get("/api/friends").json()["friends"]
    assert (friend["name"], friend["online"]) == ("Ann", True)
    assert ann.http.put(f"/api/blocks/{bob.user}").status_code == 204
    assert invited(ann) == []
    assert invite(bob, table, ann) == "not-friends"
    assert bob.http.get("/api/friends").json() == {"friends": [], "received": [], "sent": [], "blocked": []}
    assert bob.http.put(f"/api/friends/{ann.user}").json() == {"relation": "request"}
    assert ann.http.get("/api/friends").json()["received"] == []
    assert ann.http.put(f"/api/friends/{bob.user}").json()["error"]["code"] == "blocked"
    assert ann.http.delete(f"/api/blocks/{bob.user}").status_code == 204
    assert ann.http.put(f"/api/friends/{bob.user}").json() == {"relation": "friend"}


def said(frame: dict[str, Any]) -> list[str]:
    return [line["text"] for line in frame["lines"]]


def test_a_block_hides_chat_at_a_shared_table_at_once_and_for_the_blocker_only(server: Running) -> None:
    ann, bob, table = server.in_a_round()
    carol = server.person("Carol")
    assert bob.ask(table, do="say", text="before")["ok"]
    with ann.socket(table) as socket, carol.socket(table) as other:
        assert said(socket.until("chat")) == ["before"]
        ann.http.put(f"/api/blocks/{bob.user}")
        assert said(socket.until("chat")) == []
        assert bob.ask(table, do="say", text="after")["ok"]
        assert ann.ask(table, do="say", text="mine")["ok"]
        told = socket.until("chat")
        while "mine" not in said(told):
            assert "after" not in said(told)
            told = socket.until("chat")
        assert said(told) == ["mine"]
        told = other.until("chat")
        while "mine" not in said(told):
            told = other.until("chat")
        assert said(told) == ["before", "after", "mine"]
        with ann.socket(table) as again:
            assert said(again.until("chat")) == ["mine"]
        ann.http.delete(f"/api/blocks/{bob.user}")
        assert said(socket.until("chat")) == ["before", "after", "mine"]


def test_friends_are_online_while_connected_and_shortly_after(server: Running) -> None:
    ann, bob = friends(server)

    def is_online() -> bool:
        return bool(ann.http.get("/api/friends").json()["friends"][0].get("online"))

    assert is_online()
    server.clock.ahead += ONLINE_SECONDS + 1
    assert not is_online()
    table = server.table(bob)
    server.clock.ahead += ONLINE_SECONDS + 1
    with bob.socket(table) as socket:
        socket.until("state")
        server.clock.ahead += ONLINE_SECONDS + 1
        assert is_online()
    eventually(lambda: not is_online())


def test_recent_players_are_those_of_shared_tables(server: Running) -> None:
    ann, bob = friends(server)
    cem, dan, eve = (server.person(name) for name in ("Cem", "Dan", "Eve"))
    server.table(ann, bob, cem, dan, bots=("binomial",))
    server.table(eve, bob)
    ann.http.put(f"/api/blocks/{dan.user}")
    assert [one["name"] for one in ann.http.get("/api/people").json()] == ["Cem"]


def test_requests_blocks_and_invitations_are_rate_limited(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(no_limits(), people=Limit(2, 0.001))) as server:
        ann, bob = friends(server)
        table = server.table(ann)
        assert invite(ann, table, bob) == ""
        answers = [
            ann.http.put(f"/api/friends/{bob.user}"),
            ann.http.put(f"/api/blocks/{bob.user}"),
            ann.post("/api/invitations", {"table": table, "user": bob.user}),
        ]
        assert [answer.status_code for answer in answers] == [429] * 3
        assert invited(bob) == [table]


@pytest.mark.slow
def test_invitations_and_blocks_reach_other_servers(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_database()
    with (
        running(tmp_path, database=url, node=NodeConfig("a")) as first,
        running(tmp_path, database=url, node=NodeConfig("b")) as second,
    ):
        ann, bob = friends(first)
        there = second.person()
        there.http.cookies.update(bob.http.cookies)
        there.user = bob.user
        with news(there) as lines:
            table = first.table(ann)
            assert invite(ann, table, bob) == ""
            assert [one["table"] for one in next(lines)["invitations"]] == [table]
        assert bob.ask(table, do="join")["ok"]
        assert ann.ask(table, do="say", text="hello")["ok"]
        with bob.socket(table) as socket:
            assert said(socket.until("chat")) == ["hello"]
            there.http.put(f"/api/blocks/{ann.user}")
            assert said(socket.until("chat")) == []
    postgres.drop(url)
