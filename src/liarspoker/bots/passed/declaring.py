"""What all bots of Thorin's game need when they have the hand."""

from __future__ import annotations

from liarspoker.bots.passed.draws import Cards
from liarspoker.rules.cards.hand_values import hand_value
from liarspoker.rules.cards.passed.view import PassedView


def hand_of(view: PassedView) -> Cards:
    """The hand that goes around.

    Raises:
        ValueError: the view's seat does not have it.
    """
    if view.hand is None:
        raise ValueError("a bot that has the hand was shown a view without it")
    return view.hand


def worth(view: PassedView) -> int:
    """What the hand is worth under the rules of the round."""
    return hand_value(hand_of(view), bool(view.rules.double_any))


def least_lie(view: PassedView) -> int:
    """The least that may be declared, every rank named."""
    assert view.legal.min_claim is not None
    return view.legal.min_claim
