"""View model of a game's rules: the text, every option, differences from related games, and examples."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from liarspoker.core import catalogue
from liarspoker.language import _, per_language, pgettext
from liarspoker.records import replay
from liarspoker.web.view_models.family import Difference, PlayedSample, RulesPage
from liarspoker.web.view_models.plain import pages_for
from liarspoker.web.view_models.terms import option_label, option_words
from liarspoker.web.words import sentence

Json = dict[str, Any]

PLAYERS = 5
"""Default number of players of the payoff table."""

log = logging.getLogger(__name__)

_CHOICES_LISTED = 6

_MARKDOWN = MarkdownIt("commonmark", {"typographer": True}).enable(["table", "smartquotes"])


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game: its name in records and in words, what it decides, its values and its source."""

    name: str
    title: str
    meaning: str
    default: str
    others: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Example:
    """A sample round: its id in the page, its title, the replayed round, and its record."""

    name: str
    title: str
    played: PlayedSample
    record: str


@dataclass(frozen=True, slots=True)
class RulesViewModel:
    """The page of one game.

    Attributes:
        text: the rules as HTML.
        options: every option.
        relatives: all games of the family, including this one; empty if it is the only one.
        differences: how those games differ.
        examples: the sample rounds.
        tables: what the family's template shows; see `RulesPage.tables`.
    """

    game: catalogue.GamePreset
    text: str
    options: tuple[Option, ...]
    relatives: tuple[catalogue.GamePreset, ...]
    differences: tuple[Difference, ...]
    examples: tuple[Example, ...]
    tables: object


def view_model(game_id: str, players: int | None = None) -> RulesViewModel:
    """Return the view model of a game's rules.

    Raises:
        UnknownGame: the catalogue has no such id.
    """
    row = catalogue.preset(game_id)
    fewest, most = row.seats
    relatives = _relatives(row)
    return RulesViewModel(
        game=row,
        text=_text(game_id),
        options=options_of(game_id),
        relatives=relatives,
        differences=_differences(row, relatives),
        examples=examples_of(game_id),
        tables=_page(row).tables(game_id, PLAYERS if players is None else min(max(players, fewest), most)),
    )


def _page(row: catalogue.GamePreset) -> RulesPage:
    return pages_for(row).rules


@per_language(None)
def _text(game_id: str) -> str:
    """Return the rules as HTML, without their title; empty for a game without rules text."""
    return str(_MARKDOWN.renderer.render(_tokens(game_id), _MARKDOWN.options, {}))


@cache
def headings_of(game_id: str) -> tuple[str, ...]:
    """Return the ids of the headings of a game's rules."""
    return tuple(str(token.attrGet("id")) for token in _tokens(game_id) if token.type == "heading_open")


@per_language(None)
def _tokens(game_id: str) -> list[Token]:
    """Return the parsed rules in the current language, without their title.

    Every heading has the id that it has in English, such as `next-hand`, so that links are the same in all languages.
    """
    text = catalogue.preset(game_id).rules_text
    tokens = _MARKDOWN.parse(_(text).partition("\n")[2])
    english = _MARKDOWN.parse(text.partition("\n")[2])
    names = [content.content.lower() for heading, content in pairwise(english) if heading.type == "heading_open"]
    headings = [token for token in tokens if token.type == "heading_open"]
    for heading, name in zip(headings, names, strict=True):
        heading.attrSet("id", "-".join(re.findall(r"\w+", name)))
    return tokens


def samples_of(game: str) -> tuple[tuple[str, str, Json], ...]:
    """Return the sample rounds of a game: the name, title and record of each."""
    return tuple(
        (one.name, one.title, {"lpn": 1, "game": game, "players": list(one.players), "rounds": [dict(one.round)]})
        for one in catalogue.preset(game).samples
    )


@per_language(None)
def examples_of(game: str) -> tuple[Example, ...]:
    """Return the replayed sample rounds of a game; a sample that is invalid or unfinished is left out."""
    found = (_played(name, title, record) for name, title, record in samples_of(game))
    return tuple(one for one in found if one is not None)


def _played(name: str, title: str, record: Json) -> Example | None:
    played = replay(record)
    if played.fault is not None or played.session is None or played.session.in_play:
        code = "round-unfinished" if played.fault is None else played.fault.code
        log.warning(
            "rules page omits an invalid sample round", extra={"code": code, "reason": f"{record['game']}: {name}"}
        )
        return None
    page = _page(catalogue.preset(record["game"]))
    return Example(name, title, page.sample(played), json.dumps(record, ensure_ascii=False))


def options_of(game_id: str) -> tuple[Option, ...]:
    """Return every option of a game in the order of the catalogue."""
    game = catalogue.load(game_id)
    preset = game.options()
    options = []
    for info in game.option_infos:
        value = getattr(preset, info.name)
        many = isinstance(info.choices, range) or len(info.choices) > _CHOICES_LISTED
        others = (info.values_text(),) if many else tuple(option_words(one) for one in info.choices if one != value)
        meaning = sentence(_(info.meaning))
        options.append(Option(info.name, option_label(info.name), meaning, option_words(value), others, _(info.source)))
    return tuple(options)


def _relatives(row: catalogue.GamePreset) -> tuple[catalogue.GamePreset, ...]:
    same = tuple(one for one in catalogue.games() if one.family == row.family)
    return same if len(same) > 1 else ()


def _differences(row: catalogue.GamePreset, relatives: tuple[catalogue.GamePreset, ...]) -> tuple[Difference, ...]:
    if not relatives:
        return ()
    dealt = _page(row).differences(relatives)
    columns = [{option.name: option for option in options_of(one.id)} for one in relatives]
    names = list(dict.fromkeys(name for column in columns for name in column))
    chosen = [
        Difference(
            option_label(name),
            tuple(column[name].default if name in column else pgettext("an option", "n/a") for column in columns),
        )
        for name in names
    ]
    return tuple(one for one in (*dealt, *chosen) if len(set(one.values)) > 1)
