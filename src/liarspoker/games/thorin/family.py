"""Register Thorin's game."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from liarspoker.core.family import GameFamily, Parts, network_bots

if TYPE_CHECKING:
    from liarspoker.games.thorin import table
    from liarspoker.games.thorin.environment import ENVIRONMENT
    from liarspoker.games.thorin.kernel import KERNEL
    from liarspoker.games.thorin.messages import ROUND
    from liarspoker.games.thorin.page import PAGES
    from liarspoker.games.thorin.record import RECORDS
    from liarspoker.games.thorin.result import ThorinView
    from liarspoker.games.thorin.review import POSITION
    from liarspoker.games.thorin.session import GAME, ThorinSession
    from liarspoker.games.thorin.statistics import STATISTICS
    from liarspoker.games.thorin.terminal import RENDERER

    Parts[ThorinSession, ThorinView](
        GAME, RECORDS, table, ROUND, RENDERER, PAGES, ENVIRONMENT, KERNEL, STATISTICS, POSITION
    )


class Thorin(GameFamily):
    """Thorin's game."""

    name = "thorin"
    public_name = "cards.passed"
    bots: ClassVar[dict[str, str]] = {
        "beginner": "liarspoker.games.thorin.bots:beginner",
        "binomial": "liarspoker.games.thorin.bots:binomial",
        "bluffer": "liarspoker.games.thorin.bots:bluffer",
        **network_bots("liarspoker.games.thorin"),
    }


FAMILY = Thorin()
