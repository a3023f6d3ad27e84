"""A family of games and its parts: rules, records, pages and so on.

Each part is a module of the family's package with a fixed name, and is imported only when it is needed. If a module is
missing, the layer that needs it uses its implementation for simple sessions; see `liarspoker.core.simple`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from liarspoker.bots.duplicate import DealControls
    from liarspoker.coach.cards.positions import CardPosition
    from liarspoker.coach.statistics import FamilyStatistics
    from liarspoker.core import session as sessions
    from liarspoker.core.catalogue import GamePreset
    from liarspoker.core.session import Game, PresetGame
    from liarspoker.engine.kernel import Kernel
    from liarspoker.protocol.views import RoundView
    from liarspoker.records.family import RecordFormat
    from liarspoker.research.rules import EnvironmentRules
    from liarspoker.tables.settings import TableRules
    from liarspoker.terminal.renderer import TerminalRenderer
    from liarspoker.web.view_models.family import FamilyPages

Session = TypeVar("Session", bound="sessions.Session")
View = TypeVar("View", bound="sessions.PlayerView")


@dataclass(frozen=True)
class Parts(Generic[Session, View]):
    """The parts of a family, named after their modules. A family lists them once, for the type checker.

    Attributes:
        session: `GAME`, the class of its games.
        record: `RECORDS`, its record format.
        table: the module with its functions for live tables.
        messages: `ROUND`, the public view of its rounds at live tables.
        terminal: `RENDERER`, its terminal renderer.
        page: `PAGES`, its web pages: a round in play, a replay, the rules, the odds.
        environment: `ENVIRONMENT`, its rules for research environments.
        kernel: `KERNEL`, its engine kernel.
        statistics: `STATISTICS`, how its hands or rounds are counted.
        review: `POSITION`, the class of the positions that the coach of card games reviews; `None` in the digit games.
    """

    session: type[PresetGame[Any, Session]]
    record: RecordFormat[Session]
    table: TableRules[Session, View]
    messages: type[RoundView]
    terminal: TerminalRenderer[Session, View]
    page: FamilyPages
    environment: EnvironmentRules[Session, View]
    kernel: Kernel[Any, Any, Any, Any, Any]
    statistics: FamilyStatistics
    review: type[CardPosition] | None = None


def network_bots(package: str) -> dict[str, str]:
    """Return the bots that play as a family's network, which are in the module `network_bot` of its package.

    >>> network_bots("liarspoker.games.digits")["rex"]
    'liarspoker.games.digits.network_bot:rex'
    """
    names = ("pip", "hal", "mae", "ivy", "gus", "rex", "champion", "shark")
    return {name: f"{package}.network_bot:{name}" for name in names}


class GameFamily:
    """A family of games that share the code of their rules, such as the digit games.

    The parts are generic over the family's session, deal and view classes. `Parts` checks these types; code that looks
    up a family by name gets them as `Any`.
    """

    name: ClassVar[str]
    """The value of `GamePreset.family` of its games."""

    presets: ClassVar[tuple[GamePreset, ...]] = ()
    """Its games; empty if its package has a subpackage `presets` with a module for each game."""

    public_name: ClassVar[str] = ""
    """Its name in the output of `liarspoker games --json`, if it differs from `name`."""

    bots: ClassVar[Mapping[str, str]] = {}
    """Its bots as `module:name`, by bot name."""

    thinking: ClassVar[str] = ""
    """What returns a bot that thinks, from the name of a bot with a network and a time, as `module:name`; or empty."""

    @property
    def package(self) -> str:
        """The package that contains its parts."""
        found = sys.modules[type(self).__module__].__package__
        assert found is not None
        return found

    def game(self, preset: GamePreset) -> Game:
        """Return the game with a preset of this family, of the class `GAME` in its module `session`."""
        found: Game = self._part("session", "GAME")(preset)
        return found

    def records(self) -> RecordFormat[Any] | None:
        """Return its record format; `None` for that of simple sessions."""
        found: RecordFormat[Any] | None = self._part("record", "RECORDS")
        return found

    def table(self) -> TableRules[Any, Any] | None:
        """Return its functions for live tables; `None` for those of simple sessions."""
        found: TableRules[Any, Any] | None = _module(self.package, "table")
        return found

    def round_view(self) -> type[RoundView]:
        """Return the class of its public views at live tables."""
        from liarspoker.protocol.simple import SimpleRound

        found: type[RoundView] = self._part("messages", "ROUND") or SimpleRound
        return found

    def terminal(self) -> TerminalRenderer[Any, Any] | None:
        """Return its terminal renderer; `None` for the plain one, which shows the notation."""
        found: TerminalRenderer[Any, Any] | None = self._part("terminal", "RENDERER")
        return found

    def pages(self) -> FamilyPages | None:
        """Return its web pages; `None` for plain ones."""
        found: FamilyPages | None = self._part("page", "PAGES")
        return found

    def environment(self) -> EnvironmentRules[Any, Any] | None:
        """Return its rules for research environments; `None` for those of any session."""
        found: EnvironmentRules[Any, Any] | None = self._part("environment", "ENVIRONMENT")
        return found

    def controls(self) -> DealControls | None:
        """Return its control variates for contests between bots; `None` if it has none."""
        found: DealControls | None = _module(self.package, "controls")
        return found

    def kernel(self) -> Kernel[Any, Any, Any, Any, Any] | None:
        """Return its engine kernel; `None` if it has none."""
        found: Kernel[Any, Any, Any, Any, Any] | None = self._part("kernel", "KERNEL")
        return found

    def review(self) -> type[CardPosition] | None:
        """Return the class of the positions that the coach reviews; `None` if the family has none."""
        found: type[CardPosition] | None = self._part("review", "POSITION")
        return found

    def statistics(self) -> FamilyStatistics | None:
        """Return how its hands or rounds are counted; `None` if they aren't."""
        found: FamilyStatistics | None = self._part("statistics", "STATISTICS")
        return found

    def _part(self, module: str, name: str) -> Any:
        """Return an attribute of a module of the family's package; `None` if there is no such module."""
        found = _module(self.package, module)
        return None if found is None else getattr(found, name)


@cache
def _module(package: str, name: str) -> Any:
    """Return the module `name` of a package; `None` if there is none or `package` is empty."""
    if not package:
        return None
    try:
        return import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if f"{package}.{name}.".startswith(f"{error.name}."):
            return None
        raise
