"""Two servers on one database share revocations and the use of limits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from liarspoker.server import online
from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.accounts.sql import CREDENTIALS_AT_ONCE
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
    """Return the same client, with the same cookie, on another server."""
    there = server.person()
    there.http.cookies.update(person.http.cookies)
    there.user = person.user
    return there


@contextmanager
def _streams(person: Person) -> Iterator[Iterator[str]]:
    """Open the lobby stream of a server, and wait for its first line."""
    with person.http.stream("GET", "/api/stream") as response:
        assert response.status_code == 200
        eventually(lambda: person.server.service.connections.has(person.user))
        yield response.iter_lines()


def test_logging_out_on_one_server_takes_effect_on_the_other(
    tmp_path: Path, database: str, bus: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revocations, "RECENT_SECONDS", 10_000.0)  # so that no server polls during the test
    with _two(tmp_path, database, bus) as (first, second):
        ann = first.person("Ann")
        there = _at(second, ann)
        with _streams(there) as lines:
            assert ann.post("/api/logout").status_code == 204
            assert list(lines) == [], "the stream ends"
        assert there.post("/api/tokens", {"label": "bot"}).status_code == 401, "revoked sessions aren't cached"


def test_unpublished_revocations_are_found_by_polling(
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


def test_a_server_polls_when_messages_may_be_lost(
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


def test_friends_at_another_server_are_online_while_connected(
    tmp_path: Path, database: str, nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(online, "ANNOUNCE_SECONDS", 0.05)
    with _two(tmp_path, database, nats.url) as (first, second):
        ann, bob = first.person("Ann"), second.person("Bob")
        for one, other in ((ann, bob), (bob, ann)):
            assert one.http.put(f"/api/friends/{other.user}").status_code < 300

        def is_online() -> bool:
            return bool(ann.http.get("/api/friends").json()["friends"][0].get("online"))

        def is_online_later() -> bool:
            first.clock.ahead += online.ONLINE_SECONDS + 1
            second.clock.ahead += online.ONLINE_SECONDS + 1
            return is_online()

        eventually(is_online)
        with bob.socket(second.table(bob)) as socket:
            socket.until("state")
            is_online_later()  # nothing that came before counts
            eventually(is_online)
        eventually(lambda: not is_online_later())


async def test_only_invalid_credentials_are_reported(storage: Storage) -> None:
    now = 1000.0
    accounts = Accounts(storage, lambda: now, CHEAP)
    guests = [await accounts.create_guest(f"Guest {number}") for number in range(3)]
    _, token = await accounts.create_token(guests[0].user.user_id, "one")
    gone, secret = await accounts.create_token(guests[0].user.user_id, "two")
    identities = [await accounts.identify(one) for one in (*(guest.secret for guest in guests), token, secret)]
    credentials = [identity.credential for identity in identities if identity is not None]
    assert len(credentials) == 5
    assert await accounts.invalid_credentials(credentials) == []
    await accounts.log_out(guests[1].secret)
    await accounts.revoke_token(guests[0].user.user_id, gone.token_id)
    assert await accounts.invalid_credentials([*credentials, b"never"]) == [credentials[1], credentials[4], b"never"]
    assert await accounts.invalid_credentials(
        [b"%d" % number for number in range(CREDENTIALS_AT_ONCE - 1)] + credentials[:1]
    ) == [b"%d" % number for number in range(CREDENTIALS_AT_ONCE - 1)]
    now = guests[0].expires_at
    assert await accounts.invalid_credentials(credentials) == [*credentials[:3], credentials[4]]
    accounts.close()


def test_limits_count_uses_on_all_servers(tmp_path: Path, database: str, bus: str | None) -> None:
    limits = replace(no_limits(), guests=Limit(4, 0.001), logins=Limit(2, 0.001))
    with _two(tmp_path, database, bus, limits=limits) as servers:
        fields = {"login": "nobody", "passphrase": "seven grey herons"}
        for number in range(4):
            here, there = (servers[(number + more) % 2] for more in (0, 1))
            assert here.person().post("/api/guest", {"name": "Guest"}).status_code == 200
            if number < 2:
                assert here.person().post("/api/login", fields).status_code == 401
            guests, logins = there.service.guests, there.service.logins._logins
            assert guests is not None
            assert logins is not None
            eventually(lambda: guests.used("127.0.0.1") > number + 0.9)  # noqa: B023  # it is called here
            eventually(lambda: logins.used("nobody 127.0.0.1") > min(number, 1) + 0.9)  # noqa: B023
        for server in servers:
            assert server.person().post("/api/guest", {"name": "Guest"}).status_code == 429
            assert server.person().post("/api/login", fields).status_code == 429


def test_remote_counts_are_not_republished_and_stop_at_zero() -> None:
    class RecordingBus(LocalBus):
        def publish(self, message: object) -> None:
            published.append(message)

    now, published, bus = 0.0, list[object](), RecordingBus("a")
    limiter = shared_limiter("lines", replace(no_limits(), lines=Limit(3, 1)), lambda: now, bus)
    assert limiter is not None
    assert limiter.wait("ann") == 0.0
    assert published == [Counted("lines", "ann")]
    for limit, key in (("lines", "bob"), ("tables", "ann"), *[("lines", "ann")] * 5):
        for listener in bus.listeners:
            listener(Counted(limit, key))
    assert limiter.wait("ann") == 1.0
    assert limiter.used("bob") == 1.0
    assert published == [Counted("lines", "ann")]
    now = 1.0
    assert limiter.wait("ann") == 0.0
