"""Reactions: who may show one, who sees it, how long, and that nothing of it is stored."""

from __future__ import annotations

from functools import partial

import pytest

from liarspoker.protocol.commands import REACTIONS, Mute, React
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.views import REACTION_SECONDS, Watcher
from liarspoker.tables.refused import Refused
from tests.server.inprocess import Running
from tests.server.registries import Lives, opened, say, settled
from tests.server.test_presence import Spectator


def shown(actor: TableActor, user: str | None) -> dict[str, str]:
    return {one.user: one.reaction for one in actor.reactions_for(user).message.reactions}


async def test_everyone_sees_a_reaction_for_a_few_seconds(lives: Lives, registry: TableRegistry) -> None:
    actor = await opened(registry)
    other, spectator = Spectator(actor, "user-1"), Spectator(actor)
    version = actor.table.version
    for reaction in REACTIONS:
        assert actor.react("user-0", "react", React(reaction=reaction)).ok
    await settled()
    for watcher in (other, spectator):
        last = watcher.of("reactions")[-1]["reactions"]
        assert [(one["user"], one["reaction"]) for one in last] == [("user-0", REACTIONS[-1])]
    late = Watcher(None, behind=False)
    actor.watch(late)
    assert any("reactions" in message.text for message in late.take())
    await lives.pass_time(REACTION_SECONDS / 2)
    actor.react("user-1", "react", React(reaction="ouch"))
    await lives.pass_time(REACTION_SECONDS / 2)
    assert [one["user"] for one in spectator.of("reactions")[-1]["reactions"]] == ["user-1"]
    await lives.pass_time(REACTION_SECONDS / 2)
    assert spectator.of("reactions")[-1]["reactions"] == []
    assert actor.table.version == version


async def test_reactions_are_muted_with_the_chat(registry: TableRegistry) -> None:
    actor = await opened(registry, spectators="behind")
    actor.react("user-0", "react", React(reaction="wow"))
    assert shown(actor, "user-1") == shown(actor, None) == {"user-0": "wow"}
    await actor.ask("user-1", "User 1", None, Mute(user="user-0", on=True))
    assert (shown(actor, "user-1"), shown(actor, None)) == ({}, {"user-0": "wow"})
    await say(actor, "user-0", do="start")
    await say(actor, "user-1", do="ready")
    assert actor.table.stage == "round"
    assert (shown(actor, "user-0"), shown(actor, None)) == ({"user-0": "wow"}, {})
    await say(actor, "user-0", do="chat", on=False)
    assert shown(actor, "user-0") == {}
    with pytest.raises(Refused, match="chat is turned off"):
        actor.react("user-0", "react", React(reaction="wow"))


async def test_only_players_react(registry: TableRegistry) -> None:
    actor = await opened(registry)
    with pytest.raises(Refused, match="aren't seated"):
        actor.react("stranger", "react", React(reaction="wow"))
    with pytest.raises(Refused, match="is at version"):
        actor.react("user-0", "react", React(reaction="wow", version=1))
    await say(actor, "user-0", do="end")
    with pytest.raises(Refused, match="closed"):
        actor.react("user-0", "react", React(reaction="wow"))


def test_reactions_do_not_survive_a_move(lives: Lives) -> None:
    async def react(registry: TableRegistry) -> str:
        actor = await opened(registry)
        actor.react("user-0", "react", React(reaction="wow"))
        return actor.table.id

    table = lives.live(react, kill=True)

    async def look(registry: TableRegistry) -> dict[str, str]:
        return shown(await registry.table(table), None)

    assert lives.live(look) == {}


def test_a_repeated_reaction_takes_effect_once(server: Running) -> None:
    ann, table = server.hosted()
    send = partial(ann.post, f"/api/tables/{table}/commands")
    first = send({"id": "once", "command": {"do": "react", "reaction": "nice"}}).json()
    assert first["ok"]
    assert ann.ask(table, do="say", text="hello")["version"] == first["version"] + 1
    for again in ({"do": "react", "reaction": "nice"}, {"do": "say", "text": "hello again"}):
        assert send({"id": "once", "command": again}).json() == first
    assert ann.view(table)["version"] == first["version"] + 1
