"""Settings of a table, chosen when it is created: the game, its options, the clock, who can watch."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, field

from liarspoker.protocol.codec import Options, Reader, check_printable

Spectators = Literal["live", "behind", "none"]
Visibility = Literal["private", "open"]
Audit = Literal["full", "leaves"]
Days = Literal[1, 3, 7]

SPECTATORS: tuple[str, ...] = get_args(Spectators)
VISIBILITIES: tuple[str, ...] = get_args(Visibility)
AUDITS: tuple[str, ...] = get_args(Audit)
DAYS: tuple[int, ...] = get_args(Days)


class Clock(Struct, frozen=True):
    """Time limits, in seconds.

    Attributes:
        turn: time for each decision.
        bank: additional time per player, for all their decisions together.
        ready: time to get ready between two rounds; players who don't sit out.
    """

    turn: Annotated[float, Meta(ge=1, le=86_400)]
    bank: Annotated[float, Meta(ge=0, le=86_400)] = 0.0
    ready: Annotated[float, Meta(ge=5, le=86_400)] = 60.0


class NewClock(Clock, frozen=True, forbid_unknown_fields=True):
    """The clock in a request for a new table."""


class Settings(Struct, frozen=True):
    """Settings of a table.

    Attributes:
        game: catalogue id of the game.
        seats: number of table seats.
        options: game options that differ from the preset, written as in a game record.
        from_slips: deal from slips (`True`) or bills (`False`); `None` for the game's default.
        title: name of the table.
        unit: what one unit represents, such as `1 euro`; empty for points.
        clock: time limits; `None` for no limits.
        rounds: number of rounds after which the table ends; `None` until its owner ends it.
        spectators: `live`: they see the table without hands; `behind`: they see the previous round; `none`: no access.
        visibility: `open` tables are listed in the lobby; `private` tables can only be found by their link.
        audit: proof at the end: `full` reveals every seed, `leaves` proves only what the rules showed.
        choose: players choose bills, slips or the cut face down, in the order given by the rules.
        chat: chat is enabled.
        help: clients may show odds at the table.
        days: correspondence play: days for each decision, in place of a clock; omitted at other tables.
        rated: the result changes the players' ratings; omitted at other tables. See `liarspoker.tables.rated`.
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
    days: Days | UnsetType = UNSET
    rated: bool | UnsetType = UNSET


class TableEvent(Struct, frozen=True):
    """The duplicate event that a table belongs to.

    Attributes:
        id: id of the event, under which all its tables deal.
        bot: catalogue name of the bot that plays for players who are absent.
    """

    id: str
    bot: str


class EventPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player of an event: their user id, and their share of its key in hexadecimal, empty for none."""

    user: str
    share: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")]


class EventProof(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What verifies the deals of a duplicate event that is over; see `liarspoker.tables.fair.event`.

    Attributes:
        commitment: the server's commitment to the seed, in hexadecimal, which was published before anyone joined.
        seed: the server's seed, in hexadecimal.
        game: catalogue id of the game.
        seats: number of seats at each table.
        hands: number of hands.
        players: the players, in the order in which they joined.
    """

    commitment: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    seed: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    game: str
    seats: Annotated[int, Meta(ge=2, le=16)]
    hands: Annotated[int, Meta(ge=1, le=10_000)]
    players: tuple[EventPlayer, ...]


class NewTable(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings in a request for a new table. By default it has six seats, or fewer if the game allows fewer.

    `help` is off by default at a rated table and on at others, and a rated match has one match by default.
    """

    help: bool | UnsetType = UNSET  # type: ignore[assignment]  # `read_settings` fills it in
    seats: Annotated[int, Meta(ge=2, le=16)] | None = None  # type: ignore[assignment]  # `read_settings` fills it in
    clock: NewClock | None = None

    def __post_init__(self) -> None:
        check_printable(game=self.game, title=self.title, unit=self.unit)


NEW_TABLES: Reader[NewTable] = Reader(NewTable)
