"""Which actions the seat to act has, in compiled code, and how to number them."""

from __future__ import annotations

from liarspoker.core.cards.deck import JOKER
from liarspoker.core.errors import LEGAL
from liarspoker.engine.passed.seen import Seen
from liarspoker.games.thorin.actions import CHALLENGE, DISCARD, PASS, TAKE
from liarspoker.games.thorin.course import refusal
from liarspoker.games.thorin.listed import first_above, floor_of

ANSWERS = (TAKE, CHALLENGE, PASS)


def claims_listed(seen: Seen) -> int:
    """How many claims promise more than the one that stands."""
    return len(seen.ladder.claims) - first_above(floor_of(seen.course.claim), seen.ladder)


def claim_listed(place: int, seen: Seen) -> int:
    """The claim at a place among those, from 0, the weakest."""
    return seen.ladder.claims[first_above(floor_of(seen.course.claim), seen.ladder) + place]


def is_answer(answer: int, seen: Seen) -> bool:
    """Whether taking, challenging or passing is legal."""
    return refusal(seen.course, answer, False, seen.ladder, seen.rules) == LEGAL


def answers_listed(seen: Seen) -> int:
    """How many of the answers are legal."""
    count = 0
    for answer in ANSWERS:
        if is_answer(answer, seen):
            count += 1
    return count


def answer_listed(place: int, seen: Seen) -> int:
    """The legal answer at a place, from 0: taking before challenging before passing."""
    for answer in ANSWERS:
        if is_answer(answer, seen):
            if place == 0:
                return answer
            place -= 1
    return CHALLENGE


def discards_listed(hand: int) -> int:
    """How many different choices of cards a hand has: jokers are alike."""
    count = 1 + (hand >> JOKER)
    for card in range(JOKER):
        if hand >> card & 1:
            count *= 2
    return count


def discard_listed(place: int, hand: int) -> int:
    """The discard at a place from 0, that of no card, to one less than `discards_listed`."""
    thrown = 0
    for card in range(JOKER):
        if hand >> card & 1:
            thrown |= (place & 1) << card
            place >>= 1
    return DISCARD - (thrown + (place << JOKER))
