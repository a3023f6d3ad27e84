"""The catalogue of games: those of this package and those registered by other packages.

A family of games is a package with rules. Each of its games is a module with a `PRESET` in the subpackage `presets`.
Another package registers a game or a family as an entry point of the group `liarspoker.games`.

>>> [preset.id for preset in games()]
['dollar-bill', 'salomon-1986', 'slips', 'thorin', 'queen-annes', 'queen-annes-indian', 'queen-annes-stud']
>>> load("slips").preset.title
'Super Liars Poker SLIPS'
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules, resolve_name
from typing import TYPE_CHECKING

from liarspoker.core.errors import UnknownGame, format_value
from liarspoker.core.family import GameFamily
from liarspoker.core.option_info import GameOptions, OptionInfo
from liarspoker.language import _

if TYPE_CHECKING:
    from liarspoker.core.session import Game


@cache
def registered(group: str) -> tuple[object, ...]:
    """Load the objects registered as entry points of `group`, sorted by name."""
    tables = (table for place in sys.path for table in Path(place).glob("*-info/entry_points.txt"))
    if not any(group in table.read_text(encoding="utf-8") for table in tables):
        return ()  # importlib.metadata is slow to import
    from importlib.metadata import entry_points

    return tuple(entry.load() for entry in sorted(entry_points(group=group), key=lambda entry: entry.name))


GROUP = "liarspoker.games"
"""The entry point group for games and families of other packages."""

FAMILIES = (
    "liarspoker.games.digits.family:FAMILY",
    "liarspoker.games.thorin.family:FAMILY",
    "liarspoker.games.queen_annes.family:FAMILY",
)
"""The families of this package, as `module:name`."""

_MAX_COMPARED = 40
"""The number of characters of an unknown ID that are compared with known ones."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample round on the rules page of a game.

    Attributes:
        name: its name in URLs.
        title: what it shows; a message.
        players: the players' names, seat by seat.
        round: the round, in the format of records.
    """

    name: str
    title: str
    players: tuple[str, ...]
    round: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePreset:
    """A game of the catalogue, as data. A family can define a subclass with its own options class.

    Attributes:
        id: the catalogue ID, as in records.
        title: the game's name; a message, as are the other texts.
        family: the name of its family; see `family`.
        seats: the minimum and maximum number of players.
        source: the document that describes it.
        summary: a one-sentence description.
        has_winner: players are eliminated until one has won; otherwise, the game has no fixed end.
        rules_version: increased whenever the same actions would have a different result.
        badge: a short title; empty if `title` is short enough.
        emblem: the game's symbol on pages: cards such as `Kd` or `??`, or `banknote`, or `slip`.
        options: the value of each option.
        option_infos: the description of each option.
        rules_text: the rules in Markdown, starting with the title, in lines of at most 80 columns.
        samples: sample rounds.
    """

    id: str
    title: str
    family: str
    seats: tuple[int, int]
    source: str
    summary: str
    has_winner: bool = False
    rules_version: int = 1
    badge: str = ""
    emblem: tuple[str, ...] = ("banknote",)
    options: GameOptions = field(default_factory=GameOptions)
    option_infos: tuple[OptionInfo, ...] = field(default=(), repr=False, hash=False)
    rules_text: str = field(default="", repr=False)
    samples: tuple[Sample, ...] = field(default=(), repr=False, hash=False)


def games() -> tuple[GamePreset, ...]:
    """Return the presets of all games, those of this package first."""
    own = tuple(preset for name in _own_families() for preset in presets_of(name))
    registered = tuple(one for one in _registered() if isinstance(one, GamePreset))
    foreign = [one.name for one in _registered() if isinstance(one, GameFamily)]
    return (*own, *(preset for name in foreign for preset in presets_of(name)), *registered)


@cache
def presets_of(name: str) -> tuple[GamePreset, ...]:
    """Return the presets of a family, in the order of their module names.

    Raises:
        UnknownGame: there is no such family.
        TypeError: the `PRESET` of a module isn't a `GamePreset`.
    """
    if family(name).presets:
        return family(name).presets
    package = import_module(f"{family(name).package}.presets")
    found = [import_module(f"{package.__name__}.{module.name}").PRESET for module in iter_modules(package.__path__)]
    for one in found:
        if not isinstance(one, GamePreset):
            raise TypeError(f"{package.__name__}: {one!r} isn't a game of the catalogue")
    return tuple(found)


def preset(game_id: str) -> GamePreset:
    """Return the preset of a game.

    Args:
        game_id: the catalogue ID.

    Raises:
        UnknownGame: there is no such game; the message lists all IDs and suggests similar ones.
    """
    own = (one for name in _own_families() for one in presets_of(name))
    found = next((one for one in own if one.id == game_id), None) or next(
        (one for one in games() if one.id == game_id), None
    )
    if found is not None:
        return found
    known = [candidate.id for candidate in games()]
    close = _close(str(game_id), known)
    if close:
        raise UnknownGame(
            _(
                "there is no game {game}; the catalogue has {known}; did you mean {meant}?",
                game=format_value(game_id),
                known=", ".join(known),
                meant=reduce(lambda one, other: _("{values} or {last}", values=one, last=other), close),
            )
        )
    raise UnknownGame(
        _("there is no game {game}; the catalogue has {known}", game=format_value(game_id), known=", ".join(known))
    )


def load(game_id: str) -> Game:
    """Return a game of the catalogue, importing its rules.

    Args:
        game_id: the catalogue ID.

    Raises:
        UnknownGame: there is no such game.
    """
    found = preset(game_id)
    return family(found.family).game(found)


def rules_page(game_id: str) -> str:
    """Return the rules of a game as Markdown, in the current language; without rules text, its title and summary.

    Args:
        game_id: the catalogue ID.

    Raises:
        UnknownGame: there is no such game.

    >>> print(rules_page("slips").splitlines()[0])
    # Super Liars Poker SLIPS
    """
    import textwrap

    found = preset(game_id)
    if found.rules_text:
        return _(found.rules_text)
    return f"# {_(found.title)}\n\n{textwrap.fill(_(found.summary), 80)}\n"


def family(name: str) -> GameFamily:
    """Return a family of games.

    Args:
        name: its name, as in `GamePreset.family`.

    Raises:
        UnknownGame: there is no such family.
    """
    own = _own_families().get(name)
    found = own or next((one for one in _registered() if isinstance(one, GameFamily) and one.name == name), None)
    if found is None:
        raise UnknownGame(_("no family of games called {name} is registered", name=format_value(name)))
    return found


@cache
def _own_families() -> Mapping[str, GameFamily]:
    found = [resolve_name(place) for place in FAMILIES]
    return {one.name: one for one in found if isinstance(one, GameFamily)}


def _registered() -> tuple[GameFamily | GamePreset, ...]:
    """Return the games and families of other packages.

    Raises:
        TypeError: an entry point is neither.
    """
    found = registered(GROUP)
    for one in found:
        if not isinstance(one, GameFamily | GamePreset):
            raise TypeError(f"{one!r}, an entry point of {GROUP}, is neither a game nor a family of games")
    return tuple(one for one in found if isinstance(one, GameFamily | GamePreset))


def _close(game_id: str, known: list[str]) -> list[str]:
    """Return the similar IDs."""
    from difflib import get_close_matches

    return get_close_matches(game_id[:_MAX_COMPARED].lower(), known, cutoff=0.5)
