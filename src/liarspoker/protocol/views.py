"""What a table shows: to everybody, and to one seat alone.

A field with a default is left out of the JSON while it has that value; every other field is always there. Numbers of
players inside a round are seats; `users` and `names` tell who sits in them.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from liarspoker.protocol.codec import Options
from liarspoker.protocol.settings import Settings

Stage = Literal["waiting", "gathering", "round", "ended"]


class View(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of what a table shows."""


class HandView(View, frozen=True, kw_only=True):
    """What a seat alone may know of the round; each family of games has its own."""


class RoundView(View, frozen=True, kw_only=True, tag_field="kind"):
    """The round on the table as everybody sees it; each family of games has its own.

    Attributes:
        hand_type: what a seat alone knows of such a round.
        users: who sits in which seat.
        names: what they are called.
        round: its number.
        opener: the seat that opened.
        phase: what is waited for.
        to_act: the seat to act; `None` once the round is over.
        moves: seats and their actions, in order.
        score: units, or matches, won by each seat.
    """

    hand_type: ClassVar[type[HandView]]

    users: tuple[str, ...]
    names: tuple[str, ...]
    round: int
    opener: int
    phase: str
    to_act: int | None
    moves: tuple[tuple[int, str], ...]
    score: tuple[int, ...]


class ChairView(View, frozen=True, kw_only=True):
    """Somebody at the table.

    Attributes:
        user: their id.
        name: what they are called.
        bot: the catalogue name of the bot that plays here; `None` for a person.
        away: they sit out from the next round on.
        leaving: they have left; the round is played to its end for them.
        units: won or lost so far.
        bank: seconds of their bank that are left; hidden from those who watch one round behind.
        ready: they want the next round.
    """

    user: str
    name: str
    bot: str | None
    away: bool
    leaving: bool
    units: int
    bank: float | None
    ready: bool


class ProposalView(View, frozen=True, kw_only=True):
    """A proposal, with its voters and their votes so far."""

    proposal: int
    kind: str
    by: str
    value: int | str | None
    voters: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]


class UnitsView(View, frozen=True, kw_only=True):
    """What somebody who sits or has sat here has won or lost."""

    user: str
    name: str
    units: int


class RoundScoreView(View, frozen=True, kw_only=True):
    """A line of the score sheet: units by user, and in card games the users who lost the round."""

    round: int
    units: dict[str, int]
    lost: tuple[str, ...]


class DealView(View, frozen=True, kw_only=True):
    """The promises behind a deal, seat by seat; the seed is revealed in the audit."""

    deal: int
    users: tuple[str, ...]
    commitment: str
    nonce_commitments: tuple[str | None, ...]
    nonces: tuple[str, ...]
    picks: tuple[int | None, ...]
    root: str


class ChoosingView(View, frozen=True, kw_only=True):
    """A choice face down: what is chosen, out of how many, which are free, and who chooses now."""

    what: str
    count: int
    free: tuple[int, ...]
    user: str | None


class GatheringView(View, frozen=True, kw_only=True):
    """What is waited for before the next deal; nonces and picks stay covered until it is made.

    Attributes:
        deal: its number, from 0 over the life of the table.
        commitment: to the server's seed.
        users: who is expected to play.
        opening: the nonces are being opened.
        nonce_commitments: by user.
        named: options named for the next round.
        choosing: the choice being made, if any.
    """

    deal: int
    commitment: str
    users: tuple[str, ...]
    opening: bool
    nonce_commitments: dict[str, str]
    named: Options
    choosing: ChoosingView | None


class PaymentView(View, frozen=True, kw_only=True):
    """One player pays another."""

    payer: str
    payee: str
    units: int


class PublicView(View, frozen=True, kw_only=True):
    """What everybody may know.

    Attributes:
        table: its id.
        settings: what it is set to.
        owner: the user who may start, pause and end it.
        stage: before the start, between two rounds, in a round, or over.
        chairs: who sits where; `None` for a free chair.
        chat: people may talk.
        stake: what the table has agreed on for the next hand.
        proposals: what is being voted on.
        units: everybody who ever sat here.
        sheet: the last rounds, the oldest first.
        deal: the promises behind the deal on the table.
        gathering: what is being made ready.
        settle_up: after the end, the fewest payments after which nobody owes anything.
        version: grows with every command that takes effect.
        turn: what a command to act must name; hidden from those who watch one round behind.
        rounds_played: the number of rounds that have ended.
        paused: the clocks are stopped.
        deadline: when the time of whoever is waited for is up, in seconds; `None` for never.
        to_act: the user whose turn it is.
        round: the round on the table; `None` before the first.
        end_reason: why whoever runs the server has closed the table; missing where they have not.
    """

    table: str
    settings: Settings
    owner: str
    stage: Stage
    chairs: tuple[ChairView | None, ...]
    chat: bool
    stake: int | None
    proposals: tuple[ProposalView, ...]
    units: tuple[UnitsView, ...]
    sheet: tuple[RoundScoreView, ...]
    deal: DealView | None
    gathering: GatheringView | None
    version: int
    turn: int | None
    rounds_played: int
    paused: bool
    deadline: float | None
    to_act: str | None
    round: RoundView | None
    settle_up: tuple[PaymentView, ...] | None = None
    end_reason: str | UnsetType = UNSET


class PassingView(View, frozen=True, kw_only=True):
    """The part of `PublicView` that an action changes: its last fields, but for the payments after the end."""

    version: int
    turn: int | None
    rounds_played: int
    paused: bool
    deadline: float | None
    to_act: str | None
    round: RoundView | None


class WantedView(View, frozen=True, kw_only=True):
    """What the next deal needs from you: whether you are ready or waited for, open a nonce, name options, or pick."""

    ready: bool
    wanted: bool
    open_nonce: bool
    name: bool
    pick: bool


class PrivateView(View, frozen=True, kw_only=True):
    """What one user alone may know.

    Attributes:
        user: their id.
        chair: where they sit; `None` for somebody who doesn't.
        owner: the table is theirs.
        votes: proposals that wait for their vote.
        muted: users whom they don't want to hear.
        seat: in the round.
        hand: what they hold and may do.
        gathering: what the next deal needs from them.
    """

    user: str
    chair: int | None
    owner: bool
    votes: tuple[int, ...]
    muted: tuple[str, ...]
    seat: int | None = None
    hand: HandView | None = None
    gathering: WantedView | None = None
