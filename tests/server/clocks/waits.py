"""Tables that wait for a player, one for each kind of deadline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables.fair.deal import nonce_commitment
from liarspoker.tables.state import next_deadline
from tests.server.registries import opened, say
from tests.tables.choices import some_action
from tests.tables.play import hand_of

CLOCK = {"turn": 20, "bank": 30, "ready": 15}
NONCE = b"a nonce"

Wait = Callable[[TableRegistry], Awaitable[TableActor]]


async def for_a_turn(registry: TableRegistry) -> TableActor:
    return await _ready(await opened(registry, 3, clock={**CLOCK, "bank": 0}))


async def for_a_turn_with_a_bank(registry: TableRegistry) -> TableActor:
    return await _ready(await opened(registry, 3, clock=CLOCK))


async def for_a_turn_in_cards(registry: TableRegistry) -> TableActor:
    return await _ready(await opened(registry, 3, game="thorin", clock=CLOCK))


async def for_readiness(registry: TableRegistry) -> TableActor:
    actor = await opened(registry, 3, clock=CLOCK)
    await _done(actor, "user-0", do="start")
    return actor


async def for_a_choice(registry: TableRegistry) -> TableActor:
    return await _ready(await opened(registry, 3, clock=CLOCK, choose=True))


async def for_nonces(registry: TableRegistry) -> TableActor:
    return await _ready(await opened(registry, 3), with_nonces=True)


async def for_a_bot(registry: TableRegistry) -> TableActor:
    """Create a table without a clock for human players."""
    actor = await opened(registry, 1)
    await _done(actor, "user-0", do="seat_bot", bot="binomial")
    await _done(actor, "user-0", do="start")
    await play_until_the_bot(actor)
    return actor


WAITS: tuple[Wait, ...] = (
    for_a_turn,
    for_a_turn_with_a_bank,
    for_a_turn_in_cards,
    for_readiness,
    for_a_choice,
    for_nonces,
    for_a_bot,
)


async def play_until_the_bot(actor: TableActor) -> None:
    chance = Random(1)
    while actor.table.to_act in (None, "user-0"):
        if actor.table.to_act is None:
            await _done(actor, "user-0", do="ready")
        else:
            action = some_action(hand_of(actor.table, "user-0"), chance)
            await _done(actor, "user-0", do="act", turn=actor.table.turn, action=action)


def left(actor: TableActor) -> float | None:
    """Return the seconds until the next deadline; `None` if there isn't one."""
    deadline = next_deadline(actor.table)
    return None if deadline is None else deadline - actor.registry.clock.now()


async def _ready(actor: TableActor, with_nonces: bool = False) -> TableActor:
    """Make all players ready for the next round."""
    for chair in actor.table.seated:
        promise = nonce_commitment(NONCE, actor.table.id, 0, actor.table.chair_number(chair.user) or 0).hex()
        fields: dict[str, Any] = {"nonce_commitment": promise} if with_nonces else {}
        await _done(actor, chair.user, do="ready" if actor.table.ready_phase else "start", **fields)
    return actor


async def _done(actor: TableActor, user: str, **command: Any) -> None:
    answer = await say(actor, user, **command)
    assert answer.ok, answer
