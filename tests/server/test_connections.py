"""Sockets and streams are closed together with the token, session or server that opened them."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from liarspoker.server import socket as live
from liarspoker.server.accounts.accounts import DAY, GUEST_DAYS
from liarspoker.server.storage.errors import NotOwner, Unavailable
from liarspoker.server.tables.views import Watcher
from tests.server.inprocess import PATIENCE, Person, Running, eventually, running
from tests.server.storage.tables import given, owned


@pytest.fixture(scope="module")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("connections")) as server:
        yield server


@pytest.fixture
def server(one_server: Running) -> Iterator[Running]:
    """The server of these tests; after each test no connection may be left open."""
    yield one_server
    eventually(lambda: is_idle(one_server))


def is_idle(server: Running) -> bool:
    """Whether nothing is left of closed sockets and streams."""
    registry, connections = server.service.registry, server.service.connections
    watchers = [actor.watchers for actor in registry._actors.values()]
    return not any(
        (connections._watchers, connections._by_credential, connections._by_address, registry._followers, *watchers)
    )


def with_token(server: Running, owner: Person) -> tuple[Person, str]:
    """Return the same user with a token, and the token's id."""
    made = owner.post("/api/tokens", {"label": "bot"}).json()
    person = server.person(Authorization=f"Bearer {made['secret']}")
    person.user = owner.user
    return person, made["token"]


@contextmanager
def stream(person: Person, path: str) -> Iterator[Iterator[str]]:
    """The lines of an open stream, which end when the server closes it."""
    with person.http.stream("GET", path) as response:
        lines = response.iter_lines()
        assert '"version"' in next(lines)
        yield lines


def closes_everything(person: Person, table: str, close: Callable[[], object]) -> None:
    """Check that `close` closes the sockets and both kinds of streams of `person` immediately."""
    with (
        person.socket(table) as one,
        person.socket(table) as two,
        stream(person, "/api/stream") as news,
        stream(person, f"/api/tables/{table}/stream") as states,
    ):
        one.until("state")
        two.until("state")
        close()
        assert one.end() == (4401, "revoked")
        assert two.end() == (4401, "revoked")
        list(news)
        list(states)


def test_revoking_a_token_closes_only_its_own_sockets_and_streams(server: Running) -> None:
    ann, table = server.hosted()
    bot, token = with_token(server, ann)
    with ann.socket(table) as own:
        closes_everything(bot, table, lambda: ann.http.delete(f"/api/tokens/{token}"))
        assert own.ask("a", do="sit_out")["ok"]
    with bot.socket(table) as again:
        assert again.until("error")["code"] == "not-logged-in"
        assert again.end() == (4401, "not-logged-in")
    assert bot.http.get("/api/stream").status_code == 401


def test_logging_out_closes_the_sessions_sockets_and_streams(server: Running) -> None:
    ann, table = server.hosted()
    bot, _ = with_token(server, ann)
    same = server.person()
    same.http.cookies.update(ann.http.cookies)
    with bot.socket(table) as own:
        closes_everything(same, table, lambda: ann.post("/api/logout"))
        assert own.ask("a", do="sit_out")["ok"]
    with same.socket(table) as again:
        assert again.until("welcome")["user"] is None


def test_becoming_an_account_closes_the_guests_sockets_and_streams(server: Running) -> None:
    ann, table = server.hosted()
    same = server.person()
    same.http.cookies.update(ann.http.cookies)
    known = {"login": "ann", "passphrase": "a cold and frosty morning"}
    closes_everything(same, table, lambda: ann.post("/api/account", known))
    assert ann.http.get("/api/me").json()["user"] == ann.user


def test_an_expired_session_closes_its_sockets_and_streams(server: Running) -> None:
    ann, table = server.hosted()
    server.clock.ahead += GUEST_DAYS * DAY - 1.5
    closes_everything(ann, table, lambda: None)
    server.clock.ahead += 1.5
    assert ann.http.get("/api/me").status_code == 401


def test_a_revoked_slow_reader_cannot_act(server: Running) -> None:
    ann, table = server.hosted()
    bot, token = with_token(server, ann)
    with bot.socket(table) as socket:
        socket.until("state")
        watcher = next(iter(server.service.connections._watchers))
        version = ann.view(table)["version"]
        watcher.closed = "revoked"  # as if the client still didn't read
        socket.send({"kind": "command", "id": "late", "command": {"do": "sit_out"}})
        socket.send({"kind": "command", "id": "later", "command": {"do": "say", "text": "hello"}})
        ann.http.delete(f"/api/tokens/{token}")
        assert socket.end() == (4401, "revoked")
    assert ann.view(table)["version"] == version


def test_a_credential_revoked_while_a_socket_opens_closes_it(server: Running) -> None:
    ann = server.person("Ann")
    bot, token = with_token(server, ann)

    async def play() -> tuple[str | None, str | None]:
        from starlette.requests import HTTPConnection

        service = server.service
        headers = [(b"authorization", bot.http.headers["authorization"].encode())]
        connection = HTTPConnection({"type": "http", "headers": headers})
        identity = await service.identity(connection)
        early, late = Watcher(ann.user, False), Watcher(ann.user, False)
        with service.connections.opened(early, identity, ""):
            await service.recheck(connection, identity, early)
            assert early.closed is None
            await service.accounts.revoke_token(ann.user, token)
        with service.connections.opened(late, identity, ""):
            await service.recheck(connection, identity, late)
        return early.closed, late.closed

    assert asyncio.run_coroutine_threadsafe(play(), server.loop).result(PATIENCE) == ("revoked", "revoked")


def test_presence_lists_a_user_once_until_their_last_socket_closes(server: Running) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    table = server.table(ann)
    with ann.socket(table) as watching:
        with bob.socket(table) as one:
            with bob.socket(table):
                watching.until("presence", users=sorted([ann.user, bob.user]), watchers=3)
            one.until("presence", users=sorted([ann.user, bob.user]), watchers=2)
        watching.until("presence", users=[ann.user], watchers=1)


def test_two_sockets_of_one_user_share_the_answers_to_commands(server: Running) -> None:
    ann, table = server.hosted()
    with ann.socket(table) as one, ann.socket(table) as two:
        first = one.ask("same", do="say", text="once")
        assert two.ask("same", do="say", text="once") == first
    assert first["ok"]
    bob = server.person("Bob")
    assert bob.ask(table, do="join")["ok"]
    with bob.socket(table) as another:
        assert another.ask("same", do="say", text="mine")["version"] == first["version"] + 2, "another user's id"


def test_losing_a_table_closes_its_sockets_and_it_can_be_reopened(server: Running) -> None:
    ann, table = server.hosted()
    with ann.socket(table) as socket, stream(ann, f"/api/tables/{table}/stream") as lines:
        socket.until("state")
        registry = server.service.registry
        error = NotOwner(table, 1)
        server.loop.call_soon_threadsafe(lambda: registry.lost(registry._actors[table], error))
        assert socket.end() == (4503, "table-moved")
        list(lines)
    assert table not in registry._chats
    assert ann.ask(table, do="sit_out")["ok"]


def test_a_table_that_cannot_be_stored_does_not_exist(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = server.person("Ann")
    registry = server.service.registry
    before = set(registry._actors)

    def away(entry: object) -> asyncio.Future[None]:
        failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        failed.set_exception(Unavailable("the database is unreachable"))
        return failed

    with monkeypatch.context() as broken:
        broken.setattr(registry.storage, "append", away)
        refused = ann.post("/api/tables", {"settings": {"game": "slips"}})
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "unavailable")
        assert refused.headers["retry-after"] == "1"
    assert set(registry._actors) == before
    assert set(registry._last_needed) <= before
    assert ann.http.get("/api/tables?mine=true").json() == []


@pytest.mark.parametrize(
    "body",
    [
        {"settings": {"game": "slips", "seats": 2}, "bots": ["binomial", "binomial"]},
        {"settings": {"game": "slips"}, "start": True},
        {"settings": {"game": "slips"}, "bots": ["binomial", "nobody"]},
    ],
)
def test_a_table_whose_setup_fails_is_not_created(server: Running, body: object) -> None:
    ann = server.person("Ann")
    assert ann.post("/api/tables", body).is_client_error
    assert ann.http.get("/api/tables?mine=true").json() == []


def test_a_table_can_be_created_with_bots_and_started(server: Running) -> None:
    ann = server.person("Ann")
    made = ann.post("/api/tables", {"settings": {"game": "slips"}, "bots": ["binomial"] * 2, "start": True}).json()
    view = ann.view(made["table"])
    assert (made["version"], view["public"]["stage"]) == (1, "round")
    assert [chair and chair["bot"] for chair in view["public"]["chairs"][:3]] == [None, "binomial", "binomial"]


def test_the_event_stream_skips_a_table_that_cannot_be_opened(server: Running) -> None:
    ann = server.person("Ann")
    lost, kept = server.table(ann), server.table(ann)
    registry = server.service.registry

    async def give_away() -> None:
        await owned(registry.storage, "elsewhere", seconds=1e9, leaving=True)
        await given(registry.storage, lost, 1, "elsewhere")
        await registry.membership.heartbeat(1.0)

    asyncio.run_coroutine_threadsafe(give_away(), server.loop).result(PATIENCE)
    with ann.http.stream("GET", "/api/stream") as response:
        assert kept in next(response.iter_lines())
    refused = server.person().http.get(f"/api/tables/{lost}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "leased")
    assert lost not in refused.text
    assert "elsewhere" not in refused.text


@pytest.mark.parametrize("command", [{"do": "say", "text": ""}, {"do": "seat_bot", "bot": "nobody"}, {"do": "start"}])
def test_a_repeated_command_gets_the_same_refusal(server: Running, command: dict[str, str]) -> None:
    ann, table = server.hosted()
    sent = {"id": "once", "command": command}
    refused = ann.post(f"/api/tables/{table}/commands", sent).json()
    assert not refused["ok"]
    assert ann.ask(table, do="say", text="hello")["ok"]
    assert ann.post(f"/api/tables/{table}/commands", sent).json() == refused


def test_the_event_stream_starts_with_all_open_tables(server: Running) -> None:
    ann = server.person("Ann")
    tables = {server.table(ann) for _ in range(120)}
    assert ann.ask(min(tables), do="end")["ok"]
    with ann.http.stream("GET", "/api/stream") as response:
        lines = response.iter_lines()
        assert {json.loads(next(lines))["table"] for _ in range(119)} == tables - {min(tables)}


def test_a_server_starts_despite_a_table_that_cannot_be_opened(tmp_path: Path) -> None:
    clock = {"turn": 60, "ready": 60}
    with running(tmp_path) as server:
        ann = server.person("Ann")
        lost = server.table(ann, bots=("binomial",), clock=clock)
        kept = server.table(ann, bots=("binomial",), clock=clock)
        for table in (lost, kept):
            assert ann.ask(table, do="start")["ok"]
        storage = server.service.storage
        damage = storage.write(
            lambda connection: connection.execute(
                "DELETE FROM events WHERE table_id = :lost AND version = 1", lost=lost
            )
        )
        asyncio.run_coroutine_threadsafe(damage, server.loop).result(PATIENCE)
    with running(tmp_path) as server:
        somebody = server.person()
        assert somebody.http.get(f"/api/tables/{lost}").json()["error"]["code"] == "table-damaged"
        assert somebody.view(kept)["public"]["table"] == kept
        assert set(server.service.registry._actors) == {kept}


@pytest.mark.slow
def test_a_client_that_does_not_read_is_disconnected_and_cleaned_up(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "UNREAD_SECONDS", 0.2)
    ann, bob = server.person("Ann"), server.person("Bob")
    table = server.table(ann)
    with socket.socket() as small:
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        small.connect(("127.0.0.1", server.port))
        small.sendall(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: "
            f"{bob.headers['Cookie']}\r\n\r\n".encode()
        )
        connections = server.service.connections
        eventually(lambda: len(connections._watchers) == 1)
        for number in range(3000):
            assert ann.ask(table, do="say", text=f"{number} " + "x" * 280)["ok"]
            if not connections._watchers:
                break
        eventually(lambda: is_idle(server))
    assert ann.ask(table, do="sit_out")["ok"]
