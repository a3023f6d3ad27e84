"""The state of a live table: seats, rounds, proposals, scores and deadlines.

All classes are immutable. Secret fields are marked as such: the seeds, and the sessions, of which only `view` may leave
this package. Deadlines are absolute times in seconds.

Table seats are called `chair`, to distinguish them from seats in a round (see `liarspoker.protocol`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from liarspoker.core.session import Session
from liarspoker.protocol.codec import Options
from liarspoker.protocol.frames import ChatLine
from liarspoker.protocol.settings import EventProof, Settings, TableEvent
from liarspoker.protocol.views import BestRoundView, BluffView, RematchView, ReservedView, RoundScoreView, StreakView

WAITING = "waiting"
READY_PHASE = "gathering"
ROUND = "round"
ENDED = "ended"
"""The stages of a table: before the start, in the ready phase between rounds, in a round, and over."""

CHAT_KEPT = 200
"""Number of chat messages that a table keeps."""

SHEET_KEPT = 20
"""Number of rounds that the score sheet lists one by one."""

BOT_SECONDS = 10.0
"""Time limit of bots at tables without a clock."""

NONCE_SECONDS = 10.0
"""Time limit for opening nonces, which clients do automatically."""

PICK_SECONDS = 20.0
"""Time limit of a face-down choice at tables with a clock, and in correspondence play."""

DAY = 86_400.0
"""Seconds of a day."""

EVENT_READY_SECONDS = 120.0
"""Least time until the first hand of an event is dealt, in which its players come to their tables."""

FIRST_READY_SECONDS, READY_SECONDS = 60.0, 43_200.0
"""Time in correspondence play until the first hand is dealt, and until the next one is dealt without waiting longer."""

VACATION_LEAST_SECONDS = 3600.0
"""A vacation doesn't stop the clock of a turn with less time left than this."""

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""An immutable empty mapping."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A person or bot at the table.

    Attributes:
        user: user id; bots have one too.
        name: display name.
        bot: catalogue name of the bot; empty for a person.
        away: the player sits out, starting with the next round.
        leaving: the player left during a round; the seat becomes free when it ends.
        bank: seconds left in the player's time bank.
        vacation: end of the player's latest vacation, in seconds; 0 for none.
    """

    user: str
    name: str
    bot: str = ""
    away: bool = False
    leaving: bool = False
    bank: float = 0.0
    stand_in: str = ""
    vacation: float = 0.0

    @property
    def played_by(self) -> str:
        """Catalogue name of the bot that plays here, as the occupant or as a stand-in; empty if a person plays."""
        return self.bot or self.stand_in


@dataclass(frozen=True, slots=True)
class ReadyPhase:
    """The preparation of the next deal.

    Attributes:
        deal: number of the deal, from 0 over the life of the table.
        commitment: commitment to the server's seed, in hexadecimal.
        seed: the server's seed; secret.
        ready: users who are ready.
        nonce_commitments: nonce commitments by user; users without one contribute an empty nonce.
        choosing: everyone was ready and players choose face down; options can no longer be named.
        picks: face-down choices by user; secret until the deal.
        opening: the players of the deal, once nonces are being opened and nobody can join or leave it; empty before.
        nonces: opened nonces by user; secret until the deal.
        named: options named for the next round.
        named_by: the user who named them; the options are dropped if another user opens the round.
        deadline: when players who aren't ready sit out, an open choice is made automatically, or unopened nonces count
            as withheld; `None` for no limit.
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
    """A completed deal. Everything except the seed is public.

    Attributes:
        number: number of the deal, from 0 over the life of the table.
        at: time of the deal, in seconds.
        users: user ids by seat.
        chairs: table seats by seat in the round, which are part of the nonce commitments; `None` for a player who is
            eliminated from the match and has left the table.
        commitment: commitment to the server's seed, in hexadecimal.
        seed: the server's seed; secret until the table ends, and forever with the audit `leaves`.
        nonce_commitments: nonce commitments by seat; `None` for a seat without one.
        nonces: opened nonces by seat, in hexadecimal.
        picks: face-down choices by seat; `None` for none.
        root: hash-tree root of everything that was dealt, in hexadecimal.
        draw: description of what was drawn, for verifiers.
        record: index of the record and of the round in it; `None` for an aborted round.
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
    record: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    """Consecutive rounds between the same players: one session of the game, and one record.

    Attributes:
        users: user ids by seat.
        names: display names by seat.
        session: the session; secret.
        before: the session before the last action, for an undo; secret.
        mover: the seat that played the last action.
        absent: users who sat out when the current round was dealt; their seats play default actions.
        shown: hands that were shown after their round, on request or by their player: rounds, from 0, and seats.
        lapsed: users whose latest action in the current round was played because their time was up.
    """

    users: tuple[str, ...]
    names: tuple[str, ...]
    session: Session = field(repr=False)
    before: Session | None = field(default=None, repr=False)
    mover: int | None = None
    absent: frozenset[str] = frozenset()
    shown: frozenset[tuple[int, int]] = frozenset()
    lapsed: frozenset[str] = frozenset()

    def seat_of(self, user: str | None) -> int | None:
        """Return the seat of `user`; `None` if they don't play."""
        return self.users.index(user) if user in self.users else None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal on which other players vote.

    Attributes:
        number: number of the proposal, from 0 over the life of the table.
        kind: `stake`, `undo` or `remove`.
        by: the user who made the proposal.
        value: the stake in units, or the user to remove.
        turn: the turn in which it was made; an undo is only possible in that turn.
        voters: users who can vote.
        yes: users who voted yes.
        no: users who voted no.
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
    """A match of an elimination game, over all its sittings.

    Attributes:
        users: everyone who has played in the match.
        still_in: users who aren't eliminated.
        losses: number of losses by user, if the game counts losses.
    """

    users: tuple[str, ...]
    still_in: tuple[str, ...]
    losses: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Highlights:
    """What was remarkable so far; see `liarspoker.protocol.views.HighlightsView`.

    Attributes:
        shown_bluff: the best bluff according to the hands that were shown.
        bluff: the best bluff according to all hands; secret until the table has ended with the audit `full`.
        best_round: the highest win.
        streak: the longest streak.
        streaks: the length of the current streak by user.
    """

    shown_bluff: BluffView | None = None
    bluff: BluffView | None = field(default=None, repr=False)
    best_round: BestRoundView | None = None
    streak: StreakView | None = None
    streaks: Mapping[str, int] = field(default_factory=dict)


class Table(NamedTuple):
    """The state of a live table. Its `repr` contains only the id and version, so that logs can't leak secrets.

    Attributes:
        id: 128 random bits; anyone who knows the id can open the table.
        settings: settings of the table.
        owner: the user who can start, pause and end the table.
        created: creation time, in seconds.
        version: number of commands that took effect.
        stage: `waiting`, `gathering` (the ready phase), `round` or `ended`.
        chairs: the players by table seat; `None` for a free seat.
        ready_phase: the ready phase, during that stage.
        sitting: the current or latest sitting.
        closed: all earlier sittings.
        deals: every deal so far; the last one is the current round's.
        turn: number that grows with every deal, action and undo; a command to act must name it.
        deadline: when the seat to act runs out of time; `None` for no limit.
        paused: seconds left on the clock when the table was paused, 0 if no clock ran; `None` if it isn't paused.
        stake: stake agreed on for the next hand.
        proposals: open proposals.
        proposal_count: number of proposals so far.
        lines: the latest chat messages.
        muted: for each user, the users whom they have muted.
        chat: chat is enabled.
        units: units won or lost by user; they sum to zero.
        names: display names of everyone who ever sat here, by user.
        banks: seconds left in the time banks of users who have left, by user.
        removed: users whom the other players or the owner removed; they can't come back.
        locked: nobody new can join.
        match: the match in progress, if the game has one.
        rounds_played: number of finished rounds over all sittings.
        delayed_sitting: the sitting at the end of the latest round, for spectators who watch one round behind; secret.
        sheet: scores of the latest rounds, oldest first.
        end_reason: the reason that the server's operator gave for closing the table; empty otherwise.
        turn_began: when the current turn began, in seconds; 0 before the first.
        reserved: free seats that are kept for users.
        rematch: the table that a player opened after the end for the same players.
        highlights: what was remarkable so far.
        forfeits: users who left a rated table before its end, unless they were eliminated from the match before.
        event: the duplicate event that the table belongs to; `None` for none.
        proof: what verifies the deals of the event. The server adds it once all tables of the event have ended; it
            isn't in the log.
    """

    id: str
    settings: Settings
    owner: str
    created: float
    version: int = 0
    stage: str = WAITING
    chairs: tuple[Chair | None, ...] = ()
    ready_phase: ReadyPhase | None = None
    sitting: Sitting | None = None
    closed: tuple[Sitting, ...] = ()
    deals: tuple[Deal, ...] = ()
    turn: int = 0
    deadline: float | None = None
    paused: float | None = None
    stake: int | None = None
    proposals: tuple[Proposal, ...] = ()
    proposal_count: int = 0
    lines: tuple[ChatLine, ...] = ()
    muted: Mapping[str, frozenset[str]] = NOTHING
    chat: bool = True
    units: Mapping[str, int] = NOTHING
    names: Mapping[str, str] = NOTHING
    banks: Mapping[str, float] = NOTHING
    removed: frozenset[str] = frozenset()
    locked: bool = False
    match: Match | None = None
    rounds_played: int = 0
    delayed_sitting: Sitting | None = None
    sheet: tuple[RoundScoreView, ...] = ()
    end_reason: str = ""
    turn_began: float = 0.0
    reserved: tuple[ReservedView, ...] = ()
    rematch: RematchView | None = None
    highlights: Highlights = Highlights()
    forfeits: frozenset[str] = frozenset()
    event: TableEvent | None = None
    proof: EventProof | None = None

    def __repr__(self) -> str:
        return f"Table({self.id!r}, version={self.version})"

    @property
    def seated(self) -> tuple[Chair, ...]:
        """The occupied table seats, in order."""
        return tuple(chair for chair in self.chairs if chair is not None)

    @property
    def people(self) -> tuple[Chair, ...]:
        """The table seats of people, without bots and people who are leaving."""
        return tuple(chair for chair in self.chairs if chair is not None and not chair.bot and not chair.leaving)

    @property
    def deals_id(self) -> str:
        """The id under which the table deals: its own, or that of its event."""
        return self.id if self.event is None else self.event.id

    @property
    def deals_revealed(self) -> bool:
        """Whether the deals may be revealed: the table has ended, and so have all other tables of its event."""
        return self.stage == ENDED and (self.event is None or self.proof is not None)

    def chair_of(self, user: str | None) -> Chair | None:
        """Return the table seat of `user`; `None` if they aren't seated."""
        for chair in self.chairs:
            if chair is not None and chair.user == user:
                return chair
        return None

    def chair_number(self, user: str | None) -> int | None:
        """Return the number of the table seat of `user`; `None` if they aren't seated."""
        for number, chair in enumerate(self.chairs):
            if chair is not None and chair.user == user:
                return number
        return None

    def reserved_chair(self, user: str | None) -> int | None:
        """Return the number of the table seat that is kept for `user`; `None` for none."""
        return next((one.chair for one in self.reserved if one.user == user), None)

    @property
    def to_act(self) -> str | None:
        """The user whose turn it is."""
        if self.stage != ROUND or self.sitting is None or self.sitting.session.to_act is None:
            return None
        seat: int = self.sitting.session.to_act
        return self.sitting.users[seat]

    @property
    def awaited(self) -> str | None:
        """The person whose turn it is; `None` if a bot plays for them, the table is paused, or they have left."""
        chair = self.chair_of(self.to_act)
        if chair is None or chair.played_by or chair.leaving or self.paused is not None:
            return None
        return chair.user

    @property
    def users_of_next(self) -> tuple[str, ...]:
        """The players of the next round: those still in the match, or everyone who doesn't sit out.

        Once nonces are being opened, the players are final; joining or leaving can't change the deal.
        """
        if self.ready_phase is not None and self.ready_phase.opening:
            return self.ready_phase.opening
        if self.match is not None:
            return tuple(chair.user for chair in self.seated if chair.user in self.match.still_in)
        return tuple(chair.user for chair in self.seated if not chair.away and not chair.leaving)


_FIELD_INDEX = {name: index for index, name in enumerate(Table._fields)}


def _replace(table: Table, **changes: Any) -> Table:
    """Replace fields like `NamedTuple._replace`, at half its cost; every event needs it."""
    values = list(table)
    for name, value in changes.items():
        values[_FIELD_INDEX[name]] = value
    return tuple.__new__(Table, values)


Table._replace = _replace  # type: ignore[method-assign, assignment]  # same signature, as far as callers can tell


def turn_deadline(table: Table, now: float) -> float | None:
    """Return the deadline of the seat to act if its turn starts now; `None` for no limit."""
    user = table.to_act
    chair = table.chair_of(user)
    if chair is None:
        return None
    clock, days = table.settings.clock, table.settings.days
    if clock is not None:
        return now + clock.turn + chair.bank
    if chair.played_by:
        return now + BOT_SECONDS
    return clock_start(table, now) + days * DAY if days else None


def clock_start(table: Table, now: float) -> float:
    """Return when the clock of the seat to act runs from: now, or the end of a vacation that stops it."""
    chair = table.chair_of(table.to_act)
    if chair is None or (table.deadline is not None and table.deadline <= chair.vacation):
        return now
    return max(now, chair.vacation)


def bank_left(table: Table, user: str, now: float) -> float | None:
    """Return the seconds left in the bank of `user` if they act now; `None` if no clock runs for them.

    The turn's own time is used first: the bank is reduced only when less than the bank is left until the deadline.
    """
    if table.settings.clock is None or table.deadline is None:
        return None
    chair = table.chair_of(user) if user == table.to_act else None
    return None if chair is None else min(chair.bank, max(0.0, table.deadline - now))


def ready_deadline(table: Table, now: float) -> float | None:
    """Return the deadline for getting ready, if it starts now; `None` for no limit."""
    clock = table.settings.clock
    if clock is not None:
        return now + (clock.ready if table.event is None or table.deals else max(clock.ready, EVENT_READY_SECONDS))
    if table.settings.days:
        return now + (READY_SECONDS if table.rounds_played else FIRST_READY_SECONDS)
    return None


def pick_deadline(table: Table, now: float) -> float | None:
    """Return the deadline for a face-down choice, if it starts now; `None` for no limit."""
    return now + PICK_SECONDS if table.settings.clock is not None or table.settings.days else None


def next_deadline(table: Table) -> float | None:
    """Return the next deadline of a table, in seconds; `None` if no clock runs."""
    if table.paused is not None:
        return None
    if table.ready_phase is not None:
        return table.ready_phase.deadline
    return table.deadline
