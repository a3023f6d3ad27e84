"""The games that can be played, by id: those of this package, and those that other packages register.

A family of games is a folder of rules; each of its games is a module of data, with a `PRESET`, in the package that the
family names. Another package registers a game or a whole family as an entry point of the group `liarspoker.games`.

>>> [row.id for row in games()]
['dollar-bill', 'salomon-1986', 'slips', 'thorin', 'queen-annes', 'queen-annes-indian', 'queen-annes-stud']
>>> load("slips").row.title
'Super Liars Poker SLIPS'
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules, resolve_name
from typing import TYPE_CHECKING

from liarspoker.core.errors import UnknownGame, told
from liarspoker.core.family import GameFamily
from liarspoker.core.option_info import GameOptions, OptionInfo

if TYPE_CHECKING:
    from liarspoker.core.session import Game


@cache
def registered(group: str) -> tuple[object, ...]:
    """Load every object that is registered as an entry point of `group`, in the order of their names."""
    tables = (table for place in sys.path for table in Path(place).glob("*-info/entry_points.txt"))
    if not any(group in table.read_text(encoding="utf-8") for table in tables):
        return ()  # importing importlib.metadata takes longer than all the rest of a short command
    from importlib.metadata import entry_points

    return tuple(entry.load() for entry in sorted(entry_points(group=group), key=lambda entry: entry.name))


GROUP = "liarspoker.games"
"""The group of entry points for games and families of other packages."""

FAMILIES = (
    "liarspoker.games.digits.family:FAMILY",
    "liarspoker.games.thorin.family:FAMILY",
    "liarspoker.games.queen_annes.family:FAMILY",
)
"""The families of this package, as `module:name`."""

_LONGEST_MISSPELT = 40
"""Letters of an id that are looked at for one spelt alike."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A round that shows something about a game.

    Attributes:
        name: as an address can point to it.
        title: what it shows.
        players: their names.
        round: the round, as a record writes it; everything else follows from the rules.
    """

    name: str
    title: str
    players: tuple[str, ...]
    round: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """A game as data. A family may have a class of its own, with options of its own class.

    Attributes:
        id: the catalogue id, as records write it.
        title: what people call it.
        family: the name of the family whose rules it has; see `family`.
        seats: the fewest and the most players.
        source: the document that describes it.
        summary: one sentence for somebody who chooses a game.
        has_winner: players are eliminated until one has won; without, the game goes on for as long as the table likes.
        rules_version: raised whenever the same actions would come out otherwise.
        badge: the title in two words; empty for the title itself.
        emblem: what stands for the game on a page: cards such as `Kd` or `??`, or `banknote`, or `slip`.
        options: the value of each option.
        option_infos: what each option may be.
        rules_text: the rules on one page, Markdown that reads as well in a terminal of 80 columns, its title first.
        samples: rounds that show how it is played.
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


def games() -> tuple[GameRow, ...]:
    """Every game, those of this package first."""
    own = tuple(row for name in _own_families() for row in presets_of(name))
    registered = tuple(one for one in _registered() if isinstance(one, GameRow))
    foreign = [one.name for one in _registered() if isinstance(one, GameFamily)]
    return (*own, *(row for name in foreign for row in presets_of(name)), *registered)


@cache
def presets_of(name: str) -> tuple[GameRow, ...]:
    """The games in the package of presets of a family, in the order of their modules' names.

    Raises:
        TypeError: a module there has no `PRESET`.
    """
    if family(name).rows:
        return family(name).rows
    package = import_module(f"{family(name).package}.presets")
    found = [import_module(f"{package.__name__}.{module.name}").PRESET for module in iter_modules(package.__path__)]
    for one in found:
        if not isinstance(one, GameRow):
            raise TypeError(f"{package.__name__}: {one!r} isn't a game of the catalogue")
    return tuple(found)


def row(game_id: str) -> GameRow:
    """The game called `game_id`, as data.

    Raises:
        UnknownGame: there is none; the message lists those that there are, and names those spelt alike.
    """
    own = (row for name in _own_families() for row in presets_of(name))
    found = next((row for row in own if row.id == game_id), None) or next(
        (row for row in games() if row.id == game_id), None
    )
    if found is not None:
        return found
    known = [candidate.id for candidate in games()]
    raise UnknownGame(f"there is no game {told(game_id)}; the catalogue has {', '.join(known)}{_meant(game_id, known)}")


def load(game_id: str) -> Game:
    """The game itself; imports its rules.

    Raises:
        UnknownGame: when the catalogue has no such id.
    """
    found = row(game_id)
    return family(found.family).game(found)


def rules_page(game_id: str) -> str:
    """The rules of a game as Markdown, the title first; of a game without rules text its title and its summary.

    Raises:
        UnknownGame: when the catalogue has no such id.

    >>> print(rules_page("slips").splitlines()[0])
    # Super Liars Poker SLIPS
    """
    import textwrap

    found = row(game_id)
    return found.rules_text or f"# {found.title}\n\n{textwrap.fill(found.summary, 80)}\n"


def family(name: str) -> GameFamily:
    """The family of games called `name`, as `GameRow.family` has it.

    Raises:
        UnknownGame: no family of this name is registered.
    """
    own = _own_families().get(name)
    found = own or next((one for one in _registered() if isinstance(one, GameFamily) and one.name == name), None)
    if found is None:
        raise UnknownGame(f"no family of games called {told(name)} is registered")
    return found


@cache
def _own_families() -> Mapping[str, GameFamily]:
    found = [resolve_name(place) for place in FAMILIES]
    return {one.name: one for one in found if isinstance(one, GameFamily)}


def _registered() -> tuple[GameFamily | GameRow, ...]:
    """What other packages register.

    Raises:
        TypeError: something is neither a game nor a family of games.
    """
    found = registered(GROUP)
    for one in found:
        if not isinstance(one, GameFamily | GameRow):
            raise TypeError(f"{one!r}, an entry point of {GROUP}, is neither a game nor a family of games")
    return tuple(one for one in found if isinstance(one, GameFamily | GameRow))


def _meant(game_id: str, known: list[str]) -> str:
    """A question after the ids that are spelt like `game_id`; empty if none is."""
    from difflib import get_close_matches

    close = get_close_matches(game_id[:_LONGEST_MISSPELT].lower(), known, cutoff=0.5)
    return f"; did you mean {' or '.join(close)}?" if close else ""
