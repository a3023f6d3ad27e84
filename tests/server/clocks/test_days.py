"""Deadlines of correspondence tables: when nobody has the table open, and over restarts and takeovers."""

from __future__ import annotations

import pytest

from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.running import DUE_SECONDS, IDLE_SECONDS
from liarspoker.tables.state import DAY
from tests.server.clocks.waits import left
from tests.server.registries import Lives, opened, say, settled, until

DAYS = 3


async def waiting(registry: TableRegistry) -> TableActor:
    """Create a correspondence table that waits for a turn."""
    actor = await opened(registry, 3, days=DAYS)
    for user, do in (("user-0", "start"), ("user-1", "ready"), ("user-2", "ready")):
        assert (await say(actor, user, do=do)).ok
    assert left(actor) == DAYS * DAY
    return actor


async def idle(lives: Lives, registry: TableRegistry, table: str) -> None:
    """Let time pass until the table is unloaded."""
    lives.clock.time += IDLE_SECONDS + 1
    await until(lambda: registry.loaded(table) is None)


async def expired(lives: Lives, registry: TableRegistry, table: str, due: float) -> None:
    """Check that a table that isn't loaded expires at its deadline, neither earlier nor later."""
    versions: list[int] = []
    registry.listeners.append(lambda shown, version: versions.append(version) if shown == table else None)
    lives.clock.time = due - 2 * DUE_SECONDS
    await until(lambda: registry.loaded(table) is not None)
    lives.clock.time = due - 1
    await settled()
    assert not versions
    lives.clock.time = due
    await until(lambda: bool(versions))
    actor = registry.loaded(table)
    assert actor is not None
    assert left(actor) == DAYS * DAY, "the next player gets all their days"


async def test_a_table_that_nobody_has_open_is_unloaded_and_expires_at_its_deadline(
    lives: Lives, registry: TableRegistry
) -> None:
    actor = await waiting(registry)
    due = lives.clock.time + DAYS * DAY
    await idle(lives, registry, actor.table.id)
    await expired(lives, registry, actor.table.id, due)


@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize(
    ("before", "away"), [(10.0, 3600.0), (2 * DAY, 3600.0), (DAYS * DAY - 7200, 3600.0), (DAY, 2 * DAY + 10)]
)
def test_a_restart_never_costs_a_player_their_turn(lives: Lives, kill: bool, before: float, away: float) -> None:
    async def life(registry: TableRegistry) -> tuple[str, float]:
        await until(lambda: registry.all_opened)
        actor = await waiting(registry)
        due = lives.clock.time + DAYS * DAY
        await lives.pass_time(before, actor)
        await registry.membership.heartbeat(lives.clock.time)
        return actor.table.id, due

    table, due = lives.live(life, kill=kill)
    lives.clock.time += away
    over = due - lives.clock.time < away + IDLE_SECONDS

    async def later(registry: TableRegistry) -> None:
        await until(lambda: registry.all_opened)
        assert (registry.loaded(table) is not None) == over, "only tables that are due soon are opened at a start"
        if over:
            actor = await registry.table(table)
            assert left(actor) == pytest.approx(due - lives.clock.time + away, abs=1)
        else:
            await expired(lives, registry, table, due)

    lives.live(later)


def test_another_node_continues_a_table_that_its_owner_had_unloaded(lives: Lives) -> None:
    async def life(registry: TableRegistry) -> tuple[str, float]:
        await until(lambda: registry.all_opened)
        actor = await waiting(registry)
        due = lives.clock.time + DAYS * DAY
        await idle(lives, registry, actor.table.id)
        return actor.table.id, due

    table, due = lives.live(life, node="a")

    async def later(registry: TableRegistry) -> None:
        await until(lambda: registry.all_opened)
        await expired(lives, registry, table, due)

    lives.live(later, node="b")


async def test_opening_an_unloaded_table_gives_nobody_more_time(lives: Lives, registry: TableRegistry) -> None:
    actor = await waiting(registry)
    due = lives.clock.time + DAYS * DAY
    await idle(lives, registry, actor.table.id)
    lives.clock.time += DAY
    again = await registry.table(actor.table.id)
    assert lives.clock.time + (left(again) or 0) == due


async def test_the_listing_names_whose_turn_it_is_and_until_when(lives: Lives, registry: TableRegistry) -> None:
    actor = await waiting(registry)
    user, began = str(actor.table.to_act), lives.clock.time
    (listed,) = await registry.storage.listings(awaits=user)
    assert (listed.listing.due, listed.listing.since) == (began + DAYS * DAY, began)
    await lives.pass_time(60, actor)
    assert (await say(actor, user, do="act", turn=actor.table.turn, action="1x1")).ok
    assert not await registry.storage.listings(awaits=user)
    (listed,) = await registry.storage.listings(awaits=str(actor.table.to_act))
    assert listed.listing.since == began + 60
    assert (await say(actor, "user-0", do="pause")).ok
    (listed,) = await registry.storage.listings(member=user)
    assert (listed.listing.awaits, listed.listing.due, listed.listing.running) == (None, None, False)
