"""Fields of the form for a new table: their values, choices and errors.

Each field is validated separately by the code that creates tables, so that an error appears beside its field and no
rule is repeated here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from liarspoker.bots.catalogue import table_bots
from liarspoker.core import catalogue
from liarspoker.core.option_info import OptionInfo
from liarspoker.core.session import Game
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.protocol.settings import AUDITS, DAYS, SPECTATORS, VISIBILITIES
from liarspoker.records.words import capital
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings
from liarspoker.web.forms import option_value
from liarspoker.web.view_models.terms import PACE_NAMES, PACES, duration, option_label, option_words
from liarspoker.web.words import inline

Json = dict[str, Any]

OPTION, BOT = "option.", "bot."
"""Prefixes of the fields for options of the game, and for the number of bots of a level."""

NO_CLOCK, OWN_CLOCK = "none", "own"
"""The values of the field `clock` that aren't paces."""


DAYS_OF_CLOCK: Mapping[str, int] = {f"days-{days}": days for days in DAYS}
"""Days per decision of the presets for correspondence play, by name."""

_FLAG_WORDS = {"true": N_("Yes"), "false": N_("No")}


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that can be chosen, whether it is the default, and an explanation if it needs one."""

    value: str
    label: str
    chosen: bool
    usual: bool = False
    more: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form.

    Attributes:
        name: its name in the form.
        kind: `choice`, `number` or `text`.
        most: the greatest number, or the maximum length of a text.
        usual: the default in words.
        differs: the value isn't the default.
        source: the source of the rule.
        error: why the value isn't valid; empty if it is.
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

    @property
    def words(self) -> str:
        """The value in words."""
        return next((inline(choice.label) for choice in self.choices if choice.chosen), self.value) or _("none")


def text_of(value: object) -> str:
    """Return a value as a form field's text: empty for `None`, and with three decimals at most."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def refusal_of(settings: Json) -> str:
    """Return why a table can't have these settings; empty if it can."""
    try:
        read_settings(settings)
    except Refused as error:
        return str(error).removeprefix("settings: ")
    return ""


def _judged(game: Game, name: str, value: object) -> str:
    """Return why a setting isn't valid, whatever the others are; empty if it is."""
    return refusal_of({"game": game.preset.id, name: value})


def option_field(game: Game, info: OptionInfo, filled: Mapping[str, str]) -> Field:
    """Return the field of an option of the game."""
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
            Choice(text_of(one), capital(option_words(one)), one == value, one == usual) for one in info.choices
        ),
        least=info.choices[0] if isinstance(info.choices, range) else None,
        most=info.choices[-1] if isinstance(info.choices, range) else None,
        usual=option_words(usual),
        differs=value != usual,
        meaning=_(info.meaning),
        source=info.source,
        error=error and _("Must be {values}.", values=info.values_text()),
    )


def setting_fields(game: Game, filled: Mapping[str, str]) -> list[Field]:
    """Return the fields of the table's settings, other than the game's options."""
    row = game.preset
    least, most = row.seats
    length = (
        _("Number of rounds (leave empty for no limit).")
        if row.has_winner
        else _("Number of hands (leave empty for no limit).")
    )
    seats = _("Number of seats, {least} to {most}.", least=least, most=most)
    unit = _("For example “10 cents” (leave empty for points).")
    fields = [
        _number(game, filled, "seats", _("Seats"), min(6, most), seats, least, most),
        _words(game, filled, "title", pgettext("of a table", "Title"), 60, _("Name of the table (optional).")),
        _words(game, filled, "unit", _("Value of a unit"), 40, unit),
        _number(game, filled, "rounds", _("Length"), None, length, 1, 10_000),
        _chosen(filled, "visibility", _("Visibility"), VISIBILITIES, _VISIBILITY),
        _chosen(filled, "spectators", _("Spectators"), SPECTATORS, _SPECTATORS),
        _chosen(filled, "audit", _("Fairness check"), AUDITS, _AUDIT),
        _flag(filled, "choose", _("Pick face down"), "false", _("Players pick their bills or slips, or cut the deck.")),
        _flag(filled, "chat", pgettext("noun", "Chat"), "true", _("Players can chat at the table.")),
        _flag(filled, "help", _("Show odds"), "true", _("Show odds during play, except at rated tables.")),
        _flag(filled, "rated", _("Rated"), "false", _(_RATED)),
        *_clock(game, filled),
    ]
    if not row.has_winner and not _judged(game, "from_slips", True):
        fields.append(_chosen(filled, "from_slips", _("Numbers"), ("", "true", "false"), _NUMBERS))
    return fields


_RATED = N_(
    "The result changes everyone’s rating. It needs an account for each player, a clock and a length, and takes no "
    "bots and no house rules."
)
_VISIBILITY = {
    "private": (N_("Private"), N_("Invite link only; hidden from the lobby.")),
    "open": (N_("Open"), N_("Listed in the lobby; anyone can join.")),
}
_SPECTATORS = {
    "live": (N_("Live"), N_("Spectators see the current round without hands.")),
    "behind": (N_("One round behind"), N_("Spectators see the previous round.")),
    "none": (N_("None"), N_("Only players see the table.")),
}
_AUDIT = {
    "full": (N_("All hands"), N_("Every deal is revealed when the table closes.")),
    "leaves": (N_("Shown hands"), N_("Hands that were never shown stay hidden.")),
}
_NUMBERS = {
    "": (N_("Default"), N_("The game’s standard.")),
    "true": (N_("Slips"), N_("Each slip has 15 numbers, of which 10 are played.")),
    "false": (N_("Bills"), N_("A new number for every hand.")),
}


def _chosen(
    filled: Mapping[str, str], name: str, label: str, values: tuple[str, ...], words: Mapping[str, tuple[str, str]]
) -> Field:
    value = filled.get(name, values[0])
    error = "" if value in values else _("Choose one of the values.")
    choices = tuple(Choice(one, _(words[one][0]), one == value, one == values[0], _(words[one][1])) for one in values)
    return Field(
        name,
        label,
        "choice",
        value,
        choices,
        usual=inline(_(words[values[0]][0])),
        error=error,
        differs=value != values[0],
    )


def _flag(filled: Mapping[str, str], name: str, label: str, usual: str, meaning: str) -> Field:
    value = filled.get(name, usual)
    error = "" if value in _FLAG_WORDS else _("Choose one of the values.")
    choices = tuple(Choice(one, _(words), one == value, one == usual) for one, words in _FLAG_WORDS.items())
    return Field(
        name,
        label,
        "choice",
        value,
        choices,
        usual=inline(_(_FLAG_WORDS[usual])),
        meaning=meaning,
        error=error,
        differs=value != usual,
    )


def _number(
    game: Game, filled: Mapping[str, str], name: str, label: str, usual: int | None, what: str, least: int, most: int
) -> Field:
    value = filled.get(name, text_of(usual)).strip() or text_of(usual)
    error = what if value and _judged(game, name, option_value(value)) else ""
    return Field(
        name,
        label,
        "number",
        value,
        least=least,
        most=most,
        usual=text_of(usual) or _("no limit"),
        meaning=what,
        error=error,
        differs=value != text_of(usual),
    )


def _words(game: Game, filled: Mapping[str, str], name: str, label: str, most: int, meaning: str) -> Field:
    value = " ".join(filled.get(name, "").split())
    error = _judged(game, name, value) and _("At most {number} visible characters.", number=most)
    return Field(name, label, "text", value, most=most, meaning=meaning, error=error)


def _clock(game: Game, filled: Mapping[str, str]) -> list[Field]:
    """Return the choice of paces, and the three fields of exact times."""
    value = filled.get("clock", NO_CLOCK)
    choices = [Choice(NO_CLOCK, _("No clock"), value == NO_CLOCK, True, _("no time limit"))]
    choices += [
        Choice(
            name,
            capital(_(PACE_NAMES[name])),
            value == name,
            more=_("{turn} + {bank} bank", turn=duration(one["turn"]), bank=duration(one["bank"])),
        )
        for name, one in PACES.items()
    ]
    choices += [
        Choice(
            name,
            ngettext("{count} day", "{count} days", days),
            value == name,
            more=_("per decision; play when you have time"),
        )
        for name, days in DAYS_OF_CLOCK.items()
    ]
    choices.append(Choice(OWN_CLOCK, _("Exact times"), value == OWN_CLOCK, more=_("set the seconds yourself")))
    known = any(choice.chosen for choice in choices)
    parts = [_clock_part(game, filled, part, value == OWN_CLOCK) for part in CLOCK_PARTS]
    error = "" if known else _("Choose one of the values.")
    meaning = _("Time for each decision, and a bank of extra time that each player has for the whole table.")
    return [Field("clock", _("Pace"), "choice", value, tuple(choices), meaning=meaning, error=error), *parts]


CLOCK_PARTS = {
    "turn": (N_("Seconds per decision"), 30, N_("Must be 1 or more seconds.")),
    "bank": (N_("Time bank in seconds"), 60, N_("Must be 0 or more seconds.")),
    "ready": (N_("Seconds between rounds"), 60, N_("Must be 5 or more seconds.")),
}


def _clock_part(game: Game, filled: Mapping[str, str], part: str, used: bool) -> Field:
    label, usual, what = CLOCK_PARTS[part]
    value = filled.get(f"clock.{part}", "").strip() or str(usual)
    wrong = used and _judged(game, "clock", {"turn": 30, part: option_value(value)})
    return Field(f"clock.{part}", _(label), "number", value, least=0, most=86_400, error=_(what) if wrong else "")


def bot_fields(row: catalogue.GamePreset, filled: Mapping[str, str], seats: Field) -> tuple[Field, ...]:
    """Return the fields for the number of bots of each level; all of them need seats."""
    rows = [bot for bot in table_bots() if bot.plays(row)]
    values = {bot.name: filled.get(BOT + bot.name, "0").strip() or "0" for bot in rows}
    chairs = count_of(seats.value)
    wanted = sum(map(count_of, values.values()))
    too_many = wanted >= chairs and not seats.error
    limit = ngettext(
        "At most {count} bot: the table has {seats}, including yours.",
        "At most {count} bots: the table has {seats}, including yours.",
        chairs - 1,
        seats=ngettext("{count} seat", "{count} seats", chairs),
    )
    fields, first = [], True
    for bot in rows:
        value = values[bot.name]
        error = "" if value.isascii() and value.isdigit() else _("Enter a number.")
        if too_many and first and not error and count_of(value):
            error, first = limit, False
        fields.append(
            Field(BOT + bot.name, _(bot.title), "number", value, least=0, most=15, meaning=_(bot.summary), error=error)
        )
    return tuple(fields)


def count_of(text: str) -> int:
    """Return the number in a text; 0 if it isn't one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0
