"""What happens at a table: facts in the past tense, as the log keeps them for ever.

An event is a frozen dataclass; the log writes it as `{"e": "Acted", ...}` with its fields. A field that is secret is
not written: it lies apart, sealed, and is put back when the log is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, cast

LOG_VERSION = 1
"""Written into every entry. An event keeps its meaning for ever; a new meaning is a new event."""


class Event:
    """Something that has happened."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Made(Event):
    """The table was made."""

    table: str
    owner: str
    settings: Mapping[str, Any]
    at: float


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """Somebody sat down; `bot` names the bot that he is."""

    chair: int
    user: str
    name: str
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Leaving(Event):
    """Somebody left in the middle of a round; it is played to its end for him."""

    user: str


@dataclass(frozen=True, slots=True)
class Left(Event):
    """Somebody's chair is free again."""

    user: str


@dataclass(frozen=True, slots=True)
class SatOut(Event):
    """Somebody sits out from the next round on, or plays again."""

    user: str
    away: bool


@dataclass(frozen=True, slots=True)
class Owned(Event):
    """The table belongs to somebody else."""

    user: str


@dataclass(frozen=True, slots=True)
class Gathered(Event):
    """The next deal is being made ready: the server is committed to its seed."""

    deal: int
    commitment: str
    deadline: float | None
    seed: bytes = field(repr=False, metadata={"secret": True})


@dataclass(frozen=True, slots=True)
class Readied(Event):
    """Somebody wants the next round, committed to a nonce or not."""

    user: str
    nonce_commitment: str | None = None


@dataclass(frozen=True, slots=True)
class Choosing(Event):
    """Everybody is ready; bills, slips or the cut are being chosen, the first before the deadline."""

    deadline: float | None


@dataclass(frozen=True, slots=True)
class Picked(Event):
    """Somebody chose a bill, a slip or the cut."""

    user: str
    choice: int


@dataclass(frozen=True, slots=True)
class Named(Event):
    """Who begins the next round has named its options."""

    user: str
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Opening(Event):
    """It is settled who is dealt to; the nonces are to be opened before the deadline."""

    users: tuple[str, ...]
    deadline: float


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """Somebody opened his nonce."""

    user: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Dealt(Event):
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
    named: Mapping[str, object]
    nonces: tuple[str, ...]
    picks: tuple[int | None, ...]
    root: str
    at: float


@dataclass(frozen=True, slots=True)
class Acted(Event):
    """Somebody played an action of the notation, or the clock did it for him."""

    user: str
    action: str
    at: float
    bank: float | None = None
    by_clock: bool = False


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last action was taken back."""

    user: str
    at: float


@dataclass(frozen=True, slots=True)
class ClockStarted(Event):
    """The time of the seat to act, or of those who are not ready, is running until the deadline, or runs no more."""

    deadline: float | None


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """The round came out so, by user."""

    units: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class MatchWon(Event):
    """A match is over; everybody who has played in it pays its winner."""

    user: str
    units: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Aborted(Event):
    """The round in play was broken off and is worth nothing; its deal stays on record."""

    deal: int


@dataclass(frozen=True, slots=True)
class NumbersShown(Event):
    """Somebody asked to see the numbers."""

    user: str


@dataclass(frozen=True, slots=True)
class Proposed(Event):
    """Something was proposed to those who have a say in it."""

    number: int
    kind: str
    user: str
    value: int | str | None
    voters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered(Event):
    """Somebody agreed, or did not."""

    number: int
    user: str
    yes: bool


@dataclass(frozen=True, slots=True)
class Settled(Event):
    """A proposal is off the table, agreed or not."""

    number: int
    agreed: bool


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """The clocks stand still, with so many seconds left."""

    left: float | None


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The clocks run again."""

    deadline: float | None


@dataclass(frozen=True, slots=True)
class Extended(Event):
    """Time was given back that nobody could use."""

    deadline: float


@dataclass(frozen=True, slots=True)
class Said(Event):
    """Somebody said something."""

    user: str
    name: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Muted(Event):
    """Somebody hears another no longer, or again."""

    user: str
    whom: str
    on: bool


@dataclass(frozen=True, slots=True)
class ChatSet(Event):
    """The chat was turned off or on."""

    on: bool


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The table is closed."""

    why: str


_KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in Event.__subclasses__()}
_FIELDS = {kind: fields(cast(Any, kind)) for kind in _KINDS.values()}
_PUBLIC = {kind: tuple(part.name for part in parts if "secret" not in part.metadata) for kind, parts in _FIELDS.items()}
_TUPLES = {
    kind: tuple(part.name for part in parts if str(part.type).startswith("tuple")) for kind, parts in _FIELDS.items()
}

Seeds = Callable[[int], bytes]
"""Answers with the seed of a deal."""


def to_json(event: Event) -> dict[str, Any]:
    """The event as the log keeps it, without what is secret."""
    kind = type(event)
    told: dict[str, Any] = {"e": kind.__name__}
    for name in _PUBLIC[kind]:
        told[name] = getattr(event, name)
    return told


def from_json(told: Mapping[str, Any], seeds: Seeds) -> Event:
    """The event that the log has kept.

    Args:
        told: as `to_json` wrote it.
        seeds: where the secret parts are.

    Raises:
        ValueError: no such event is known; the log is newer than this program, or damaged.
    """
    kind = _KINDS.get(told.get("e", ""))
    if kind is None:
        raise ValueError(f"the log holds an event {told.get('e')!r} that this program does not know")
    values = {**told}
    del values["e"]
    for name in _TUPLES[kind]:
        values[name] = tuple(values[name])
    if kind is Gathered:
        values["seed"] = seeds(values["deal"])
    return kind(**values)


def secrets_of(events: tuple[Event, ...]) -> tuple[tuple[int, bytes], ...]:
    """The seeds that these events hold, by the number of their deal."""
    return tuple((event.deal, event.seed) for event in events if isinstance(event, Gathered))
