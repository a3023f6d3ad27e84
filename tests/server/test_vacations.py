"""Vacations: their limits, and how they reach the correspondence tables of a user."""

from __future__ import annotations

import pytest

from liarspoker.server.cluster.bus import LocalBus
from liarspoker.server.storage import vacations
from liarspoker.server.storage.vacations import Vacation
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.vacations import NoVacation, Vacations
from liarspoker.tables.state import DAY
from tests.server.clocks.test_days import DAYS, idle, waiting
from tests.server.clocks.waits import left
from tests.server.registries import Lives, opened, say, settled, until


def of_registry(registry: TableRegistry) -> Vacations:
    return Vacations(registry, LocalBus("this"), 21)


def on_vacation(actor: TableActor, user: str) -> float:
    chair = actor.table.chair_of(user)
    assert chair is not None
    return chair.vacation


async def test_a_vacation_stops_the_clock_at_all_correspondence_tables(lives: Lives, registry: TableRegistry) -> None:
    loaded, other = await waiting(registry), await waiting(registry)
    live = await opened(registry, 2, clock={"turn": 30})
    user, begins = str(loaded.table.to_act), lives.clock.time
    await of_registry(registry).take(user, 5)
    await until(lambda: on_vacation(loaded, user) > 0 and on_vacation(other, user) > 0)
    await settled(loaded, other, live)
    assert on_vacation(loaded, user) == begins + 5 * DAY
    assert left(loaded) == (DAYS + 5) * DAY
    lives.clock.time += DAY
    await of_registry(registry).end(user)
    again = await registry.table(loaded.table.id)  # nobody had it open for a day
    await until(lambda: left(again) == DAYS * DAY)
    assert all(chair.vacation == 0 for chair in live.table.seated)


async def test_a_table_that_is_not_open_hears_of_a_vacation_when_it_is_opened(
    lives: Lives, registry: TableRegistry
) -> None:
    actor = await waiting(registry)
    user, due = str(actor.table.to_act), lives.clock.time + DAYS * DAY
    await idle(lives, registry, actor.table.id)
    begins = lives.clock.time + DAY
    lives.clock.time = begins + 60
    await registry.storage.write(lambda connection: vacations.add(connection, user, Vacation(begins, begins + 9 * DAY)))
    again = await registry.table(actor.table.id)
    assert lives.clock.time + (left(again) or 0) == due + 9 * DAY


async def test_nobody_loses_a_turn_if_the_message_of_a_vacation_was_lost(lives: Lives, registry: TableRegistry) -> None:
    actor = await waiting(registry)
    user, turn = str(actor.table.to_act), actor.table.turn
    begins = lives.clock.time
    await registry.storage.write(lambda connection: vacations.add(connection, user, Vacation(begins, begins + 9 * DAY)))
    lives.clock.time += DAYS * DAY
    await until(lambda: on_vacation(actor, user) > 0)
    await settled(actor)
    assert actor.table.turn == turn
    assert left(actor) == 9 * DAY


async def test_a_player_who_joins_during_a_vacation_brings_it_along(lives: Lives, registry: TableRegistry) -> None:
    await of_registry(registry).take("user-1", 2)
    actor = await opened(registry, 2, days=DAYS)
    await until(lambda: on_vacation(actor, "user-1") == lives.clock.time + 2 * DAY)


async def test_a_user_has_a_number_of_days_within_a_year(lives: Lives, registry: TableRegistry) -> None:
    taken = of_registry(registry)
    await taken.take("ann", 20)
    with pytest.raises(NoVacation, match="end it first"):
        await taken.take("ann", 1)
    lives.clock.time += 10
    await taken.end("ann")
    assert (await taken.of("ann")).days == 20, "a vacation counts for one day at least"
    with pytest.raises(NoVacation, match="at most 20 days"):
        await taken.take("ann", 21)
    await taken.take("ann", 20)
    lives.clock.time += 20 * DAY
    assert (await taken.of("ann")).until is None
    with pytest.raises(NoVacation, match="no days left"):
        await taken.take("ann", 1)
    lives.clock.time += 346 * DAY
    assert (await taken.of("ann")).days == 21 - 20 + 1, "the first vacation is more than a year ago"
    assert (await Vacations(registry, LocalBus("this"), None).of("ann")).days is None


async def test_a_repeated_write_takes_one_vacation(registry: TableRegistry) -> None:
    taken = of_registry(registry)
    await taken.take("ann", 3)
    await taken.take("ann", 3)  # at the same time, as after a commit whose outcome is unknown
    assert (await taken.of("ann")).days == 18


async def test_a_seat_taken_by_a_bot_has_no_vacation(lives: Lives, registry: TableRegistry) -> None:
    actor = await opened(registry, 1, seats=2, days=DAYS)
    assert (await say(actor, "user-0", do="seat_bot", bot="bluffer")).ok
    bot = next(chair.user for chair in actor.table.seated if chair.bot)
    await of_registry(registry).take(bot, 3)
    await settled(actor)
    assert on_vacation(actor, bot) == 0
