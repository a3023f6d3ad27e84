"""Administrative actions take effect once on every server, and are recorded in the audit trail."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from liarspoker.server import orders as carrying_out
from liarspoker.server.accounts.credentials import TOKEN_PREFIX
from liarspoker.server.admin.queries import ID_PREFIX_LENGTH, open_database
from liarspoker.server.config import NodeConfig
from liarspoker.server.orders import Orders
from liarspoker.server.storage import orders, postgres, reading, sqlite
from liarspoker.server.storage.location import address
from liarspoker.server.storage.log import SHARD_COUNT
from liarspoker.web.app import mount_pages
from tests.server.admin.conftest import Admin
from tests.server.inprocess import PATIENCE, Running, eventually, running
from tests.server.postgres import Server
from tests.server.running import running_server

On = Callable[[str], Admin]


@pytest.fixture
def looking_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying_out, "POLL_SECONDS", 0.02)


@pytest.fixture
def nodes(postgres: Server, tmp_path: Path) -> Iterator[Callable[[str], Running]]:
    """Servers that share a database, by their names."""
    url = postgres.new_database()
    with ExitStack() as held:
        yield lambda name: held.enter_context(running(tmp_path, database=url, node=NodeConfig(name)))
    postgres.drop(url)


def _on(server: Running) -> str:
    return f"--data {server.config.key_folder} --database {server.config.database}"


def _end_of(socket: ClientConnection) -> tuple[int, str]:
    """Return how a socket is closed, skipping messages."""
    with pytest.raises(ConnectionClosed) as closed:
        for _ in iter(lambda: socket.recv(timeout=PATIENCE), None):
            pass
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


@pytest.mark.slow
def test_a_ban_closes_connections_and_rejects_every_credential_until_it_is_lifted(
    url: str, tmp_path: Path, admin: On
) -> None:
    with running_server(tmp_path, "--database", url) as server:
        beside = admin(f"--data {tmp_path} --database {url}")
        shown = {"Authorization": f"Bearer {server.token('Ann')}"}
        user = server.ask("/api/me", **shown)["user"]
        made = server.ask("/api/tables", {"settings": {"game": "dollar-bill"}}, **shown)
        path = f"ws://127.0.0.1:{server.port}/api/tables/{made['table']}/socket?protocol=1"
        with connect(path, additional_headers=shown) as socket:
            assert json.loads(socket.recv(timeout=PATIENCE))["user"] == user
            answer = beside("ban --for 3 --reason 'too loud'", user[:9])
            assert answer == {"user": user, "outcome": "done", "waits_for": []}
            assert _end_of(socket) == (4401, "banned")
        with connect(path, additional_headers=shown) as socket:
            assert _end_of(socket) == (4401, "banned")
        with pytest.raises(HTTPError) as refused:
            server.ask("/api/me", **shown)
        error = json.loads(refused.value.read())["error"]
        assert (refused.value.code, error["code"]) == (403, "banned")
        assert "until 20" in error["message"]
        assert error["message"].endswith(": too loud")
        assert beside("user", user)["ban"]["reason"] == "too loud"
        assert beside("unban", user)["outcome"] == "done"
        assert server.ask("/api/me", **shown)["user"] == user


def test_pages_tell_users_that_they_are_banned(tmp_path: Path, admin: On, looking_often: None) -> None:
    with running(tmp_path, mount_pages) as server:
        ann = server.person("Ann")
        ann.post("/api/account", {"login": "ann", "passphrase": "correct horse"})
        admin(f"--data {tmp_path}")("ban ann --reason 'too loud'")
        page = ann.http.get("/")
        assert page.status_code == 403
        assert "You are banned" in page.text
        assert "too loud" in page.text
        other = server.person()
        refused = other.post("/api/login", {"login": "ann", "passphrase": "correct horse"})
        assert refused.json()["error"]["code"] == "banned"
        assert other.post("/api/login", {"login": "ann", "passphrase": "wrong"}).json()["error"]["code"] == "bad-login"
        admin(f"--data {tmp_path}")("unban ann")
        assert ann.http.get("/").status_code == 200


def test_an_expired_ban_lets_the_user_in(tmp_path: Path, admin: On, looking_often: None) -> None:
    with running(tmp_path) as server:
        ann = server.person("Ann")
        admin(f"--data {tmp_path}")("ban --for 1", ann.user)
        assert ann.http.get("/api/me").status_code == 403
        server.clock.ahead += 86400
        assert ann.http.get("/api/me").status_code == 200


def test_revoking_closes_only_connections_of_the_revoked_credential(
    tmp_path: Path, admin: On, looking_often: None
) -> None:
    with running(tmp_path) as server:
        run = admin(f"--data {tmp_path}")
        ann, table = server.hosted()
        secret = ann.post("/api/tokens", {"label": "bot"}).json()["secret"]
        assert secret.startswith(TOKEN_PREFIX)
        bot = server.person(authorization=f"Bearer {secret}")
        [token] = run("sessions", ann.user)["tokens"]
        with ann.socket(table) as mine, bot.socket(table) as theirs:
            assert [socket.until("state")["kind"] for socket in (mine, theirs)] == ["state", "state"]
            found = run(f"sessions --revoke={token['token']}", ann.user)
            assert found == {"sessions": 0, "tokens": 1, "outcome": "done", "waits_for": []}
            assert theirs.end() == (4401, "revoked")
            assert mine.ask("c1", do="say", text="still here")["ok"]
            assert run("sessions --revoke ALL", ann.user)["sessions"] == 1
            assert mine.end() == (4401, "revoked")
        assert ann.http.get("/api/me").status_code == 401
        assert run("sessions", ann.user) == {"sessions": [], "tokens": []}


def _log(server: Running, table: str) -> list[Any]:
    stored = asyncio.run_coroutine_threadsafe(server.service.storage.log(table), server.loop).result(PATIENCE)
    return [event for entry in stored.entries for event in json.loads(entry.body)["events"]]


@pytest.mark.slow
def test_only_the_owner_of_two_servers_ends_a_table_and_only_once(
    nodes: Callable[[str], Running], admin: On, looking_often: None
) -> None:
    first, second = nodes("a"), nodes("b")
    eventually(lambda: 0 < len(second.service.registry.membership.leases) < SHARD_COUNT)
    ann, bob, table = first.in_a_round()
    with ann.socket(table) as socket:
        shown = admin(_on(first))("end --reason 'closing time'", table[:ID_PREFIX_LENGTH])
        assert shown["outcome"] == "done"
        state = socket.until("state")
        while state["public"]["stage"] != "ended":
            state = socket.until("state")
        assert state["public"]["end_reason"] == "closing time"

    async def look(server: Running) -> None:
        for _ in range(3):
            await Orders(server.service).poll()

    for server in (first, second):
        asyncio.run_coroutine_threadsafe(look(server), server.loop).result(PATIENCE)
    events = _log(first, table)
    assert [event["reason"] for event in events if event["e"] == "Ended"] == ["closing time"]
    assert bob.view(table)["public"]["stage"] == "ended"


def test_an_order_with_a_lost_outcome_is_not_carried_out_twice(tmp_path: Path, admin: On) -> None:
    """The server dies after ending the table, before storing the outcome; the next one finds the command in the log."""

    def probe(name: str) -> None:
        if name == "order-carried-out":
            raise RuntimeError("dead")

    with running(tmp_path, probe=probe) as server:
        _, table = server.hosted()
        found = admin(f"--data {tmp_path}")("end --wait 3", table)
        assert found["outcome"] is None
        assert [event["e"] for event in _log(server, table)].count("Ended") == 1
    with running(tmp_path) as server:
        with open_database(address(tmp_path)) as connection:
            eventually(lambda: not orders.waiting(connection))
            [order] = orders.trail(connection, 9, what="end-table")
        assert order.outcome == "done"
        assert [event["e"] for event in _log(server, table)].count("Ended") == 1


def test_the_command_ends_a_table_itself_if_no_server_is_running(tmp_path: Path, admin: On) -> None:
    with running(tmp_path) as server:
        ann, _, table = server.in_a_round(clock={"turn": 60, "bank": 0, "ready": 60})
        _, _, other = server.in_a_round(clock={"turn": 60, "bank": 0, "ready": 60})
        before = _log(server, other)
    run = admin(f"--data {tmp_path}")
    assert run("end", table) == {"table": table[:ID_PREFIX_LENGTH], "outcome": "done", "waits_for": []}
    assert run("end", table, code=1)["outcome"] == "table-ended"
    assert run("nodes") == {"nodes": []}
    with open_database(address(tmp_path)) as connection:
        assert reading.sound_entries(connection, [other])[other][-1].version == run("table", other)["version"]
    with running(tmp_path) as server:
        again = server.person(cookie=ann.headers["Cookie"])
        view = again.view(table)["public"]
        assert (view["stage"], view["end_reason"]) == ("ended", "the server's administrator has closed the table")
        assert _log(server, other)[: len(before)] == before


async def test_polling_without_orders_uses_the_index(url: str) -> None:
    with open_database(url) as connection:
        connection.begin()
        for number in range(2000):
            orders.record(connection, f"o{number}", "ann", "look-at-table", table_id="T")
        connection.commit()
        assert orders.waiting(connection) == []
        sqlite_here = url.startswith("sqlite")
        dialect = sqlite.DIALECT if sqlite_here else postgres.DIALECT
        if not sqlite_here:
            connection.execute("ANALYZE orders")
        explain = "EXPLAIN QUERY PLAN " if sqlite_here else "EXPLAIN "
        literal = str(orders._WAITING.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
        plan = " ".join(str(row) for row in connection.execute(explain + literal))
        assert "ix_orders_waiting" in plan, plan


def test_a_suspended_server_reloads_all_connected_users(tmp_path: Path, admin: On) -> None:
    """Orders don't wait for a server that counts as dead, so it has to reload users by itself."""
    with running(tmp_path) as server:
        ann, table = server.hosted()
        with ann.socket(table) as socket, open_database(address(tmp_path)) as connection:
            socket.until("state")
            connection.begin()
            connection.execute("INSERT INTO bans VALUES (:u, 0, NULL, 'quietly')", u=ann.user)
            connection.commit()
            stalled = Orders(server.service)
            stalled._polled_at -= 60
            asyncio.run_coroutine_threadsafe(stalled.poll(), server.loop).result(PATIENCE)
            assert socket.end() == (4401, "banned")


def test_the_audit_trail_records_actions_without_secrets(tmp_path: Path, admin: On, looking_often: None) -> None:
    with running(tmp_path) as server:
        ann, table = server.hosted()
        ann.post("/api/account", {"login": "ann", "passphrase": "correct horse"})
        made = ann.post("/api/tokens", {"label": "bot"}).json()
        ann.http.delete(f"/api/tokens/{made['token']}")
        for _ in range(3):
            server.person().post("/api/login", {"login": "ann", "passphrase": "battery staple"})
        counting = Orders(server.service)
        counting._counted_at -= 100
        asyncio.run_coroutine_threadsafe(counting.poll(), server.loop).result(PATIENCE)
        run = admin(f"--data {tmp_path}")
        run("table", table)
        run("ban", ann.user)
        shown = run("audit")
        rows = [(row["what"], row["actor"] == "server") for row in reversed(shown["trail"])]
        assert rows == [
            ("register", True),
            ("revoke", True),
            ("failed-logins", True),
            ("look-at-table", False),
            ("ban", False),
        ]
        assert shown["trail"][2]["details"] == {"failed": 3}
        assert run("audit --what ban --limit 1")["trail"][0]["user"] == ann.user
        text = json.dumps(shown)
        assert table not in text
        assert made["secret"] not in text
        assert "staple" not in text
