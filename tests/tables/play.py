"""Tables played by random legal actions: helpers for the tests of tables."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
import pytest

from liarspoker.core import catalogue
from liarspoker.protocol.codec import encode
from liarspoker.protocol.commands import Announce, Command, Expire
from liarspoker.protocol.events import Event, Gathered
from liarspoker.protocol.frames import State
from liarspoker.tables.decide import CommandContext, decide, make, read_command
from liarspoker.tables.fair.deal import nonce_commitment
from liarspoker.tables.reducers import apply_entry, read_entry, write_entry
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import Sitting, Table, next_deadline
from liarspoker.tables.view import private, public
from tests.tables.choices import some_action

TABLE = "t" * 22


@dataclass
class Played:
    """A table with its log, clock and random numbers."""

    table: Table
    log: list[tuple[Event, ...]]
    chance: Random
    now: float = 1000.0
    nonces: dict[str, bytes] = field(default_factory=dict)
    """Nonces by their commitment, in hexadecimal."""
    seeds: dict[int, bytes] = field(default_factory=dict)
    """Seeds of all deals by number."""

    @property
    def sitting(self) -> Sitting:
        """The current sitting, which must exist."""
        assert self.table.sitting is not None
        return self.table.sitting

    @property
    def session(self) -> Any:
        """The current session."""
        return self.sitting.session

    def context(self, user: str) -> CommandContext:
        return CommandContext(user, user.title(), self.now, self.chance.randbytes(32))

    def do(self, user: str, do: str, /, **fields: Any) -> tuple[Event, ...]:
        """Send a command, which must be accepted."""
        return self.decided(read_command({"do": do, **fields}), user)

    def refused(self, user: str, do: str, /, **fields: Any) -> str:
        """Send a command, which must be refused, and return the code."""
        before = self.table
        with pytest.raises(Refused) as refusal:
            self.do(user, do, **fields)
        assert self.table is before
        return refusal.value.code

    def decided(self, command: Command, user: str) -> tuple[Event, ...]:
        context = self.context(user)
        events, self.table = decide(self.table, command, context)
        self.log.append(events)
        self.seeds |= {event.deal: context.seed for event in events if isinstance(event, Gathered)}
        return events

    def expire(self) -> tuple[Event, ...]:
        """Advance the clock to the next deadline, and let it expire."""
        deadline = next_deadline(self.table)
        assert deadline is not None
        self.now = max(self.now, deadline)
        return self.decided(Expire(turn=self.table.turn), "")

    def commit_nonce(self, user: str) -> str:
        """Commit `user` to a fresh nonce for the next deal; return the commitment in hexadecimal."""
        nonce, place = self.chance.randbytes(16), self.table.chair_number(user)
        assert place is not None
        deal = 0 if self.table.ready_phase is None else self.table.ready_phase.deal
        promise = nonce_commitment(nonce, TABLE, deal, place).hex()
        self.nonces[promise] = nonce
        return promise

    def open_nonces(self) -> None:
        """Open all committed nonces that are known."""
        while (ready_phase := self.table.ready_phase) is not None and ready_phase.opening:
            promised = ready_phase.nonce_commitments.items()
            left = [(user, told) for user, told in promised if user not in ready_phase.nonces and told in self.nonces]
            if not left:
                return
            user, told = left[0]
            self.do(user, "open_nonce", nonce=self.nonces[told].hex())

    def make_ready(self, with_nonces: bool = False) -> None:
        """Make all players ready, and let them choose and open nonces."""
        for chair in self.table.seated:
            ready_phase = self.table.ready_phase
            if ready_phase is None or chair.bot or chair.user in ready_phase.ready or chair.away:
                continue
            self.do(chair.user, "ready", **({"nonce_commitment": self.commit_nonce(chair.user)} if with_nonces else {}))
        while self.table.ready_phase is not None and (chooser := self.chooser()):
            self.do(chooser, "pick", choice=self.chance.choice(self.choosing().free))
        self.open_nonces()

    def chooser(self) -> str | None:
        choosing = self.choosing()
        return None if choosing is None else choosing.user

    def choosing(self) -> Any:
        view = public(self.table).gathering
        return None if view is None else view.choosing

    def action(self) -> tuple[str, str]:
        """Return the user to act and a random legal action from their view."""
        user = self.table.to_act
        assert user is not None
        return user, some_action(hand_of(self.table, user), self.chance)

    def act(self) -> None:
        user, action = self.action()
        self.do(user, "act", turn=self.table.turn, action=action)

    def play_round(self, with_nonces: bool = False) -> None:
        self.make_ready(with_nonces)
        self.play_out()

    def play_out(self) -> None:
        """Play the round to its end."""
        turns = 0
        while self.table.stage == "round":
            self.act()
            turns += 1
            assert turns < 2000


def as_json(message: object) -> Any:
    """Encode and decode a message, as a client gets it."""
    return json.loads(encode(message))


def state_of(played: Played, user: str | None) -> State:
    """Return the complete view of `user`."""
    you = None if user is None else private(played.table, user)
    return State(version=played.table.version, now=played.now, public=public(played.table), you=you)


def with_more(view: Any, **more: Any) -> Any:
    """Return a view with additional fields: a deliberate leak."""
    kind = msgspec.defstruct(type(view).__name__, [(name, Any) for name in more], bases=(type(view),), kw_only=True)
    return kind(**{name: getattr(view, name) for name in view.__struct_fields__}, **more)


def hand_of(table: Table, user: str) -> Any:
    """Return the hand of `user` as JSON; empty if they don't play."""
    return as_json(private(table, user)).get("hand", {})


def new_table(game: str, users: int = 3, seed: int = 0, start: bool = True, **settings: Any) -> Played:
    """Create a table of `game` with this number of people; `user-0` is the owner."""
    chance = Random(seed)
    given = {"game": game, "seats": max(users, 2), **settings}
    owner = CommandContext("user-0", "User-0", 1000.0, chance.randbytes(32))
    events, table = make(TABLE, read_settings(given), owner)
    played = Played(table, [events], chance)
    for number in range(1, users):
        played.do(f"user-{number}", "join")
    if start:
        played.do("user-0", "start")
    return played


def rematch_of(played: Played, user: str) -> Played:
    """Let `user` open a rematch of a table that has ended, and announce it there."""
    context = played.context(user)
    events, table = make(TABLE, played.table.settings, context, played.table)
    again = Played(table, [events], played.chance, played.now)
    again.seeds = {event.deal: context.seed for event in events if isinstance(event, Gathered)}
    played.decided(Announce(table=TABLE), user)
    return again


def in_round(game: str = "dollar-bill", users: int = 3, seed: int = 7, **settings: Any) -> Played:
    """Create a table where a round has been dealt."""
    played = new_table(game, users, seed, **settings)
    played.make_ready()
    return played


def written(log: list[tuple[Event, ...]]) -> list[str]:
    """Return the stored log entries, without seeds."""
    return [write_entry(entry) for entry in log]


def replayed(played: Played) -> Table:
    """Return the table rebuilt from its stored log."""
    table = None
    for text in written(played.log):
        table = apply_entry(table, read_entry(text), played.seeds.__getitem__)
    assert table is not None
    return table


GAMES = tuple(row.id for row in catalogue.games())
