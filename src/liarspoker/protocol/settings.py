"""What a table is set to when it is made: the game, its options, the clock, who may watch."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct, field

from liarspoker.protocol.codec import Options, Reader, check_printable

Spectators = Literal["live", "behind", "none"]
Visibility = Literal["private", "open"]
Audit = Literal["full", "leaves"]

SPECTATORS: tuple[str, ...] = get_args(Spectators)
VISIBILITIES: tuple[str, ...] = get_args(Visibility)
AUDITS: tuple[str, ...] = get_args(Audit)


class Clock(Struct, frozen=True):
    """How long a decision may take, in seconds.

    Attributes:
        turn: for each decision.
        bank: on top, for all decisions of one player until it is used up.
        ready: between two rounds; players who aren't ready then sit out.
    """

    turn: Annotated[float, Meta(ge=1, le=86_400)]
    bank: Annotated[float, Meta(ge=0, le=86_400)] = 0.0
    ready: Annotated[float, Meta(ge=5, le=86_400)] = 60.0


class NewClock(Clock, frozen=True, forbid_unknown_fields=True):
    """The clock that somebody asks for."""


class Settings(Struct, frozen=True):
    """What a table is set to.

    Attributes:
        game: the catalogue id.
        seats: the number of chairs.
        options: the game's options that differ from its preset, as a record writes them.
        from_slips: deal from slips or as bills; `None`: as the game usually is.
        title: what the table is called.
        unit: what one unit stands for, such as `1 euro`; empty for points.
        clock: `None`: nobody is hurried.
        rounds: the table ends after so many; `None`: when its owner ends it.
        spectators: `live` see the table without hands, `behind` the round before, `none` nothing.
        visibility: `open` tables are listed in the lobby, `private` ones are found by their link alone.
        audit: what is proved at the end: `full` opens every seed, `leaves` proves only what the rules showed.
        choose: bills, slips or the cut are chosen face down, in the order of the rules.
        chat: people may talk.
        help: the program may tell odds at the table.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: int
    options: Options = field(default_factory=dict)
    from_slips: bool | None = None
    title: Annotated[str, Meta(max_length=60)] = ""
    unit: Annotated[str, Meta(max_length=40)] = ""
    clock: Clock | None = None
    rounds: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    spectators: Spectators = "live"
    visibility: Visibility = "private"
    audit: Audit = "full"
    choose: bool = False
    chat: bool = True
    help: bool = True


class NewTable(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings that somebody asks for; by default six chairs, or as many as the game seats."""

    seats: Annotated[int, Meta(ge=2, le=16)] | None = None  # type: ignore[assignment]  # filled in when it is judged
    clock: NewClock | None = None

    def __post_init__(self) -> None:
        check_printable(game=self.game, title=self.title, unit=self.unit)


NEW_TABLES: Reader[NewTable] = Reader(NewTable)
