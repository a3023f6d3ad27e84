"""Registration of the digit games."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from liarspoker.core.family import GameFamily, Parts, network_bots

if TYPE_CHECKING:
    from liarspoker.games.digits import table
    from liarspoker.games.digits.environment import ENVIRONMENT
    from liarspoker.games.digits.kernel import KERNEL
    from liarspoker.games.digits.messages import ROUND
    from liarspoker.games.digits.page import PAGES
    from liarspoker.games.digits.record import RECORDS
    from liarspoker.games.digits.result import DigitView
    from liarspoker.games.digits.session import GAME, DigitSession
    from liarspoker.games.digits.statistics import STATISTICS
    from liarspoker.games.digits.terminal import RENDERER

    Parts[DigitSession, DigitView](GAME, RECORDS, table, ROUND, RENDERER, PAGES, ENVIRONMENT, KERNEL, STATISTICS)


class Digits(GameFamily):
    """The family of digit games; see `liarspoker.core.family.GameFamily`."""

    name = "digits"
    public_name = "digits"
    bots: ClassVar[dict[str, str]] = {
        "beginner": "liarspoker.games.digits.bots:beginner",
        "binomial": "liarspoker.games.digits.bots:binomial",
        "bluffer": "liarspoker.games.digits.bots:bluffer",
        **network_bots("liarspoker.games.digits"),
    }
    thinking = "liarspoker.solve.beliefs.search:thinking"


FAMILY = Digits()
"""The family, as registered in the catalogue."""
