"""Tables to which anything is said by anybody: random histories of commands, sensible and senseless ones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Self

from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import card_text
from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol.commands import KINDS, Command, Expire, Extend
from liarspoker.protocol.events import Event
from liarspoker.protocol.settings import AUDITS, SPECTATORS, Settings
from liarspoker.tables.decide import Asker, make, read_command
from liarspoker.tables.refused import Refused
from liarspoker.tables.rounds import may_name
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import ENDED, GATHERING, ROUND, WAITING, Table, due
from tests.tables.choices import some_action
from tests.tables.play import GAMES, TABLE, Played, hand_of

USERS = tuple(f"user-{number}" for number in range(6))
STRANGER = "stranger"
NAMES = ("Ann", "ann", "\N{CYRILLIC CAPITAL LETTER A}nn", "Bea", "CaI", "User-O", "Dan")
"""What people rename themselves to; some look like others, or like bots."""


@dataclass(frozen=True)
class Moment:
    """What was asked of a table, and what followed; `events` is empty where it was refused."""

    before: Table
    command: Command
    asker: Asker
    events: tuple[Event, ...]
    after: Table

    @property
    def user(self) -> str:
        return self.asker.user


@dataclass
class Stroll(Played):
    """A table to which things are said at random."""

    moments: list[Moment] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings, chance: Random) -> Self:
        """A table of these settings to which nothing has been said."""
        events, table = make(TABLE, settings, Asker(USERS[0], "User-0", 1000.0, chance.randbytes(32)))
        return cls(table, [events], chance)

    def asker(self, user: str) -> Asker:
        return replace(super().asker(user), name=self.names.get(user, user.title()))

    def ask(self, user: str, command: Command) -> bool:
        """Whether a command took effect; either way it is remembered."""
        before, asker = self.table, self.asker(user)
        try:
            events = self.decided(command, user)
        except Refused:
            events = ()
        self.moments.append(Moment(before, command, asker, events, self.table))
        return bool(events)

    def step(self) -> None:
        """One thing that somebody says, or time that passes."""
        if self.table.stage == ENDED:
            return
        self.now += self.chance.choice((0.0, 0.5, 3.0, 11.0))
        roll = self.chance.random()
        if roll < 0.65:
            self.help()
        elif roll < 0.7:
            self.ring()
        elif roll < 0.8:
            self.agree()
        elif roll < 0.87:
            self.come_or_go()
        else:
            self.blurt()

    def ring(self) -> None:
        """The clock says that time is up, or that it has been lost; rightly or wrongly."""
        deadline = due(self.table)
        if deadline is not None and self.chance.random() < 0.7:
            self.now = max(self.now, deadline)
        if self.chance.random() < 0.2:
            self.ask("", Extend(stopped=self.now - self.chance.randrange(50)))
        else:
            self.ask("", Expire(turn=self.table.turn - (self.chance.random() < 0.1)))

    def help(self) -> None:
        """Something that brings the table on."""
        table = self.table
        if table.paused is not None:
            self.say(table.owner, "resume")
        elif table.stage == WAITING:
            away = [chair.user for chair in table.people if chair.away]
            if away and self.chance.random() < 0.3:
                self.say(away[0], "sit_in")
            elif len(table.seated) > 1 and self.chance.random() < 0.5:
                self.say(table.owner, "start")
            else:
                self.say(self.chance.choice(USERS), "join")
        elif table.stage == ROUND:
            self.move()
        else:
            self.gather()

    def move(self) -> None:
        """The seat to act plays, or somebody else challenges where he may."""
        seated = () if self.table.sitting is None else self.table.sitting.users
        able = [user for user in seated if "legal" in hand_of(self.table, user)]
        user = self.chance.choice(able)
        legal = some_action(hand_of(self.table, user), self.chance)
        if self.chance.random() < 0.1:
            user = self.chance.choice(USERS)  # who mostly has no right to it
        self.say(user, "act", turn=self.table.turn, action=legal)

    def gather(self) -> None:
        """Somebody is ready, chooses or opens what he has promised."""
        table = self.table
        choosing = self.choosing()
        if len(table.users_of_next) < 2 and self.chance.random() < 0.8:
            if self.chance.random() < 0.5:
                self.say(self.chance.choice(USERS), "join")
            else:
                self.say(table.owner, "seat_bot", bot="bluffer")
        elif choosing is not None:
            self.say(str(choosing.user), "pick", choice=self.chance.choice(choosing.free))
        elif table.gathering is not None and table.gathering.opening:
            self.open_one()
        else:
            user = self.chance.choice([chair.user for chair in table.people])
            promised = {"nonce_commitment": self.promise(user)} if self.chance.random() < 0.3 else {}
            self.say(user, "ready", **promised)

    def open_one(self) -> None:
        """A nonce is opened; now and then nobody does before the time is up."""
        gathering = self.table.gathering
        assert gathering is not None
        told = [(user, one) for user, one in gathering.nonce_commitments.items() if user not in gathering.nonces]
        user, promise = self.chance.choice(told)
        if promise in self.nonces and self.chance.random() < 0.9:
            self.say(user, "open_nonce", nonce=self.nonces[promise].hex())
        else:
            self.ring()

    def agree(self) -> None:
        """Something is proposed that may be proposed, or a proposal is answered; or something is said of the round."""
        table, chance = self.table, self.chance
        if table.proposals and chance.random() < 0.8:
            proposal = chance.choice(table.proposals)
            user = chance.choice([*proposal.voters, proposal.by])
            self.say(user, "answer", proposal=proposal.number, yes=chance.random() < 0.8)
            return
        user = chance.choice([chair.user for chair in table.people])
        sitting = table.sitting
        match chance.randrange(5):
            case 0:
                self.say(user, "propose", kind="stake", value=chance.randrange(1, 9))
            case 1 if sitting is not None and sitting.mover is not None:
                self.say(sitting.users[sitting.mover], "propose", kind="undo")
            case 2:
                self.say(user, "propose", kind="remove", value=chance.choice(table.people).user)
            case 3:
                named = chance.choice([{"jokers": 1}, {"passes": 1, "take_top": True}, {"jokers": 7}])
                self.say(may_name(table) or user, "name", options=named)
            case _:
                self.say(user, "ask_numbers")

    def come_or_go(self) -> None:
        """Somebody leaves, comes back, is removed by all others, or is called something else from now on."""
        table, chance = self.table, self.chance
        match chance.randrange(4):
            case 0:
                self.names[chance.choice(USERS)] = chance.choice(NAMES)
            case 1:
                self.say(chance.choice(table.people).user, "leave")
            case 2:
                gone = [user for user in table.names if user in USERS and table.chair_of(user) is None]
                self.say(chance.choice(gone or USERS), "join")
            case _:
                users = [chair.user for chair in table.people]
                by, whom = chance.sample(users, 2) if len(users) > 1 else (users[0], users[0])
                self.say(by, "propose", kind="remove", value=whom)
                for user in users:
                    if self.table.proposals and self.table.stage != ENDED:
                        self.say(user, "answer", proposal=self.table.asked - 1, yes=True)

    def blurt(self) -> None:
        """Any command from anybody."""
        do = self.chance.choice([name for name in KINDS if name != "end" or self.chance.random() < 0.1])
        users = [*USERS, STRANGER, self.table.owner, *(chair.user for chair in self.table.people)]
        names = [name for name in KINDS[do].__struct_fields__ if name != "version" and self.chance.random() < 0.9]
        fields = {name: _MADE_UP[name](self) for name in names}
        with suppress(Refused):  # where something is missing, it is no command at all
            self.say(self.chance.choice(users), do, **fields)

    def say(self, user: str, do: str, /, **fields: Any) -> bool:
        given = {"do": do, **fields}
        if self.chance.random() < 0.1:
            given["version"] = self.table.version - (self.chance.random() < 0.5)
        return self.ask(user, read_command(given))

    def carry_on(self) -> bool:
        """Whether another round ends, or the table, when everybody does what is waited for."""
        goal = self.table.rounds_played + 1
        for _ in range(3000):
            if self.table.stage == ENDED or self.table.rounds_played >= goal:
                return True
            if self.table.stage == GATHERING and self.table.paused is None and due(self.table) and not self.ready_all():
                self.expire()
            else:
                self.help()
        return False

    def ready_all(self) -> bool:
        return any(self.say(chair.user, "ready") for chair in self.table.people)


def _other(stroll: Stroll) -> str:
    return stroll.chance.choice([*USERS, "bot:1", "nobody"])


def _value(stroll: Stroll) -> Any:
    return stroll.chance.choice([None, stroll.chance.randrange(1, 6), _other(stroll)])


def _action(stroll: Stroll) -> str:
    words = ["1x1", "2x6", "challenge", "count", "challenge 1", "discard -", "take", "pass", "claim pair 7", "nonsense"]
    cards = "".join(card_text(card) for card in stroll.chance.sample(range(52), stroll.chance.randrange(1, 3)))
    return stroll.chance.choice(["declare pair", "declare high 76432", f"discard {cards}", *words])


_MADE_UP: dict[str, Callable[[Stroll], Any]] = {
    "action": _action,
    "bot": lambda stroll: "bluffer",
    "chair": lambda stroll: stroll.chance.randrange(6),
    "choice": lambda stroll: stroll.chance.randrange(8),
    "kind": lambda stroll: stroll.chance.choice(["stake", "undo", "remove"]),
    "nonce": lambda stroll: stroll.chance.randbytes(16).hex(),
    "nonce_commitment": lambda stroll: stroll.chance.randbytes(32).hex(),
    "on": lambda stroll: stroll.chance.random() < 0.5,
    "options": lambda stroll: {stroll.chance.choice(["jokers", "passes", "order"]): stroll.chance.randrange(3)},
    "proposal": lambda stroll: max(0, stroll.table.asked - 1),
    "text": lambda stroll: stroll.chance.choice(["well", " ", "I have three sevens"]),
    "turn": lambda stroll: stroll.table.turn - (stroll.chance.random() < 0.2),
    "user": _other,
    "value": _value,
    "yes": lambda stroll: stroll.chance.random() < 0.8,
}
"""Of every field of a command, what somebody may say there."""


def table_settings() -> st.SearchStrategy[Settings]:
    """Settings that some table can have: any game, any of its options, with clocks and without."""
    return st.builds(settings_at_random, st.sampled_from(GAMES), st.integers(0, 2**32).map(Random))


def settings_at_random(game: str, chance: Random, **fixed: Any) -> Settings:
    """Settings with a clock or none; with some options changed where these go together."""
    infos = catalogue.load(game).option_infos
    some = chance.sample(infos, chance.randrange(len(infos) + 1)) if chance.random() < 0.6 else []
    given = {
        "game": game,
        "seats": chance.randrange(2, 7),
        "options": {info.name: chance.choice(list(info.choices)) for info in some},
        "from_slips": chance.choice([None, True, False]) if game in ("salomon-1986", "slips") else None,
        "clock": chance.choice([None, {"turn": 20, "bank": chance.choice([0, 30]), "ready": 15}]),
        "rounds": chance.choice([None, None, None, 1, 5]),
        "spectators": chance.choice(SPECTATORS),
        "audit": chance.choice(AUDITS),
        "choose": chance.random() < 0.3,
        **fixed,
    }
    try:
        return read_settings(given)
    except LiarsPokerError:
        return read_settings({**given, "options": {}, "from_slips": None})


def stroll_of(settings: Settings, seed: int, steps: int) -> Stroll:
    """A table of these settings after so many things have been said to it."""
    stroll = Stroll.of(settings, Random(seed))
    for _ in range(steps):
        stroll.step()
    return stroll


def strolls(most: int = 150) -> st.SearchStrategy[Stroll]:
    """Random tables with all that was ever said to them."""
    return st.builds(stroll_of, table_settings(), st.integers(0, 2**32), st.integers(0, most))
