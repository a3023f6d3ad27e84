"""What a policy may know at Thorin's game, which actions it has and how to number them, and uniform play.

Actions are claims, `TAKE`, `CHALLENGE`, `PASS`, and discards: `DISCARD` less the cards discarded, as a mask of
`liarspoker.core.cards.deck.mask_of`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.deck import JOKER
from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import Chance, below
from liarspoker.games.thorin.actions import CHALLENGE, DISCARD, PASS, TAKE
from liarspoker.games.thorin.listed import Ladder, first_above, floor_of
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.state import DECLARE, DISCARDING, RoundState, refusal


class Observation(NamedTuple):
    """What the seat to act may know. Arrays in it must not be written to.

    Attributes:
        rules: the table's.
        ladder: its claims.
        ranks: what hands are worth, for `liarspoker.games.thorin.kernel_ranks.hand_rank`.
        alive: mask of the living seats.
        course: where the round stands; `course.to_act` is the seat that is asked.
        hand: the hand that goes around, as a mask of `liarspoker.core.cards.deck.mask_of`, while the seat has it; else
            0.
        had: the hand as it was when the seat last declared, in this round; 0 if it has not.
        stock: how many cards are in the stock.
        discards: how many lie with the discards.
        made: how many actions were played in this round so far.
        moves: int64 `[many, 2]`, the first `made` of them filled: seat and action; discards are face down.
    """

    rules: ThorinRules
    ladder: Ladder
    ranks: NDArray[np.int64]
    alive: int
    course: RoundState
    hand: int
    had: int
    stock: int
    discards: int
    made: int
    moves: NDArray[np.int64]


ANSWERS = (TAKE, CHALLENGE, PASS)


def claims_listed(seen: Observation) -> int:
    """How many claims promise more than the one that stands."""
    return len(seen.ladder.claims) - first_above(floor_of(seen.course.claim), seen.ladder)


def claim_listed(place: int, seen: Observation) -> int:
    """The claim at a place among those, from 0, the weakest."""
    return seen.ladder.claims[first_above(floor_of(seen.course.claim), seen.ladder) + place]


def is_answer(answer: int, seen: Observation) -> bool:
    """Whether taking, challenging or passing is legal."""
    return refusal(seen.course, answer, False, seen.ladder, seen.rules) == LEGAL


def answers_listed(seen: Observation) -> int:
    """How many of the answers are legal."""
    count = 0
    for answer in ANSWERS:
        if is_answer(answer, seen):
            count += 1
    return count


def answer_listed(place: int, seen: Observation) -> int:
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


def uniform(seen: Observation, chance: Chance, data: Any) -> int:
    """Any legal action, each as likely as every other."""
    if seen.course.phase == DECLARE:
        return claim_listed(below(chance, claims_listed(seen)), seen)
    if seen.course.phase == DISCARDING:
        return discard_listed(below(chance, discards_listed(seen.hand)), seen.hand)
    return answer_listed(below(chance, answers_listed(seen)), seen)
