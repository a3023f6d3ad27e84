"""The form of a new table as a whole: games to choose from, every setting and every rule, and what it would make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.session import Game
from liarspoker.web.forms import option_value
from liarspoker.web.view_models.fields import (
    BOT,
    CLOCK_PARTS,
    CLOCKS,
    NO_CLOCK,
    OPTION,
    OWN_CLOCK,
    Field,
    bot_fields,
    count_of,
    option_field,
    refusal_of,
    setting_fields,
    text_of,
)
from liarspoker.web.view_models.terms import badge, option_label, option_words

Json = dict[str, Any]

FIRST_GAME = "salomon-1986"
SWITCH = "switch"
"""The field in which the form names another game to show."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between the games of a family: their short names, and each rule as they have it."""

    games: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class NewTable:
    """The form of a new table.

    Attributes:
        comparison: what differs between this game and its sisters.
        fields: settings of the table by name.
        differing: how many options are not as the game has them.
        error: what is wrong with all of it together.
        settings: what the table is to be made with; good only where nothing is wrong.
        seated: the bots that sit down, by name.
    """

    game: catalogue.GameRow
    games: tuple[catalogue.GameRow, ...]
    comparison: Comparison
    fields: Mapping[str, Field]
    options: tuple[Field, ...]
    bots: tuple[Field, ...]
    differing: int
    wrong: int
    error: str
    settings: Json
    seated: tuple[str, ...]


def new_table(filled: Mapping[str, str]) -> NewTable:
    """The form as it was filled in; what is missing is as it usually is, and a game that is none is the first.

    Where `SWITCH` names another game than the one whose rules are filled in, that game is shown with its own rules.
    """
    filled = _switched(filled)
    game = catalogue.load(_game_id(filled.get("game", "")))
    options = tuple(option_field(game, info, filled) for info in game.option_infos)
    fields = {field.name: field for field in setting_fields(game, filled)}
    bots = bot_fields(game.row, filled, fields["seats"])
    settings = _written(game, fields, options)
    seated = tuple(bot.name.removeprefix(BOT) for bot in bots for _ in range(count_of(bot.value)))
    wrong = sum(bool(field.error) for field in (*fields.values(), *options, *bots))
    return NewTable(
        game=game.row,
        games=catalogue.games(),
        comparison=_comparison(tuple(row for row in catalogue.games() if row.family == game.row.family)),
        fields=fields,
        options=options,
        bots=bots,
        differing=sum(field.differs for field in options),
        wrong=wrong,
        error="" if wrong else refusal_of(settings),
        settings=settings,
        seated=seated,
    )


def filled_of(settings: Mapping[str, Any], bots: tuple[str, ...] = ()) -> dict[str, str]:
    """The form filled in as a table is set."""
    filled = {name: text_of(value) for name, value in settings.items() if name not in ("options", "clock")}
    filled |= {OPTION + name: text_of(value) for name, value in settings["options"].items()}
    filled |= {BOT + bot: str(bots.count(bot)) for bot in bots}
    clock = settings["clock"]
    named = next((name for name, one in CLOCKS.items() if one == clock), OWN_CLOCK)
    filled["clock"] = NO_CLOCK if clock is None else named
    return filled if clock is None else {**filled, **{f"clock.{part}": text_of(clock[part]) for part in clock}}


def _switched(filled: Mapping[str, str]) -> Mapping[str, str]:
    """The form after the switch that it asks for: without the rules of the game before, or chairs that don't fit.

    The bots go with the chairs, since they may be too many for those that the game usually has.
    """
    other = filled.get(SWITCH, "")
    if other in ("", filled.get("game")):
        return filled
    fewest, most = catalogue.row(_game_id(other)).seats
    fits = fewest <= count_of(filled.get("seats", "")) <= most
    dropped = (OPTION, "from_slips") if fits else (OPTION, "from_slips", "seats", BOT)
    kept = {name: value for name, value in filled.items() if not name.startswith(dropped)}
    return {**kept, "game": other}


def _game_id(text: str) -> str:
    return text if any(row.id == text for row in catalogue.games()) else FIRST_GAME


def _written(game: Game, fields: Mapping[str, Field], options: tuple[Field, ...]) -> Json:
    """What was filled in, as settings of a table; what is as usual is left out where it can be."""
    text = {name: field.value for name, field in fields.items()}
    written: Json = {
        "game": game.row.id,
        "seats": option_value(text["seats"]),
        "title": text["title"],
        "unit": text["unit"],
        "rounds": option_value(text["rounds"]) if text["rounds"] else None,
        "visibility": text["visibility"],
        "spectators": text["spectators"],
        "audit": text["audit"],
        "clock": _written_clock(text),
        "options": {
            field.name.removeprefix(OPTION): field.value if field.kind == "text" else option_value(field.value)
            for field in options
            if field.differs
        },
        **{name: text[name] == "true" for name in ("choose", "chat", "help")},
    }
    if text.get("from_slips"):
        written["from_slips"] = text["from_slips"] == "true"
    return written


def _written_clock(text: Mapping[str, str]) -> Json | None:
    if text["clock"] == OWN_CLOCK:
        return {part: option_value(text[f"clock.{part}"]) for part in CLOCK_PARTS}
    return CLOCKS.get(text["clock"])


@cache
def _comparison(family: tuple[catalogue.GameRow, ...]) -> Comparison:
    """What differs between the games of a family, as their options tell it."""
    games = [catalogue.load(row.id) for row in family]
    usual = [game.options() for game in games]
    rows = []
    for info in games[0].option_infos:
        values = [getattr(options, info.name) for options in usual]
        if len(set(values)) > 1:
            rows.append((option_label(info.name), tuple(map(option_words, values))))
    return Comparison(tuple(badge(game.row.id) for game in games), tuple(rows))
