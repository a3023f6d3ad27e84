"""The state of a live table: who sits where, what is played, what was agreed, what everybody owes, and the deadlines.

All of it is frozen. What is secret is in fields that say so: the seeds, and the session itself, whose `view` alone may
leave this package. Deadlines are absolute seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from liarspoker.core.session import Session
from liarspoker.protocol.codec import Options
from liarspoker.protocol.frames import ChatLine
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import RoundScoreView

WAITING = "waiting"
GATHERING = "gathering"
ROUND = "round"
ENDED = "ended"
"""The stages: before the start, between two rounds, in a round, and over."""

CHAT_KEPT = 200
"""How many lines of chat a table remembers."""

SHEET_KEPT = 20
"""How many rounds stand on the score sheet, hand by hand."""

BOT_SECONDS = 10.0
"""How long a bot may think where no clock runs."""

NONCE_SECONDS = 10.0
"""How long programs have to open their nonces; nobody has to do it by hand."""

PICK_SECONDS = 20.0
"""How long who chooses a bill may take, where the table has a clock."""

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""Where a table begins with nothing by user."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Somebody at the table.

    Attributes:
        user: his id; bots have one too.
        name: what he is called.
        bot: the catalogue name of the bot that plays here; empty for a person.
        away: he sits out from the next round on.
        leaving: he has left in the middle of a round; the chair is free when it ends.
        bank: seconds of his bank that are left.
    """

    user: str
    name: str
    bot: str = ""
    away: bool = False
    leaving: bool = False
    bank: float = 0.0


@dataclass(frozen=True, slots=True)
class Gathering:
    """What is being made ready for the next deal.

    Attributes:
        deal: its number, from 0 over the life of the table.
        commitment: to the server's seed.
        seed: the server's; secret.
        ready: users who want the next round.
        nonce_commitments: by user; those who have none contribute an empty nonce.
        choosing: everybody was ready, and what is chosen face down is being chosen; nothing is named any more.
        picks: what was chosen, by user.
        opening: who is dealt to, once the nonces are being opened: nobody comes or goes any more; empty before.
        nonces: opened ones by user; shown when the cards are dealt.
        named: options that who begins the round has named for it.
        named_by: who he is; should another begin it in the end, they do not hold.
        deadline: when those who are not ready sit out, who chooses gets what is left, or nonces count as withheld;
            `None` for never.
    """

    deal: int
    commitment: str
    seed: bytes = field(default=b"", repr=False)
    ready: frozenset[str] = frozenset()
    nonce_commitments: Mapping[str, str] = field(default_factory=dict)
    choosing: bool = False
    picks: Mapping[str, int] = field(default_factory=dict, repr=False)
    opening: tuple[str, ...] = ()
    nonces: Mapping[str, str] = field(default_factory=dict, repr=False)
    named: Options = field(default_factory=dict)
    named_by: str | None = None
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal as it was made; all of it is public but the seed.

    Attributes:
        number: from 0 over the life of the table.
        at: when it was made, in seconds.
        users: who was dealt to, seat by seat.
        chairs: in which chair each of them sat; that is the number with which they commit to their nonces. `None` for
            who is out of the match and has got up.
        commitment: to the server's seed.
        seed: the server's; secret until the table ends, and for ever where the audit proves leaves only.
        nonce_commitments: seat by seat; `None` for who contributed none.
        nonces: seat by seat.
        picks: seat by seat; `None` for none.
        root: of the tree of all that was dealt.
        draw: what was drawn, told for those who check it.
        place: which record, and which round in it; `None` for a round that was broken off.
    """

    number: int
    at: float
    users: tuple[str, ...]
    chairs: tuple[int | None, ...]
    commitment: str
    seed: bytes = field(repr=False)
    nonce_commitments: tuple[str | None, ...]
    nonces: tuple[str, ...]
    picks: tuple[int | None, ...]
    root: str
    draw: Mapping[str, Any]
    place: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    """The rounds that the same people play together: one session of the game, and one record.

    Attributes:
        users: who sits in which seat of the session.
        names: what they are called.
        session: as it stands; secret.
        before: the session before the last action, for who wants it back; secret.
        mover: the seat that made it.
        absent: users who were away when the round on the table was dealt; it is played for them.
        shown: rounds, from 0, whose numbers somebody has asked to see.
    """

    users: tuple[str, ...]
    names: tuple[str, ...]
    session: Session = field(repr=False)
    before: Session | None = field(default=None, repr=False)
    mover: int | None = None
    absent: frozenset[str] = frozenset()
    shown: frozenset[int] = frozenset()

    def seat_of(self, user: str | None) -> int | None:
        """The seat of `user`; `None` for who does not play."""
        return self.users.index(user) if user in self.users else None


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something on which the others must agree.

    Attributes:
        number: from 0 over the life of the table.
        kind: `stake`, `undo` or `remove`.
        by: who proposes it.
        value: the stake in units, or the user to remove.
        turn: in which it was proposed; to take an action back is possible in that turn only.
        voters: who has a say.
        yes: who has agreed so far.
        no: who has not.
    """

    number: int
    kind: str
    by: str
    value: int | str | None
    turn: int
    voters: tuple[str, ...]
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a game that ends with a winner, over all sittings that it takes.

    Attributes:
        users: everybody who has played in it.
        living: who is still in it.
        losses: what each of them has lost so far, where the game counts losses.
    """

    users: tuple[str, ...]
    living: tuple[str, ...]
    losses: Mapping[str, int] = field(default_factory=dict)


class Table(NamedTuple):
    """A live table. Printed, it tells its id and its version and nothing else.

    Attributes:
        id: 128 random bits that nobody can guess; whoever knows it may come in.
        settings: what it is set to.
        owner: the user who may start, pause and end it.
        created: when it was made, in seconds.
        version: how many commands have taken effect.
        stage: `waiting`, `gathering`, `round` or `ended`.
        chairs: who sits where; `None` for a free chair.
        gathering: what is being made ready, in that stage.
        sitting: the people and the session in play or just played.
        closed: the sittings before it.
        deals: every deal made; the last one is on the table.
        turn: grows with every deal, action and undo; a command to act must name it.
        deadline: when the time of the seat to act is up; `None` for never.
        paused: seconds that were left when the table was paused; `None` while it is not. 0 where no clock ran.
        stake: what the table has agreed on for the next hand.
        proposals: what is being voted on.
        asked: how many proposals there have been.
        lines: the last lines of chat.
        muted: by user, whom he does not want to hear.
        chat: people may talk.
        units: what everybody has won or lost, by user; they sum to zero.
        names: of everybody who ever sat here, by user.
        banks: seconds of the bank that those who have left had left, by user.
        removed: users whom the others have removed; they cannot come back.
        match: the match in play, where the game has one.
        rounds_played: over all sittings.
        shown: the sitting when the last round had ended, for those who watch one round behind; secret.
        sheet: the last rounds, the oldest first.
        end_reason: why whoever runs the server has closed the table; empty where somebody else did, or nobody.
    """

    id: str
    settings: Settings
    owner: str
    created: float
    version: int = 0
    stage: str = WAITING
    chairs: tuple[Chair | None, ...] = ()
    gathering: Gathering | None = None
    sitting: Sitting | None = None
    closed: tuple[Sitting, ...] = ()
    deals: tuple[Deal, ...] = ()
    turn: int = 0
    deadline: float | None = None
    paused: float | None = None
    stake: int | None = None
    proposals: tuple[Proposal, ...] = ()
    asked: int = 0
    lines: tuple[ChatLine, ...] = ()
    muted: Mapping[str, frozenset[str]] = NOTHING
    chat: bool = True
    units: Mapping[str, int] = NOTHING
    names: Mapping[str, str] = NOTHING
    banks: Mapping[str, float] = NOTHING
    removed: frozenset[str] = frozenset()
    match: Match | None = None
    rounds_played: int = 0
    shown: Sitting | None = None
    sheet: tuple[RoundScoreView, ...] = ()
    end_reason: str = ""

    def __repr__(self) -> str:
        return f"Table({self.id!r}, version={self.version})"

    @property
    def seated(self) -> tuple[Chair, ...]:
        """Everybody who sits at the table, chair by chair."""
        return tuple(chair for chair in self.chairs if chair is not None)

    @property
    def people(self) -> tuple[Chair, ...]:
        """Everybody who sits here and is neither a bot nor about to leave."""
        return tuple(chair for chair in self.chairs if chair is not None and not chair.bot and not chair.leaving)

    def chair_of(self, user: str | None) -> Chair | None:
        """The chair of `user`; `None` for who does not sit here."""
        for chair in self.chairs:
            if chair is not None and chair.user == user:
                return chair
        return None

    def place_of(self, user: str | None) -> int | None:
        """The number of the chair of `user`; `None` for who does not sit here."""
        for number, chair in enumerate(self.chairs):
            if chair is not None and chair.user == user:
                return number
        return None

    @property
    def to_act(self) -> str | None:
        """The user whose turn it is."""
        if self.stage != ROUND or self.sitting is None or self.sitting.session.to_act is None:
            return None
        seat: int = self.sitting.session.to_act
        return self.sitting.users[seat]

    @property
    def users_of_next(self) -> tuple[str, ...]:
        """Who plays the next round: the living of a match that goes on, else all who do not sit out.

        Once the nonces are being opened it is settled: who comes or goes then cannot change what is dealt.
        """
        if self.gathering is not None and self.gathering.opening:
            return self.gathering.opening
        if self.match is not None:
            return tuple(chair.user for chair in self.seated if chair.user in self.match.living)
        return tuple(chair.user for chair in self.seated if not chair.away and not chair.leaving)


_PLACES = {name: place for place, name in enumerate(Table._fields)}


def _replace(table: Table, **changes: Any) -> Table:
    """As a named tuple's own, at half the cost: every event makes a table that differs in a few of its fields."""
    values = list(table)
    for name, value in changes.items():
        values[_PLACES[name]] = value
    return tuple.__new__(Table, values)


Table._replace = _replace  # type: ignore[method-assign, assignment]  # known to the type checker as it was


def turn_deadline(table: Table, now: float) -> float | None:
    """When the time of the seat to act is up, if its turn begins now; `None` for never."""
    user = table.to_act
    chair = table.chair_of(user)
    if chair is None:
        return None
    clock = table.settings.clock
    if clock is None:
        return now + BOT_SECONDS if chair.bot else None
    return now + clock.turn + chair.bank


def bank_left(table: Table, user: str, now: float) -> float | None:
    """What is left of the bank of `user`, if he acts now; `None` where no clock runs, or not for him.

    The bank is used up last: as long as more than it is left until the deadline, none of it is.
    """
    if table.settings.clock is None or table.deadline is None:
        return None
    chair = table.chair_of(user) if user == table.to_act else None
    return None if chair is None else min(chair.bank, max(0.0, table.deadline - now))


def ready_deadline(table: Table, now: float) -> float | None:
    """When those who are not ready for the next round sit out; `None` for never."""
    clock = table.settings.clock
    return None if clock is None else now + clock.ready


def pick_deadline(table: Table, now: float) -> float | None:
    """When a bill is chosen for who has not chosen; `None` for never."""
    return None if table.settings.clock is None else now + PICK_SECONDS


def due(table: Table) -> float | None:
    """When something happens by itself; `None` for never."""
    if table.paused is not None:
        return None
    if table.gathering is not None:
        return table.gathering.deadline
    return table.deadline
