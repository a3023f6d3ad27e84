"""What happens at a table: facts in the past tense, as the log keeps them forever.

The log writes an event as `{"e": "Acted", ...}` with all its fields. No event holds anything secret: seeds are stored
apart, sealed, and are handed to the reducer separately.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from liarspoker.protocol.codec import Options
from liarspoker.protocol.settings import Settings


class Event(Struct, frozen=True, tag_field="e"):
    """Something that has happened. Unknown fields are ignored when a log is read."""


class Made(Event, frozen=True, tag=True):
    """The table was made."""

    table: str
    owner: str
    settings: Settings
    at: float


class Joined(Event, frozen=True, tag=True):
    """Somebody sat down; `bot` names the bot that he is."""

    chair: int
    user: str
    name: str
    bot: str = ""


class Leaving(Event, frozen=True, tag=True):
    """Somebody left in the middle of a round; it is played to its end for him."""

    user: str


class Left(Event, frozen=True, tag=True):
    """Somebody's chair is free again."""

    user: str


class SatOut(Event, frozen=True, tag=True):
    """Somebody sits out from the next round on, or plays again."""

    user: str
    away: bool


class Owned(Event, frozen=True, tag=True):
    """The table belongs to somebody else."""

    user: str


class Gathered(Event, frozen=True, tag=True):
    """The next deal is being made ready: the server is committed to its seed."""

    deal: int
    commitment: str
    deadline: float | None


class Readied(Event, frozen=True, tag=True):
    """Somebody wants the next round, committed to a nonce or not."""

    user: str
    nonce_commitment: str | None = None


class Choosing(Event, frozen=True, tag=True):
    """Everybody is ready; bills, slips or the cut are being chosen, the first before the deadline."""

    deadline: float | None


class Picked(Event, frozen=True, tag=True):
    """Somebody chose a bill, a slip or the cut."""

    user: str
    choice: int


class Named(Event, frozen=True, tag=True):
    """Who begins the next round has named its options."""

    user: str
    options: Options


class Opening(Event, frozen=True, tag=True):
    """It is settled who is dealt to; the nonces are to be opened before the deadline."""

    users: tuple[str, ...]
    deadline: float


class Opened(Event, frozen=True, tag=True):
    """Somebody opened his nonce."""

    user: str
    nonce: str


class Dealt(Event, frozen=True, tag=True):
    """A round was dealt.

    Attributes:
        deal: its number.
        users: who was dealt to, seat by seat.
        fresh: a new session begins with it, and so a new record.
        losses: with which it begins, seat by seat; empty where no match goes on.
        opener: the seat that opens, where the table or lots say so.
        stake: the stake, where the table says so.
        named: options named for this round.
        nonces: seat by seat, empty where none was contributed or it was withheld.
        picks: seat by seat.
        root: of the tree of all that was dealt.
        at: when.
    """

    deal: int
    users: tuple[str, ...]
    fresh: bool
    losses: tuple[int, ...]
    opener: int | None
    stake: int | None
    named: Options
    nonces: tuple[str, ...]
    picks: tuple[int | None, ...]
    root: str
    at: float


class Acted(Event, frozen=True, tag=True):
    """Somebody played an action of the notation, or the clock did it for him."""

    user: str
    action: str
    at: float
    bank: float | None = None
    by_clock: bool = False


class Undone(Event, frozen=True, tag=True):
    """The last action was taken back."""

    user: str
    at: float


class ClockStarted(Event, frozen=True, tag=True):
    """The time of the seat to act, or of those who are not ready, is running until the deadline, or runs no more."""

    deadline: float | None


class RoundEnded(Event, frozen=True, tag=True):
    """The round came out so, by user."""

    units: dict[str, int]


class MatchWon(Event, frozen=True, tag=True):
    """A match is over; everybody who has played in it pays its winner."""

    user: str
    units: dict[str, int]


class Aborted(Event, frozen=True, tag=True):
    """The round in play was broken off and is worth nothing; its deal stays on record."""

    deal: int


class NumbersShown(Event, frozen=True, tag=True):
    """Somebody asked to see the numbers."""

    user: str


class Proposed(Event, frozen=True, tag=True):
    """Something was proposed to those who have a say in it."""

    number: int
    kind: str
    user: str
    value: int | str | None
    voters: tuple[str, ...]


class Answered(Event, frozen=True, tag=True):
    """Somebody agreed, or did not."""

    number: int
    user: str
    yes: bool


class Settled(Event, frozen=True, tag=True):
    """A proposal is off the table, agreed or not."""

    number: int
    agreed: bool


class Paused(Event, frozen=True, tag=True):
    """The clocks stand still, with so many seconds left."""

    left: float | None


class Resumed(Event, frozen=True, tag=True):
    """The clocks run again."""

    deadline: float | None


class Extended(Event, frozen=True, tag=True):
    """Time was given back that nobody could use."""

    deadline: float


class Said(Event, frozen=True, tag=True):
    """Somebody said something."""

    user: str
    name: str
    text: str
    at: float


class Muted(Event, frozen=True, tag=True):
    """Somebody hears another no longer, or again."""

    user: str
    whom: str
    on: bool


class ChatSet(Event, frozen=True, tag=True):
    """The chat was turned off or on."""

    on: bool


class Ended(Event, frozen=True, tag=True):
    """The table is closed; `reason` is what everybody reads where whoever runs the server has closed it."""

    why: str
    reason: str | UnsetType = UNSET


_OfSeats = Made | Joined | Leaving | Left | SatOut | Owned
_OfDeals = Gathered | Readied | Choosing | Picked | Named | Opening | Opened | Dealt
_OfRounds = Acted | Undone | ClockStarted | RoundEnded | MatchWon | Aborted | NumbersShown
_OfTables = Proposed | Answered | Settled | Paused | Resumed | Extended | Said | Muted | ChatSet | Ended
AnyEvent = _OfSeats | _OfDeals | _OfRounds | _OfTables
"""Every event."""
