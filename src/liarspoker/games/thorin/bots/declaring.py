"""What the bots of Thorin's game need when they have the hand, and how they answer when they have not."""

from __future__ import annotations

from collections.abc import Sequence

from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, discard_of
from liarspoker.games.thorin.bots.draws import Cards
from liarspoker.games.thorin.bots.judgement import Prospects
from liarspoker.games.thorin.state import RoundState
from liarspoker.games.thorin.view import ThorinView

WORTH_A_PASS = -0.3
"""A pass is spent when neither answer is worth more than that."""


def standing_of(view: ThorinView) -> RoundState:
    """Where the round stands.

    Raises:
        ValueError: the view is nobody's, or no round is on the table.
    """
    if view.seat is None or view.standing is None:
        raise ValueError("a bot plays from a seat, and this is nobody's view")
    return view.standing


def hand_of(view: ThorinView) -> Cards:
    """The hand that goes around.

    Raises:
        ValueError: the view's seat does not have it.
    """
    if view.hand is None:
        raise ValueError("a bot that has the hand was shown a view without it")
    return view.hand


def worth(view: ThorinView) -> int:
    """What the hand is worth under the rules of the round."""
    return hand_value(hand_of(view), bool(view.rules.double_any))


def least_lie(view: ThorinView) -> int:
    """The least that may be declared, every rank named."""
    assert view.legal.min_claim is not None
    return view.legal.min_claim


def answered(either: Prospects, view: ThorinView) -> int:
    """Take or challenge, whichever is worth more; a pass, if there is one left, when both are bad."""
    if PASS in view.legal.answers and max(either.challenge, either.take) < WORTH_A_PASS:
        return PASS
    return CHALLENGE if either.challenge > either.take or TAKE not in view.legal.answers else TAKE


def discard_but(kept: Sequence[int], hand: Sequence[int]) -> int:
    """The discard of all of the hand but what is kept."""
    thrown = list(hand)
    for card in kept:
        thrown.remove(card)
    return discard_of(thrown)
