"""`liarspoker games`: the catalogue; and of one game its rules, its options and where they come from."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from liarspoker.core import catalogue

DESCRIPTION = "List the games; or print one game's rules and options."

EXAMPLES = """examples:
  liarspoker games                  the catalogue
  liarspoker games salomon-1986     its rules, and every option with its source
  liarspoker games slips --json     the same for programs"""

_WIDTH = 80
_LISTED = ("id", "title", "family", "seats", "source", "summary", "rules_version", "has_winner")


@dataclass(frozen=True, slots=True)
class GameOption:
    """One option as one game has it: this game's own `value`, all `values`, and the `source` that has the rule."""

    name: str
    value: object
    values: tuple[object, ...]
    meaning: str
    source: str

    @property
    def span(self) -> str | None:
        """`1 to 15` where every whole number from 1 to 15 will do; `None` where the values are words."""
        numbers = all(type(value) is int for value in self.values)
        return f"{self.values[0]} to {self.values[-1]}" if numbers and len(self.values) > 2 else None

    def others(self) -> list[str]:
        """What else it may be in this game, as written; a span stays one."""
        return [self.span] if self.span else [as_written(value) for value in self.values if value != self.value]


def game_options(game_id: str) -> list[GameOption]:
    """Every option of a game, in the order of its family's manual.

    Raises:
        UnknownGame: when the catalogue has no such id.

    >>> [option.value for option in game_options("dollar-bill")][:3]
    ['zero_low', False, False]
    """
    game = catalogue.load(game_id)
    preset = game.options()
    return [
        GameOption(info.name, getattr(preset, info.name), tuple(info.choices), info.meaning, info.source)
        for info in game.option_infos
    ]


def as_written(value: object) -> str:
    """A value as a record writes it.

    >>> as_written(True), as_written("double"), as_written(8)
    ('true', '"double"', '8')
    """
    return json.dumps(value)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `liarspoker games`."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game's id; without it, all games are listed")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the catalogue or one game."""
    if args.game is None:
        print(
            json.dumps({"games": [_listed(row) for row in catalogue.games()]}, indent=2) if args.json else _catalogue()
        )
        return 0
    row = catalogue.row(args.game)
    print(json.dumps(_manual_of(row), indent=2, ensure_ascii=False) if args.json else _manual(row))
    return 0


def _players(row: catalogue.GameRow) -> str:
    fewest, most = row.seats
    return f"{fewest} to {most} players"


def _catalogue() -> str:
    """The catalogue in words: a few lines a game."""
    parts = []
    for row in catalogue.games():
        parts += [row.id, *_indented(f"{row.title}, {_players(row)}"), *_indented(row.summary)]
        parts += [*_indented(f"Source: {row.source}"), ""]
    return "\n".join([*parts, "liarspoker games GAME prints a game's rules and options."])


def _manual(row: catalogue.GameRow) -> str:
    """One game's page, then its options."""
    from liarspoker.core.catalogue import rules_page

    facts = f"{row.id}: {_players(row)}, rules version {row.rules_version}. Source: {row.source}."
    lines = [rules_page(row.id), "## Options", "", *textwrap.wrap(facts, _WIDTH), ""]
    for option in game_options(row.id):
        lines += _option(option)
    return "\n".join(lines).rstrip()


def _option(option: GameOption) -> Iterator[str]:
    """One option: its value here, what it decides, what else it takes, and its source."""
    yield f"{option.name} = {as_written(option.value)}"
    from liarspoker.records.words import sentence

    yield from _indented(sentence(option.meaning))
    yield from _indented(f"Also: {', '.join(option.others())}. Source: {option.source}.")


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def _manual_of(row: catalogue.GameRow) -> dict[str, object]:
    """One game for programs: its row, its page and its options."""
    from liarspoker.core.catalogue import rules_page

    return {**_listed(row), "rules": rules_page(row.id), "options": [asdict(option) for option in game_options(row.id)]}


def _listed(row: catalogue.GameRow) -> dict[str, object]:
    listed = {name: getattr(row, name) for name in _LISTED}
    return {**listed, "family": catalogue.family(row.family).listed_as or row.family}
