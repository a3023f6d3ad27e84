"""A table played by people who choose at random among what their views allow: what the tests of tables share."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
import pytest

from liarspoker.core import catalogue
from liarspoker.protocol.codec import encode
from liarspoker.protocol.commands import Command, Expire
from liarspoker.protocol.events import Event, Gathered
from liarspoker.protocol.frames import State
from liarspoker.tables.decide import Asker, decide, make, read_command
from liarspoker.tables.fair.deal import nonce_commitment
from liarspoker.tables.fold import fold_entry, read_entry, write_entry
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import Sitting, Table, due
from liarspoker.tables.view import private, public
from tests.tables.choices import some_action

TABLE = "t" * 22


@dataclass
class Played:
    """A table, its log, and the clock and chance that it runs on."""

    table: Table
    log: list[tuple[Event, ...]]
    chance: Random
    now: float = 1000.0
    nonces: dict[str, bytes] = field(default_factory=dict)
    """What was promised, by the promise."""
    seeds: dict[int, bytes] = field(default_factory=dict)
    """Of every deal that has been made ready, by its number."""

    @property
    def sitting(self) -> Sitting:
        """Where people have been dealt to."""
        assert self.table.sitting is not None
        return self.table.sitting

    @property
    def session(self) -> Any:
        """The session that is played."""
        return self.sitting.session

    def asker(self, user: str) -> Asker:
        return Asker(user, user.title(), self.now, self.chance.randbytes(32))

    def do(self, user: str, do: str, /, **fields: Any) -> tuple[Event, ...]:
        """Send a command; it must not be refused."""
        return self.decided(read_command({"do": do, **fields}), user)

    def refused(self, user: str, do: str, /, **fields: Any) -> str:
        """Send a command that must be refused; the code says why."""
        before = self.table
        with pytest.raises(Refused) as refusal:
            self.do(user, do, **fields)
        assert self.table is before
        return refusal.value.code

    def decided(self, command: Command, user: str) -> tuple[Event, ...]:
        asker = self.asker(user)
        events, self.table = decide(self.table, command, asker)
        self.log.append(events)
        self.seeds |= {event.deal: asker.seed for event in events if isinstance(event, Gathered)}
        return events

    def expire(self) -> tuple[Event, ...]:
        """Let the time pass until something happens by itself."""
        deadline = due(self.table)
        assert deadline is not None
        self.now = max(self.now, deadline)
        return self.decided(Expire(turn=self.table.turn), "")

    def promise(self, user: str) -> str:
        """A commitment of `user` to a fresh nonce for the next deal, in hexadecimal digits."""
        nonce, place = self.chance.randbytes(16), self.table.place_of(user)
        assert place is not None
        deal = 0 if self.table.gathering is None else self.table.gathering.deal
        promise = nonce_commitment(nonce, TABLE, deal, place).hex()
        self.nonces[promise] = nonce
        return promise

    def open_nonces(self) -> None:
        """Everybody opens the nonce to which he is committed, if he has one."""
        while (gathering := self.table.gathering) is not None and gathering.opening:
            promised = gathering.nonce_commitments.items()
            left = [(user, told) for user, told in promised if user not in gathering.nonces and told in self.nonces]
            if not left:
                return
            user, told = left[0]
            self.do(user, "open_nonce", nonce=self.nonces[told].hex())

    def make_ready(self, with_nonces: bool = False) -> None:
        """Everybody who plays asks for the next round."""
        for chair in self.table.seated:
            gathering = self.table.gathering
            if gathering is None or chair.bot or chair.user in gathering.ready or chair.away:
                continue
            self.do(chair.user, "ready", **({"nonce_commitment": self.promise(chair.user)} if with_nonces else {}))
        while self.table.gathering is not None and (chooser := self.chooser()):
            self.do(chooser, "pick", choice=self.chance.choice(self.choosing().free))
        self.open_nonces()

    def chooser(self) -> str | None:
        choosing = self.choosing()
        return None if choosing is None else choosing.user

    def choosing(self) -> Any:
        gathering = public(self.table).gathering
        return None if gathering is None else gathering.choosing

    def action(self) -> tuple[str, str]:
        """Something legal that the seat to act may do, from its own view: the user and the action."""
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
    """The message as a client reads it."""
    return json.loads(encode(message))


def state_of(played: Played, user: str | None) -> State:
    """The whole view of `user`."""
    you = None if user is None else private(played.table, user)
    return State(version=played.table.version, now=played.now, public=public(played.table), you=you)


def with_more(view: Any, **more: Any) -> Any:
    """The same view with fields that it must not have: a leak made on purpose."""
    kind = msgspec.defstruct(type(view).__name__, [(name, Any) for name in more], bases=(type(view),), kw_only=True)
    return kind(**{name: getattr(view, name) for name in view.__struct_fields__}, **more)


def hand_of(table: Table, user: str) -> Any:
    """What `user` holds and may do, as the table tells them; empty for somebody who doesn't play."""
    return as_json(private(table, user)).get("hand", {})


def new_table(game: str, users: int = 3, seed: int = 0, start: bool = True, **settings: Any) -> Played:
    """A table of `game` with so many people, user-0 its owner."""
    chance = Random(seed)
    given = {"game": game, "seats": max(users, 2), **settings}
    owner = Asker("user-0", "User-0", 1000.0, chance.randbytes(32))
    events, table = make(TABLE, read_settings(given), owner)
    played = Played(table, [events], chance)
    for number in range(1, users):
        played.do(f"user-{number}", "join")
    if start:
        played.do("user-0", "start")
    return played


def in_round(game: str = "dollar-bill", users: int = 3, seed: int = 7, **settings: Any) -> Played:
    """A table whose people have been dealt to."""
    played = new_table(game, users, seed, **settings)
    played.make_ready()
    return played


def written(log: list[tuple[Event, ...]]) -> list[str]:
    """The log as it is stored, without its seeds."""
    return [write_entry(entry) for entry in log]


def replayed(played: Played) -> Table:
    """The table that comes out of the stored log."""
    table = None
    for text in written(played.log):
        table = fold_entry(table, read_entry(text), played.seeds.__getitem__)
    assert table is not None
    return table


GAMES = tuple(row.id for row in catalogue.games())
