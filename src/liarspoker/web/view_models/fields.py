"""The fields of the form of a new table: what stands there, what is filled in, and what is wrong with it.

What may be filled in is judged by the tables and the rules, one field at a time, so that an error stands beside its
field; nothing of them is repeated here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from liarspoker.bots.catalogue import bots
from liarspoker.core import catalogue
from liarspoker.core.option_info import OptionInfo
from liarspoker.core.session import Game
from liarspoker.protocol.settings import AUDITS, SPECTATORS, VISIBILITIES
from liarspoker.records.words import plural
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings
from liarspoker.web.forms import option_value
from liarspoker.web.view_models.terms import duration, option_label, option_words, round_word

Json = dict[str, Any]

OPTION, BOT = "option.", "bot."
"""Before the names of fields for options of the game, and for how many bots of a level sit down."""

NO_CLOCK, OWN_CLOCK = "none", "own"
CLOCKS: Mapping[str, Json] = {
    "quick": {"turn": 15, "bank": 60, "ready": 30},
    "steady": {"turn": 30, "bank": 120, "ready": 60},
    "slow": {"turn": 90, "bank": 300, "ready": 120},
}
"""Clocks by name: seconds for each decision, in the bank, and between two rounds."""

_FLAG_WORDS = {"true": "Yes", "false": "No"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that may be chosen, whether it is the usual one, and what it means if that needs saying."""

    value: str
    label: str
    chosen: bool
    usual: bool = False
    more: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One line of the form.

    Attributes:
        name: as the form sends it.
        kind: `choice`, `number` or `text`.
        most: the greatest one, or the longest text.
        usual: what it usually is, in words.
        differs: it is filled in otherwise.
        source: where the rule stands.
        error: why what is filled in cannot be.
    """

    name: str
    label: str
    kind: str
    value: str
    choices: tuple[Choice, ...] = ()
    least: int | None = None
    most: int | None = None
    usual: str = ""
    differs: bool = False
    meaning: str = ""
    source: str = ""
    error: str = ""


def text_of(value: object) -> str:
    """A value as a form writes it; empty for nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def refusal_of(settings: Json) -> str:
    """Why a table cannot be made so; empty if it can."""
    try:
        read_settings(settings)
    except Refused as error:
        return str(error).removeprefix("settings: ")
    return ""


def _judged(game: Game, name: str, value: object) -> str:
    """Why one setting cannot be, whatever the others are; empty if it can."""
    return refusal_of({"game": game.row.id, name: value})


def option_field(game: Game, info: OptionInfo, filled: Mapping[str, str]) -> Field:
    """An option of the game: what is chosen, what the game has, what it means and who says so."""
    usual = getattr(game.options(), info.name)
    text = filled.get(OPTION + info.name, text_of(usual))
    value = text if isinstance(usual, str) else option_value(text)
    error = _judged(game, "options", {info.name: value}) if value != usual else ""
    ranged = isinstance(info.choices, range)
    free = bool(getattr(info, "pattern", ""))
    return Field(
        name=OPTION + info.name,
        label=option_label(info.name),
        kind="number" if ranged else "text" if free else "choice",
        value=text,
        choices=()
        if ranged or free
        else tuple(
            Choice(text_of(one), option_words(one).capitalize(), one == value, one == usual) for one in info.choices
        ),
        least=info.choices[0] if isinstance(info.choices, range) else None,
        most=info.choices[-1] if isinstance(info.choices, range) else None,
        usual=option_words(usual),
        differs=value != usual,
        meaning=info.meaning,
        source=info.source,
        error=error and f"It takes {info.values_text()}.",
    )


def setting_fields(game: Game, filled: Mapping[str, str]) -> list[Field]:
    """The settings of the table beside its rules."""
    row, word = game.row, round_word(game.row)
    least, most = row.seats
    fields = [
        _number(game, filled, "seats", "Chairs", min(6, most), f"A number from {least} to {most}.", least, most),
        _words(game, filled, "title", "Title", 60, "What the table is called in the lobby; may be empty."),
        _words(game, filled, "unit", "A unit stands for", 40, "Such as “10 cents” or “one pretzel”; empty for points."),
        _number(game, filled, "rounds", "Length", None, f"A number of {word}s, or nothing to play on.", 1, 10_000),
        _chosen(filled, "visibility", "Who finds it", VISIBILITIES, _VISIBILITY),
        _chosen(filled, "spectators", "Onlookers", SPECTATORS, _ONLOOKERS),
        _chosen(filled, "audit", "Proof of the deals", AUDITS, _AUDIT),
        _flag(filled, "choose", "Choose face down", "false", "Bills, slips or the cut are chosen by the players."),
        _flag(filled, "chat", "Chat", "true", "People may talk at the table."),
        _flag(filled, "help", "Show odds", "true", "Programs may tell odds while people play."),
        *_clock(game, filled),
    ]
    if not row.has_winner and not _judged(game, "from_slips", True):
        fields.append(_chosen(filled, "from_slips", "Numbers", ("", "true", "false"), _NUMBERS))
    return fields


_VISIBILITY = {
    "private": ("Whoever has the link", "It does not stand in the lobby."),
    "open": ("Everybody", "It stands in the lobby, and who likes sits down."),
}
_ONLOOKERS = {
    "live": ("Live", "They see the table as it is, without hands."),
    "behind": ("One round behind", "They see the round before."),
    "none": ("None", "Only who has sat here sees anything."),
}
_AUDIT = {
    "full": ("Everything", "When the table has ended, every deal is opened."),
    "leaves": ("What was shown", "Hands that the rules never showed stay hidden for ever."),
}
_NUMBERS = {
    "": ("As usual", "As this game has them."),
    "true": ("Slips", "Fifteen numbers to a slip, ten of them played."),
    "false": ("Bills", "A new number for every hand."),
}


def _chosen(
    filled: Mapping[str, str], name: str, label: str, values: tuple[str, ...], words: Mapping[str, tuple[str, str]]
) -> Field:
    value = filled.get(name, values[0])
    error = "" if value in values else "Choose one of these."
    choices = tuple(Choice(one, words[one][0], one == value, one == values[0], words[one][1]) for one in values)
    return Field(name, label, "choice", value, choices, error=error, differs=value != values[0])


def _flag(filled: Mapping[str, str], name: str, label: str, usual: str, meaning: str) -> Field:
    value = filled.get(name, usual)
    error = "" if value in _FLAG_WORDS else "Choose one of these."
    choices = tuple(Choice(one, words, one == value, one == usual) for one, words in _FLAG_WORDS.items())
    return Field(name, label, "choice", value, choices, meaning=meaning, error=error, differs=value != usual)


def _number(
    game: Game, filled: Mapping[str, str], name: str, label: str, usual: int | None, what: str, least: int, most: int
) -> Field:
    value = filled.get(name, text_of(usual)).strip() or text_of(usual)
    error = what if value and _judged(game, name, option_value(value)) else ""
    return Field(
        name, label, "number", value, least=least, most=most, meaning=what, error=error, differs=value != text_of(usual)
    )


def _words(game: Game, filled: Mapping[str, str], name: str, label: str, most: int, meaning: str) -> Field:
    value = " ".join(filled.get(name, "").split())
    error = _judged(game, name, value) and f"At most {most} characters, all of which can be seen."
    return Field(name, label, "text", value, most=most, meaning=meaning, error=error)


def _clock(game: Game, filled: Mapping[str, str]) -> list[Field]:
    """The clocks to choose from, and the three parts of one's own."""
    value = filled.get("clock", NO_CLOCK)
    choices = [Choice(NO_CLOCK, "No clock", value == NO_CLOCK, True, "Everybody takes his time.")]
    choices += [
        Choice(name, name.capitalize(), value == name, more=f"{duration(one['turn'])}, bank {duration(one['bank'])}")
        for name, one in CLOCKS.items()
    ]
    choices.append(Choice(OWN_CLOCK, "My own", value == OWN_CLOCK, more="Fill in the seconds."))
    known = any(choice.chosen for choice in choices)
    parts = [_clock_part(game, filled, part, value == OWN_CLOCK) for part in CLOCK_PARTS]
    error = "" if known else "Choose one of these."
    return [Field("clock", "Clock", "choice", value, tuple(choices), error=error), *parts]


CLOCK_PARTS = {
    "turn": ("Seconds a decision", 30, "1 or more"),
    "bank": ("Seconds in the bank", 60, "0 or more"),
    "ready": ("Seconds between rounds", 60, "5 or more"),
}


def _clock_part(game: Game, filled: Mapping[str, str], part: str, used: bool) -> Field:
    label, usual, what = CLOCK_PARTS[part]
    value = filled.get(f"clock.{part}", "").strip() or str(usual)
    wrong = used and _judged(game, "clock", {"turn": 30, part: option_value(value)})
    return Field(
        f"clock.{part}", label, "number", value, least=0, most=86_400, error=f"Seconds, {what}." if wrong else ""
    )


def bot_fields(row: catalogue.GameRow, filled: Mapping[str, str], seats: Field) -> tuple[Field, ...]:
    """How many bots of each level sit down; all of them need chairs."""
    rows = [bot for bot in bots() if bot.plays(row)]
    values = {bot.name: filled.get(BOT + bot.name, "0").strip() or "0" for bot in rows}
    chairs = count_of(seats.value)
    wanted = sum(map(count_of, values.values()))
    too_many = wanted >= chairs and not seats.error
    told = f"{plural(chairs, 'chair')}, one of them yours: at most {plural(chairs - 1, 'bot')}."
    fields, first = [], True
    for bot in rows:
        value = values[bot.name]
        error = "" if value.isascii() and value.isdigit() else "A number of bots."
        if too_many and first and not error and count_of(value):
            error, first = told, False
        fields.append(
            Field(BOT + bot.name, bot.title, "number", value, least=0, most=15, meaning=bot.summary, error=error)
        )
    return tuple(fields)


def count_of(text: str) -> int:
    """The number that a text writes; 0 where it writes none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0
