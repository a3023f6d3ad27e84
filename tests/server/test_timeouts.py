"""Whoever comes in and does not ask, or not to the end, is shown out; everybody else is served as long as he likes."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from liarspoker.server import run
from tests.server.inprocess import PATIENCE, Running, running

ASK = b"POST /api/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def came_in(server: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def shown_out(one: socket.socket) -> bool:
    """The other side ends the connection, within the patience of this test; what it still says is passed over."""
    try:
        while one.recv(1000):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("said", [b"", b"GET /health HT", ASK[:-2], ASK, ASK + b'{"name": "'])
def test_who_does_not_ask_to_the_end_is_shown_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(run, "REQUEST_SECONDS", 0.2)
    with running(tmp_path) as server, came_in(server) as one:
        one.sendall(said)
        assert shown_out(one)


def test_nor_is_a_second_question_waited_for_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "REQUEST_SECONDS", 0.2)
    with running(tmp_path) as server, came_in(server) as one:
        one.sendall(HEALTH)
        assert one.recv(10_000).startswith(b"HTTP/1.1 200")
        one.sendall(HEALTH[:-2])
        assert shown_out(one)


def test_sockets_and_streams_stay_open_beyond_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "REQUEST_SECONDS", 0.2)
    with running(tmp_path) as server, came_in(server) as silent:
        ann = server.person("Ann")
        table = server.table(ann)
        with ann.socket(table) as playing, ann.http.stream("GET", f"/api/tables/{table}/stream") as news:
            states = news.iter_lines()
            next(states)
            assert shown_out(silent)
            bob = server.person("Bob")
            assert bob.ask(table, do="join")["ok"]
            assert playing.until("state", version=2)
            assert next(line for line in states if line)
