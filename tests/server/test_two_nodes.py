"""Two servers on one database: each table has one owner, and when it moves everybody finds it again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from liarspoker.server.config import NodeConfig
from liarspoker.server.storage.errors import Leased, NotOwner, Unavailable
from liarspoker.server.storage.leases import HEARTBEAT_SECONDS, Membership
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.views import Watcher
from tests.server.inprocess import PATIENCE, Person, Running, running
from tests.server.registries import Lives, expire, opened, say, until
from tests.server.storage.tables import alive


def _elsewhere(person: Person, server: Running) -> Person:
    """The same user, who talks to another server."""
    secret = person.post("/api/tokens", {"label": "elsewhere"}).json()["secret"]
    other = server.person(authorization=f"Bearer {secret}")
    other.user = person.user
    return other


def _give_up(server: Running, table: str) -> None:
    """Let a server lose its lease of a table, and notice nothing."""
    storage = server.service.storage

    async def release() -> None:
        lease = await storage.lease(table)
        assert lease is not None
        await storage.release([(table, lease.epoch)])

    asyncio.run_coroutine_threadsafe(release(), server.loop).result(PATIENCE)


def test_a_table_that_moves_closes_its_sockets_and_is_played_on_elsewhere(tmp_path: Path) -> None:
    with (
        running(tmp_path, node=NodeConfig("a")) as first,
        running(tmp_path, node=NodeConfig("b")) as second,
    ):
        ann = first.person("Ann")
        table = first.table(ann)
        there = _elsewhere(ann, second)
        with there.socket(table) as socket:
            assert socket.end() == (4503, "table-moved"), "the owner is alive"
        with ann.socket(table) as socket:
            said = socket.ask("c1", do="say", text="once")
            _give_up(first, table)
            assert there.view(table)["version"] == said["version"]
            socket.send({"kind": "command", "id": "c2", "command": {"do": "say", "text": "where?"}})
            assert socket.end() == (4503, "table-moved")
        with ann.socket(table) as socket:
            assert socket.end() == (4503, "table-moved")
        with there.socket(table) as socket:
            assert socket.ask("c1", do="say", text="once") == said
            assert socket.ask("c2", do="say", text="where?")["version"] == said["version"] + 1


async def _expire_all(storage: Storage) -> None:
    """Let the leases of all processes expire, as when they are stopped for long."""
    await storage.write(lambda connection: connection.execute("UPDATE nodes SET expires = 0"))


async def test_an_owner_whose_leases_had_expired_drops_just_the_tables_that_others_have_claimed(
    lives: Lives, registry: TableRegistry
) -> None:
    taken, kept, watcher = await opened(registry), await opened(registry), Watcher("user-0", behind=False)
    taken.watch(watcher)
    await _expire_all(registry.storage)
    await registry.storage.claim(taken.table.id, "b")
    await alive(registry.storage, "b")
    lives.clock.time += HEARTBEAT_SECONDS
    await until(lambda: watcher.closed is not None)
    assert watcher.closed == "table-moved"
    assert (taken.gone, kept.gone) == (True, False)
    with pytest.raises(Leased):
        await registry.table(taken.table.id)
    with pytest.raises(Leased):
        await registry.storage.claim(kept.table.id, "b")
    assert (await say(kept, "user-1", do="say", text="here")).ok


async def test_a_heartbeat_whose_answer_is_lost_still_drops_what_others_have_claimed(storage: Storage) -> None:
    """It finds the leases expired and prolongs them, and the next one could not tell."""
    one, two = Membership(storage, "a"), Membership(storage, "b")
    for member in (one, two):
        await member.enter(0.0, alone=True)
    for table_id in ("T", "U"):
        await storage.create_table(table_id, 1.0, one.instance)
    assert await one.beat(None) is None
    await _expire_all(storage)
    await storage.claim("T", two.instance)
    beating = asyncio.ensure_future(one.beat(None))
    await asyncio.sleep(0)
    beating.cancel()
    await storage.write(lambda connection: None)
    assert await one.beat(None) == {"U": 1}
    assert await one.beat(None) is None


async def _rows_changed(registry: TableRegistry) -> int:
    """How many rows the writer has ever changed."""
    [[rows]] = await registry.storage.write(lambda connection: connection.execute("SELECT total_changes()"))
    return int(rows)


async def test_a_heartbeat_changes_one_row_however_many_tables_there_are(lives: Lives, registry: TableRegistry) -> None:
    await until(lambda: registry.all_taken_up)
    for _ in range(12):
        await opened(registry)
    before = await _rows_changed(registry)
    for _ in range(3):
        await lives.pass_time(HEARTBEAT_SECONDS)
        await registry.storage.write(lambda connection: None)  # behind the heartbeat
    assert await _rows_changed(registry) == before + 3


def test_a_server_that_has_stopped_leaves_its_tables_to_the_others_at_once(lives: Lives) -> None:
    async def made(registry: TableRegistry) -> str:
        return (await opened(registry)).table.id

    stopped, killed = lives.live(made, "a"), lives.live(made, "c", kill=True)

    async def other(registry: TableRegistry) -> None:
        assert (await registry.table(stopped)).table.id == stopped
        with pytest.raises(Leased):
            await registry.table(killed)

    lives.live(other, "b")


def test_rows_of_servers_that_own_nothing_are_deleted(lives: Lives) -> None:
    async def nodes(registry: TableRegistry) -> list[str]:
        rows = await registry.storage.read(
            lambda connection: connection.execute("SELECT name FROM nodes ORDER BY name")
        )
        return [name for (name,) in rows]

    async def owner(registry: TableRegistry) -> None:
        await opened(registry)

    lives.live(owner, "owner")
    for _ in range(3):
        assert lives.live(nodes, "b") == ["b", "owner"]
    assert lives.live(nodes, "c") == ["c", "owner"]


async def test_the_old_owner_stores_nothing_any_more_not_even_that_time_is_up(
    lives: Lives, registry: TableRegistry
) -> None:
    old = await opened(registry, clock={"turn": 20, "ready": 15})
    assert (await say(old, "user-0", do="start")).ok
    await registry.storage.release([(old.table.id, old.epoch)])
    async with await lives.storage() as storage:
        other = lives.registry(storage, "b")
        new = await other.table(old.table.id)
        before = new.table
        lives.clock.time += 15
        with pytest.raises(NotOwner):
            await expire(old)
        await until(lambda: new.table.version == before.version + 1)
        await other.close()


async def test_a_lost_table_judges_nothing_any_more(registry: TableRegistry) -> None:
    actor = await opened(registry)
    await registry.storage.release([(actor.table.id, actor.epoch)])
    await registry.storage.claim(actor.table.id, "b")
    first, second, third = await asyncio.gather(
        say(actor, "user-0", "c1", do="say", text="hello"),
        say(actor, "user-1", "c2", do="start"),
        say(actor, "user-0", "c3", do="start"),
        return_exceptions=True,
    )
    assert isinstance(first, NotOwner)
    assert isinstance(second, Unavailable), "a refusal would be the word of a table that has moved on"
    assert isinstance(third, Unavailable)
