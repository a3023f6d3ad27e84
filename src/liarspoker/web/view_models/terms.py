"""What a table is set to, in words: the clock, who may look on, and where its rules differ from the game's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from liarspoker.core import catalogue
from liarspoker.protocol.settings import Clock, Settings
from liarspoker.records.words import plural
from liarspoker.web.words import typeset


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a table is set to, and how it is."""

    label: str
    words: str


@dataclass(frozen=True, slots=True)
class Change:
    """A rule that is played otherwise than the game usually is: how it is here, how usually, and what it decides."""

    label: str
    now: str
    usual: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table is set to: the game in two words and in a sentence, the settings, rules that differ."""

    badge: str
    summary: str
    terms: tuple[Term, ...]
    changes: tuple[Change, ...]


def badge(game: str) -> str:
    """A game's name, short enough for a badge.

    >>> badge("salomon-1986")
    'Salomon 1986'
    """
    found = catalogue.row(game)
    return found.badge or typeset(found.title)


def option_label(name: str) -> str:
    """An option's name in words.

    >>> option_label("level_bonus")
    'Level bonus'
    """
    return name.replace("_", " ").capitalize()


def option_words(value: object) -> str:
    """A value of an option in words.

    >>> option_words(True), option_words("zero_high"), option_words(8), option_words("")
    ('on', 'zero high', '8', 'none')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value).replace("_", " ") or "none"


def round_word(game: catalogue.GameRow) -> str:
    """What a round of the game is called.

    >>> round_word(catalogue.row("slips")), round_word(catalogue.row("thorin"))
    ('hand', 'round')
    """
    return "round" if game.has_winner else "hand"


def duration(seconds: float) -> str:
    """A time in words.

    >>> duration(1), duration(90), duration(120), duration(7200)
    ('1 second', '90 seconds', '2 minutes', '2 hours')
    """
    whole = round(seconds)
    if whole >= 7200 and whole % 3600 == 0:
        return plural(whole // 3600, "hour")
    if whole >= 120 and whole % 60 == 0:
        return plural(whole // 60, "minute")
    return plural(whole, "second")


def changes_of(game_id: str, options: Mapping[str, object]) -> tuple[Change, ...]:
    """Where `options` differ from the game's own."""
    if not options:
        return ()
    game = catalogue.load(game_id)
    usual = game.options()
    return tuple(
        Change(
            option_label(info.name),
            option_words(options[info.name]),
            option_words(getattr(usual, info.name)),
            info.meaning,
        )
        for info in game.option_infos
        if info.name in options and options[info.name] != getattr(usual, info.name)
    )


def terms_of(settings: Settings) -> Terms:
    """The settings of a table, as the protocol tells them, in words."""
    return _terms_of(
        settings.game,
        tuple(sorted(settings.options.items())),
        tuple(getattr(settings, name) for name in _TOLD),
    )


_TOLD = (
    "seats",
    "unit",
    "clock",
    "rounds",
    "from_slips",
    "spectators",
    "visibility",
    "audit",
    "choose",
    "chat",
    "help",
)


@lru_cache(256)
def _terms_of(game: str, options: tuple[tuple[str, Any], ...], settled: tuple[Any, ...]) -> Terms:
    row, told = catalogue.row(game), dict(zip(_TOLD, settled, strict=True))
    word = round_word(row)
    terms = [
        Term("Chairs", str(told["seats"])),
        Term("Clock", _clock(told["clock"])),
        Term("Length", "until its owner ends it" if told["rounds"] is None else plural(told["rounds"], word)),
        Term("A unit is", told["unit"] or "a point"),
    ]
    if told["from_slips"] is not None:
        terms.append(Term("Numbers", "from printed slips" if told["from_slips"] else "from bills"))
    terms += [
        Term("Found by", "its link alone" if told["visibility"] == "private" else "everybody in the lobby"),
        Term("Onlookers", _ONLOOKERS[told["spectators"]].format(word=word)),
        Term("After the end", _AUDITS[told["audit"]]),
        Term("The deal", "chosen face down by the players" if told["choose"] else "made by the server, and proved"),
        Term("Chat", "on" if told["chat"] else "off"),
        Term("Odds", "may be shown" if told["help"] else "are not shown"),
    ]
    return Terms(badge(game), row.summary, tuple(terms), changes_of(game, dict(options)))


_ONLOOKERS = {
    "live": "see the table as it is, without hands",
    "behind": "see the {word} before",
    "none": "see nothing",
}
_AUDITS = {
    "full": "every deal is opened and can be checked",
    "leaves": "what the rules have shown can be checked",
}


def _clock(clock: Clock | None) -> str:
    if clock is None:
        return "none; everybody takes his time"
    bank = f", and {duration(clock.bank)} in the bank" if clock.bank else ""
    return f"{duration(clock.turn)} for each decision{bank}"
