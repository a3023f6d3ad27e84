"""Several server processes on one PostgreSQL database: every server serves every table."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import database_at
from liarspoker.server.storage.sealing import VARIABLE, new_key
from tests.server.inprocess import PATIENCE, Socket
from tests.server.postgres import Server
from tests.server.running import RunningServer

RESUMES_SECONDS = 5.0
SETTINGS = {"settings": {"game": "slips", "seats": 2, "clock": {"turn": 600, "ready": 600}}}


class Nodes:
    """Servers on one database.

    Args:
        folder: contains a folder for each server.
        database: the database URL.
        names: the names of the servers.
    """

    def __init__(self, folder: Path, database: str, names: str) -> None:
        self.database = database
        self.by_name: dict[str, RunningServer] = {}
        for name in names:
            (folder / name).mkdir()
            self.by_name[name] = RunningServer(folder / name, "--database", database, "--node", name)

    def __getitem__(self, name: str) -> RunningServer:
        return self.by_name[name]


@pytest.fixture
def nodes(postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Nodes]:
    """Two servers."""
    monkeypatch.setenv(VARIABLE, new_key())
    found = Nodes(tmp_path, postgres.new_database(), "ab")
    yield found
    for server in found.by_name.values():
        server.process.send_signal(signal.SIGCONT)
        server.kill()


class Player:
    """A user with a token, who can send requests to any server."""

    def __init__(self, server: RunningServer, name: str) -> None:
        self.headers = {"Authorization": f"Bearer {server.token(name)}"}
        self.commands = 0

    def ask(self, server: RunningServer, table: str, command_id: str | None = None, **command: object) -> Any:
        self.commands += 1
        sent = {"id": command_id or f"c{self.commands}", "command": command}
        return server.ask(f"/api/tables/{table}/commands", sent, **self.headers)

    def view(self, server: RunningServer, table: str) -> Any:
        return server.ask(f"/api/tables/{table}", **self.headers)

    @contextmanager
    def socket(self, server: RunningServer, table: str) -> Iterator[Socket]:
        url = f"ws{server.address[4:]}/api/tables/{table}/socket?protocol=1"
        with connect(url, additional_headers=self.headers, open_timeout=PATIENCE, close_timeout=1) as raw:
            yield Socket(raw)


def shared(nodes: Nodes, player: Player) -> dict[str, str]:
    """Create a table on each server, once each owns its share of the shards."""
    until = time.monotonic() + PATIENCE
    with closing(database_at(nodes.database).connect()) as connection:
        while True:
            found = leases.read_map(connection)
            fair = leases.assigned(found.nodes or [""])
            if len(found.nodes) == len(nodes.by_name) and fair == [lease.instance for lease in found.leases]:
                break
            assert time.monotonic() < until
    return {
        name: server.ask("/api/tables", SETTINGS, **player.headers)["table"] for name, server in nodes.by_name.items()
    }


def test_every_table_can_be_played_through_every_server(nodes: Nodes) -> None:
    ann, bob = Player(nodes["a"], "Ann"), Player(nodes["b"], "Bob")
    made = shared(nodes, ann)
    for table in (made["a"], made["b"]):
        assert bob.ask(nodes["a"], table, do="join")["ok"]
        with ann.socket(nodes["a"], table) as here, bob.socket(nodes["b"], table) as there:
            started = here.ask("start", do="start")
            assert started["ok"]
            assert there.until("state", version=started["version"])["public"]["stage"] == "gathering"
            said = there.ask("hello", do="say", text="hello")
            assert here.until("state", version=said["version"])
        views = [ann.view(server, table) for server in nodes.by_name.values()]
        assert views[0]["public"] == views[1]["public"]
        pages = [httpx2.get(f"{server.address}/t/{table}", headers=ann.headers) for server in nodes.by_name.values()]
        assert [page.status_code for page in pages] == [200, 200]


def test_the_lobby_stream_includes_the_tables_of_all_servers(nodes: Nodes) -> None:
    ann = Player(nodes["a"], "Ann")
    made = shared(nodes, ann)
    tables = {made["a"], made["b"]}
    with (
        httpx2.Client(base_url=nodes["a"].address, headers=ann.headers, timeout=PATIENCE) as client,
        client.stream("GET", "/api/stream") as stream,
    ):
        lines, waited = stream.iter_lines(), set(tables)
        while waited:
            line = next(lines)
            waited -= {json.loads(line)["table"]} if line else set()
        for table in tables:
            version = ann.ask(nodes["b"], table, do="say", text="hello")["version"]
            while True:
                line = next(lines)
                if line and (listed := json.loads(line))["table"] == table and listed["version"] == version:
                    break


def asked_until_answered(player: Player, server: RunningServer, table: str) -> tuple[dict[str, Any], float]:
    """Send a command repeatedly with the same id until it is answered; return the answer and the seconds."""
    began = time.monotonic()
    while True:
        assert time.monotonic() - began < PATIENCE
        with suppress(OSError, WebSocketException), player.socket(server, table) as socket:
            return socket.ask("after", do="say", text="still here"), time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize("how", ["kill", "terminate", "stop"])
def test_players_continue_on_another_server_when_theirs_stops(nodes: Nodes, how: str) -> None:
    ann = Player(nodes["a"], "Ann")
    table = shared(nodes, ann)["a"]
    assert ann.ask(nodes["b"], table, do="seat_bot", bot="uniform")["ok"]
    assert ann.ask(nodes["b"], table, do="start")["ok"]
    with ann.socket(nodes["b"], table) as socket:
        socket.until("state")
        number = {"kill": signal.SIGKILL, "terminate": signal.SIGTERM, "stop": signal.SIGSTOP}[how]
        nodes["a"].process.send_signal(number)
        answer, waited = asked_until_answered(ann, nodes["b"], table)
        assert answer["ok"]
        assert waited < RESUMES_SECONDS
        with suppress(ConnectionClosed):  # it was forwarded to the server that stopped
            while socket.raw.recv(timeout=PATIENCE):
                pass
    if how == "stop":
        nodes["a"].process.send_signal(signal.SIGCONT)
        assert asked_until_answered(ann, nodes["a"], table)[0] == answer
