"""No player loses time through downtime, regardless of how the server ended and of changes to the machine's clock."""

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
    """A table with a pending deadline while its registry is restarted."""

    def __init__(self, lives: Lives, wait: Wait, kill: bool, node: str = "main", pause: bool = False) -> None:
        async def life(registry: TableRegistry) -> tuple[str, float]:
            await until(lambda: registry.all_opened)
            actor = await wait(registry)
            await lives.pass_time(4, actor)
            await registry.storage.write(lambda connection: None)  # after the heartbeat
            seconds = left(actor)
            if pause:
                assert (await say(actor, "user-0", do="pause")).ok
            assert seconds is not None
            return actor.table.id, seconds

        self.table, self.left = lives.live(life, node, kill)


@each_wait
@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("away", [1.0, 90.0, HOUR, -HOUR])
def test_a_restart_extends_the_deadline_by_the_downtime(lives: Lives, wait: Wait, kill: bool, away: float) -> None:
    waiting = Waiting(lives, wait, kill)
    lives.clock.time += away

    async def life(registry: TableRegistry) -> None:
        actor = await registry.table(waiting.table)
        before = actor.table
        await settled(actor)
        assert actor.table is before, "a player was penalized for the server's downtime"
        seconds = left(actor)
        assert seconds is not None
        assert 0 <= seconds - waiting.left <= (HEARTBEAT_SECONDS if kill else 0)
        await lives.pass_time(seconds, actor)
        assert actor.table.version == before.version + 1

    lives.live(life)


@each_wait
def test_a_paused_table_stays_paused_over_a_restart(lives: Lives, wait: Wait) -> None:
    waiting = Waiting(lives, wait, kill=True, pause=True)
    lives.clock.time += HOUR

    async def life(registry: TableRegistry) -> None:
        actor = await registry.table(waiting.table)
        assert left(actor) is None
        assert (await say(actor, "user-0", do="resume")).ok
        assert left(actor) == waiting.left

    lives.live(life)


def test_a_restart_preserves_the_time_bank(lives: Lives) -> None:
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


def test_many_restarts_extend_the_deadline_by_exactly_the_downtime(lives: Lives) -> None:
    waiting = Waiting(lives, waits.for_a_turn, kill=False)

    async def life(registry: TableRegistry) -> float | None:
        await until(lambda: registry.all_opened)
        actor = await registry.table(waiting.table)
        await lives.pass_time(1, actor)
        return left(actor)

    for number in range(1, 6):
        lives.clock.time += 100
        assert lives.live(life) == waiting.left - number


def test_the_time_while_a_server_is_stopping_is_given_back(lives: Lives) -> None:
    async def last_seconds(registry: TableRegistry) -> tuple[str, float | None]:
        await until(lambda: registry.all_opened)
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
def test_a_server_that_ends_before_opening_a_table_costs_it_no_time(lives: Lives, kill: bool) -> None:
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


def test_clocks_resume_after_a_restart_without_any_visitor(lives: Lives) -> None:
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


def test_a_takeover_gives_back_the_time_since_the_owner_was_alive(lives: Lives) -> None:
    waiting = Waiting(lives, waits.for_a_turn, kill=True, node="a")

    async def nothing(registry: TableRegistry) -> None:
        await until(lambda: registry.all_opened)

    lives.clock.time += 60
    lives.live(nothing, node="b")
    lives.clock.time += 10

    async def life(registry: TableRegistry) -> None:
        await registry.storage.write(
            lambda connection: connection.execute("UPDATE nodes SET expires = 0 WHERE name = 'a'")
        )
        await registry.membership.heartbeat(lives.clock.time)
        actor = await registry.table(waiting.table)
        assert left(actor) == waiting.left

    lives.live(life, node="b")


def test_a_table_is_visible_only_after_its_clock_is_corrected(lives: Lives) -> None:
    waiting = Waiting(lives, waits.for_a_turn, kill=False)
    lives.clock.time += 100

    async def life(registry: TableRegistry) -> None:
        openers = [asyncio.ensure_future(registry.table(waiting.table)) for _ in range(2)]
        while not all(opener.done() for opener in openers):
            seen = registry.loaded(waiting.table)
            assert seen is None or left(seen) == waiting.left
            await asyncio.sleep(0)
        first, second = (opener.result() for opener in openers)
        assert first is second is registry.loaded(waiting.table)
        assert left(first) == waiting.left

    lives.live(life)
