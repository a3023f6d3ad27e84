"""The finished rounds of Queen Anne's games for a record: a challenge shows all cards that were dealt."""

from __future__ import annotations

from liarspoker.games.queen_annes.record import RECORDS
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.records.family import round_tables
from liarspoker.tables.settings import Json


def recorded(session: QueenAnnesSession, seat: int | None, shown: frozenset[int]) -> Json:
    """The keys of a record that hold what was dealt and done; cards that stayed in the deck are left out.

    Args:
        session: at any moment; a round in play is left out.
        seat: who is told; everybody is told the same.
        shown: nothing is asked for in this game.
    """
    rounds = round_tables(session)[: len(session.rounds)]
    for table, (dealt, _) in zip(rounds, session.rounds, strict=True):
        if "extras" in table:
            table["extras"] = table["extras"][: len(dealt.extras)]
    return {**RECORDS.record_parts(session), "rounds": rounds}
