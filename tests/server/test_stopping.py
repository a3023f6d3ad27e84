"""Stopping a server: it reports that it is stopping, closes connections, and ends within seconds."""

import asyncio
import signal
import time
from pathlib import Path

import httpx2
import pytest
from websockets.sync.client import connect

from liarspoker.server.cluster import membership
from liarspoker.server.cluster.membership import Membership
from liarspoker.server.storage.errors import Unavailable
from liarspoker.server.tables import registry
from liarspoker.server.tables.registry import TableRegistry
from tests.effort import effort
from tests.server.clocks.test_days import idle, waiting
from tests.server.inprocess import PATIENCE, Socket, eventually, running
from tests.server.registries import Lives
from tests.server.running import running_server

ALL_SECONDS = 5
"""Maximum duration of a stop, in seconds."""
SETTINGS = {"settings": {"game": "slips", "clock": {"turn": 60}}, "bots": ["binomial"], "start": True}


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT][: effort(1, quick=1, soak=2)])
def test_open_sockets_and_streams_do_not_delay_a_stop(tmp_path: Path, number: signal.Signals) -> None:
    with running_server(tmp_path) as server:
        headers = {"Authorization": f"Bearer {server.token('Ann')}"}
        table = server.ask("/api/tables", SETTINGS, **headers)["table"]
        url = f"ws{server.address[4:]}/api/tables/{table}/socket"
        with (
            connect(url, additional_headers=headers, close_timeout=1) as socket,
            httpx2.Client(base_url=server.address, headers=headers, timeout=PATIENCE) as client,
            client.stream("GET", "/api/stream") as news,
            client.stream("GET", f"/api/tables/{table}/stream") as states,
            httpx2.Client(base_url=server.address) as other,
        ):
            lines = news.iter_lines(), states.iter_lines()
            assert all(next(one) for one in lines)
            assert other.get("/ready").json()["status"] == "ready"
            began = time.monotonic()
            server.process.send_signal(number)
            assert Socket(socket).end() == (1012, "stopping")
            assert (other.get("/ready").status_code, other.get("/health").status_code) == (503, 200)
            for one in lines:
                list(one)
        server.process.wait(PATIENCE)
        assert time.monotonic() - began < ALL_SECONDS
    errors = (tmp_path / "serve.log").read_text()
    assert '"stopped"' in errors
    assert '"level": "error"' not in errors
    assert "Traceback" not in errors


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no such signal")
def test_a_closed_terminal_stops_a_server_gracefully(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        server.process.send_signal(signal.SIGHUP)
        server.process.wait(PATIENCE)
    assert '"stopped"' in (tmp_path / "serve.log").read_text()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no such signal")
def test_a_server_under_nohup_survives_its_terminal(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the new process inherits it
    try:
        with running_server(tmp_path) as server:
            server.process.send_signal(signal.SIGHUP)
            assert server.ask("/ready")["status"] == "ready"
            server.stop()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_stopping_server_refuses_commands_and_connections(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ann, table = server.hosted()
        with ann.socket(table) as socket:
            socket.until("state")
            server.loop.call_soon_threadsafe(server.service.stop)
            assert socket.end() == (1012, "stopping")
        with ann.socket(table) as late:
            assert late.end() == (1012, "stopping")
        said = {"id": "late", "command": {"do": "say", "text": "hello"}}
        for path, body in ((f"/api/tables/{table}/commands", said), ("/api/tables", {"settings": {"game": "slips"}})):
            refused = ann.post(path, body)
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "unavailable")
            assert refused.headers["retry-after"] == "1"
        assert ann.http.get("/ready").status_code == 503
        assert ann.http.get("/health").status_code == 200
        assert ann.http.get(f"/api/tables/{table}").status_code == 200
        assert '"version"' not in ann.http.get("/api/stream").text
    with running(tmp_path) as server:
        again = server.person()
        again.http.cookies.update(ann.http.cookies)
        assert again.post(f"/api/tables/{table}/commands", said).json()["ok"]


def test_an_unresponsive_database_does_not_prevent_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def never(entry: object) -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    monkeypatch.setattr(registry, "CLOSE_SECONDS", 0.1)
    with running(tmp_path) as server:
        ann, table = server.hosted()
        monkeypatch.setattr(server.service.storage, "append", never)
        with ann.socket(table) as socket:
            socket.send({"kind": "command", "id": "c", "command": {"do": "sit_out"}})
            socket.until("state")
    assert "stopped without the database" in caplog.messages
    assert not [record for record in caplog.records if record.exc_info]


def test_a_node_whose_leases_have_lapsed_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise Unavailable("the database is unreachable")

    with running(tmp_path) as server:
        http = server.person().http
        eventually(lambda: server.service.registry.membership.last_heartbeat is not None)
        with monkeypatch.context() as patch:
            patch.setattr(membership, "LEASE_SECONDS", 0.1)
            patch.setattr(Membership, "heartbeat", fail)
            eventually(lambda: http.get("/ready").status_code == 503)
            assert http.get("/ready").json()["status"] == "no database"
            assert http.get("/health").status_code == 200
        eventually(lambda: http.get("/ready").status_code == 200)


async def test_who_waits_for_a_table_is_refused_when_the_server_stops(lives: Lives, registry: TableRegistry) -> None:
    actor = await waiting(registry)
    await idle(lives, registry, actor.table.id)
    one, other = (asyncio.create_task(registry.table(actor.table.id)) for _ in range(2))
    await asyncio.sleep(0)  # the opening has begun
    other.cancel()
    registry._opening[actor.table.id].cancel()  # as `close` does
    with pytest.raises(Unavailable, match="stopping"):
        await one
    with pytest.raises(asyncio.CancelledError):
        await other
