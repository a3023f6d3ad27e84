"""The games: a package for each family, and code shared by the card games.

`liarspoker.games()` lists the games. Once a game is loaded, Python binds the name `liarspoker.games` to this package,
so the package can be called too.
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False  # importing it from `typing` would take 8 ms

if TYPE_CHECKING:
    from liarspoker.core.catalogue import GamePreset


class _GamesPackage(ModuleType):
    """The type of this package, which lists the games when it is called."""

    def __call__(self) -> tuple[GamePreset, ...]:
        """Return all games, as `liarspoker.core.catalogue.games` does."""
        from liarspoker.core.catalogue import games

        return games()


sys.modules[__name__].__class__ = _GamesPackage
