"""What the program knows of a family of games: one object, from which each layer asks for its own part.

A family's module imports nothing but its rules; every other part is imported when it is asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from liarspoker.core.catalogue import GameRow
    from liarspoker.core.session import Game
    from liarspoker.engine.kernel import Kernel
    from liarspoker.protocol.views import RoundView
    from liarspoker.records.family import RecordFormat
    from liarspoker.research.family import StudyRules
    from liarspoker.tables.games.family import TableRules
    from liarspoker.terminal.face import TerminalRenderer
    from liarspoker.terminal.live.sights import Eye
    from liarspoker.web.view_models.family import RoundPage
    from liarspoker.web.view_models.replay import ReplayPage
    from liarspoker.web.view_models.rules_parts import RulesPage


class GameFamily(ABC):
    """A family of games that share their rules' code, such as the digit games.

    The parts are generic over the family's own session, deal and view classes; a family declares them as they are, and
    whoever looks a family up by name gets them as `Any`.
    """

    name: ClassVar[str]
    """The name that its games have in `GameRow.family`."""

    presets: ClassVar[str]
    """The package that has a module for each of its games."""

    listed_as: ClassVar[str]
    """Its name in `liarspoker games --json`."""

    bots: ClassVar[Mapping[str, str]]
    """Where its bots are, as `module:name`, by the name under which every game has them."""

    @abstractmethod
    def game(self, row: GameRow) -> Game:
        """The game of a catalogue row of this family."""

    @abstractmethod
    def records(self) -> RecordFormat[Any, Any, Any]:
        """How its rounds are written to records and read back."""

    @abstractmethod
    def table(self) -> TableRules[Any, Any]:
        """How it is played at live tables."""

    @abstractmethod
    def round_view(self) -> type[RoundView]:
        """How everybody sees its rounds at live tables."""

    @abstractmethod
    def terminal(self) -> TerminalRenderer[Any, Any]:
        """How the terminal shows it."""

    @abstractmethod
    def terminal_live(self) -> Eye:
        """How the terminal sees it at a live table."""

    @abstractmethod
    def page(self) -> RoundPage:
        """How a page shows a round in play."""

    @abstractmethod
    def replay(self) -> ReplayPage:
        """How a page replays a round."""

    @abstractmethod
    def rules_page(self) -> RulesPage:
        """What a rules page shows beside the text and the options."""

    def study(self) -> StudyRules[Any, Any] | None:
        """How it is studied in a research environment; `None` leaves that to `StudyRules`, which asks its session."""
        return None

    def kernel(self) -> Kernel[Any, Any, Any, Any, Any] | None:
        """How the engine plays it; `None` where it does not."""
        return None
