"""Register the digit games: where each part of the program finds what it needs of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from liarspoker.core.catalogue import GameRow
from liarspoker.core.family import GameFamily

if TYPE_CHECKING:
    from liarspoker.engine.kernel import Kernel
    from liarspoker.games.digits.deal import DigitChance, DigitDeal
    from liarspoker.games.digits.game import DigitGame
    from liarspoker.games.digits.messages import DigitsRound
    from liarspoker.games.digits.session import DigitSession
    from liarspoker.games.digits.view import DigitView
    from liarspoker.records.family import RecordFormat
    from liarspoker.research.family import StudyRules
    from liarspoker.tables.games.family import TableRules
    from liarspoker.terminal.face import TerminalRenderer
    from liarspoker.terminal.live.sights import Eye
    from liarspoker.web.view_models.family import RoundPage
    from liarspoker.web.view_models.replay import ReplayPage
    from liarspoker.web.view_models.rules_parts import RulesPage


class Digits(GameFamily):
    """The digit games."""

    name = "digits"
    presets = "liarspoker.games.digits.presets"
    listed_as = "digits"
    bots: ClassVar[dict[str, str]] = {
        "beginner": "liarspoker.games.digits.bots.beginner:beginner",
        "binomial": "liarspoker.games.digits.bots.binomial:binomial",
        "bluffer": "liarspoker.games.digits.bots.bluffer:bluffer",
    }

    def game(self, row: GameRow) -> DigitGame:
        """The game of a catalogue row."""
        from liarspoker.games.digits.game import game

        return game(row)

    def records(self) -> RecordFormat[DigitSession, DigitDeal, DigitChance]:
        """See `record`."""
        from liarspoker.games.digits import record

        return record

    def table(self) -> TableRules[DigitSession, DigitView]:
        """See `table`."""
        from liarspoker.games.digits import table

        return table

    def round_view(self) -> type[DigitsRound]:
        """See `messages`."""
        from liarspoker.games.digits.messages import DigitsRound

        return DigitsRound

    def terminal(self) -> TerminalRenderer[DigitSession, DigitView]:
        """See `terminal`."""
        from liarspoker.games.digits import terminal

        return terminal

    def terminal_live(self) -> Eye:
        """See `terminal_live`."""
        from liarspoker.games.digits import terminal_live

        return terminal_live

    def page(self) -> RoundPage:
        """See `page`."""
        from liarspoker.games.digits import page

        return page

    def replay(self) -> ReplayPage:
        """See `page.replay`."""
        from liarspoker.games.digits.page import replay

        return replay

    def rules_page(self) -> RulesPage:
        """See `page.rules`."""
        from liarspoker.games.digits.page import rules

        return rules

    def study(self) -> StudyRules[DigitSession, DigitView]:
        """See `environment`."""
        from liarspoker.games.digits.environment import DigitStudy

        return DigitStudy()

    def kernel(self) -> Kernel[Any, Any, Any, Any, Any]:
        """See `kernel`."""
        from liarspoker.games.digits.kernel import KERNEL

        return KERNEL


FAMILY = Digits()
