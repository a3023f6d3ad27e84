"""A server with damaged tables in its database starts, reports them, and serves everything else."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from liarspoker.server.journal import table_mark
from liarspoker.server.storage.location import address, sqlite_path
from liarspoker.web.app import mount_pages
from tests.server.inprocess import PATIENCE, running
from tests.server.registries import until


def damage(folder: Path, table: str) -> None:
    path = sqlite_path(address(folder))
    assert path is not None
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE events SET at = at + 1 WHERE table_id = ? AND version = 1", (table,))
        connection.commit()


@pytest.mark.slow
def test_a_damaged_table_is_refused_while_everything_else_works(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"clock": {"turn": 3600, "ready": 3600}, "visibility": "open"}
    with running(tmp_path, mount_pages) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        broken, sound = (server.table(ann, bob, **settings) for _ in range(2))
        for table in (broken, sound):
            assert ann.ask(table, do="start")["ok"]
        headers = ann.headers
    damage(tmp_path, broken)

    with running(tmp_path, mount_pages) as server:
        ann = server.person(None, **headers)
        registry = server.service.registry
        known = until(lambda: registry.all_opened and server.service.storage.check_result != "unknown")
        asyncio.run_coroutine_threadsafe(known, server.loop).result(PATIENCE)
        assert registry.loaded(sound) is not None
        ready = ann.http.get("/ready")
        expected = {"status": "ready", "database": "sound", "damaged_tables": [table_mark(broken)]}
        assert (ready.status_code, ready.json()) == (200, expected)

        for path in ("", "/records", "/audit", "/stream"):
            answer = ann.http.get(f"/api/tables/{broken}{path}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table-damaged")
            assert broken not in answer.text
            assert "retry-after" not in answer.headers
        response = ann.post(f"/api/tables/{broken}/commands", {"id": "a", "command": {"do": "ready"}})
        assert (response.status_code, response.json()["error"]["code"]) == (500, "table-damaged")
        page = ann.http.get(f"/t/{broken}")
        assert page.status_code == 500
        assert "damaged" in page.text
        with ann.socket(broken) as socket:
            assert socket.until("error")["code"] == "table-damaged"
            assert socket.end() == (4404, "table-damaged")

        for path in ("/", "/you", "/lobby/tables", f"/t/{sound}"):
            assert ann.http.get(path).status_code == 200, path
        assert {listed["table"] for listed in ann.http.get("/api/tables?mine=true").json()} == {broken, sound}
        with ann.http.stream("GET", "/api/stream", timeout=PATIENCE) as news:
            assert json.loads(next(line for line in news.iter_lines() if line))["table"] == sound
        assert ann.ask(sound, do="say", text="still here")["ok"]
