"""Register Thorin's game: where each part of the program finds what it needs of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from liarspoker.core.catalogue import GameRow
from liarspoker.core.family import GameFamily

if TYPE_CHECKING:
    from liarspoker.engine.kernel import Kernel
    from liarspoker.games.thorin.deal import ThorinChance, ThorinDeal
    from liarspoker.games.thorin.game import ThorinGame
    from liarspoker.games.thorin.messages import ThorinRound
    from liarspoker.games.thorin.session import ThorinSession
    from liarspoker.games.thorin.view import ThorinView
    from liarspoker.records.family import RecordFormat
    from liarspoker.research.family import StudyRules
    from liarspoker.tables.games.family import TableRules
    from liarspoker.terminal.face import TerminalRenderer
    from liarspoker.terminal.live.sights import Eye
    from liarspoker.web.view_models.family import RoundPage
    from liarspoker.web.view_models.replay import ReplayPage
    from liarspoker.web.view_models.rules_parts import RulesPage


class Thorin(GameFamily):
    """Thorin's game."""

    name = "thorin"
    presets = "liarspoker.games.thorin.presets"
    listed_as = "cards.passed"
    bots: ClassVar[dict[str, str]] = {
        "beginner": "liarspoker.games.thorin.bots.beginner:beginner",
        "binomial": "liarspoker.games.thorin.bots.binomial:binomial",
        "bluffer": "liarspoker.games.thorin.bots.bluffer:bluffer",
    }

    def game(self, row: GameRow) -> ThorinGame:
        """The game of a catalogue row."""
        from liarspoker.games.thorin.game import game

        return game(row)

    def records(self) -> RecordFormat[ThorinSession, ThorinDeal, ThorinChance]:
        """See `record`."""
        from liarspoker.games.thorin import record

        return record

    def table(self) -> TableRules[ThorinSession, ThorinView]:
        """See `table`."""
        from liarspoker.games.thorin import table

        return table

    def round_view(self) -> type[ThorinRound]:
        """See `messages`."""
        from liarspoker.games.thorin.messages import ThorinRound

        return ThorinRound

    def terminal(self) -> TerminalRenderer[ThorinSession, ThorinView]:
        """See `terminal`."""
        from liarspoker.games.thorin import terminal

        return terminal

    def terminal_live(self) -> Eye:
        """See `terminal_live`."""
        from liarspoker.games.thorin import terminal_live

        return terminal_live

    def page(self) -> RoundPage:
        """See `page`."""
        from liarspoker.games.thorin import page

        return page

    def replay(self) -> ReplayPage:
        """See `page.replay`."""
        from liarspoker.games.thorin.page import replay

        return replay

    def rules_page(self) -> RulesPage:
        """See `page.rules`."""
        from liarspoker.games.thorin.page import rules

        return rules

    def study(self) -> StudyRules[ThorinSession, ThorinView]:
        """See `environment`."""
        from liarspoker.games.thorin.environment import ThorinStudy

        return ThorinStudy()

    def kernel(self) -> Kernel[Any, Any, Any, Any, Any]:
        """See `kernel`."""
        from liarspoker.games.thorin.kernel import KERNEL

        return KERNEL


FAMILY = Thorin()
