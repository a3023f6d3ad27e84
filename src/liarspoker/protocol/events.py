"""Events: what happened at a table, as the log stores it permanently.

An event is written as `{"e": "Acted", ...}` with all its fields. Class and field names are therefore part of the log
format and can't be renamed. Events contain no secrets: seeds are stored separately, encrypted, and are passed to the
reducers separately.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from liarspoker.protocol.codec import Options
from liarspoker.protocol.settings import Settings, TableEvent


class Event(Struct, frozen=True, tag_field="e"):
    """Base class of events. Unknown fields are ignored when a log is read."""


class Made(Event, frozen=True, tag=True):
    """The table was created; `event` is the duplicate event that it belongs to, if any."""

    table: str
    owner: str
    settings: Settings
    at: float
    event: TableEvent | UnsetType = UNSET


class Joined(Event, frozen=True, tag=True):
    """A person or bot sat down; `bot` is the bot's catalogue name, empty for a person."""

    chair: int
    user: str
    name: str
    bot: str = ""


class Leaving(Event, frozen=True, tag=True):
    """A user left during a round. Their seat plays default actions until the round ends."""

    user: str


class Left(Event, frozen=True, tag=True):
    """A user left the table, and their seat is free."""

    user: str


class SatOut(Event, frozen=True, tag=True):
    """A user sits out (`away`) or plays again, starting with the next round."""

    user: str
    away: bool


class Owned(Event, frozen=True, tag=True):
    """The table has a new owner."""

    user: str


class Removed(Event, frozen=True, tag=True):
    """The owner removed a user, who can't come back unless the owner admits them."""

    user: str


class Admitted(Event, frozen=True, tag=True):
    """A removed user can come back."""

    user: str


class Locked(Event, frozen=True, tag=True):
    """The table was locked, so that nobody new can join, or unlocked."""

    on: bool


class StoodIn(Event, frozen=True, tag=True):
    """A bot plays for a user from now on; `bot` is its catalogue name, empty if the user plays again."""

    user: str
    bot: str


class TookVacation(Event, frozen=True, tag=True):
    """A user is on vacation until a time, in seconds; a time that has passed ends the vacation."""

    user: str
    until: float


class Reserved(Event, frozen=True, tag=True):
    """A seat is kept for a user of the table that this one continues, until they sit down or the owner frees it."""

    chair: int
    user: str
    name: str


class Released(Event, frozen=True, tag=True):
    """The owner freed a reserved seat."""

    chair: int


class Gathered(Event, frozen=True, tag=True):
    """The ready phase of the next deal began: the server committed to its seed."""

    deal: int
    commitment: str
    deadline: float | None


class Readied(Event, frozen=True, tag=True):
    """A user is ready for the next round, with or without a nonce commitment."""

    user: str
    nonce_commitment: str | None = None


class Choosing(Event, frozen=True, tag=True):
    """Everyone is ready, and players now choose bills, slips or the cut. The first choice is due at the deadline."""

    deadline: float | None


class Picked(Event, frozen=True, tag=True):
    """A user chose a bill, a slip or the cut."""

    user: str
    choice: int


class Named(Event, frozen=True, tag=True):
    """The user who opens the next round named its options."""

    user: str
    options: Options


class Opening(Event, frozen=True, tag=True):
    """The players of the next deal are final. Their nonces must be opened before the deadline."""

    users: tuple[str, ...]
    deadline: float


class Opened(Event, frozen=True, tag=True):
    """A user opened their nonce."""

    user: str
    nonce: str


class Dealt(Event, frozen=True, tag=True):
    """A round was dealt.

    Attributes:
        deal: number of the deal.
        users: the players, by seat.
        fresh: this round starts a new session, and so a new record.
        losses: losses at the start of the session, by seat; empty unless a match continues.
        opener: the seat that opens, if the table or a random draw decides it; else `None`.
        stake: the stake in units, if the table sets it; else `None`.
        named: options named for this round.
        nonces: opened nonces by seat, in hexadecimal; empty if the seat contributed none or withheld it.
        picks: face-down choices by seat.
        root: root of the hash tree over everything that was dealt, in hexadecimal.
        at: time of the deal, in seconds.
        carried: the stake was carried over from the previous session; omitted otherwise, and by older versions.
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
    carried: bool | UnsetType = UNSET


class Acted(Event, frozen=True, tag=True):
    """A user played an action, written in the notation; with `by_clock` the server played it for them."""

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
    """A clock started for the seat to act or for players who aren't ready; `None` means that no clock runs."""

    deadline: float | None


class RoundEnded(Event, frozen=True, tag=True):
    """The round ended; `units` are won or lost by each user."""

    units: dict[str, int]


class MatchWon(Event, frozen=True, tag=True):
    """A match ended; `units` are what each of its players pays or, for the winner, receives."""

    user: str
    units: dict[str, int]


class Aborted(Event, frozen=True, tag=True):
    """The round in progress was aborted and pays nobody. Its deal stays on record."""

    deal: int


class NumbersShown(Event, frozen=True, tag=True):
    """A user asked to see the numbers of the last hand, and they were shown."""

    user: str


class HandShown(Event, frozen=True, tag=True):
    """A user showed their hand of the round that just ended."""

    user: str


class Proposed(Event, frozen=True, tag=True):
    """A user made a proposal, on which `voters` can vote."""

    number: int
    kind: str
    user: str
    value: int | str | None
    voters: tuple[str, ...]


class Answered(Event, frozen=True, tag=True):
    """A user voted on a proposal."""

    number: int
    user: str
    yes: bool


class Settled(Event, frozen=True, tag=True):
    """A proposal was accepted, rejected or withdrawn."""

    number: int
    agreed: bool


class Paused(Event, frozen=True, tag=True):
    """The clocks were paused, with `left` seconds on the running one."""

    left: float | None


class Resumed(Event, frozen=True, tag=True):
    """The clocks were resumed."""

    deadline: float | None


class Extended(Event, frozen=True, tag=True):
    """The deadline was extended by time in which nobody could play."""

    deadline: float


class Said(Event, frozen=True, tag=True):
    """A user sent a chat message."""

    user: str
    name: str
    text: str
    at: float


class Muted(Event, frozen=True, tag=True):
    """A user muted or unmuted another one (`whom`)."""

    user: str
    whom: str
    on: bool


class ChatSet(Event, frozen=True, tag=True):
    """Chat was turned on or off."""

    on: bool


class Ended(Event, frozen=True, tag=True):
    """The table was closed; `reason` is shown to everyone if the server's operator closed it."""

    why: str
    reason: str | UnsetType = UNSET


class Rematched(Event, frozen=True, tag=True):
    """After the end, a user opened another table (`table`) for the same players."""

    user: str
    table: str


_OfSeats = Made | Joined | Leaving | Left | SatOut | Owned | Reserved | Released
_OfPlayers = Removed | Admitted | Locked | StoodIn | TookVacation
_OfDeals = Gathered | Readied | Choosing | Picked | Named | Opening | Opened | Dealt
_OfRounds = Acted | Undone | ClockStarted | RoundEnded | MatchWon | Aborted | NumbersShown | HandShown
_OfTables = Proposed | Answered | Settled | Paused | Resumed | Extended | Said | Muted | ChatSet | Ended | Rematched
AnyEvent = _OfSeats | _OfPlayers | _OfDeals | _OfRounds | _OfTables
"""Every event."""
