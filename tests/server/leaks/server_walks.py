"""Random games on the real server: random commands over HTTP and sockets, with spectators."""

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
from liarspoker.tables.state import ENDED, WAITING, Table, next_deadline
from tests.server.leaks.search import covered_nonces, leaks, stored_leaks
from tests.server.leaks.server_world import World
from tests.tables.random_walks import STRANGER, USERS, RandomWalk, table_settings

RECOGNISABLE = 8
"""Shorter numbers, or numbers with fewer distinct digits, occur in any text."""

WATCHER = 4
"""The guest who never sits down."""

_ENDING = ("view", "records", "audit", "lobby", "mine", "metrics")
_LOOKS = (*_ENDING, "view", "check", "check", "nonsense", "wrong turn", "wrong turn")
"""What users request after the end of a table, and before."""

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
class ServerWalk(RandomWalk):
    """A random walk that only records its commands, so that they can be sent to a server."""

    world: World | None = None
    bots: bool = True
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    rings: int = 0

    def known_as(self, user: str) -> str:
        """Return the server's user id for a user of the walk."""
        assert self.world is not None
        if user in USERS:
            return self.world.users[USERS.index(user) % WATCHER]
        return self.world.users[WATCHER] if user == STRANGER else user

    def say(self, user: str, do: str, /, **fields: Any) -> bool:
        given = {
            "do": do,
            **{name: self.known_as(value) if name == "user" else value for name, value in fields.items()},
        }
        if do == "seat_bot":
            given["bot"] = self.chance.choice([*_bots_for(self.table), "nobody"] if self.bots else ["nobody"])
        if self.chance.random() < 0.1:
            given["version"] = self.table.version - (self.chance.random() < 0.5)
        self.asked.append((self.known_as(user), given))
        return False

    def ask(self, user: str, command: Command) -> bool:
        self.rings += 1
        return False

    def commit_nonce(self, user: str) -> str:
        nonce, place = self.chance.randbytes(16), self.table.chair_number(user)
        deal = 0 if self.table.ready_phase is None else self.table.ready_phase.deal
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
) -> ServerWalk:
    """Play a random game of at most `steps` steps, and end it.

    Args:
        world: the server.
        settings: settings of the table.
        seed: seed of all random numbers, of the server and the players.
        steps: maximum number of steps.
        bots: bots may join.
        until: the game ends early if this returns true.
    """
    chance = Random(seed)
    await world.make(world.users[0], to_builtins(settings), seed)
    played = ServerWalk(world.table, [], chance, world=world, bots=bots)
    for user in (*world.users, None):
        await world.watch(user)
    await world.stream(world.users[0], "/api/stream")
    await world.stream(world.users[1], f"/api/tables/{world.table.id}/stream")
    for number in range(steps):
        played.table, played.now = world.table, world.clock.time
        if world.table.stage == ENDED or until(world.table):
            break
        if world.table.stage == WAITING and number < 3:
            played.asked.append(_company(world, played, number))
        else:
            played.step()
        await send(world, played)
        await look(world, chance, chance.choice(_LOOKS))
        world.read_log()
    if world.table.stage != ENDED:
        await world.command(world.table.owner, {"do": "end"})
    for what in _ENDING:
        await look(world, chance, what)
    world.read_log()
    return played


def _company(world: World, played: ServerWalk, number: int) -> tuple[str, dict[str, Any]]:
    """Let a user or a bot join; if spectators aren't allowed, always a bot."""
    table = world.table
    if played.bots and (table.settings.spectators == "none" or played.chance.random() < 0.3):
        return table.owner, {"do": "seat_bot", "bot": played.chance.choice(_bots_for(table))}
    return world.users[number + 1], {"do": "join"}


def _bots_for(table: Table) -> list[str]:
    return [bot.name for bot in bots() if bot.plays(catalogue.preset(table.settings.game))]


async def send(world: World, played: ServerWalk) -> None:
    """Send the commands of a step."""
    asked, rings = played.asked[:], played.rings
    played.asked.clear()
    played.rings = 0
    for user, command in asked:
        if user in world.users:
            await world.command(user, command, played.chance.random() < 0.6)
    if rings:
        deadline = next_deadline(world.table)
        late = 0.0 if deadline is None else max(0.0, deadline - world.clock.time)
        await world.ring(late)


async def look(world: World, chance: Random, what: str) -> None:
    """Let a user view or request something, including what they aren't allowed to see."""
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


async def found_in(played: ServerWalk) -> list[str]:
    """Return every leak in the outputs and the stored log of a game; each starts with its channel."""
    world = played.world
    assert world is not None
    found = [
        f"{one.channel} to {one.user} at {one.table.version} ({one.table.stage}): {what} in {one.text[:3000]}"
        for one in world.outputs
        for what in leaks(one, world.chance.seeds, covered_nonces(one.table, played.nonces))
    ]
    rows = await world.rows("SELECT body FROM events WHERE table_id = :table_id")
    return [
        *found,
        *(f"stored: {one}" for row in rows for one in stored_leaks(world.table, row[0], world.chance.seeds)),
    ]


@st.composite
def recognisable_settings(draw: st.DrawFn) -> Settings:
    """Settings of any game whose hands don't occur in texts by chance."""
    return recognisable(draw(table_settings()))


def recognisable(settings: Settings) -> Settings:
    """Return the settings, with numbers that are long enough."""
    options = {
        name: value
        for name, value in settings.options.items()
        if name not in ("hand_size", "symbols") or (type(value) is int and value >= RECOGNISABLE)
    }
    return structs.replace(settings, options=options)
