"""How a match of a card game stands: the winner, or who is still in."""

from __future__ import annotations

from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.records.family import Table
from liarspoker.records.words import subject


def outcome(session: ThorinSession | QueenAnnesSession) -> Table:
    """The winner's seat, or null while two are living."""
    return {"winner": session.winner}


def tell_outcome(session: ThorinSession | QueenAnnesSession, players: tuple[str, ...]) -> str:
    """Who has won the match, or who is still in."""
    if session.winner is not None:
        return f"{subject(players[session.winner], 'wins')} the match."
    return f"Still in the match: {', '.join(players[seat] for seat in session.alive)}."
