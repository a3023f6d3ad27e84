"""A server that is told to stop says so first, ends what is open, and is gone within seconds."""

import asyncio
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from websockets.sync.client import connect

from liarspoker.server.tables import registry
from tests.effort import effort
from tests.server.inprocess import PATIENCE, Socket, running

ALL_SECONDS = 5
"""So long a stop takes at most."""
SETTINGS = {"settings": {"game": "slips", "clock": {"turn": 60}}, "bots": ["binomial"], "start": True}


@contextmanager
def process(folder: Path) -> Iterator[tuple["subprocess.Popen[str]", httpx2.Client]]:
    """A server in a process of its own, and a guest who talks to it."""
    words = [sys.executable, "-m", "liarspoker", "serve", "--port", "0", "--data", str(folder), "--bot-pause", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+) ", server.stdout.readline())
            assert found is not None
            with httpx2.Client(base_url=f"http://127.0.0.1:{found[1]}", timeout=PATIENCE) as client:
                assert client.post("/api/guest", json={"name": "Ann"}).status_code == 200
                yield server, client
        finally:
            server.kill()


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT][: effort(1, quick=1, soak=2)])
def test_open_sockets_and_streams_do_not_hold_up_a_stop(tmp_path: Path, number: signal.Signals) -> None:
    with process(tmp_path) as (server, client):
        table = client.post("/api/tables", json=SETTINGS).json()["table"]
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)
        url = f"ws{str(client.base_url)[4:].rstrip('/')}/api/tables/{table}/socket"
        with (
            connect(url, additional_headers={"Cookie": cookies}, close_timeout=1) as socket,
            client.stream("GET", "/api/stream") as news,
            client.stream("GET", f"/api/tables/{table}/stream") as states,
            httpx2.Client(base_url=client.base_url) as other,
        ):
            lines = news.iter_lines(), states.iter_lines()
            assert all(next(one) for one in lines)
            assert other.get("/ready").json()["status"] == "ready"
            began = time.monotonic()
            server.send_signal(number)
            assert Socket(socket).end() == (1012, "stopping")
            assert (other.get("/ready").status_code, other.get("/health").status_code) == (503, 200)
            for one in lines:
                list(one)
        server.wait(PATIENCE)
        assert time.monotonic() - began < ALL_SECONDS
        assert server.stderr is not None
        errors = server.stderr.read()
    assert '"stopped"' in errors
    assert '"level": "error"' not in errors
    assert "Traceback" not in errors


def test_while_a_server_stops_it_takes_no_commands_and_opens_nothing(tmp_path: Path) -> None:
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


def test_a_database_that_does_not_answer_does_not_keep_the_server(
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
