"""Register Queen Anne's games: where each part of the program finds what it needs of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from liarspoker.core.catalogue import GameRow
from liarspoker.core.family import GameFamily

if TYPE_CHECKING:
    from liarspoker.engine.kernel import Kernel
    from liarspoker.games.queen_annes.deal import QueenAnnesChance, QueenAnnesDeal
    from liarspoker.games.queen_annes.game import QueenAnnesGame
    from liarspoker.games.queen_annes.messages import QueenAnnesRound
    from liarspoker.games.queen_annes.session import QueenAnnesSession
    from liarspoker.games.queen_annes.view import QueenAnnesView
    from liarspoker.records.family import RecordFormat
    from liarspoker.research.family import StudyRules
    from liarspoker.tables.games.family import TableRules
    from liarspoker.terminal.face import TerminalRenderer
    from liarspoker.terminal.live.sights import Eye
    from liarspoker.web.view_models.family import RoundPage
    from liarspoker.web.view_models.replay import ReplayPage
    from liarspoker.web.view_models.rules_parts import RulesPage


class QueenAnnes(GameFamily):
    """Queen Anne's games."""

    name = "queen_annes"
    presets = "liarspoker.games.queen_annes.presets"
    listed_as = "cards.pooled"
    bots: ClassVar[dict[str, str]] = {
        "beginner": "liarspoker.games.queen_annes.bots:beginner",
        "binomial": "liarspoker.games.queen_annes.bots:binomial",
        "bluffer": "liarspoker.games.queen_annes.bots:bluffer",
    }

    def game(self, row: GameRow) -> QueenAnnesGame:
        """The game of a catalogue row."""
        from liarspoker.games.queen_annes.game import game

        return game(row)

    def records(self) -> RecordFormat[QueenAnnesSession, QueenAnnesDeal, QueenAnnesChance]:
        """See `record`."""
        from liarspoker.games.queen_annes import record

        return record

    def table(self) -> TableRules[QueenAnnesSession, QueenAnnesView]:
        """See `table`."""
        from liarspoker.games.queen_annes import table

        return table

    def round_view(self) -> type[QueenAnnesRound]:
        """See `messages`."""
        from liarspoker.games.queen_annes.messages import QueenAnnesRound

        return QueenAnnesRound

    def terminal(self) -> TerminalRenderer[QueenAnnesSession, QueenAnnesView]:
        """See `terminal`."""
        from liarspoker.games.queen_annes import terminal

        return terminal

    def terminal_live(self) -> Eye:
        """See `terminal_live`."""
        from liarspoker.games.queen_annes import terminal_live

        return terminal_live

    def page(self) -> RoundPage:
        """See `page`."""
        from liarspoker.games.queen_annes import page

        return page

    def replay(self) -> ReplayPage:
        """See `page.replay`."""
        from liarspoker.games.queen_annes.page import replay

        return replay

    def rules_page(self) -> RulesPage:
        """See `page.rules`."""
        from liarspoker.games.queen_annes.page import rules

        return rules

    def study(self) -> StudyRules[QueenAnnesSession, QueenAnnesView]:
        """See `environment`."""
        from liarspoker.games.queen_annes.environment import QueenAnnesStudy

        return QueenAnnesStudy()

    def kernel(self) -> Kernel[Any, Any, Any, Any, Any]:
        """See `kernel`."""
        from liarspoker.games.queen_annes.kernel import KERNEL

        return KERNEL


FAMILY = QueenAnnes()
