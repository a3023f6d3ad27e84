"""Commands that are repeated, late, concurrent or forged take effect once, and an id always gets the same answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from liarspoker.server.tables.actor import Answer, TableActor
from liarspoker.server.tables.log_reading import read_log
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.running import IDLE_SECONDS
from liarspoker.tables.decide import read_command
from liarspoker.tables.state import READY_PHASE, ROUND, WAITING
from tests.effort import effort
from tests.server.inprocess import with_empty_database
from tests.server.registries import Lives, opened, until
from tests.tables.choices import some_action
from tests.tables.play import GAMES, hand_of

HISTORIES = effort(100, quick=40, soak=100_000)
AT_ONCE = 50
STEPS = 8
USERS = ("user-0", "user-1", "user-2")
STRANGER = "user-9"

Fields = dict[str, Any]
Sent = tuple[str, str, Fields]
"""The sender and id of each command."""


class History:
    """Random events at one table, from `seed`; only the deals come from the server.

    Attributes:
        sent: all commands with sender and id, in order.
        held: commands that will be sent late.
        answers: the answers by user and id.
        effects: the commands that took effect, as they were sent then.
        forgotten: commands that may be decided again, because the table was unloaded.
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
        self._numbers = count()

    async def begin(self, registry: TableRegistry) -> None:
        self.table = (await opened(registry, len(USERS), game=self.game)).table.id

    async def some_steps(self, registry: TableRegistry) -> None:
        """What users, bad connections and attackers do, often at once."""
        for _ in range(STEPS):
            sent = self._next(await registry.table(self.table))
            await asyncio.gather(*(self._send(registry, one) for one in sent))

    async def after_a_rest(self, registry: TableRegistry) -> None:
        """Continue after the table was unloaded."""
        self.forgotten = {asked for asked, answer in self.answers.items() if not answer.ok}
        await self.some_steps(registry)

    def _next(self, actor: TableActor) -> list[Sent]:
        """Send some concurrent commands."""
        fresh, chance = self._fresh(actor), self.chance
        if chance.random() < 0.45 or not self.sent:
            return [fresh]
        user, command_id, fields = chance.choice(self.sent)
        match chance.randrange(6):
            case 0:  # on two sockets at once
                return [fresh, fresh]
            case 1:  # concurrent: all meant for the same state
                return [fresh, self._fresh(actor), self._fresh(actor)]
            case 2:  # late: it is overtaken by others
                self.held.append(fresh)
                return [self.held.pop(chance.randrange(len(self.held)))]
            case 3:  # forged: another user's command with the same id
                return [(chance.choice([other for other in (*USERS, STRANGER) if other != user]), command_id, fields)]
            case 4:  # another command with an id that was used before
                return [(user, command_id, fresh[2])]
        return [(user, command_id, fields)]

    def _fresh(self, actor: TableActor) -> Sent:
        user, fields = self._sensible(actor) if self.chance.random() < 0.75 else self._any_time(actor)
        return user, f"c{next(self._numbers)}", fields

    def _sensible(self, actor: TableActor) -> tuple[str, Fields]:
        table = actor.table
        if table.stage == WAITING:
            return table.owner, {"do": "start"}
        if table.stage == READY_PHASE:
            return self.chance.choice(USERS), {"do": "ready"}
        user = table.to_act
        if table.stage != ROUND or user is None:
            return self._any_time(actor)
        action = some_action(hand_of(table, user), self.chance)
        return user, {"do": "act", "turn": table.turn, "action": action}

    def _any_time(self, actor: TableActor) -> tuple[str, Fields]:
        fields: tuple[Fields, ...] = (
            {"do": "say", "text": f"line {len(self.sent)}"},
            {"do": "sit_out"},
            {"do": "sit_in"},
            {"do": "propose", "kind": "undo"},
            {"do": "propose", "kind": "stake", "value": 3},
            {"do": "answer", "proposal": max(0, actor.table.proposal_count - 1), "yes": True},
        )
        return self.chance.choice((*USERS, STRANGER)), self.chance.choice(fields)

    async def _send(self, registry: TableRegistry, sent: Sent) -> Answer:
        """Return the answer to a command; check that a repeated id gets the same answer."""
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

    async def check(self, registry: TableRegistry) -> None:
        """Check that the log contains each effective command once, as it was sent, and that it reproduces the table."""
        stored = await registry.storage.log(self.table)
        assert [entry.version for entry in stored.entries] == list(range(1, len(stored.entries) + 1))
        made = [(entry.command_id, entry.version) for entry in stored.entries if entry.command_id is not None]
        told = [(f"{user}/{known}", answer.version) for (user, known), answer in self.answers.items() if answer.ok]
        assert sorted(made) == sorted(told)
        turns = [fields["turn"] for fields in self.effects.values() if fields["do"] == "act"]
        assert len(turns) == len(set(turns)), "two actions in one turn"
        effects_by_id = {entry.command_id: json.loads(entry.body)["events"] for entry in stored.entries}
        for (user, command_id), fields in self.effects.items():
            first = effects_by_id[f"{user}/{command_id}"][0]
            assert first.get("user", user) == user
            assert fields["do"] != "say" or (first["e"], first["text"]) == ("Said", fields["text"])
            assert fields["do"] != "act" or first["e"] == "Acted"
        table = read_log(stored).table
        assert table == (await registry.table(self.table)).table
        assert sum(table.units.values()) == 0


@pytest.mark.soak
def test_repeated_late_and_forged_commands_take_effect_at_most_once(tmp_path: Path) -> None:
    for first in range(0, HISTORIES, AT_ONCE):
        histories = [History(seed) for seed in range(first, min(first + AT_ONCE, HISTORIES))]
        lives = Lives(with_empty_database(tmp_path / str(first)))
        _live_through(lives, histories, first, kill=bool(first // AT_ONCE % 2))


def _live_through(lives: Lives, histories: Sequence[History], first: int, kill: bool) -> None:
    """Run two registries in sequence; during the first one, all tables are unloaded for a while."""

    async def together(
        registry: TableRegistry, part: Callable[[History, TableRegistry], Coroutine[None, None, None]]
    ) -> None:
        async def one(seed: int, history: History) -> None:
            try:
                await part(history, registry)
            except BaseException as error:
                error.add_note(f"history {seed} of {history.game}, where the last was {history.sent[-8:]}")
                raise

        await asyncio.gather(*(one(seed, history) for seed, history in enumerate(histories, first)))

    async def first_life(registry: TableRegistry) -> None:
        await together(registry, History.begin)
        await together(registry, History.some_steps)
        actors = [await registry.table(history.table) for history in histories]
        lives.clock.time += IDLE_SECONDS + 1
        await until(lambda: all(actor.gone for actor in actors))
        await together(registry, History.after_a_rest)

    async def second_life(registry: TableRegistry) -> None:
        await together(registry, History.after_a_rest)
        await together(registry, History.check)

    lives.live(first_life, kill=kill)
    lives.live(second_life)
