"""While the database is unreachable, clients get errors soon; their commands take effect once when it is back."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.server.crash.outages import outage
from tests.server.inprocess import Person, eventually, running
from tests.server.postgres import Server as Postgres
from tests.server.running import running_server

READY, ANSWER, STOP = 1.0, 3.0, 5.0
"""The maximum seconds until `/ready` answers, until any other answer, and until the process stops."""
SLACK = 5.0
"""The factor for a busy machine; without time limits in the server, an answer would take minutes."""


def timed(ask: Callable[[], Any]) -> tuple[Any, float]:
    begin = time.monotonic()
    return ask(), time.monotonic() - begin


def closed_with(person: Person, table: str, cookie: str) -> tuple[int, str]:
    with person.socket(table, Cookie=cookie) as socket:
        return socket.end()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["killed", "unreachable"])
def test_clients_get_errors_soon_and_play_resumes_with_the_database(
    postgres: Postgres, tmp_path: Path, kind: str
) -> None:
    with outage(postgres, kind) as database, running(tmp_path, database=database.url) as server:
        ann = server.person("Ann")
        table, other = server.table(ann), server.table(ann)
        unknown = [server.person(cookie=f"liarspoker={number}") for number in range(6)]
        said = {"id": "once", "command": {"do": "say", "text": "hello"}}
        with ann.socket(table) as socket:
            socket.until("state")
            database.begin()
            with ThreadPoolExecutor(16) as pool:
                ready = pool.submit(timed, lambda: ann.http.get("/ready"))
                requests = [
                    pool.submit(timed, lambda: ann.post(f"/api/tables/{table}/commands", said)),
                    pool.submit(timed, lambda: ann.post("/api/guest", {"name": "Bob"})),
                    *(pool.submit(timed, partial(one.http.get, "/api/me")) for one in unknown),
                    pool.submit(timed, lambda: ann.http.get("/api/tables")),
                ]
                closed = pool.submit(timed, lambda: closed_with(unknown[0], other, "liarspoker=unknown"))
            response, seconds = ready.result()
            assert (response.status_code, response.json()["status"]) == (503, "no database")
            assert seconds < SLACK * READY
            for one in requests:
                response, seconds = one.result()
                assert (response.status_code, response.json()["error"]["code"]) == (503, "unavailable")
                assert int(response.headers["retry-after"]) >= 1
                assert seconds < SLACK * ANSWER
            (code, reason), seconds = closed.result()
            assert (code, reason) == (4503, "unavailable")
            assert seconds < SLACK * ANSWER
            response, seconds = timed(lambda: ann.post(f"/api/tables/{table}/commands", {**said, "id": "twice"}))
            assert response.status_code == 503
            assert seconds < SLACK * READY, "the table already knows"
            database.end()
            eventually(lambda: ann.http.get("/ready").status_code == 200)
            eventually(lambda: ann.post(f"/api/tables/{table}/commands", said).status_code == 200)
        answer = ann.post(f"/api/tables/{table}/commands", said).json()
        view = ann.view(table)
        assert (answer["ok"], view["version"]) == (True, answer["version"]), "it took effect once, and nothing followed"
        assert ann.ask(other, do="say", text="all is well")["ok"]


@pytest.mark.slow
def test_a_server_stops_soon_while_the_database_is_unreachable(postgres: Postgres, tmp_path: Path) -> None:
    with outage(postgres, "unreachable") as database, running_server(tmp_path, "--database", database.url) as server:
        ann = {"Authorization": f"Bearer {server.token('Ann')}"}
        table = server.ask("/api/tables", {"settings": {"game": "slips"}}, **ann)["table"]
        database.begin()
        said = {"id": "last", "command": {"do": "say", "text": "hello"}}
        with ThreadPoolExecutor(1) as pool:
            asking = pool.submit(server.ask, f"/api/tables/{table}/commands", said, **ann)
            _, seconds = timed(server.stop)
            assert asking.exception() is not None
        assert seconds < SLACK * STOP
        database.end()
        server.start()
        answer = server.ask(f"/api/tables/{table}/commands", said, **ann)
        assert (answer["ok"], server.ask(f"/api/tables/{table}", **ann)["version"]) == (True, 2)
