"""The Beginner: says what it sees, expects its fair share of the rest, and knows no chances."""

from __future__ import annotations

from random import Random

from liarspoker.games.queen_annes.bots.names import thought_of
from liarspoker.games.queen_annes.bots.sight import now, when_answered
from liarspoker.games.queen_annes.round import CHALLENGE
from liarspoker.games.queen_annes.view import QueenAnnesView


def beginner(view: QueenAnnesView, chance: Random) -> int:
    """Opens with the best hand that it expects, raises by as little as it can, and challenges what it does not expect.

    It expects in the pool what it sees and a fair share of the cards that it does not see.
    """
    sight = now(view)
    later = when_answered(view, sight)
    answers = view.legal.answers
    if answers and (not view.legal.claims or sight.shortfall(view.legal.claims[0] - 1) > 0):
        return CHALLENGE
    above = view.legal.claims[0] - 1
    expected = [claim for claim in thought_of(later, above) if later.shortfall(claim) == 0]
    if answers:
        return min(expected, default=CHALLENGE)
    return max(expected, default=view.legal.claims[0])
