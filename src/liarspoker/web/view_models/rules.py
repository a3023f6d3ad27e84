"""The rules of a game for people: who plays, every option, what differs from its relatives, worked examples."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from functools import cache
from typing import Any

from markdown_it import MarkdownIt

from liarspoker.core import catalogue
from liarspoker.records import replay
from liarspoker.web.view_models.family import Difference, PlayedSample, RulesPage
from liarspoker.web.view_models.plain import pages_for
from liarspoker.web.view_models.terms import option_label, option_words
from liarspoker.web.words import sentence

Json = dict[str, Any]

PLAYERS = 5
"""For so many players the bonus table stands, unless somebody asks for another number."""

log = logging.getLogger(__name__)

_CHOICES_LISTED = 6

_MARKDOWN = MarkdownIt("commonmark", {"typographer": True}).enable(["table", "smartquotes"])


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: its name in records and in words, what it decides, its values, its source."""

    name: str
    title: str
    meaning: str
    default: str
    others: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Example:
    """A sample round: what an address can call it, what it shows, how it was played, and its record."""

    name: str
    title: str
    played: PlayedSample
    record: str


@dataclass(frozen=True, slots=True)
class RulesScene:
    """The page of one game.

    Attributes:
        text: the rules, as HTML.
        relatives: the games of the same family, this one among them; none where it has no relatives.
        tables: what the template of the family shows beside; see `RulesPage.tables`.
    """

    game: catalogue.GameRow
    text: str
    options: tuple[Option, ...]
    relatives: tuple[catalogue.GameRow, ...]
    differences: tuple[Difference, ...]
    examples: tuple[Example, ...]
    tables: object


def scene(game_id: str, players: int | None = None) -> RulesScene:
    """The page of a game.

    Raises:
        UnknownGame: the catalogue has no such id.
    """
    row = catalogue.row(game_id)
    fewest, most = row.seats
    relatives = _relatives(row)
    return RulesScene(
        game=row,
        text=_text(game_id),
        options=options_of(game_id),
        relatives=relatives,
        differences=_differences(row, relatives),
        examples=examples_of(game_id),
        tables=_page(row).tables(game_id, PLAYERS if players is None else min(max(players, fewest), most)),
    )


def _page(row: catalogue.GameRow) -> RulesPage:
    return pages_for(row).rules


@cache
def _text(game_id: str) -> str:
    """The rules as HTML, without their title; empty for a game without rules text."""
    text = catalogue.row(game_id).rules_text
    return str(_MARKDOWN.render(text.partition("\n")[2]))


def samples_of(game: str) -> tuple[tuple[str, str, Json], ...]:
    """The sample rounds of a game: name, title, and the record of each; none for a game that has no samples."""
    return tuple(
        (one.name, one.title, {"lpn": 1, "game": game, "players": list(one.players), "rounds": [dict(one.round)]})
        for one in catalogue.row(game).samples
    )


@cache
def examples_of(game: str) -> tuple[Example, ...]:
    """The sample rounds of a game, played through; one that doesn't come to its end is left out."""
    found = (_played(name, title, record) for name, title, record in samples_of(game))
    return tuple(one for one in found if one is not None)


def _played(name: str, title: str, record: Json) -> Example | None:
    played = replay(record)
    if played.fault is not None or played.session is None or played.session.in_play:
        code = "round-unfinished" if played.fault is None else played.fault.code
        log.warning(
            "a sample round is left out of a rules page", extra={"code": code, "reason": f"{record['game']}: {name}"}
        )
        return None
    page = _page(catalogue.row(record["game"]))
    return Example(name, title, page.sample(played), json.dumps(record, ensure_ascii=False))


def options_of(game_id: str) -> tuple[Option, ...]:
    """Every option of a game, in the order of the catalogue."""
    game = catalogue.load(game_id)
    preset = game.options()
    options = []
    for info in game.option_infos:
        value = getattr(preset, info.name)
        many = isinstance(info.choices, range) or len(info.choices) > _CHOICES_LISTED
        others = (info.values_text(),) if many else tuple(option_words(one) for one in info.choices if one != value)
        meaning = sentence(info.meaning)
        options.append(Option(info.name, option_label(info.name), meaning, option_words(value), others, info.source))
    return tuple(options)


def _relatives(row: catalogue.GameRow) -> tuple[catalogue.GameRow, ...]:
    same = tuple(one for one in catalogue.games() if one.family == row.family)
    return same if len(same) > 1 else ()


def _differences(row: catalogue.GameRow, relatives: tuple[catalogue.GameRow, ...]) -> tuple[Difference, ...]:
    if not relatives:
        return ()
    dealt = _page(row).differences(relatives)
    columns = [{option.name: option for option in options_of(one.id)} for one in relatives]
    names = list(dict.fromkeys(name for column in columns for name in column))
    chosen = [
        Difference(
            option_label(name),
            tuple(column[name].default if name in column else "does not apply" for column in columns),
        )
        for name in names
    ]
    return tuple(one for one in (*dealt, *chosen) if len(set(one.values)) > 1)
