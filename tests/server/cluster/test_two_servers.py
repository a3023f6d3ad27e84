"""Two servers on one database: what is revoked or used up on one is so on the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from liarspoker.server.accounts.accounts import CREDENTIALS_AT_ONCE, Accounts
from liarspoker.server.cluster import revocations
from liarspoker.server.cluster.bus import Counted, LocalBus
from liarspoker.server.config import Limit, NodeConfig, no_limits
from liarspoker.server.quotas import shared_limiter
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import CHEAP, Person, Running, eventually, running
from tests.server.nats import NatsServer
from tests.server.postgres import Server


@contextmanager
def _two(tmp_path: Path, database: str, bus: str | None, **changes: Any) -> Iterator[tuple[Running, Running]]:
    changes |= {"database": database, "bus": bus}
    with (
        running(tmp_path, node=NodeConfig("a"), **changes) as first,
        running(tmp_path, node=NodeConfig("b"), **changes) as second,
    ):
        yield first, second


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    url = postgres.new_database()
    yield url
    postgres.drop(url)


@pytest.fixture(params=["default", "nats"])
def bus(request: pytest.FixtureRequest) -> str | None:
    if request.param == "default":
        return None
    nats: NatsServer = request.getfixturevalue("nats")
    return nats.url


def _at(server: Running, person: Person) -> Person:
    """The same client, with the same cookie, at another server."""
    there = server.person()
    there.http.cookies.update(person.http.cookies)
    there.user = person.user
    return there


@contextmanager
def _streams(person: Person) -> Iterator[Iterator[str]]:
    """What a server sends to somebody about all tables; it has begun."""
    with person.http.stream("GET", "/api/stream") as response:
        assert response.status_code == 200
        eventually(lambda: person.server.service.connections.credentials() != [])
        yield response.iter_lines()


def test_who_logs_out_at_one_server_is_out_at_the_other_at_once(
    tmp_path: Path, database: str, bus: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revocations, "RECENT_SECONDS", 10_000.0)  # so that nobody looks meanwhile
    with _two(tmp_path, database, bus) as (first, second):
        ann = first.person("Ann")
        there = _at(second, ann)
        with _streams(there) as lines:
            assert ann.post("/api/logout").status_code == 204
            assert list(lines) == [], "the stream ends"
        assert there.post("/api/tokens", {"label": "bot"}).status_code == 401, "nobody is known for some seconds more"


def test_what_no_server_has_heard_of_is_closed_when_one_looks(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revocations, "RECENT_SECONDS", 0.05)
    with running(tmp_path, database=database) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        with _streams(bob) as kept, _streams(ann) as lines:
            with psycopg.connect(database) as connection:
                connection.execute("UPDATE sessions SET revoked_at = 1 WHERE user_id = %s", (ann.user,))
            assert list(lines) == [], "the stream ends"
            table = server.table(bob)
            assert any(table in line for line in kept), "others are still served"


def test_a_server_looks_when_the_bus_may_have_lost_something(
    tmp_path: Path, database: str, nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revocations, "RECENT_SECONDS", 10_000.0)
    with running(tmp_path, database=database, bus=nats.url) as server:
        ann = server.person("Ann")
        with _streams(ann) as lines:
            with psycopg.connect(database) as connection:
                connection.execute("UPDATE sessions SET revoked_at = 1 WHERE user_id = %s", (ann.user,))
            nats.stop()
            nats.start()
            assert list(lines) == [], "the stream ends"


async def test_only_what_has_ended_is_said_to_have(storage: Storage) -> None:
    now = 1000.0
    accounts = Accounts(storage, lambda: now, CHEAP)
    guests = [await accounts.guest(f"Guest {number}") for number in range(3)]
    _, token = await accounts.create_token(guests[0].user.user_id, "one")
    gone, secret = await accounts.create_token(guests[0].user.user_id, "two")
    identities = [await accounts.who(one) for one in (*(guest.secret for guest in guests), token, secret)]
    credentials = [identity.credential for identity in identities if identity is not None]
    assert len(credentials) == 5
    assert await accounts.ended(credentials) == []
    await accounts.log_out(guests[1].secret)
    await accounts.revoke_token(guests[0].user.user_id, gone.token_id)
    assert await accounts.ended([*credentials, b"never"]) == [credentials[1], credentials[4], b"never"]
    assert await accounts.ended([b"%d" % number for number in range(CREDENTIALS_AT_ONCE - 1)] + credentials[:1]) == [
        b"%d" % number for number in range(CREDENTIALS_AT_ONCE - 1)
    ]
    now = guests[0].expires_at
    assert await accounts.ended(credentials) == [*credentials[:3], credentials[4]]
    accounts.close()


def test_a_limit_counts_what_was_used_at_the_other_server(tmp_path: Path, database: str, bus: str | None) -> None:
    limits = replace(no_limits(), guests=Limit(4, 0.001), logins=Limit(2, 0.001))
    with _two(tmp_path, database, bus, limits=limits) as servers:
        asked = {"login": "nobody", "passphrase": "seven grey herons"}
        for number in range(4):
            here, there = (servers[(number + more) % 2] for more in (0, 1))
            assert here.person().post("/api/guest", {"name": "Guest"}).status_code == 200
            if number < 2:
                assert here.person().post("/api/login", asked).status_code == 401
            guests, logins = there.service.guests, there.service.logins._logins
            assert guests is not None
            assert logins is not None
            eventually(lambda: guests.used("127.0.0.1") > number + 0.9)  # noqa: B023  # it is called here
            eventually(lambda: logins.used("nobody 127.0.0.1") > min(number, 1) + 0.9)  # noqa: B023
        for server in servers:
            assert server.person().post("/api/guest", {"name": "Guest"}).status_code == 429
            assert server.person().post("/api/login", asked).status_code == 429


def test_what_others_count_is_not_told_on_and_takes_no_more_than_there_is() -> None:
    class Told(LocalBus):
        def tell(self, message: object) -> None:
            told.append(message)

    now, told, bus = 0.0, list[object](), Told("a")
    limiter = shared_limiter("lines", replace(no_limits(), lines=Limit(3, 1)), lambda: now, bus)
    assert limiter is not None
    assert limiter.wait("ann") == 0.0
    assert told == [Counted("lines", "ann")]
    for limit, key in (("lines", "bob"), ("tables", "ann"), *[("lines", "ann")] * 5):
        for listener in bus.listeners:
            listener(Counted(limit, key))
    assert limiter.wait("ann") == 1.0
    assert limiter.used("bob") == 1.0
    assert told == [Counted("lines", "ann")]
    now = 1.0
    assert limiter.wait("ann") == 0.0
