"""Register Queen Anne's games."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from liarspoker.core.family import GameFamily, Parts, network_bots

if TYPE_CHECKING:
    from liarspoker.games.queen_annes import table
    from liarspoker.games.queen_annes.environment import ENVIRONMENT
    from liarspoker.games.queen_annes.kernel import KERNEL
    from liarspoker.games.queen_annes.messages import ROUND
    from liarspoker.games.queen_annes.page import PAGES
    from liarspoker.games.queen_annes.record import RECORDS
    from liarspoker.games.queen_annes.result import QueenAnnesView
    from liarspoker.games.queen_annes.review import POSITION
    from liarspoker.games.queen_annes.session import GAME, QueenAnnesSession
    from liarspoker.games.queen_annes.statistics import STATISTICS
    from liarspoker.games.queen_annes.terminal import RENDERER

    Parts[QueenAnnesSession, QueenAnnesView](
        GAME, RECORDS, table, ROUND, RENDERER, PAGES, ENVIRONMENT, KERNEL, STATISTICS, POSITION
    )


class QueenAnnes(GameFamily):
    """Queen Anne's games."""

    name = "queen_annes"
    public_name = "cards.pooled"
    bots: ClassVar[dict[str, str]] = {
        "beginner": "liarspoker.games.queen_annes.bots:beginner",
        "binomial": "liarspoker.games.queen_annes.bots:binomial",
        "bluffer": "liarspoker.games.queen_annes.bots:bluffer",
        **network_bots("liarspoker.games.queen_annes"),
    }


FAMILY = QueenAnnes()
