"""What a table is set to when it is made: the game, its options, the clock, who may look on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Game, Session
from liarspoker.tables import shapes
from liarspoker.tables.refused import Refused

SPECTATORS = ("live", "behind", "none")
VISIBILITIES = ("private", "open")
AUDITS = ("full", "leaves")


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a decision may take, in seconds.

    Attributes:
        turn: for each decision.
        bank: on top, for all decisions of one player until it is used up.
        ready: between two rounds; who is not ready then sits out.
    """

    turn: float
    bank: float = 0.0
    ready: float = 60.0


@dataclass(frozen=True)
class Settings:
    """What a table is set to.

    Attributes:
        game: the catalogue id.
        seats: how many chairs there are.
        options: the game's options that differ from its preset, as a record writes them.
        from_slips: deal from slips or as bills; `None` as the game usually is.
        title: what the table is called.
        unit: what one unit stands for, such as `1 euro`; empty for points.
        clock: `None` lets everybody take his time.
        rounds: the table ends after so many; `None` to go on for as long as people like.
        spectators: `live` sees the table without hands, `behind` the round before, `none` nothing.
        visibility: `open` tables stand in the lobby, `private` ones are found by their link alone.
        audit: what is proved at the end: `full` opens every seed, `leaves` proves only what the rules showed.
        choose: bills, slips or the cut are chosen face down, in the order of the rules.
        chat: people may talk.
        help: the program may tell odds at the table.
    """

    game: str
    seats: int
    options: Mapping[str, object] = field(default_factory=dict)
    from_slips: bool | None = None
    title: str = ""
    unit: str = ""
    clock: Clock | None = None
    rounds: int | None = None
    spectators: str = "live"
    visibility: str = "private"
    audit: str = "full"
    choose: bool = False
    chat: bool = True
    help: bool = True

    def to_json(self) -> dict[str, Any]:
        """All settings, as `read_settings` reads them."""
        return {**self._written, "options": dict(self.options)}

    @cached_property
    def _written(self) -> dict[str, Any]:
        told = {name.name: getattr(self, name.name) for name in fields(self)}
        if self.clock is not None:
            told["clock"] = {"turn": self.clock.turn, "bank": self.clock.bank, "ready": self.clock.ready}
        return told


_CLOCK = {"turn": shapes.number(1, 86_400), "bank": shapes.number(0, 86_400), "ready": shapes.number(5, 86_400)}

_SETTINGS: dict[str, shapes.Check] = {
    "game": shapes.text(40),
    "seats": shapes.whole(2, 16),
    "options": shapes.table,
    "from_slips": shapes.or_nothing(shapes.flag),
    "title": shapes.text(60),
    "unit": shapes.text(40),
    "clock": shapes.or_nothing(shapes.table),
    "rounds": shapes.or_nothing(shapes.whole(1, 10_000)),
    "spectators": shapes.one_of(*SPECTATORS),
    "visibility": shapes.one_of(*VISIBILITIES),
    "audit": shapes.one_of(*AUDITS),
    "choose": shapes.flag,
    "chat": shapes.flag,
    "help": shapes.flag,
}


def read_settings(given: Any) -> Settings:
    """The settings that somebody asks for; a game that cannot be played so is refused here, and not at the first deal.

    Raises:
        Refused: `bad-command` for what is no setting, or the code of the rule that refuses game, options or seats.
    """
    told = shapes.checked(given, _SETTINGS, "settings", ("game",))
    try:
        game = catalogue.load(told["game"])
        seats = told.get("seats", min(6, game.row.seats[1]))
        settings = Settings(**{**told, "seats": seats, "clock": _clock(told.get("clock"))})
        begin_session(game, settings, seats)
    except Refused:
        raise
    except LiarsPokerError as error:
        raise Refused(error.code, f"settings: {error}") from error
    return settings


def settings_of(written: Mapping[str, Any]) -> Settings:
    """The settings that `to_json` wrote. They were judged when they were made, and are not judged again."""
    clock = written["clock"]
    return Settings(**{**written, "clock": None if clock is None else Clock(**clock)})


def _clock(given: Any) -> Clock | None:
    return None if given is None else Clock(**shapes.checked(given, _CLOCK, "clock", ("turn",)))


def begin_session(game: Game, settings: Settings, seats: int, losses: tuple[int, ...] = ()) -> Session:
    """A session of this table's game before its first round.

    Raises:
        LiarsPokerError: the game has no such options, does not seat so many, or is not dealt from slips.
    """
    options = game.options(dict(settings.options))
    if settings.from_slips is None:
        return game.session(seats, options, losses=losses or None)
    if game.row.has_winner:
        raise Refused("bad-option", f"{game.row.id} is played with cards, neither from slips nor with bills")
    return game.session(seats, options, settings.from_slips)
