"""Evenings at the real server: what anybody says at random, over HTTP and sockets, and who looks on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st
from msgspec import structs, to_builtins

from liarspoker.bots.catalogue import bots
from liarspoker.core import catalogue
from liarspoker.core.cards.deck import card_text, full_deck
from liarspoker.protocol.commands import Command
from liarspoker.protocol.settings import Settings
from liarspoker.tables.fair.deal import nonce_commitment
from liarspoker.tables.state import ENDED, WAITING, Table, due
from tests.server.leaks.search import covered_nonces, leaks, stored_leaks
from tests.server.leaks.world import World
from tests.tables.strolls import STRANGER, USERS, Stroll, table_settings

RECOGNISABLE = 8
"""Numbers of fewer digits, or of fewer kinds of digits, are found in any text."""

WATCHER = 4
"""The guest who never sits down."""

_ENDING = ("view", "records", "audit", "lobby", "mine", "metrics")
_LOOKS = (*_ENDING, "view", "check", "check", "nonsense", "wrong turn", "wrong turn")
"""What people look at when a table has ended, and before."""

_NONSENSE: tuple[Any, ...] = (
    None,
    7,
    "act",
    {"do": "cheat"},
    {"do": "act"},
    {"do": "act", "turn": -1, "action": "count"},
    {"do": "act", "turn": 0, "action": "challenge"},
    {"do": "say", "text": 7},
    {"do": "ready", "hand": "?"},
)


@dataclass
class Walk(Stroll):
    """A stroll whose commands are only noted, so that they can be sent to a server."""

    world: World | None = None
    bots: bool = True
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    rings: int = 0

    def known_as(self, user: str) -> str:
        """The id of who is called so in a stroll."""
        assert self.world is not None
        if user in USERS:
            return self.world.users[USERS.index(user) % WATCHER]
        return self.world.users[WATCHER] if user == STRANGER else user

    def say(self, user: str, do: str, /, **fields: Any) -> bool:
        given = {"do": do, **{name: self.known_as(told) if name == "user" else told for name, told in fields.items()}}
        if do == "seat_bot":
            given["bot"] = self.chance.choice([*_bots_for(self.table), "nobody"] if self.bots else ["nobody"])
        if self.chance.random() < 0.1:
            given["version"] = self.table.version - (self.chance.random() < 0.5)
        self.asked.append((self.known_as(user), given))
        return False

    def ask(self, user: str, command: Command) -> bool:
        self.rings += 1
        return False

    def promise(self, user: str) -> str:
        nonce, place = self.chance.randbytes(16), self.table.place_of(user)
        deal = 0 if self.table.gathering is None else self.table.gathering.deal
        promise = nonce_commitment(nonce, self.table.id, deal, place or 0).hex()
        self.nonces[promise] = nonce
        return promise


async def walk(
    world: World,
    settings: Settings,
    seed: int,
    steps: int,
    bots: bool = True,
    until: Callable[[Table], bool] = lambda table: False,
) -> Walk:
    """Play so many steps of a random evening, and then its end.

    Args:
        world: where.
        settings: of the table.
        seed: of all chance, the server's and the players'.
        steps: at most so many things are said.
        bots: some may sit down.
        until: the evening ends early when this is so.
    """
    chance = Random(seed)
    await world.make(world.users[0], to_builtins(settings), seed)
    evening = Walk(world.table, [], chance, world=world, bots=bots)
    for user in (*world.users, None):
        await world.watch(user)
    await world.stream(world.users[0], "/api/stream")
    await world.stream(world.users[1], f"/api/tables/{world.table.id}/stream")
    for number in range(steps):
        evening.table, evening.now = world.table, world.clock.time
        if world.table.stage == ENDED or until(world.table):
            break
        if world.table.stage == WAITING and number < 3:
            evening.asked.append(_company(world, evening, number))
        else:
            evening.step()
        await send(world, evening)
        await look(world, chance, chance.choice(_LOOKS))
        world.read_log()
    if world.table.stage != ENDED:
        await world.command(world.table.owner, {"do": "end"})
    for what in _ENDING:
        await look(world, chance, what)
    world.read_log()
    return evening


def _company(world: World, evening: Walk, number: int) -> tuple[str, dict[str, Any]]:
    """Somebody sits down, or a bot does; where nobody may look on, it is always a bot."""
    table = world.table
    if evening.bots and (table.settings.spectators == "none" or evening.chance.random() < 0.3):
        return table.owner, {"do": "seat_bot", "bot": evening.chance.choice(_bots_for(table))}
    return world.users[number + 1], {"do": "join"}


def _bots_for(table: Table) -> list[str]:
    return [bot.name for bot in bots() if bot.plays(catalogue.row(table.settings.game))]


async def send(world: World, evening: Walk) -> None:
    """Send what was said in a step."""
    asked, rings = evening.asked[:], evening.rings
    evening.asked.clear()
    evening.rings = 0
    for user, command in asked:
        if user in world.users:
            await world.command(user, command, evening.chance.random() < 0.6)
    if rings:
        deadline = due(world.table)
        late = 0.0 if deadline is None else max(0.0, deadline - world.clock.time)
        await world.ring(late)


async def look(world: World, chance: Random, what: str) -> None:
    """Somebody looks on, or asks what he should not."""
    user = chance.choice([*world.users, None])
    path = f"/api/tables/{world.table.id}"
    match what:
        case "view":
            await world.watch(user)
            await world.get(user, path)
        case "lobby" | "mine":
            await world.get(user, "/api/tables" + ("?mine=true" if what == "mine" else ""))
        case "metrics":
            await world.ask_for_metrics()
        case "check":
            action = _action(chance)
            await world.request(user, "POST", f"{path}/check", {"action": action})
            socket = world.sockets[user]
            if not socket.closed:
                await socket.ask(world.number(), kind="check", action=action)
        case "nonsense":
            await world.request(
                user, "POST", f"{path}/commands", {"id": world.number(), "command": chance.choice(_NONSENSE)}
            )
            turn = world.table.turn - (chance.random() < 0.3)
            await world.request(user, "POST", f"{path}/act", {"turn": turn, "action": _action(chance)})
        case "wrong turn":
            sitting = world.table.sitting
            waits = [] if sitting is None else [one for one in sitting.users if one != world.table.to_act]
            user = chance.choice([one for one in waits if one in world.users] or [user])
            await world.request(user, "POST", f"{path}/act", {"turn": world.table.turn, "action": _action(chance)})
        case _:
            await world.get(user, f"{path}/{what}")
    await world.settle()


def _action(chance: Random) -> str:
    cards = "".join(map(card_text, chance.sample(full_deck(1), chance.randrange(1, 4))))
    words = ["1x1", "9x9", "challenge", "count", "take", "pass", "claim pair 7", "declare pair A", "challenge 2", "as?"]
    return chance.choice([f"discard {cards}", *words])


async def found_in(evening: Walk) -> list[str]:
    """Every leak in what was told and stored in an evening; each begins with its channel."""
    world = evening.world
    assert world is not None
    found = [
        f"{one.channel} to {one.user} at {one.table.version} ({one.table.stage}): {what} in {one.text[:3000]}"
        for one in world.told
        for what in leaks(one, world.chance.seeds, covered_nonces(one.table, evening.nonces))
    ]
    rows = await world.rows("SELECT body FROM events WHERE table_id = :table_id")
    return [
        *found,
        *(f"stored: {one}" for row in rows for one in stored_leaks(world.table, row[0], world.chance.seeds)),
    ]


@st.composite
def recognisable_settings(draw: st.DrawFn) -> Settings:
    """Settings of any game whose hands are found in a text only where they stand."""
    return recognisable(draw(table_settings()))


def recognisable(settings: Settings) -> Settings:
    """The same settings with numbers that are long enough."""
    options = {
        name: value
        for name, value in settings.options.items()
        if name not in ("hand_size", "symbols") or (type(value) is int and value >= RECOGNISABLE)
    }
    return structs.replace(settings, options=options)
