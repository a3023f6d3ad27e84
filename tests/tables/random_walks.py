"""Random walks: tables that receive random commands, legal and illegal, from random users."""

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
from liarspoker.tables.decide import CommandContext, make, read_command
from liarspoker.tables.refused import Refused
from liarspoker.tables.rounds import naming_user
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import ENDED, READY_PHASE, ROUND, WAITING, Table, next_deadline
from tests.tables.choices import some_action
from tests.tables.play import GAMES, TABLE, Played, hand_of

USERS = tuple(f"user-{number}" for number in range(6))
STRANGER = "stranger"
NAMES = ("Ann", "ann", "\N{CYRILLIC CAPITAL LETTER A}nn", "Bea", "CaI", "User-O", "Dan")
"""Names for renaming users; some look like others, or like names of bots."""


@dataclass(frozen=True)
class Moment:
    """A command and its outcome; `events` is empty if it was refused."""

    before: Table
    command: Command
    context: CommandContext
    events: tuple[Event, ...]
    after: Table

    @property
    def user(self) -> str:
        return self.context.user


@dataclass
class RandomWalk(Played):
    """A table that receives random commands."""

    moments: list[Moment] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings, chance: Random) -> Self:
        """Create a table with these settings, before any command."""
        events, table = make(TABLE, settings, CommandContext(USERS[0], "User-0", 1000.0, chance.randbytes(32)))
        return cls(table, [events], chance)

    def context(self, user: str) -> CommandContext:
        return replace(super().context(user), name=self.names.get(user, user.title()))

    def ask(self, user: str, command: Command) -> bool:
        """Send a command and record its outcome; return whether it took effect."""
        before, context = self.table, self.context(user)
        try:
            events = self.decided(command, user)
        except Refused:
            events = ()
        self.moments.append(Moment(before, command, context, events, self.table))
        return bool(events)

    def step(self) -> None:
        """Take one random step: a command, or time that passes."""
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
        """Send a timeout or a clock extension, justified or not."""
        deadline = next_deadline(self.table)
        if deadline is not None and self.chance.random() < 0.7:
            self.now = max(self.now, deadline)
        if self.chance.random() < 0.2:
            self.ask("", Extend(stopped=self.now - self.chance.randrange(50)))
        else:
            self.ask("", Expire(turn=self.table.turn - (self.chance.random() < 0.1)))

    def help(self) -> None:
        """Send a command that advances the game."""
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
        """Play for the seat to act, or challenge out of turn if that is possible."""
        seated = () if self.table.sitting is None else self.table.sitting.users
        able = [user for user in seated if "legal" in hand_of(self.table, user)]
        user = self.chance.choice(able)
        legal = some_action(hand_of(self.table, user), self.chance)
        if self.chance.random() < 0.1:
            user = self.chance.choice(USERS)  # mostly illegal
        self.say(user, "act", turn=self.table.turn, action=legal)

    def gather(self) -> None:
        """Make a player ready, or let them choose or open a nonce."""
        table = self.table
        choosing = self.choosing()
        if len(table.users_of_next) < 2 and self.chance.random() < 0.8:
            if self.chance.random() < 0.5:
                self.say(self.chance.choice(USERS), "join")
            else:
                self.say(table.owner, "seat_bot", bot="bluffer")
        elif choosing is not None:
            self.say(str(choosing.user), "pick", choice=self.chance.choice(choosing.free))
        elif table.ready_phase is not None and table.ready_phase.opening:
            self.open_one()
        else:
            user = self.chance.choice([chair.user for chair in table.people])
            promised = {"nonce_commitment": self.commit_nonce(user)} if self.chance.random() < 0.3 else {}
            self.say(user, "ready", **promised)

    def open_one(self) -> None:
        """Open a nonce; sometimes let the time run out instead."""
        ready_phase = self.table.ready_phase
        assert ready_phase is not None
        told = [(user, one) for user, one in ready_phase.nonce_commitments.items() if user not in ready_phase.nonces]
        user, promise = self.chance.choice(told)
        if promise in self.nonces and self.chance.random() < 0.9:
            self.say(user, "open_nonce", nonce=self.nonces[promise].hex())
        else:
            self.ring()

    def agree(self) -> None:
        """Make or answer a legal proposal, or send another command about the round."""
        table, chance = self.table, self.chance
        if table.proposals and chance.random() < 0.8:
            proposal = chance.choice(table.proposals)
            user = chance.choice([*proposal.voters, proposal.by])
            self.say(user, "answer", proposal=proposal.number, yes=chance.random() < 0.8)
            return
        user = chance.choice([chair.user for chair in table.people])
        sitting = table.sitting
        match chance.randrange(6):
            case 5:
                self.say(user, "show")
            case 0:
                self.say(user, "propose", kind="stake", value=chance.randrange(1, 9))
            case 1 if sitting is not None and sitting.mover is not None:
                self.say(sitting.users[sitting.mover], "propose", kind="undo")
            case 2:
                self.say(user, "propose", kind="remove", value=chance.choice(table.people).user)
            case 3:
                named = chance.choice([{"jokers": 1}, {"passes": 1, "take_top": True}, {"jokers": 7}])
                self.say(naming_user(table) or user, "name", options=named)
            case _:
                self.say(user, "ask_numbers")

    def come_or_go(self) -> None:
        """Let a user leave, return, be removed or be renamed."""
        table, chance = self.table, self.chance
        match chance.randrange(9):
            case 4:
                self.say(table.owner, "stand_in", user=chance.choice(USERS), bot="bluffer")
            case 5:
                self.say(table.owner, "remove", user=chance.choice([*table.names]))
            case 6:
                self.say(table.owner, "admit", user=chance.choice([*table.removed, *USERS]))
            case 7:
                self.say(table.owner, "transfer", user=chance.choice(table.people).user)
            case 8:
                self.say(table.owner, "lock", on=not table.locked and chance.random() < 0.5)
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
                        self.say(user, "answer", proposal=self.table.proposal_count - 1, yes=True)

    def blurt(self) -> None:
        """Send any command from any user."""
        do = self.chance.choice([name for name in _EVENTFUL if name != "end" or self.chance.random() < 0.1])
        users = [*USERS, STRANGER, self.table.owner, *(chair.user for chair in self.table.people)]
        names = [name for name in KINDS[do].__struct_fields__ if name != "version" and self.chance.random() < 0.9]
        fields = {name: _MADE_UP[name](self) for name in names}
        with suppress(Refused):  # if a required field is missing, it isn't a valid command
            self.say(self.chance.choice(users), do, **fields)

    def say(self, user: str, do: str, /, **fields: Any) -> bool:
        given = {"do": do, **fields}
        if self.chance.random() < 0.1:
            given["version"] = self.table.version - (self.chance.random() < 0.5)
        return self.ask(user, read_command(given))

    def carry_on(self) -> bool:
        """Return whether another round or the table ends if all players do what they are asked to."""
        goal = self.table.rounds_played + 1
        for _ in range(3000):
            if self.table.stage == ENDED or self.table.rounds_played >= goal:
                return True
            if (
                self.table.stage == READY_PHASE
                and self.table.paused is None
                and next_deadline(self.table)
                and not self.ready_all()
            ):
                self.expire()
            else:
                self.help()
        return False

    def ready_all(self) -> bool:
        return any(self.say(chair.user, "ready") for chair in self.table.people)


def _other(walk: RandomWalk) -> str:
    return walk.chance.choice([*USERS, "bot:1", "nobody"])


def _value(walk: RandomWalk) -> Any:
    return walk.chance.choice([None, walk.chance.randrange(1, 6), _other(walk)])


def _action(walk: RandomWalk) -> str:
    words = ["1x1", "2x6", "challenge", "count", "challenge 1", "discard -", "take", "pass", "claim pair 7", "nonsense"]
    cards = "".join(card_text(card) for card in walk.chance.sample(range(52), walk.chance.randrange(1, 3)))
    return walk.chance.choice(["declare pair", "declare high 76432", f"discard {cards}", *words])


_EVENTFUL = tuple(name for name in KINDS if name != "react")
"""The commands that the table decides; reactions aren't events."""

_MADE_UP: dict[str, Callable[[RandomWalk], Any]] = {
    "action": _action,
    "bot": lambda walk: "bluffer",
    "chair": lambda walk: walk.chance.randrange(6),
    "choice": lambda walk: walk.chance.randrange(8),
    "kind": lambda walk: walk.chance.choice(["stake", "undo", "remove"]),
    "nonce": lambda walk: walk.chance.randbytes(16).hex(),
    "nonce_commitment": lambda walk: walk.chance.randbytes(32).hex(),
    "on": lambda walk: walk.chance.random() < 0.5,
    "options": lambda walk: {walk.chance.choice(["jokers", "passes", "order"]): walk.chance.randrange(3)},
    "proposal": lambda walk: max(0, walk.table.proposal_count - 1),
    "text": lambda walk: walk.chance.choice(["well", " ", "I have three sevens"]),
    "turn": lambda walk: walk.table.turn - (walk.chance.random() < 0.2),
    "user": _other,
    "value": _value,
    "yes": lambda walk: walk.chance.random() < 0.8,
}
"""Random values by field of a command."""


def table_settings() -> st.SearchStrategy[Settings]:
    """Valid settings of tables: any game, any option, with and without a clock."""
    return st.builds(settings_at_random, st.sampled_from(GAMES), st.integers(0, 2**32).map(Random))


def settings_at_random(game: str, chance: Random, **fixed: Any) -> Settings:
    """Return random settings with some changed options, if they are compatible."""
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


def walk_of(settings: Settings, seed: int, steps: int) -> RandomWalk:
    """Return a table after `steps` random steps."""
    walk = RandomWalk.of(settings, Random(seed))
    for _ in range(steps):
        walk.step()
    return walk


def random_walks(most: int = 150) -> st.SearchStrategy[RandomWalk]:
    """Random walks with their complete history."""
    return st.builds(walk_of, table_settings(), st.integers(0, 2**32), st.integers(0, most))
