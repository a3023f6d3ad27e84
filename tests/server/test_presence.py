"""Presence updates: who watches, how many messages it takes, and unloading tables without watchers."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from liarspoker.server.storage.leases import HEARTBEAT_SECONDS
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.running import IDLE_SECONDS
from liarspoker.server.tables.views import MOST_USERS, PRESENCE_SECONDS, Watcher
from liarspoker.tables.decide import read_command
from tests.server.registries import Lives, opened, say, until

MANY = 100


class Spectator:
    """A watcher whose client reads immediately."""

    def __init__(self, actor: TableActor, user: str | None = None) -> None:
        self.actor = actor
        self.watcher = Watcher(user, behind=False)
        self.received: list[dict[str, Any]] = []
        self._reading = asyncio.create_task(self._read())
        actor.watch(self.watcher)

    async def _read(self) -> None:
        while messages := await self.watcher.next():
            self.received += (json.loads(message.text) for message in messages)

    def leave(self) -> None:
        self.actor.unwatch(self.watcher)
        self.watcher.close("gone")

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.received if one["kind"] == kind]

    @property
    def presence(self) -> dict[str, Any]:
        return self.of("presence")[-1]


async def a_while() -> None:
    for _ in range(4):
        await asyncio.sleep(0)


async def test_presence_updates_are_rate_limited(lives: Lives, registry: TableRegistry) -> None:
    actor = await opened(registry)
    player = Spectator(actor, "user-0")
    spectators = []
    for _ in range(MANY):
        spectators.append(Spectator(actor))
        await a_while()
    await lives.pass_time(PRESENCE_SECONDS)
    assert player.presence["watchers"] == spectators[0].presence["watchers"] == MANY + 1
    for spectator in spectators:
        spectator.leave()
        await a_while()
    await lives.pass_time(PRESENCE_SECONDS)
    assert player.presence == {"kind": "presence", "users": ["user-0"], "watchers": 1}
    assert len(player.of("presence")) <= 4
    assert sum(len(spectator.of("presence")) for spectator in spectators) <= 3 * MANY
    player.leave()


async def test_the_first_presence_change_is_sent_immediately(lives: Lives, registry: TableRegistry) -> None:
    actor = await opened(registry)
    ann = Spectator(actor, "user-0")
    await lives.pass_time(PRESENCE_SECONDS)
    bob = Spectator(actor, "user-1")
    await a_while()
    assert ann.presence == bob.presence == {"kind": "presence", "users": ["user-0", "user-1"], "watchers": 2}
    bob.leave()
    await a_while()
    assert ann.presence["watchers"] == 2
    await lives.pass_time(PRESENCE_SECONDS)
    assert ann.presence == {"kind": "presence", "users": ["user-0"], "watchers": 1}


async def test_a_new_watcher_gets_the_presence_immediately(registry: TableRegistry) -> None:
    actor = await opened(registry)
    Spectator(actor, "user-0")
    Spectator(actor, "user-1")
    late = Spectator(actor)
    await a_while()
    assert late.presence == {"kind": "presence", "users": ["user-0", "user-1"], "watchers": 3}


async def test_short_visits_are_not_reported(lives: Lives, registry: TableRegistry) -> None:
    actor = await opened(registry)
    ann = Spectator(actor, "user-0")
    await a_while()
    Spectator(actor, "user-1").leave()
    await lives.pass_time(PRESENCE_SECONDS)
    assert len(ann.of("presence")) == 1


async def test_with_many_users_presence_lists_only_seated_ones(lives: Lives, registry: TableRegistry) -> None:
    actor = await opened(registry, seats=3)
    ann = Spectator(actor, "user-0")
    others = [Spectator(actor, f"spectator-{number:02}") for number in range(MOST_USERS)]
    await lives.pass_time(PRESENCE_SECONDS)
    assert ann.presence == {"kind": "presence", "users": ["user-0"], "watchers": MOST_USERS + 1}
    assert (await say(actor, "spectator-07", do="join")).ok
    await a_while()
    assert ann.presence["users"] == ["spectator-07", "user-0"]
    others[0].leave()
    await lives.pass_time(PRESENCE_SECONDS)
    assert len(ann.presence["users"]) == ann.presence["watchers"] == MOST_USERS


async def test_a_chat_message_is_encoded_once_for_all_readers(registry: TableRegistry) -> None:
    actor = await opened(registry)
    everybody = [Spectator(actor, f"spectator-{number}") for number in range(3)] + [Spectator(actor)]
    deaf = Spectator(actor, "user-0")
    mute = read_command({"do": "mute", "user": "user-1", "on": True})
    assert (await actor.ask("user-0", "User 0", None, mute)).ok
    assert (await say(actor, "user-1", do="say", text="hello")).ok
    texts = {actor.chat_for(spectator.watcher.user) for spectator in everybody}
    assert len(set(map(id, texts))) == 1
    await a_while()
    assert all(spectator.of("chat")[-1]["lines"] for spectator in everybody)
    assert not deaf.of("chat")[-1]["lines"]


async def test_an_idle_table_is_unloaded_and_reloaded_unchanged(lives: Lives, registry: TableRegistry) -> None:
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
    again = await registry.table(idle.table.id)
    assert again is not idle
    assert again.table == idle.table
    assert (await say(again, "user-1", do="ready")).ok
