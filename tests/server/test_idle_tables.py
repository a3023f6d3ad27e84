"""Tables that nobody needs are not kept in memory, and nobody notices."""

from __future__ import annotations

from liarspoker.server.storage.leases import HEARTBEAT_SECONDS
from liarspoker.server.tables.registry import IDLE_SECONDS, TableRegistry
from liarspoker.server.tables.views import Watcher
from tests.server.registries import Lives, opened, say, until


async def test_a_table_that_nobody_needs_is_forgotten_and_comes_back_as_it_was(
    lives: Lives, registry: TableRegistry
) -> None:
    idle, watched, clocked = [
        await opened(registry), await opened(registry), await opened(registry, clock={"turn": 1000, "ready": 1000})
    ]  # fmt: skip
    watched.watch(Watcher("user-0", behind=False))
    for actor in (idle, clocked):
        assert (await say(actor, "user-0", do="start")).ok
    lives.clock.time += IDLE_SECONDS
    used = await opened(registry)
    lives.clock.time += HEARTBEAT_SECONDS
    await until(lambda: idle.gone)
    assert not any(actor.gone for actor in (watched, clocked, used))
    await registry.storage.write(lambda connection: None)  # behind what the heartbeat does
    lease = await registry.storage.lease(idle.table.id)
    assert lease is not None
    assert lease.node is None, "another server may have it at once"
    again = await registry.table(idle.table.id)
    assert again is not idle
    assert again.table == idle.table
    assert (await say(again, "user-1", do="ready")).ok
