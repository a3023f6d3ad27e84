"""The Calculator: the exact chance of every hand it thinks of, by the cards it sees alone; it never listens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from liarspoker.games.queen_annes.bots.names import thought_of
from liarspoker.games.queen_annes.bots.sight import now, when_answered
from liarspoker.games.queen_annes.round import CHALLENGE
from liarspoker.games.queen_annes.view import QueenAnnesView

_PLACES = 9
"""Chances that agree to so many places are the same chance."""


@dataclass(frozen=True, slots=True)
class Calculator:
    """A player who weighs every hand by its exact chance.

    A hand is weighed as though the next player would challenge it. Of hands that are as likely as each other it names
    the strongest, which leaves the others the least room. The cards that it does not see are any that are left of the
    deck, whatever was named.
    """

    def __call__(self, view: QueenAnnesView, chance: Random) -> int:
        """Names the hand that is likeliest, or challenges, whichever is the safer if the round ended with it."""
        sight = now(view)
        later = when_answered(view, sight)
        if not view.legal.claims:
            return CHALLENGE
        above = view.legal.claims[0] - 1
        best, named = likeliest(thought_of(later, above), later.chance)
        if view.legal.answers and 1 - sight.chance(above) > best:
            return CHALLENGE
        return named

    def shouts(self, view: QueenAnnesView, chance: Random) -> bool:
        """Challenges out of turn what is too unlikely to let pass."""
        assert view.standing is not None
        return worth_a_shout(now(view).chance(view.standing.claim), len(view.alive))


def worth_a_shout(holds: float, players: int) -> bool:
    """Whether to challenge out of turn a hand that is there with chance `holds`, where `players` are living.

    Who is wrong loses a card, which is as bad for him as it is good for all others together; who is right has one of
    them lose one, and shares that gain with the rest. Who keeps quiet loses nothing for now.

    >>> worth_a_shout(0.2, players=4), worth_a_shout(0.2, players=6)
    (True, False)
    """
    return (1 - holds) / (players - 1) > holds


def likeliest(claims: Iterable[int], chance_of: Callable[[int], float]) -> tuple[float, int]:
    """The greatest chance among the claims, with the strongest claim that has it."""
    return max((round(chance_of(claim), _PLACES), claim) for claim in claims)


binomial = Calculator()
