"""Nobody loses time because the server was away, however it ended and whatever was done to the machine's clock."""

from __future__ import annotations

import asyncio

import pytest

from liarspoker.server.storage.leases import HEARTBEAT_SECONDS
from liarspoker.server.tables.registry import TableRegistry
from tests.server.clocks import waits
from tests.server.clocks.waits import WAITS, Wait, left
from tests.server.registries import Lives, say, settled, until

HOUR = 3600.0
each_wait = pytest.mark.parametrize("wait", WAITS, ids=lambda wait: wait.__name__)


class Waiting:
    """A table that waits when its registry ends."""

    def __init__(self, lives: Lives, wait: Wait, kill: bool, node: str = "main", pause: bool = False) -> None:
        async def life(registry: TableRegistry) -> tuple[str, float]:
            await until(lambda: registry.all_taken_up)
            actor = await wait(registry)
            await lives.pass_time(4, actor)
            await registry.storage.write(lambda connection: None)  # behind the heartbeat
            seconds = left(actor)
            if pause:
                assert (await say(actor, "user-0", do="pause")).ok
            assert seconds is not None
            return actor.table.id, seconds

        self.table, self.left = lives.live(life, node, kill)


@each_wait
@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("away", [1.0, 90.0, HOUR, -HOUR])
def test_a_restart_in_the_middle_gives_the_time_back(lives: Lives, wait: Wait, kill: bool, away: float) -> None:
    waiting = Waiting(lives, wait, kill)
    lives.clock.time += away

    async def life(registry: TableRegistry) -> None:
        actor = await registry.table(waiting.table)
        before = actor.table
        await settled(actor)
        assert actor.table is before, "somebody was flagged for the time in which the server was away"
        seconds = left(actor)
        assert seconds is not None
        assert 0 <= seconds - waiting.left <= (HEARTBEAT_SECONDS if kill else 0)
        await lives.pass_time(seconds, actor)
        assert actor.table.version == before.version + 1

    lives.live(life)


@each_wait
def test_a_paused_table_stands_still_over_a_restart(lives: Lives, wait: Wait) -> None:
    waiting = Waiting(lives, wait, kill=True, pause=True)
    lives.clock.time += HOUR

    async def life(registry: TableRegistry) -> None:
        actor = await registry.table(waiting.table)
        assert left(actor) is None
        assert (await say(actor, "user-0", do="resume")).ok
        assert left(actor) == waiting.left

    lives.live(life)


def test_what_is_left_of_a_bank_is_the_same_after_a_restart(lives: Lives) -> None:
    waiting = Waiting(lives, waits.for_a_turn_with_a_bank, kill=False)
    lives.clock.time += 500

    async def life(registry: TableRegistry) -> None:
        actor = await registry.table(waiting.table)
        user = str(actor.table.to_act)
        await lives.pass_time(21, actor)
        assert (await say(actor, user, do="act", turn=actor.table.turn, action="1x1")).ok
        chair = actor.table.chair_of(user)
        assert chair is not None
        assert chair.bank == 25

    lives.live(life)


def test_many_restarts_give_back_just_the_time_in_which_the_server_was_away(lives: Lives) -> None:
    waiting = Waiting(lives, waits.for_a_turn, kill=False)

    async def life(registry: TableRegistry) -> float | None:
        await until(lambda: registry.all_taken_up)
        actor = await registry.table(waiting.table)
        await lives.pass_time(1, actor)
        return left(actor)

    for number in range(1, 6):
        lives.clock.time += 100
        assert lives.live(life) == waiting.left - number


def test_the_time_in_which_the_server_takes_nothing_any_more_is_given_back_too(lives: Lives) -> None:
    async def last_seconds(registry: TableRegistry) -> tuple[str, float | None]:
        await until(lambda: registry.all_taken_up)
        actor = await waits.for_a_turn(registry)
        registry.stop()
        seconds = left(actor)
        await lives.pass_time(5)
        return actor.table.id, seconds

    table, seconds = lives.live(last_seconds)
    lives.clock.time += 100

    async def life(registry: TableRegistry) -> float | None:
        return left(await registry.table(table))

    assert lives.live(life) == seconds


@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
def test_a_server_that_ends_before_it_has_taken_a_table_up_takes_no_time_from_it(lives: Lives, kill: bool) -> None:
    waiting = Waiting(lives, waits.for_a_turn, kill=False)

    async def nothing(registry: TableRegistry) -> None:
        pass

    for _ in range(3):
        lives.clock.time += 100
        lives.live(nothing, kill=kill)
    lives.clock.time += 100

    async def life(registry: TableRegistry) -> float | None:
        return left(await registry.table(waiting.table))

    assert lives.live(life) == waiting.left


def test_a_clock_goes_on_after_a_restart_though_nobody_asks_for_the_table(lives: Lives) -> None:
    waiting = Waiting(lives, waits.for_a_turn, kill=False)
    lives.clock.time += 100

    async def life(registry: TableRegistry) -> None:
        versions: list[int] = []
        registry.listeners.append(lambda table, version: versions.append(version))
        await until(lambda: len(versions) == 1)
        await settled()
        lives.clock.time += waiting.left
        await until(lambda: len(versions) == 2)

    lives.live(life)


def test_another_node_gives_back_the_time_since_the_owner_was_last_alive(lives: Lives) -> None:
    waiting = Waiting(lives, waits.for_a_turn, kill=True, node="a")

    async def nothing(registry: TableRegistry) -> None:
        await until(lambda: registry.all_taken_up)

    lives.clock.time += 60
    lives.live(nothing, node="b")
    lives.clock.time += 10

    async def life(registry: TableRegistry) -> None:
        await registry.storage.write(
            lambda connection: connection.execute("UPDATE nodes SET expires = 0 WHERE name = 'a'")
        )
        await registry.membership.beat(lives.clock.time)
        actor = await registry.table(waiting.table)
        assert left(actor) == waiting.left

    lives.live(life, node="b")


def test_nobody_sees_a_table_before_its_clock_is_right(lives: Lives) -> None:
    waiting = Waiting(lives, waits.for_a_turn, kill=False)
    lives.clock.time += 100

    async def life(registry: TableRegistry) -> None:
        openers = [asyncio.ensure_future(registry.table(waiting.table)) for _ in range(2)]
        while not all(opener.done() for opener in openers):
            seen = registry.at_hand(waiting.table)
            assert seen is None or left(seen) == waiting.left
            await asyncio.sleep(0)
        first, second = (opener.result() for opener in openers)
        assert first is second is registry.at_hand(waiting.table)
        assert left(first) == waiting.left

    lives.live(life)
