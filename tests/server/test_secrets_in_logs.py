"""A whole evening with everything that goes wrong in it, and then nothing secret stands in any log line."""

import asyncio
import gc
import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from liarspoker.server import journal
from liarspoker.server.journal import table_mark
from liarspoker.server.storage.errors import NotOwner
from tests.server.frames import frame
from tests.server.inprocess import PATIENCE, Person, Running, running
from tests.server.storage.tables import logs as stored_logs
from tests.server.test_frames import closed_by
from tests.tables.play import some_action

PASSPHRASE = "a cold and frosty morning"


@contextmanager
def written_lines() -> Iterator[io.StringIO]:
    """What the program writes to standard error, from the root logger down."""
    text, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers, root.level
    try:
        journal.begin(logging.DEBUG, text)
        yield text
    finally:
        root.handlers, root.level = handlers, level


def play_to_the_end(people: list[Person], table: str, chance: Random, secrets: set[str]) -> None:
    """Play a round as the views allow, and note what each hand holds."""
    while (public := people[0].view(table)["public"])["stage"] == "round":
        for person in people:
            secrets |= held(person.view(table)["you"].get("hand"))
        acting = next((person for person in people if person.user == public["to_act"]), None)
        if acting is not None:
            action = some_action(acting.view(table)["you"]["hand"], chance)
            assert acting.ask(table, do="act", turn=public["turn"], action=action)["ok"]


def held(hand: object) -> set[str]:
    """Hands and numbers long enough to be told from a line number."""
    found = {hand} if isinstance(hand, str) and len(hand) >= 8 and hand.isdigit() else set()
    if isinstance(hand, dict | list):
        for inner in hand.values() if isinstance(hand, dict) else hand:
            found |= held(inner)
    return found


def evening(server: Running, chance: Random) -> tuple[set[str], str]:
    """Play, fail, log in and out, send nonsense; the secrets of the evening, and its table."""
    secrets = {PASSPHRASE, "wrong passphrase"}
    ann, bob, eve = (server.person(name) for name in ("Ann Secretname", "Bob Secretname", "Eve"))
    secrets |= {"Secretname", "speaking in confidence"}
    assert eve.post("/api/account", {"login": "eve.login", "passphrase": PASSPHRASE}).status_code == 200
    assert eve.post("/api/login", {"login": "eve.login", "passphrase": "wrong passphrase"}).status_code == 401
    secrets.add("eve.login")
    token = eve.post("/api/tokens", {"label": "bot"}).json()
    secrets |= {token["secret"], token["token"]}
    table = server.table(ann, bob, bots=("binomial",), clock={"turn": 60, "ready": 60})
    tables = {table, server.table(ann, spectators="none")}
    assert ann.ask(table, do="say", text="speaking in confidence")["ok"]
    assert ann.ask(table, do="start")["ok"]
    assert bob.ask(table, do="ready")["ok"]
    play_to_the_end([ann, bob], table, chance, secrets)
    for person in (ann, eve, server.person()):
        with person.socket(table) as socket:
            closed_by(socket, [frame(chance) for _ in range(60)])
    registry = server.service.registry
    for actor in list(registry._actors.values()):
        server.loop.call_soon_threadsafe(registry.lost, actor, NotOwner(actor.table.id, 1))
    assert ann.ask(table, do="end")["ok"]
    server.person().http.get(f"/api/tables/{'A' * 22}")
    fail(server)
    assert ann.http.get(f"/api/tables/{table}/records").status_code in (200, 500)
    eve.http.delete(f"/api/tokens/{token['token']}")
    secrets |= {cookie.value or "" for person in (ann, bob, eve) for cookie in person.http.cookies.jar}
    secrets |= {person.user for person in (ann, bob, eve)}
    for log in seeds(server, tables):
        secrets |= {log.hex(), log.hex()[:16], repr(log)}
    return secrets | tables, table


def seeds(server: Running, tables: set[str]) -> list[bytes]:
    logs = asyncio.run_coroutine_threadsafe(stored_logs(server.service.storage, list(tables)), server.loop).result(
        PATIENCE
    )
    return [seed for log in logs.values() for seed in log.seeds.values()]


def fail(server: Running) -> None:
    """A task that fails, of which nobody asks: asyncio writes its error down when it is forgotten."""

    async def play() -> None:
        registry = server.service.registry
        registry._opening["B" * 22] = task = asyncio.create_task(registry._open("B" * 22))
        while not task.done():
            await asyncio.sleep(0)
        del task
        gc.collect()

    asyncio.run_coroutine_threadsafe(play(), server.loop).result(PATIENCE)


def test_no_log_line_holds_a_secret(tmp_path: Path) -> None:
    with written_lines() as text, running(tmp_path) as server:
        secrets, table = evening(server, Random(1))
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
    assert len(secrets) > 15
    assert [secret for secret in secrets if secret in lines] == []


@pytest.mark.parametrize("name", ["liarspoker", "uvicorn.error", "asyncio", "alembic", "anything"])
def test_every_logger_writes_lines_for_machines(name: str) -> None:
    with written_lines() as text:
        logging.getLogger(name).error("a table's id: %s", "xyz")
        logging.getLogger(name).error("a table's id: xyz2")
    assert [json.loads(line)["level"] for line in text.getvalue().splitlines()] == ["error", "error"]
    assert "xyz" not in text.getvalue()
