"""Several servers on one database: each table has one owner, and is found again after it moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.errors import Leased, NotOwner, Unavailable
from liarspoker.server.storage.leases import HEARTBEAT_SECONDS
from liarspoker.server.storage.log import shard_of
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.views import Watcher
from liarspoker.tables.state import next_deadline
from tests.server.registries import Lives, expire, opened, say, until
from tests.server.storage.tables import given


async def _moved(registry: TableRegistry, table_id: str, instance: str | None = "b") -> None:
    """Move a table to another owner without its old owner noticing."""
    await given(registry.storage, table_id, registry.membership.leases[shard_of(table_id)].epoch, instance)


@asynccontextmanager
async def _other(lives: Lives, name: str) -> AsyncIterator[TableRegistry]:
    """Start another node on the same database."""
    async with await lives.storage() as storage:
        other = lives.registry(storage, name)
        await other.start(alone=False)
        yield other
        await other.close()


async def _shared(lives: Lives, *registries: TableRegistry) -> None:
    """Wait until each of these nodes owns its share."""
    fair = leases.assigned([one.instance for one in registries])

    def is_shared() -> bool:
        return all(
            {shard for shard, instance in enumerate(fair) if instance == one.instance} == one.membership.leases.keys()
            for one in registries
        )

    while not is_shared():
        await _beat(lives, *registries)


async def _beat(lives: Lives, *registries: TableRegistry) -> None:
    """Trigger a heartbeat of each of these nodes."""
    members = [registry.membership for registry in registries]
    before = [member.last_heartbeat for member in members]
    while any(member.last_heartbeat == old for member, old in zip(members, before, strict=True)):
        lives.clock.time += HEARTBEAT_SECONDS / 10
        for registry in registries:
            await registry.storage.write(lambda connection: None)  # after the queries of the heartbeat


async def test_nodes_get_a_share_when_they_join_and_hand_it_over_when_they_leave(
    lives: Lives, registry: TableRegistry
) -> None:
    made = [await opened(registry, clock={"turn": 1000, "ready": 1000}) for _ in range(12)]
    for actor in made:
        assert (await say(actor, "user-0", do="start")).ok
    async with _other(lives, "b") as second:
        await _shared(lives, registry, second)
        moved = [actor for actor in made if shard_of(actor.table.id) in second.membership.leases]
        assert moved
        assert [actor.gone for actor in made] == [actor in moved for actor in made]
        await until(lambda: second.all_opened)
        for actor in moved:
            there = second.loaded(actor.table.id)
            assert there is not None, "a clock is running"
            left = (next_deadline(there.table) or 0) - lives.clock.time
            assert left >= (next_deadline(actor.table) or 0) - lives.clock.time, "no clock lost time"
            with pytest.raises(Leased):
                await registry.table(actor.table.id)
        assert second.instance == getattr(registry.membership.owner(moved[0].table.id), "instance", None)
        for _ in range(20):
            new = await opened(second)
            assert shard_of(new.table.id) in second.membership.leases
        await second.hand_over()
        assert not second.membership.leases
        with pytest.raises(Unavailable):
            await opened(second)
        for actor in moved:
            again = await registry.table(actor.table.id)
            assert (await say(again, "user-1", do="say", text="here")).ok


async def test_a_table_is_created_although_its_shard_has_just_moved(
    lives: Lives, registry: TableRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _other(lives, "b") as second:
        await _shared(lives, registry, second)
        create, moved = registry.storage.create_table, list[str]()

        async def create_and_move(table_id: str, created_at: float) -> None:
            await create(table_id, created_at)
            if not moved:
                await _moved(registry, table_id, second.instance)
                moved.append(table_id)

        monkeypatch.setattr(registry.storage, "create_table", create_and_move)
        actor = await opened(registry)
        assert (await say(actor, "user-1", do="say", text="here")).ok
        assert moved != [actor.table.id]


async def test_a_moved_table_is_found_immediately_on_its_new_node(lives: Lives, registry: TableRegistry) -> None:
    async with _other(lives, "b") as second:
        await _shared(lives, registry, second)
        actor = await opened(registry)
        await _moved(registry, actor.table.id, second.instance)
        assert (await second.table(actor.table.id)).table == actor.table


async def test_after_expired_leases_only_tables_taken_by_others_are_dropped(
    lives: Lives, registry: TableRegistry
) -> None:
    taken, kept, watcher = await opened(registry), await opened(registry), Watcher("user-0", behind=False)
    while shard_of(kept.table.id) == shard_of(taken.table.id):
        kept = await opened(registry)
    taken.watch(watcher)
    await registry.storage.write(lambda connection: connection.execute("UPDATE nodes SET expires = 0"))
    await _moved(registry, taken.table.id)
    lives.clock.time += HEARTBEAT_SECONDS
    await until(lambda: watcher.closed is not None)
    assert watcher.closed == "table-moved"
    assert (taken.gone, kept.gone) == (True, False)
    with pytest.raises(Leased):
        await registry.table(taken.table.id)
    assert (await say(kept, "user-1", do="say", text="here")).ok


async def test_after_a_hang_deadlines_are_extended_before_they_expire(lives: Lives, registry: TableRegistry) -> None:
    actor = await opened(registry, clock={"turn": 20, "ready": 15})
    assert (await say(actor, "user-0", do="start")).ok
    await _beat(lives, registry)
    stood, left = lives.clock.time, (next_deadline(actor.table) or 0) - lives.clock.time

    def hang(connection: Connection) -> None:
        connection.execute("UPDATE nodes SET expires = 0")
        lives.clock.time += 10  # here, so that no heartbeat comes between the two

    await registry.storage.write(hang)
    await until(lambda: (next_deadline(actor.table) or 0) >= stood + 10 + left - HEARTBEAT_SECONDS)


async def _rows_changed(registry: TableRegistry) -> int:
    """Return the number of rows that the writer has changed."""
    [[rows]] = await registry.storage.write(lambda connection: connection.execute("SELECT total_changes()"))
    return int(rows)


async def test_a_heartbeat_updates_one_row_for_any_number_of_tables(lives: Lives, registry: TableRegistry) -> None:
    await until(lambda: registry.all_opened)
    for _ in range(12):
        await opened(registry)
    before = await _rows_changed(registry)
    for _ in range(3):
        await _beat(lives, registry)
    assert await _rows_changed(registry) == before + 3


def test_a_stopped_server_hands_its_tables_over_immediately(lives: Lives) -> None:
    async def made(registry: TableRegistry) -> str:
        return (await opened(registry)).table.id

    stopped, killed = lives.live(made, "a"), lives.live(made, "c", kill=True)

    async def other(registry: TableRegistry) -> None:
        with pytest.raises(Leased):
            await registry.table(killed)

    lives.live(other, "b")

    async def heir(registry: TableRegistry) -> None:
        for table_id in (stopped, killed):
            assert (await registry.table(table_id)).table.id == table_id

    lives.live(heir, "c")


def test_rows_of_servers_that_own_nothing_are_deleted(lives: Lives) -> None:
    async def nodes(registry: TableRegistry) -> list[str]:
        rows = await registry.storage.read(
            lambda connection: connection.execute("SELECT name FROM nodes ORDER BY name")
        )
        return [name for (name,) in rows]

    for _ in range(3):
        assert lives.live(nodes, "b") == ["b"]
    assert lives.live(nodes, "dead", kill=True) == ["dead"]
    assert lives.live(nodes, "b") == ["b", "dead"]


async def test_the_old_owner_cannot_store_anything(lives: Lives, registry: TableRegistry) -> None:
    old = await opened(registry, clock={"turn": 20, "ready": 15})
    assert (await say(old, "user-0", do="start")).ok
    async with _other(lives, "b") as other:
        await _moved(registry, old.table.id, other.instance)
        new = await other.table(old.table.id)
        before = new.table
        lives.clock.time += 15
        with pytest.raises(NotOwner):
            await expire(old)
        await until(lambda: new.table.version == before.version + 1)


async def test_a_lost_table_refuses_all_commands(registry: TableRegistry) -> None:
    actor = await opened(registry)
    await _moved(registry, actor.table.id)
    first, second, third = await asyncio.gather(
        say(actor, "user-0", "c1", do="say", text="hello"),
        say(actor, "user-1", "c2", do="start"),
        say(actor, "user-0", "c3", do="start"),
        return_exceptions=True,
    )
    assert isinstance(first, NotOwner)
    assert isinstance(second, Unavailable), "a refusal would come from an outdated state"
    assert isinstance(third, Unavailable)
