"""What the program knows of a family of games: one object, from which each layer asks for its own part.

A part is a module in the family's package, found by its name and imported when it is asked for; the rules import none
of them. Where the package lacks a module, the layer uses its part for simple sessions; see `liarspoker.core.simple`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from liarspoker.core import session as sessions
    from liarspoker.core.catalogue import GameRow
    from liarspoker.core.session import Game, RowGame
    from liarspoker.engine.kernel import Kernel
    from liarspoker.protocol.views import RoundView
    from liarspoker.records.family import RecordFormat
    from liarspoker.research.family import StudyRules
    from liarspoker.tables.settings import TableRules
    from liarspoker.terminal.renderer import TerminalRenderer
    from liarspoker.web.view_models.family import FamilyPages

Session = TypeVar("Session", bound="sessions.Session")
View = TypeVar("View", bound="sessions.PlayerView")


@dataclass(frozen=True)
class Parts(Generic[Session, View]):
    """The parts of a family, with the names of their modules; a family states them once for the type checker.

    Attributes:
        session: `GAME`, the class of its games.
        record: `RECORDS`, how its rounds are written to records and read back.
        table: how it is played at live tables.
        messages: `ROUND`, how everybody sees its rounds at live tables.
        terminal: `RENDERER`, how the terminal shows it.
        page: `PAGES`, how pages show it: a round in play, a replay, the rules, questions of odds.
        environment: `STUDY`, how it is studied in a research environment.
        kernel: `KERNEL`, how the engine plays it.
    """

    session: type[RowGame[Any, Session]]
    record: RecordFormat[Session]
    table: TableRules[Session, View]
    messages: type[RoundView]
    terminal: TerminalRenderer[Session, View]
    page: FamilyPages
    environment: StudyRules[Session, View]
    kernel: Kernel[Any, Any, Any, Any, Any]


class GameFamily:
    """A family of games that share their rules' code, such as the digit games.

    The parts are generic over the family's own session, deal and view classes; `Parts` checks them as they are, and
    whoever looks a family up by name gets them as `Any`.
    """

    name: ClassVar[str]
    """The name that its games have in `GameRow.family`."""

    rows: ClassVar[tuple[GameRow, ...]] = ()
    """Its games; empty if its package has a package `presets` with a module for each of them."""

    listed_as: ClassVar[str] = ""
    """Its name in `liarspoker games --json`, where it isn't `name`."""

    bots: ClassVar[Mapping[str, str]] = {}
    """Where its bots are, as `module:name`, by the name under which every game has them."""

    @property
    def package(self) -> str:
        """The package whose modules are its parts."""
        found = sys.modules[type(self).__module__].__package__
        assert found is not None
        return found

    def game(self, row: GameRow) -> Game:
        """The game of a catalogue row of this family: of the class that the module `session` calls `GAME`."""
        found: Game = self._part("session", "GAME")(row)
        return found

    def records(self) -> RecordFormat[Any] | None:
        """How its rounds are written to records and read back; `None` for how a simple session is."""
        found: RecordFormat[Any] | None = self._part("record", "RECORDS")
        return found

    def table(self) -> TableRules[Any, Any] | None:
        """How it is played at live tables; `None` for how a simple session is."""
        found: TableRules[Any, Any] | None = _module(self.package, "table")
        return found

    def round_view(self) -> type[RoundView]:
        """How everybody sees its rounds at live tables."""
        from liarspoker.protocol.simple import SimpleRound

        found: type[RoundView] = self._part("messages", "ROUND") or SimpleRound
        return found

    def terminal(self) -> TerminalRenderer[Any, Any] | None:
        """How the terminal shows it; `None` for plainly, in the notation."""
        found: TerminalRenderer[Any, Any] | None = self._part("terminal", "RENDERER")
        return found

    def pages(self) -> FamilyPages | None:
        """How pages show it: a round in play, a replay, the rules, questions of odds; `None` for plain pages."""
        found: FamilyPages | None = self._part("page", "PAGES")
        return found

    def study(self) -> StudyRules[Any, Any] | None:
        """How it is studied in a research environment; `None` for how any session is."""
        found: StudyRules[Any, Any] | None = self._part("environment", "STUDY")
        return found

    def kernel(self) -> Kernel[Any, Any, Any, Any, Any] | None:
        """How the engine plays it; `None` where it does not."""
        found: Kernel[Any, Any, Any, Any, Any] | None = self._part("kernel", "KERNEL")
        return found

    def _part(self, module: str, name: str) -> Any:
        """What a module of the family's package calls `name`; `None` if there is no such module."""
        return getattr(_module(self.package, module), name, None)


@cache
def _module(package: str, name: str) -> Any:
    """The module of a family's package that is called `name`; `None` if it has none, or the family is in no package."""
    if not package:
        return None
    try:
        return import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if f"{package}.{name}.".startswith(f"{error.name}."):
            return None
        raise
