"""Tables that nobody needs are not kept in memory, and nobody notices."""

from __future__ import annotations

from liarspoker.server.house.house import IDLE_SECONDS, House
from liarspoker.server.house.membership import HEARTBEAT_SECONDS
from liarspoker.server.house.watchers import Watcher
from tests.server.houses import Homestead, opened, say, until


def test_a_table_that_nobody_needs_is_forgotten_and_comes_back_as_it_was(homestead: Homestead) -> None:
    async def life(house: House) -> None:
        idle, watched, clocked = [
            await opened(house), await opened(house), await opened(house, clock={"turn": 1000, "ready": 1000})
        ]  # fmt: skip
        watched.watch(Watcher("user-0", behind=False))
        for actor in (idle, clocked):
            assert (await say(actor, "user-0", do="start")).ok
        homestead.clock.time += IDLE_SECONDS
        used = await opened(house)
        homestead.clock.time += HEARTBEAT_SECONDS
        await until(lambda: idle.gone)
        assert not any(actor.gone for actor in (watched, clocked, used))
        await house.storage.write(lambda connection: None)  # behind what the heartbeat does
        lease = await house.storage.lease(idle.table.id)
        assert lease is not None
        assert lease.node is None, "another server may have it at once"
        again = await house.table(idle.table.id)
        assert again is not idle
        assert again.table == idle.table
        assert (await say(again, "user-1", do="ready")).ok

    homestead.live(life)
