"""The Calculator: chances of draws and promises, the truth where there is one, and the least lie where there is not."""

from __future__ import annotations

from random import Random

from liarspoker.bots.passed.declaring import hand_of, least_lie, worth
from liarspoker.bots.passed.draws import best_keep
from liarspoker.bots.passed.judgement import prospects, story_of
from liarspoker.rules.cards.passed.actions import CHALLENGE, PASS, TAKE, discard_of
from liarspoker.rules.cards.passed.ladder import floor_of, full_claim, next_value
from liarspoker.rules.cards.passed.standing import DISCARDING, RESPOND
from liarspoker.rules.cards.passed.view import PassedView

WORTH_A_PASS = -0.3
"""A pass is spent when neither answer is worth more than that."""


def binomial(view: PassedView, chance: Random) -> int:
    """Takes or challenges, whichever is worth more; draws to what beats the declaration; and says what it then holds.

    A declaration is true as often as the draws would make it so, with the cards thrown that it saw thrown.
    """
    if view.standing is None or view.seat is None:
        raise ValueError("a bot plays from a seat, and this is nobody's view")
    if view.standing.phase == RESPOND:
        return answer(view)
    if view.standing.phase == DISCARDING:
        return discard_of(thrown_for(view))
    value = worth(view)
    return full_claim(value) if value > view.floor else least_lie(view)


def answer(view: PassedView) -> int:
    """Take, challenge or pass."""
    assert view.standing is not None
    value, story = floor_of(view.standing.claim), story_of(view)
    either = prospects(value, story.truth(), story)
    if PASS in view.legal.answers and max(either.challenge, either.take) < WORTH_A_PASS:
        return PASS
    return CHALLENGE if either.challenge > either.take or TAKE not in view.legal.answers else TAKE


def thrown_for(view: PassedView) -> list[int]:
    """What is thrown for the best chance of a hand that beats the declaration; as few cards as that takes."""
    hand, higher = hand_of(view), next_value(view.floor, view.rules)
    if higher is None:
        return []
    _, kept = best_keep(hand, higher, view.rules)
    thrown = list(hand)
    for card in kept:
        thrown.remove(card)
    return thrown
