"""View model of the form for a new table: the games, every setting and option, and the resulting settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import to_builtins

from liarspoker.core import catalogue
from liarspoker.core.session import Game
from liarspoker.language import per_language
from liarspoker.tables.house_rules import RULES, code_of, read_code
from liarspoker.tables.settings import read_settings
from liarspoker.web.forms import option_value
from liarspoker.web.view_models.fields import (
    BOT,
    CLOCK_PARTS,
    DAYS_OF_CLOCK,
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
from liarspoker.web.view_models.terms import PACES, Change, badge, changes_of, option_label, option_words

Json = dict[str, Any]

FIRST_GAME = "salomon-1986"
SWITCH = "switch"
"""The field with which the form switches to another game."""
USE_RULES = "rules"
"""The field with which the form switches to other rules."""

_OF_RULES = ("game", OPTION, *RULES)
"""Prefixes of the fields that are rules."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rules that differ between the games of a family: the games' short names, and each rule's values."""

    games: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class NewTable:
    """The form for a new table.

    Attributes:
        comparison: the rules that differ between the games of the family.
        fields: settings of the table by name.
        options: the game's options.
        bots: the number of bots of each level.
        changes: the house rules: options and settings that differ from the game's preset. The clock isn't one of them.
        rules: the code of the rules; empty if there are errors.
        wrong: the number of invalid fields.
        error: why the valid fields don't fit together; empty if they do.
        settings: the table's settings; meaningful only without errors.
        seated: the names of the bots to add.
    """

    game: catalogue.GamePreset
    games: tuple[catalogue.GamePreset, ...]
    comparison: Comparison
    fields: Mapping[str, Field]
    options: tuple[Field, ...]
    bots: tuple[Field, ...]
    changes: tuple[Change, ...]
    rules: str
    wrong: int
    error: str
    settings: Json
    seated: tuple[str, ...]


def new_table(filled: Mapping[str, str]) -> NewTable:
    """Return the form as filled in, with defaults for missing fields and for an unknown game.

    If `SWITCH` names another game, the form shows that game with its default options. If `USE_RULES` has the code of
    rules, the form shows those rules.

    Raises:
        NoSuchRules: the code is damaged, or this server can't play the rules.
    """
    filled = _switched(filled)
    game = catalogue.load(_game_id(filled.get("game", "")))
    options = tuple(option_field(game, info, filled) for info in game.option_infos)
    fields = {field.name: field for field in setting_fields(game, filled)}
    bots = bot_fields(game.preset, filled, fields["seats"])
    settings = _written(game, fields, options)
    seated = tuple(bot.name.removeprefix(BOT) for bot in bots for _ in range(count_of(bot.value)))
    wrong = sum(bool(field.error) for field in (*fields.values(), *options, *bots))
    error = "" if wrong else refusal_of(settings)
    return NewTable(
        game=game.preset,
        games=catalogue.games(),
        comparison=_comparison(tuple(row for row in catalogue.games() if row.family == game.preset.family)),
        fields=fields,
        options=options,
        bots=bots,
        changes=(*changes_of(game.preset.id, settings["options"]), *_setting_changes(fields.values())),
        rules="" if wrong or error else code_of(read_settings(settings)),
        wrong=wrong,
        error=error,
        settings=settings,
        seated=seated,
    )


def filled_of(settings: Mapping[str, Any], bots: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the form's fields filled in from a table's settings."""
    filled = {name: text_of(value) for name, value in settings.items() if name not in ("options", "clock")}
    filled |= {OPTION + name: text_of(value) for name, value in settings["options"].items()}
    filled |= {BOT + bot: str(bots.count(bot)) for bot in bots}
    clock = settings["clock"]
    named = next((name for name, one in PACES.items() if one == clock), OWN_CLOCK)
    filled["clock"] = f"days-{filled.pop('days')}" if "days" in filled else NO_CLOCK if clock is None else named
    return filled if clock is None else {**filled, **{f"clock.{part}": text_of(clock[part]) for part in clock}}


def explained_settings() -> tuple[Field, ...]:
    """Return the settings of a table that belong to its rules, with their defaults."""
    return tuple(field for field in setting_fields(catalogue.load(FIRST_GAME), {}) if field.name in RULES)


def _setting_changes(fields: Iterable[Field]) -> Iterator[Change]:
    """Yield the house rules among the settings of the table."""
    for field in fields:
        if field.differs and field.name in RULES and field.name != "clock":
            yield Change(field.label, field.words, field.usual, field.meaning, f"/rules#setting-{field.name}")


def _switched(filled: Mapping[str, str]) -> Mapping[str, str]:
    """Return the fields after a switch of games or rules, without the previous game's options.

    A number of seats that the game doesn't allow is dropped, and the bots with it, since there may be too many of them.
    """
    rules = _fields_of_rules(filled[USE_RULES]) if filled.get(USE_RULES) else {}
    other = rules.get("game") or filled.get(SWITCH, "")
    if not rules and other in ("", filled.get("game")):
        return filled
    fewest, most = catalogue.preset(_game_id(other)).seats
    fits = fewest <= count_of(filled.get("seats", "")) <= most
    dropped = (OPTION, "from_slips") if fits else (OPTION, "from_slips", "seats", BOT)
    kept = {name: value for name, value in filled.items() if not name.startswith(dropped)}
    return {**kept, "game": other, **rules}


def _fields_of_rules(code: str) -> dict[str, str]:
    """Return the form's fields that are rules."""
    filled = filled_of(to_builtins(read_code(code)))
    return {name: text for name, text in filled.items() if name.startswith(_OF_RULES)}


def _game_id(text: str) -> str:
    return text if any(row.id == text for row in catalogue.games()) else FIRST_GAME


def _written(game: Game, fields: Mapping[str, Field], options: tuple[Field, ...]) -> Json:
    """Return the fields as settings of a table, without options that have their default."""
    text = {name: field.value for name, field in fields.items()}
    written: Json = {
        "game": game.preset.id,
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
    if text["rated"] == "true":
        written["rated"] = True
        del written["help"]  # the server turns it off
    if text["clock"] in DAYS_OF_CLOCK:
        written["days"] = DAYS_OF_CLOCK[text["clock"]]
    if text.get("from_slips"):
        written["from_slips"] = text["from_slips"] == "true"
    return written


def _written_clock(text: Mapping[str, str]) -> Mapping[str, object] | None:
    if text["clock"] == OWN_CLOCK:
        return {part: option_value(text[f"clock.{part}"]) for part in CLOCK_PARTS}
    return PACES.get(text["clock"])


@per_language()
def _comparison(family: tuple[catalogue.GamePreset, ...]) -> Comparison:
    """Return how the options of a family's games differ."""
    games = [catalogue.load(row.id) for row in family]
    usual = [game.options() for game in games]
    rows = []
    for info in games[0].option_infos:
        values = [getattr(options, info.name) for options in usual]
        if len(set(values)) > 1:
            rows.append((option_label(info.name), tuple(map(option_words, values))))
    return Comparison(tuple(badge(game.preset.id) for game in games), tuple(rows))
