"""All that is stored of one user is given out on request, or deleted without a trace of the name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.protocol.events import Joined, Said
from liarspoker.protocol.settings import Settings
from liarspoker.server import orders as carrying_out
from liarspoker.server.admin.looking import opened
from liarspoker.server.admin.users import export
from liarspoker.server.config import Limits
from liarspoker.server.maintenance import Maintenance
from liarspoker.server.storage import reading
from liarspoker.server.storage.connection import database_at
from liarspoker.server.storage.log import unpack
from liarspoker.server.storage.place import address
from liarspoker.server.storage.redaction import Erased, body_without
from liarspoker.server.storage.schema import METADATA
from liarspoker.server.storage.sealing import Sealer, find_key
from liarspoker.server.tables.actor import read_log
from liarspoker.tables.fold import read_entry, write_entry
from liarspoker.tables.state import Table
from tests.effort import one_in
from tests.server.admin.conftest import Admin
from tests.server.inprocess import PATIENCE, Person, Running, running
from tests.server.leaks.search import leaks
from tests.server.leaks.walks import recognisable_settings, walk
from tests.server.leaks.world import World, world

NAME = "Zebulon Quux"
On = Callable[[str], Admin]


def _everything(url: str) -> str:
    """Every value of every column of every table, archives and all."""
    with closing(database_at(url).connect()) as connection, opened(url):
        found: list[Any] = []
        for table in METADATA.tables.values():
            for row in connection.execute(f"SELECT {', '.join(table.columns.keys())} FROM {table.name}"):
                found += row
                if table.name == "archives":
                    found += unpack(bytes(row[table.columns.keys().index("packed")]), ["body"])
        connection.rollback()
    return "\n".join(repr(bytes(one) if isinstance(one, memoryview) else one) for one in found)


def _table(url: str, folder: Path, table_id: str) -> Table:
    """A table as its log tells it."""
    with opened(url) as connection:
        stored = reading.log(connection, Sealer(find_key(folder)), table_id)
    assert stored is not None
    return read_log(stored)[0]


def _played(server: Running) -> tuple[Person, Person, list[str]]:
    """A user with a name that cannot be overlooked, at tables of all kinds, and another one."""
    zeb, bob = server.person(NAME), server.person("Bob")
    zeb.post("/api/account", {"login": "zebulon.quux@example.com", "passphrase": "correct horse"})
    zeb.post("/api/tokens", {"label": "my bot"})
    mine = server.table(zeb, bob, title=f"The table of {NAME.lower()}")
    ended = server.table(bob, zeb)
    assert zeb.ask(mine, do="start")["ok"]
    assert bob.ask(mine, do="ready")["ok"]
    assert zeb.ask(mine, do="say", text=f"I am {NAME}!")["ok"]
    assert bob.ask(mine, do="say", text="hello")["ok"]
    assert bob.ask(ended, do="end")["ok"]
    return zeb, bob, [mine, ended]


@pytest.mark.parametrize("served", [True, False])
def test_a_deletion_leaves_no_trace_of_the_name_and_every_log_still_replays(
    url: str, tmp_path: Path, admin: On, served: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "LOOK_SECONDS", 0.02)
    run = admin(f"--data {tmp_path} --database {url}")

    async def archive(server: Running) -> None:
        server.clock.ahead += 8 * 86400
        work = Maintenance(server.service.registry, server.service.accounts, server.config.limits)
        work._limits = Limits(archive_days=7.0, abandoned_days=None)
        await work.once()

    with running(tmp_path, database=url) as server:
        zeb, _, tables = _played(server)
        before = {table: _table(url, tmp_path, table) for table in tables}
        asyncio.run_coroutine_threadsafe(archive(server), server.loop).result(PATIENCE)
        assert "Quux" in _everything(url)
        if served:
            assert run("delete-user", zeb.user) == {"user": zeb.user, "tables": 2, "left": 0, "outcome": "done"}
            assert zeb.http.get("/api/me").status_code == 401
    if not served:
        assert run("delete-user", zeb.user)["left"] == 0
    everything = _everything(url)
    assert [one for one in ("zebulon", "Zebulon", "quux", "Quux") if one in everything] == []
    after = {table: _table(url, tmp_path, table) for table in tables}
    for table, then in before.items():
        now = after[table]
        assert now.names[zeb.user] == f"deleted {zeb.user[:6]}"
        assert [(deal.users, deal.seed, deal.root) for deal in now.deals] == [
            (deal.users, deal.seed, deal.root) for deal in then.deals
        ]
        assert now.units == then.units
        assert now.stage in (then.stage, "ended")
    assert [line.text for line in after[tables[0]].lines] == [f"I am deleted {zeb.user[:6]}!", "hello"]
    assert "no user" in run("user", zeb.user, code=1)
    with running(tmp_path, database=url) as server:  # and every table opens
        for table in tables:
            opening = asyncio.run_coroutine_threadsafe(server.service.registry.table(table), server.loop)
            assert opening.result(PATIENCE).table.names[zeb.user].startswith("deleted")


def test_deleting_goes_on_where_it_was_ended(tmp_path: Path, admin: On, monkeypatch: pytest.MonkeyPatch) -> None:
    run, url = admin(f"--data {tmp_path}"), address(tmp_path)
    with running(tmp_path) as server:
        zeb, _, _ = _played(server)
        monkeypatch.setattr(carrying_out, "LOOK_SECONDS", 3600)
        found = run("delete-user --wait 0", zeb.user, code=1)
        assert found["left"] == 2
        assert run("sessions", zeb.user) == {"sessions": [], "tokens": []}
    assert run("delete-user", zeb.user)["left"] == 0
    assert "Quux" not in _everything(url)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)


@given(TEXTS, TEXTS, TEXTS, st.booleans())
def test_an_entry_without_a_name_is_still_an_entry(name: str, other: str, text: str, chat: bool) -> None:
    erased = Erased("user-1", name, chat)
    told = [
        {"e": "Joined", "chair": 0, "user": "user-1", "name": name},
        {"e": "Joined", "chair": 1, "user": "user-2", "name": other},
        {"e": "Said", "user": "user-1", "name": name, "text": text, "at": 1.0},
        {"e": "Said", "user": "user-2", "name": other, "text": text, "at": 1.0},
    ]
    body = write_entry(read_entry(json.dumps({"v": 1, "events": told})))
    first, second, third, fourth = read_entry(body_without(body, erased))
    assert (second, fourth) == read_entry(body)[1::2]
    assert isinstance(first, Joined)
    assert isinstance(third, Said)
    assert first.name == third.name == "deleted user-1"
    assert write_entry(read_entry(body_without(body, erased))) == body_without(body, erased)


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("world")
    with world(folder, World) as there:
        yield lambda: (there, folder)


@pytest.mark.slow
@one_in(5)
@given(recognisable_settings(), st.integers(0, 2**32), st.integers(10, 40))
def test_an_export_tells_its_user_what_they_may_know_and_nothing_more(
    somewhere: Any, settings: Settings, seed: int, steps: int
) -> None:
    there, folder = somewhere()
    found: list[str] = []

    def look(table: Table) -> bool:
        if table.version % 8 != 3:
            return False
        there.told.clear()
        for user in there.users[:3]:
            with opened(address(folder)) as connection:
                told = export(connection, Sealer(find_key(folder)), user)
            for one in told["tables"]:
                there.hear(user, "export/records", json.dumps(one.pop("records")))
            there.hear(user, "export", json.dumps(told))
            assert table.id not in json.dumps(told)
        found.extend(leak for told in there.told for leak in leaks(told, there.chance.seeds))
        return False

    there.run(walk(there, settings, seed, steps, until=look))
    assert found == []


def test_what_is_due_is_shown_and_done_with_and_without_a_server(
    tmp_path: Path, admin: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "LOOK_SECONDS", 0.02)
    run = admin(f"--data {tmp_path}")
    with running(tmp_path) as server:
        ann, table = server.hosted()
        assert ann.ask(table, do="end")["ok"]
        assert run("retention")["archive"] == 0
        assert run("retention --limit archive_days=0.000000001")["archive"] == 1
        assert run("retention --run")["outcome"] == "done"
    shown = run("retention --run --limit archive_days=0.000000001")
    assert (shown["archive"], shown["outcome"]) == (1, "done")
    assert run("retention --limit archive_days=0.000000001")["archive"] == 0
    assert "choose from" in run("retention --limit tables_days=1", code=2)
