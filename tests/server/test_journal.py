"""Log lines consist of constant messages and separate fields, and contain no secrets."""

from __future__ import annotations

import ast
import asyncio
import errno
import gc
import io
import json
import logging
import os
import sqlite3
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest

from liarspoker.server.journal import FIELDS, HASHED, table_mark
from liarspoker.server.listening import CannotListen, listen
from liarspoker.server.metrics import Metrics
from liarspoker.server.request_tracking import RequestTracking
from liarspoker.server.service import Service
from liarspoker.server.storage.errors import NotOwner, StorageFailed
from liarspoker.server.storage.location import address, sqlite_path
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables import actor
from liarspoker.web.app import mount_pages
from tests.server.frames import frame
from tests.server.inprocess import PATIENCE, Running, eventually, running, with_empty_database, written_lines
from tests.server.storage.tables import SEALER, tables
from tests.server.test_frames import closed_by

SOURCE = Path(__file__).resolve().parents[2] / "src" / "liarspoker"
LEVELS = {"debug", "info", "warning", "error", "exception", "critical", "log"}


@cache
def log_calls() -> list[tuple[str, ast.Call]]:
    """Yield every call that writes a log line, with its location."""
    return [
        (f"{path.relative_to(SOURCE)}:{node.lineno}", node)
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in LEVELS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id.lower().strip("_") in ("log", "logger", "logging")
    ]


def test_log_messages_are_constant_texts() -> None:
    calls = log_calls()
    assert len(calls) > 15
    for place, call in calls:
        [message] = call.args
        assert isinstance(message, ast.Constant), place
        assert isinstance(message.value, str), place
        assert "%" not in message.value, place


def test_log_fields_are_all_known() -> None:
    for place, call in log_calls():
        for keyword in call.keywords:
            if keyword.arg == "extra" and isinstance(keyword.value, ast.Dict):
                names = {key.value for key in keyword.value.keys if isinstance(key, ast.Constant)}
                assert names <= {*HASHED, *FIELDS}, place


def lines_of(text: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.getvalue().splitlines()]


def chosen(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name != "at"}


def test_an_address_in_use_is_logged_with_its_reason() -> None:
    with written_lines() as text, listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen):
            listen("127.0.0.1", port)
    reason = os.strerror(errno.EADDRINUSE)
    expected = {"level": "critical", "event": "cannot listen", "code": "cannot-listen", "reason": reason}
    assert [chosen(line) for line in lines_of(text)] == [expected]


def full() -> Exception:
    error = sqlite3.OperationalError("database or disk is full: T secret")
    error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_FULL, "SQLITE_FULL"
    return error


@pytest.mark.parametrize("loss", ["the disk is full", "the file was deleted"])
def test_a_storage_failure_is_logged_with_its_reason(tmp_path: Path, loss: str) -> None:
    with_empty_database(tmp_path)
    path = sqlite_path(address(tmp_path))
    assert path is not None
    filled: list[bool] = []

    def probe(name: str) -> None:
        if filled and name == "before-commit":
            raise full()

    async def play() -> None:
        storage = await Storage.open(address(tmp_path), SEALER, probe)
        if loss == "the disk is full":
            filled.append(True)
        else:
            path.unlink()
        with pytest.raises(StorageFailed):
            await tables(storage, "T")

    with written_lines() as text:
        asyncio.run(play())
    [line] = [chosen(line) for line in lines_of(text) if line["level"] == "critical"]
    told = {"level": "critical", "event": "the database can't be written any more", "code": "storage-failed"}
    if loss == "the disk is full":
        assert line == {**told, "error": "OperationalError", "reason": "SQLITE_FULL"}
    else:
        assert line == {**told, "error": "FileLost", "reason": line["reason"]}
        assert "deleted, moved or replaced" in line["reason"]


def test_library_log_lines_contain_only_their_location_and_known_words() -> None:
    async def fail() -> None:
        async def forgotten() -> None:
            raise ValueError("a secret")

        task = asyncio.create_task(forgotten())
        while not task.done():
            await asyncio.sleep(0)

    with written_lines() as text:
        asyncio.run(fail())
        logging.getLogger("another.library").error("of table %s", "a secret")
    first, second = lines_of(text)
    assert (first["event"], first["says"]) == ("asyncio", "Task exception was never retrieved")
    assert (first["exception"], first["at_line"][-1].partition(":")[0]) == ("ValueError", "forgotten")
    assert second["event"] == "another.library"
    assert second["from"].startswith("test_journal.test_library_log_lines")
    assert "secret" not in text.getvalue()


FORWARDED = {"X-Forwarded-For": "192.0.2.7"}

PASSPHRASE = "a cold and frosty morning"


def play_with_secrets(server: Running, chance: Random) -> tuple[set[str], str]:
    """Play, fail, log in and out, and send nonsense; return the secrets and the table.

    Hands and seeds are covered by the tests of leaks.
    """
    ann, bob, eve = people = [server.person(name) for name in ("Ann Secretname", "Bob Secretname", "Eve")]
    assert eve.post("/api/account", {"login": "eve.login", "passphrase": PASSPHRASE}).status_code == 200
    assert eve.post("/api/login", {"login": "eve.login", "passphrase": "wrong passphrase"}).status_code == 401
    token = eve.post("/api/tokens", {"label": "bot"}).json()
    table = server.table(ann, bob, bots=("binomial",), clock={"turn": 60, "ready": 60})
    hidden = server.table(ann, spectators="none")
    assert ann.ask(table, do="say", text="speaking in confidence")["ok"]
    assert ann.ask(table, do="start")["ok"]
    assert bob.ask(table, do="ready")["ok"]
    for person in (ann, eve, server.person()):
        with person.socket(table) as socket:
            closed_by(socket, [frame(chance) for _ in range(60)])
    registry = server.service.registry
    for one in list(registry._actors.values()):
        server.loop.call_soon_threadsafe(registry.lost, one, NotOwner(one.table.id, 1))
    assert ann.ask(table, do="end")["ok"]
    server.person().http.get(f"/api/tables/{'A' * 22}")
    fail(server)
    assert ann.http.get(f"/api/tables/{table}/records").status_code in (200, 500)
    eve.http.delete(f"/api/tokens/{token['token']}")
    secrets = {PASSPHRASE, "wrong passphrase", "Secretname", "speaking in confidence", "eve.login", table, hidden}
    cookies = {cookie.value or "" for person in people for cookie in person.http.cookies.jar}
    return secrets | cookies | {person.user for person in people} | {token["secret"], token["token"]}, table


def fail(server: Running) -> None:
    """A failing task whose error nobody retrieves: asyncio logs it when the task is garbage-collected."""

    async def play() -> None:
        registry = server.service.registry
        registry._opening["B" * 22] = task = asyncio.create_task(registry._open("B" * 22))
        while not task.done():
            await asyncio.sleep(0)
        del task
        gc.collect()

    asyncio.run_coroutine_threadsafe(play(), server.loop).result(PATIENCE)


def test_log_lines_contain_no_secrets(tmp_path: Path) -> None:
    with written_lines() as text, running(tmp_path) as server:
        secrets, table = play_with_secrets(server, Random(1))
        log = logging.getLogger("liarspoker.somewhere")
        log.error("told %s", table, extra={"table": table})
        logging.getLogger("another.library").error(f"it knows of {table} and {PASSPHRASE}")
        try:
            raise ValueError(f"{table} {PASSPHRASE}")
        except ValueError:
            log.exception("failed", extra={"table": table, "secret": PASSPHRASE})
    lines = text.getvalue()
    told = [json.loads(line) for line in lines.splitlines()]
    assert {"ready", "table lost", "failed", "stopped", "asyncio", "another.library"} <= {
        line["event"] for line in told
    }
    assert table_mark(table) in lines
    assert len(secrets) > 12
    assert [secret for secret in secrets if secret in lines] == []


@pytest.mark.parametrize("name", ["liarspoker", "uvicorn.error", "asyncio", "alembic", "anything"])
def test_every_logger_writes_json_lines(name: str) -> None:
    with written_lines() as text:
        logging.getLogger(name).error("a table's id: %s", "xyz")
        logging.getLogger(name).error("a table's id: xyz2")
    assert [json.loads(line)["level"] for line in text.getvalue().splitlines()] == ["error", "error"]
    assert "xyz" not in text.getvalue()


def fail_after_a_line(*_: object) -> NoReturn:
    logging.getLogger("liarspoker.somewhere").warning("asked")
    raise ValueError


def test_a_request_its_response_and_its_log_lines_share_an_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with written_lines() as text, running(tmp_path, mount_pages) as server, monkeypatch.context() as patch:
        patch.setattr(Service, "identity", fail_after_a_line)
        answers = [server.person().http.get(path) for path in ("/api/me", "/api/me", "/you")]
    ids = [answer.headers["X-Request-ID"] for answer in answers]
    assert len(set(ids)) == 3
    told = lines_of(text)
    for one, answer in zip(ids, answers, strict=True):
        lines = [line for line in told if line.get("request") == one]
        assert [line["event"] for line in lines] == ["asked", "uvicorn.error"]
        assert one in answer.text
    assert [answer.json()["error"]["request"] for answer in answers[:2]] == ids[:2]
    assert all("request" not in line for line in told if line["event"] in ("ready", "stopped"))


def test_a_socket_and_its_log_lines_share_an_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with written_lines() as text, running(tmp_path) as server:
        ann, table = server.hosted()
        with ann.socket(table) as socket:
            monkeypatch.setattr(actor, "decide", fail_after_a_line)
            socket.send({"kind": "command", "id": "a", "command": {"do": "start"}})
            eventually(lambda: "command failed" in text.getvalue())
            assert socket.raw.response is not None
            shown = socket.raw.response.headers["X-Request-ID"]
    assert [line["request"] for line in lines_of(text) if line["event"] in ("asked", "command failed")] == [
        shown,
        shown,
    ]


def test_background_work_loses_the_request_id_after_the_request() -> None:
    log = logging.getLogger("liarspoker.somewhere")

    async def serve() -> None:
        over, tasks = asyncio.Event(), list[asyncio.Task[None]]()

        async def later() -> None:
            log.warning("meanwhile")
            await over.wait()
            log.warning("afterwards")

        async def app(*_: object) -> None:
            tasks.append(asyncio.create_task(later()))
            await asyncio.sleep(0)

        await RequestTracking(app, Metrics())({"type": "http", "method": "GET"}, asyncio.Event().wait, app)  # type: ignore[arg-type]
        over.set()
        await tasks[0]

    with written_lines() as text:
        asyncio.run(serve())
    assert [(line["event"], "request" in line) for line in lines_of(text)] == [
        ("meanwhile", True),
        ("afterwards", False),
    ]


@pytest.mark.parametrize(("trusted", "forwarded"), [((), {}), (("127.0.0.1",), {}), (("127.0.0.1",), FORWARDED)])
def test_valid_request_ids_from_trusted_proxies_are_used(
    tmp_path: Path, trusted: tuple[str, ...], forwarded: dict[str, str]
) -> None:
    with running(tmp_path, trusted_proxies=trusted) as server:
        http = server.person().http
        for given in ("frontend-17_b", "x" * 64, "short", "x" * 65, "not/an/id", "eight ei"):
            answer = http.get("/health", headers={"X-Request-ID": given, **forwarded})
            taken = answer.headers["X-Request-ID"] == given
            assert taken == (bool(trusted) and given in ("frontend-17_b", "x" * 64)), given
