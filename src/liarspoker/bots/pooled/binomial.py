"""The Calculator: the exact chance of every hand it thinks of, by the cards it sees alone; it never listens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from liarspoker.bots.pooled.names import thought_of
from liarspoker.bots.pooled.sight import now, when_answered
from liarspoker.rules.cards.pooled.round import CHALLENGE
from liarspoker.rules.cards.pooled.view import PooledView

_PLACES = 9
"""Chances that agree to so many places are the same chance."""


def binomial(view: PooledView, chance: Random) -> int:
    """Names the hand that is likeliest, or challenges, whichever is the safer if the round ended with it.

    A hand is weighed as though the next player would challenge it. Of hands that are as likely as each other it names
    the strongest, which leaves the others the least room. The cards that it does not see are any that are left of the
    deck, whatever was named.
    """
    sight = now(view)
    later = when_answered(view, sight)
    if not view.legal.claims:
        return CHALLENGE
    above = view.legal.claims[0] - 1
    best, named = likeliest(thought_of(later, above), later.chance)
    if view.legal.answers and 1 - sight.chance(above) > best:
        return CHALLENGE
    return named


def likeliest(claims: Iterable[int], chance_of: Callable[[int], float]) -> tuple[float, int]:
    """The greatest chance among the claims, with the strongest claim that has it."""
    return max((round(chance_of(claim), _PLACES), claim) for claim in claims)
