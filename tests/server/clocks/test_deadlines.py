"""Every deadline of an open table expires exactly once: not early, not twice, and not during a pause."""

from __future__ import annotations

import asyncio
import time

import pytest

from liarspoker.server.config import WallClock
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.running import IDLE_SECONDS
from tests.server.clocks import waits
from tests.server.clocks.waits import WAITS, Wait, left
from tests.server.registries import Lives, expire, say, settled, until

each_wait = pytest.mark.parametrize("wait", WAITS, ids=lambda wait: wait.__name__)


@each_wait
@pytest.mark.parametrize("late", [0, 0.25, 3600])
async def test_a_deadline_expires_once_however_late_the_timer_fires(
    lives: Lives, registry: TableRegistry, wait: Wait, late: float
) -> None:
    actor = await wait(registry)
    before = actor.table
    await lives.pass_time((left(actor) or 0) + late, actor)
    assert actor.table.version == before.version + 1
    assert actor.table is not before
    following = left(actor)
    assert following is None or following > 0, "the next player is penalized for another player's time"
    await settled(actor)
    assert actor.table.version == before.version + 1


@each_wait
async def test_a_deadline_never_expires_early(lives: Lives, registry: TableRegistry, wait: Wait) -> None:
    actor = await wait(registry)
    before = actor.table
    await lives.pass_time((left(actor) or 0) - 0.25, actor)
    assert (await expire(actor)).code == "not-now"
    assert actor.table is before
    await lives.pass_time(0.25, actor)
    assert actor.table.version == before.version + 1


@each_wait
async def test_a_timer_that_fires_early_is_rescheduled(lives: Lives, registry: TableRegistry, wait: Wait) -> None:
    class Slow(WallClock):
        def now(self) -> float:
            return lives.clock.time - 1

    actor = await wait(registry)
    before, rings = actor.table, left(actor) or 0
    registry.clock = Slow()
    await lives.pass_time(rings, actor)
    assert actor.table is before
    await lives.pass_time(1, actor)
    assert actor.table.version == before.version + 1


@each_wait
async def test_repeated_expiry_commands_take_effect_once(lives: Lives, registry: TableRegistry, wait: Wait) -> None:
    actor = await wait(registry)
    before = actor.table
    lives.clock.time += left(actor) or 0
    answers = await asyncio.gather(*(expire(actor, before.turn) for _ in range(3)))
    await settled(actor)
    assert [answer.ok for answer in answers].count(True) <= 1, "the timer may have fired first"
    assert actor.table.version == before.version + 1
    assert (await expire(actor, before.turn)).code == "not-now"


@each_wait
async def test_pausing_a_table_preserves_its_remaining_time(lives: Lives, registry: TableRegistry, wait: Wait) -> None:
    actor = await wait(registry)
    await lives.pass_time(4, actor)
    then = left(actor)
    assert (await say(actor, "user-0", do="pause")).ok
    before = actor.table
    await lives.pass_time(IDLE_SECONDS - 50, actor)
    assert actor.table is before
    assert left(actor) is None
    assert (await expire(actor)).code == "not-now"
    assert (await say(actor, "user-0", do="resume")).ok
    assert left(actor) == then


async def test_a_move_just_in_time_is_accepted(lives: Lives, registry: TableRegistry) -> None:
    actor = await waits.for_a_turn_with_a_bank(registry)
    user, turn = str(actor.table.to_act), actor.table.turn
    lives.clock.time += left(actor) or 0
    acted, expired = await asyncio.gather(say(actor, user, do="act", turn=turn, action="1x1"), expire(actor, turn))
    await settled(actor)
    assert (acted.ok, expired.code) == (True, "not-now")
    assert actor.table.turn == turn + 1
    assert left(actor) == 50


async def test_a_bot_is_asked_again_after_a_pause(lives: Lives, registry: TableRegistry) -> None:
    actor = await waits.for_a_bot(registry)
    turn, bots = actor.table.turn, lives.bots
    await until(lambda: len(bots.asked) == 1)
    assert (await say(actor, "user-0", do="pause")).ok
    bots.answer()
    await settled(actor)
    assert actor.table.turn == turn
    assert (await say(actor, "user-0", do="resume")).ok
    await until(lambda: len(bots.asked) == 2)
    bots.answer()
    await until(lambda: actor.table.turn == turn + 1)


@pytest.mark.parametrize("jump", [3600.0, -3600.0])
def test_setting_the_machines_clock_does_not_affect_tables(monkeypatch: pytest.MonkeyPatch, jump: float) -> None:
    clock, machine = WallClock(), time.time
    before = clock.now()
    monkeypatch.setattr(time, "time", lambda: machine() + jump)
    assert before <= clock.now() < before + 60
