"""All stored data of a user can be exported; after deletion, the name is stored nowhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.cli import main
from liarspoker.protocol.events import Joined, Reserved, Said
from liarspoker.protocol.settings import Settings
from liarspoker.server import orders as carrying_out
from liarspoker.server.admin.queries import open_database
from liarspoker.server.admin.users import export
from liarspoker.server.config import Limits
from liarspoker.server.maintenance import Maintenance
from liarspoker.server.service import Service
from liarspoker.server.storage import notices, reading
from liarspoker.server.storage.connection import database_at
from liarspoker.server.storage.location import address
from liarspoker.server.storage.log import unpack
from liarspoker.server.storage.notices import Subscription
from liarspoker.server.storage.redaction import Erasure, body_without
from liarspoker.server.storage.schema import METADATA
from liarspoker.server.storage.sealing import KEY_FILE, Sealer, find_key, new_key
from liarspoker.server.tables.log_reading import read_log
from liarspoker.tables.reducers import read_entry, write_entry
from liarspoker.tables.state import Table
from liarspoker.web.app import mount_pages
from tests.effort import one_in
from tests.server.admin.conftest import Admin
from tests.server.inprocess import PATIENCE, Person, Running, running
from tests.server.leaks.search import leaks
from tests.server.leaks.server_walks import recognisable_settings, walk
from tests.server.leaks.server_world import World, running_world
from tests.web.study.played_tables import act

NAME = "Zebulon Quux"
LOGIN = "zebulon.quux@example.com"
NOTICES = ("notices", "mutes", "subscriptions")
On = Callable[[str], Admin]


def _everything(url: str, names: Collection[str] = METADATA.tables) -> str:
    """Return every value in these tables of the database, including the contents of archives."""
    with closing(database_at(url).connect()) as connection, open_database(url):
        found: list[Any] = []
        for table in (METADATA.tables[name] for name in names):
            for row in connection.execute(f"SELECT {', '.join(table.columns.keys())} FROM {table.name}"):
                found += row
                if table.name == "archives":
                    found += unpack(bytes(row[table.columns.keys().index("packed")]), ["body"])
        connection.rollback()
    return "\n".join(repr(bytes(one) if isinstance(one, memoryview) else one) for one in found)


def _table(url: str, folder: Path, table_id: str) -> Table:
    """Return the state of a table after its log."""
    with open_database(url) as connection:
        stored = reading.log(connection, Sealer(find_key(folder)), table_id)
    assert stored is not None
    return read_log(stored).table


def _played(server: Running) -> tuple[Person, Person, list[str]]:
    """Create a user with a conspicuous name at tables of all kinds, and another user."""
    zeb, bob = server.person(NAME), server.person("Bob")
    zeb.post("/api/account", {"login": LOGIN, "passphrase": "correct horse"})
    zeb.post("/api/tokens", {"label": "my bot"})
    saving = server.service.saved_rules.save(zeb.user, f"At {NAME}'s", "slips,1-0d16778d5cea")
    asyncio.run_coroutine_threadsafe(saving, server.loop).result(PATIENCE)
    mine = server.table(zeb, bob, title=f"The table of {NAME.lower()}")
    ended = server.table(bob, zeb)
    assert zeb.ask(mine, do="start")["ok"]
    assert bob.ask(mine, do="ready")["ok"]
    assert zeb.ask(mine, do="say", text=f"I am {NAME}!")["ok"]
    assert bob.ask(mine, do="say", text="hello")["ok"]
    act(mine, [zeb, bob], "1x1", "challenge")
    assert bob.http.get("/you/games").status_code == 200  # stores the results, with the names of opponents
    assert bob.ask(ended, do="end")["ok"]
    rematch = bob.post(f"/api/tables/{ended}/rematch").json()["table"]  # with a seat reserved for the user
    for one, other in ((zeb, bob), (bob, zeb)):
        assert one.http.put(f"/api/friends/{other.user}").status_code == 200
    assert bob.post("/api/invitations", {"table": server.table(bob), "user": zeb.user}).status_code == 204
    return zeb, bob, [mine, ended, rematch]


@pytest.mark.parametrize("served", [True, False])
def test_deleting_a_user_removes_the_name_and_logs_still_replay(
    url: str, tmp_path: Path, admin: On, served: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "POLL_SECONDS", 0.02)
    run = admin(f"--data {tmp_path} --database {url}")

    async def notify(service: Service, user: str) -> None:
        await service.notices.mute(user, "push", "turn", True)
        made = Subscription("id", "https://push.example.org/a", "key", "secret", "Firefox", 1.0)
        subscribe = partial(notices.subscribe, user_id=user, session_hash=b"hash", made=made, most=1)
        await service.storage.write(subscribe)
        await service.storage.write(partial(notices.claim, user_id=user, table_id="T", kind="turn", version=1, now=1.0))

    async def archive(server: Running) -> None:
        server.clock.ahead += 8 * 86400
        work = Maintenance(server.service.registry, server.service.accounts, server.config.limits)
        work._limits = Limits(archive_days=7.0, abandoned_days=None)
        await work.once()

    with running(tmp_path, mount_pages, database=url) as server:
        zeb, _, tables = _played(server)
        before = {table: _table(url, tmp_path, table) for table in tables}
        asyncio.run_coroutine_threadsafe(archive(server), server.loop).result(PATIENCE)
        assert "Quux" in _everything(url)
        asyncio.run_coroutine_threadsafe(notify(server.service, zeb.user), server.loop).result(PATIENCE)
        assert _everything(url, NOTICES).count(zeb.user) == len(NOTICES)
        if served:
            assert run("delete-user", zeb.user) == {"user": zeb.user, "tables": 3, "left": 0, "outcome": "done"}
            assert zeb.http.get("/api/me").status_code == 401
    if not served:
        assert run("delete-user", zeb.user)["left"] == 0
    everything = _everything(url)
    assert [one for one in ("zebulon", "Zebulon", "quux", "Quux") if one in everything] == []
    after = {table: _table(url, tmp_path, table) for table in tables}
    for table, then in before.items():
        now = after[table]
        called = {**now.names, **{kept.user: kept.name for kept in now.reserved}}
        assert called[zeb.user] == f"deleted {zeb.user[:6]}"
        assert [(deal.users, deal.seed, deal.root) for deal in now.deals] == [
            (deal.users, deal.seed, deal.root) for deal in then.deals
        ]
        assert now.units == then.units
        assert now.stage in (then.stage, "ended")
    assert [line.text for line in after[tables[0]].lines] == [f"I am deleted {zeb.user[:6]}!", "hello"]
    assert "no user" in run("user", zeb.user, code=1)
    assert zeb.user not in _everything(url, ("relations", "invitations", *NOTICES))
    with running(tmp_path, database=url) as server:  # every table can still be opened
        for table in tables:
            opening = asyncio.run_coroutine_threadsafe(server.service.registry.table(table), server.loop)
            assert NAME not in repr(opening.result(PATIENCE).table)


def test_deleting_a_user_removes_the_name_from_events_of_theirs(
    url: str, tmp_path: Path, admin: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "POLL_SECONDS", 0.02)
    run = admin(f"--data {tmp_path} --database {url}")
    with running(tmp_path, mount_pages, database=url) as server:
        zeb, others = server.person(NAME), [server.person(name) for name in ("Ann", "Bob", "Cyd", "Dan")]

        def organised(owner: Person, name: str) -> str:
            settings = {"game": "dollar-bill", "seats": 2, "clock": {"turn": 600, "ready": 600}}
            made = owner.post("/api/events", {"name": name, "settings": settings, "hands": 2, "bots": False})
            event: str = made.json()["event"]
            for player in others:
                assert player.post(f"/api/events/{event}/join", {"words": "words"}).status_code == 200
            return event

        started, waiting = organised(zeb, f"{NAME}'s cup"), organised(zeb, f"{NAME.upper()} again")
        foreign = organised(others[0], "Another cup")
        assert zeb.post(f"/api/events/{started}/start").status_code == 200
        assert zeb.post(f"/api/events/{foreign}/join", {"words": "mine"}).status_code == 200
        exported = run("export-user", zeb.user)
        assert [(one["event"], one["name"]) for one in exported["events"]] == [
            (started, f"{NAME}'s cup"),
            (waiting, f"{NAME.upper()} again"),
        ]
        assert [(one["event"], one["called"]) for one in exported["joined_events"]] == [(foreign, NAME)]
        assert run("delete-user", zeb.user)["left"] == 0
        everything = _everything(url)
        assert [one for one in ("zebulon", "Zebulon", "ZEBULON", "quux", "Quux") if one in everything] == []
        seen = others[0].http.get(f"/api/events/{started}").json()
        assert seen["name"] == f"deleted {zeb.user[:6]}'s cup"
        assert others[0].http.get(f"/api/events/{waiting}").status_code == 404
        assert others[0].http.get(f"/api/events/{foreign}").status_code == 200
        for table in {one.http.get(f"/api/events/{started}").json()["table"] for one in others}:
            assert _table(url, tmp_path, table).settings.title == ""


def test_an_interrupted_deletion_can_be_completed_with_the_same_command(
    tmp_path: Path, admin: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, url = admin(f"--data {tmp_path}"), address(tmp_path)
    with running(tmp_path, mount_pages) as server:
        zeb, _, _ = _played(server)
        code = zeb.post("/api/recovery-code").json()["recovery_code"]
        monkeypatch.setattr(carrying_out, "POLL_SECONDS", 3600)
        found = run(f"delete-user --wait 0 {LOGIN}", code=1)
        assert (found["user"], found["left"]) == (zeb.user, 3)
        assert run("sessions", zeb.user) == {"sessions": [], "tokens": []}
        for path, secret in (("login", {}), ("recover", {"code": code})):
            refused = server.person().post(f"/api/{path}", {"login": LOGIN, "passphrase": "correct horse", **secret})
            assert refused.json()["error"]["code"] == "bad-login", path
    assert run(f"delete-user {LOGIN}")["left"] == 0
    assert "Quux" not in _everything(url)
    assert "no user matches" in run(f"delete-user {LOGIN}", code=1)


def test_an_interrupted_deletion_prints_the_id_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(tmp_path) as server:
        ann, _ = server.hosted()
        ann.post("/api/account", {"login": LOGIN, "passphrase": "correct horse"})
        monkeypatch.setattr(carrying_out, "POLL_SECONDS", 3600)
        assert main(["admin", "delete-user", LOGIN, "--data", str(tmp_path), "--wait", "0"]) == 1
    told = capsys.readouterr().err
    assert told == f"liarspoker: 1 table still holds the name of user {ann.user}; run the command again\n"


def test_without_a_server_a_missing_key_is_reported_before_anything_changes(tmp_path: Path, admin: On) -> None:
    run, key, away = admin(f"--data {tmp_path}"), tmp_path / KEY_FILE, tmp_path / "elsewhere"
    with running(tmp_path) as server:
        ann, table = server.hosted()
        ann.post("/api/account", {"login": LOGIN, "passphrase": "correct horse"})
    key.rename(away)
    before = _everything(address(tmp_path))
    for line in (f"delete-user {LOGIN}", f"end {table[:6]}", "retention --run"):
        assert f"{KEY_FILE} is missing" in run(line, code=1)
        assert _everything(address(tmp_path)) == before
    away.rename(key)
    assert run(f"delete-user {LOGIN}")["outcome"] == "done"


def test_with_a_server_a_deletion_needs_no_key_here(tmp_path: Path, admin: On, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying_out, "POLL_SECONDS", 0.02)
    with running(tmp_path, key=new_key()) as server:
        ann, _ = server.hosted()
        assert admin(f"--data {tmp_path}")("delete-user", ann.user)["tables"] == 1


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)


@given(TEXTS, TEXTS, TEXTS, st.booleans())
def test_a_redacted_entry_is_still_valid(name: str, other: str, text: str, chat: bool) -> None:
    erased = Erasure("user-1", name, chat)
    events = [
        {"e": "Joined", "chair": 0, "user": "user-1", "name": name},
        {"e": "Joined", "chair": 1, "user": "user-2", "name": other},
        {"e": "Reserved", "chair": 2, "user": "user-1", "name": name},
        {"e": "Reserved", "chair": 3, "user": "user-2", "name": other},
        {"e": "Said", "user": "user-1", "name": name, "text": text, "at": 1.0},
        {"e": "Said", "user": "user-2", "name": other, "text": text, "at": 1.0},
    ]
    body = write_entry(read_entry(json.dumps({"v": 1, "events": events})))
    changed = read_entry(body_without(body, erased))
    assert changed[1::2] == read_entry(body)[1::2]
    assert [type(event) for event in changed[::2]] == [Joined, Reserved, Said]
    assert {getattr(event, "name", None) for event in changed[::2]} == {"deleted user-1"}
    assert write_entry(read_entry(body_without(body, erased))) == body_without(body, erased)


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("world")
    with running_world(folder, World) as there:
        yield lambda: (there, folder)


@pytest.mark.slow
@one_in(5)
@given(recognisable_settings(), st.integers(0, 2**32), st.integers(10, 40))
def test_an_export_contains_only_what_the_user_may_know(
    somewhere: Any, settings: Settings, seed: int, steps: int
) -> None:
    there, folder = somewhere()
    found: list[str] = []

    def look(table: Table) -> bool:
        if table.version % 8 != 3:
            return False
        there.outputs.clear()
        for user in there.users[:3]:
            with open_database(address(folder)) as connection:
                exported = export(connection, Sealer(find_key(folder)), user)
            for one in exported["tables"]:
                there.record_output(user, "export/records", json.dumps(one.pop("records")))
            there.record_output(user, "export", json.dumps(exported))
            assert table.id not in json.dumps(exported)
        found.extend(leak for output in there.outputs for leak in leaks(output, there.chance.seeds))
        return False

    there.run(walk(there, settings, seed, steps, until=look))
    assert found == []


def test_due_maintenance_is_shown_and_done_with_and_without_a_server(
    tmp_path: Path, admin: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "POLL_SECONDS", 0.02)
    run = admin(f"--data {tmp_path}")
    with running(tmp_path) as server:
        ann, table = server.hosted()
        assert ann.ask(table, do="end")["ok"]
        assert run("retention")["archive"] == 0
        assert run("retention --limit archive_days=0.000000001")["archive"] == 1
        assert "by their own limits" in run("retention --run --limit archive_days=0.000000001", code=2)
        assert run("retention --run")["outcome"] == "done"
    shown = run("retention --run --limit archive_days=0.000000001")
    assert (shown["archive"], shown["outcome"]) == (1, "done")
    assert run("retention --limit archive_days=0.000000001")["archive"] == 0
    assert "choose from" in run("retention --limit tables_days=1", code=2)
