"""One table to which people send commands more than once, out of order, too late, and under each other's ids."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from random import Random
from typing import Any

from liarspoker.server.tables.actor import Answer, TableActor, read_log
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables.decide import read_command
from liarspoker.tables.state import GATHERING, ROUND, WAITING
from tests.server.registries import opened
from tests.tables.play import GAMES, hand_of, some_action

USERS = ("user-0", "user-1", "user-2")
STRANGER = "user-9"

Fields = dict[str, Any]
Sent = tuple[str, str, Fields]
"""Who has sent what, under which id."""


class History:
    """What happens at one table, drawn from `seed`; only the deals are the server's own.

    Attributes:
        sent: every command with its sender and its id, in order.
        answers: the answer to each id of each user.
        effects: the commands that took effect, as they were when they did.
    """

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.game = self.chance.choice(GAMES)
        self.table = ""
        self.sent: list[Sent] = []
        self.held: list[Sent] = []
        self.answers: dict[tuple[str, str], Answer] = {}
        self.effects: dict[tuple[str, str], Fields] = {}
        self.forgotten: set[tuple[str, str]] = set()

    async def begin(self, registry: TableRegistry) -> None:
        self.table = (await opened(registry, len(USERS), game=self.game)).table.id

    def forget(self) -> None:
        """From now on the table may judge anew what it refused: it was not in memory all the time."""
        self.forgotten = {asked for asked, answer in self.answers.items() if not answer.ok}

    async def step(self, registry: TableRegistry) -> None:
        """Something that a person, a bad connection or a liar does."""
        actor = await registry.table(self.table)
        roll = self.chance.random()
        if roll < 0.45 or not self.sent:
            await self._send(registry, self._fresh(actor))
        else:
            does: Callable[[TableRegistry, TableActor], Any] = self.chance.choice(
                (self._twice, self._again, self._crossed, self._hold, self._old, self._forged, self._reused)
            )
            await does(registry, actor)

    async def _send(self, registry: TableRegistry, sent: Sent) -> Answer:
        """The answer to a command; it is what this id was told before, if it was told anything."""
        user, command_id, fields = sent
        asked = user, command_id
        self.sent.append(sent)
        answer = await (await registry.table(self.table)).ask(user, user.title(), command_id, read_command(fields))
        known = self.answers.get(asked)
        if known is None or (asked in self.forgotten and not known.ok):
            self.answers[asked] = answer
            self.forgotten.discard(asked)
            if answer.ok:
                self.effects[asked] = fields
        else:
            assert answer == known, f"{sent}: {answer} after {known}"
        return answer

    def _fresh(self, actor: TableActor) -> Sent:
        user, fields = self._sensible(actor) if self.chance.random() < 0.75 else self._any_time(actor)
        return user, f"c{len(self.sent)}/{self.chance.randrange(10**6)}", fields

    def _sensible(self, actor: TableActor) -> tuple[str, Fields]:
        table = actor.table
        if table.stage == WAITING:
            return table.owner, {"do": "start"}
        if table.stage == GATHERING:
            return self.chance.choice(USERS), {"do": "ready"}
        user = table.to_act
        if table.stage != ROUND or user is None:
            return self._any_time(actor)
        action = some_action(hand_of(table, user), self.chance)
        return user, {"do": "act", "turn": table.turn, "action": action}

    def _any_time(self, actor: TableActor) -> tuple[str, Fields]:
        fields: Fields = self.chance.choice(
            (
                {"do": "say", "text": f"line {len(self.sent)}"},
                {"do": "sit_out"},
                {"do": "sit_in"},
                {"do": "propose", "kind": "undo"},
                {"do": "propose", "kind": "stake", "value": 3},
                {"do": "answer", "proposal": max(0, actor.table.asked - 1), "yes": True},
            )
        )
        return self.chance.choice((*USERS, STRANGER)), fields

    async def _twice(self, registry: TableRegistry, actor: TableActor) -> None:
        """The same command on two sockets at once."""
        sent = self._fresh(actor)
        first, second = await asyncio.gather(self._send(registry, sent), self._send(registry, sent))
        assert first == second

    async def _again(self, registry: TableRegistry, actor: TableActor) -> None:
        await self._send(registry, self.chance.choice(self.sent))

    async def _crossed(self, registry: TableRegistry, actor: TableActor) -> None:
        """Commands that were meant for the same state arrive at once; at most one of those to act takes effect."""
        sent = [self._fresh(actor) for _ in range(3)]
        self.chance.shuffle(sent)
        sent = [(user, f"{command_id}-{number}", fields) for number, (user, command_id, fields) in enumerate(sent)]
        answers = await asyncio.gather(*(self._send(registry, one) for one in sent))
        done = [answer for answer in answers if answer.ok]
        assert len({answer.version for answer in done}) == len(done)
        acted = [one for one, answer in zip(sent, answers, strict=True) if answer.ok and one[2]["do"] == "act"]
        assert len(acted) <= 1

    async def _hold(self, registry: TableRegistry, actor: TableActor) -> None:
        """A command that comes late: it overtakes nothing, others overtake it."""
        if self.held and self.chance.random() < 0.6:
            await self._send(registry, self.held.pop())
        else:
            user, command_id, fields = self._fresh(actor)
            self.held.append((user, f"held-{command_id}", fields))

    async def _old(self, registry: TableRegistry, actor: TableActor) -> None:
        """A new command that was meant for an older state."""
        user, command_id, fields = self._fresh(actor)
        key = self.chance.choice(("turn", "version")) if fields["do"] == "act" else "version"
        now = actor.table.turn if key == "turn" else actor.table.version
        answer = await self._send(registry, (user, command_id, {**fields, key: self.chance.randrange(now)}))
        assert answer.code == "stale", answer

    async def _forged(self, registry: TableRegistry, actor: TableActor) -> None:
        """What somebody has sent comes from another, with the same id: it is another command."""
        user, command_id, fields = self.chance.choice(self.sent)
        other = self.chance.choice([other for other in (*USERS, STRANGER) if other != user])
        before, known = actor.table, (other, command_id) in self.answers
        answer = await self._send(registry, (other, command_id, fields))
        if not known and self.effects.get((user, command_id)) == fields and fields["do"] in ("act", "start"):
            assert not answer.ok
            assert actor.table is before

    async def _reused(self, registry: TableRegistry, actor: TableActor) -> None:
        """Another command under an id that was used before."""
        user, command_id, _ = self.chance.choice(self.sent)
        _, fields = self._sensible(actor)
        await self._send(registry, (user, command_id, fields))

    async def check(self, registry: TableRegistry) -> None:
        """See that the log holds each command that took effect once and as it was sent, and tells the table."""
        stored = await registry.storage.log(self.table)
        assert [entry.version for entry in stored.entries] == list(range(1, len(stored.entries) + 1))
        made = [(entry.command_id, entry.version) for entry in stored.entries if entry.command_id is not None]
        told = [(f"{user}/{known}", answer.version) for (user, known), answer in self.answers.items() if answer.ok]
        assert sorted(made) == sorted(told)
        turns = [fields["turn"] for fields in self.effects.values() if fields["do"] == "act"]
        assert len(turns) == len(set(turns)), "two actions in one turn"
        doings = {entry.command_id: json.loads(entry.body)["events"] for entry in stored.entries}
        for (user, command_id), fields in self.effects.items():
            first = doings[f"{user}/{command_id}"][0]
            assert first.get("user", user) == user
            assert fields["do"] != "say" or (first["e"], first["text"]) == ("Said", fields["text"])
            assert fields["do"] != "act" or first["e"] == "Acted"
        table, _ = read_log(stored)
        assert table == (await registry.table(self.table)).table
        assert sum(table.units.values()) == 0
