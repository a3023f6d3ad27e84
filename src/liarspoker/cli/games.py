"""`liarspoker games`: the catalogue, or the rules and options of one game with their sources."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from liarspoker.cli.arguments import add_game, add_json
from liarspoker.cli.style import heading
from liarspoker.core import catalogue
from liarspoker.language import N_, _

DESCRIPTION = N_("List the games, or show the rules and options of one game.")

EXAMPLES = N_("""\
examples:
  liarspoker games                  list the games
  liarspoker games salomon-1986     its rules, and every option with its source
  liarspoker games slips --json     the same as JSON""")

_WIDTH = 80
_LISTED = ("id", "title", "family", "seats", "source", "summary", "rules_version", "has_winner")


@dataclass(frozen=True, slots=True)
class GameOption:
    """One option of one game.

    Attributes:
        name: the option's name.
        value: its value in this game.
        values: all values that it can have.
        meaning: what it decides.
        source: where the rule is from.
    """

    name: str
    value: object
    values: tuple[object, ...]
    meaning: str
    source: str

    @property
    def span(self) -> str | None:
        """The range of an integer option, such as `1 to 15`; `None` for other options."""
        numbers = all(type(value) is int for value in self.values)
        return f"{self.values[0]} to {self.values[-1]}" if numbers and len(self.values) > 2 else None

    def others(self) -> list[str]:
        """Return the other values as records write them; a range is one item."""
        return [self.span] if self.span else [as_written(value) for value in self.values if value != self.value]


def game_options(game_id: str) -> list[GameOption]:
    """Return every option of a game, in the order of its family.

    Raises:
        UnknownGame: the catalogue has no such id.

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
    """Return a value as a record writes it.

    >>> as_written(True), as_written("double"), as_written(8)
    ('true', '"double"', '8')
    """
    return json.dumps(value)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `games`."""
    add_game(parser, optional=True, help=_("a game's id; without it, all games are listed"))
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the catalogue or one game."""
    if args.game is None:
        print(
            json.dumps({"games": [_listed(row) for row in catalogue.games()]}, indent=2) if args.json else _catalogue()
        )
        return 0
    row = catalogue.preset(args.game)
    print(json.dumps(_manual_of(row), indent=2, ensure_ascii=False) if args.json else _manual(row))
    return 0


def _players(row: catalogue.GamePreset) -> str:
    fewest, most = row.seats
    return _("{fewest} to {most} players", fewest=fewest, most=most)


def _catalogue() -> str:
    """Return the catalogue as text, a few lines per game."""
    parts = []
    for row in catalogue.games():
        parts += [heading(row.id), *_indented(f"{_(row.title)}, {_players(row)}"), *_indented(_(row.summary))]
        parts += [*_indented(_("Source: {source}", source=row.source)), ""]
    return "\n".join([*parts, _("liarspoker games GAME shows a game's rules and options.")])


def _manual(row: catalogue.GamePreset) -> str:
    """Return one game's rules and its options as text."""
    from liarspoker.core.catalogue import rules_page

    facts = _(
        "{id}: {players}, rules version {version}. Source: {source}.",
        id=row.id,
        players=_players(row),
        version=row.rules_version,
        source=row.source,
    )
    lines = [rules_page(row.id), heading("## Options"), "", *textwrap.wrap(facts, _WIDTH), ""]
    for option in game_options(row.id):
        lines += _option(option)
    return "\n".join(lines).rstrip()


def _option(option: GameOption) -> Iterator[str]:
    """Yield the lines about one option: its value, its meaning, its other values and its source."""
    from liarspoker.records.words import sentence

    yield f"{option.name} = {as_written(option.value)}"
    yield from _indented(sentence(option.meaning))
    yield from _indented(f"Also: {', '.join(option.others())}. Source: {option.source}.")


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def _manual_of(row: catalogue.GamePreset) -> dict[str, object]:
    """Return one game for JSON: its row, its rules and its options."""
    from liarspoker.core.catalogue import rules_page

    return {**_listed(row), "rules": rules_page(row.id), "options": [asdict(option) for option in game_options(row.id)]}


def _listed(row: catalogue.GamePreset) -> dict[str, object]:
    listed = {name: getattr(row, name) for name in _LISTED}
    return {**listed, "family": catalogue.family(row.family).public_name or row.family}
