"""What a policy may know at Thorin's game, which actions it has and how to number them, and uniform play.

Actions are claims, `TAKE`, `CHALLENGE`, `PASS`, and discards: `DISCARD` less the cards discarded, as a mask of
`liarspoker.core.cards.deck.mask_of`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.deck import JOKER
from liarspoker.core.cards.hand_values import hand_value
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
        ranks: what hands are worth, for `liarspoker.games.thorin.kernel_policies.hand_rank`.
        alive: mask of the living seats.
        course: where the round stands; `course.to_act` is the seat that is asked.
        hand: the hand that goes around, as a mask of `liarspoker.core.cards.deck.mask_of`, while the seat has it; else
            0.
        had: the hand as it was when the seat last declared, in this round; 0 if it has not.
        taken: the hand as the seat got it, and
        thrown: what it has discarded of it, while the seat has it; else 0.
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
    taken: int
    thrown: int
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


Ints = NDArray[np.int64]

_HAND = 5
MIXED, ONE_COLOR, ONE_SUIT = range(3)
KINDS = 3
_KIND_OF = tuple(ONE_SUIT if suits in (1, 2, 4, 8) else ONE_COLOR if suits in (6, 9) else MIXED for suits in range(16))
"""For a mask of suits; clubs and spades are of one colour, diamonds and hearts are."""
_SUITS_OF = {ONE_SUIT: (0,) * _HAND, ONE_COLOR: (0, 3, 0, 3, 0), MIXED: (0, 1, 2, 3, 0)}
"""Suits for cards in the order of their ranks, such that cards of a rank have different ones."""

BITS = tuple(mask.bit_count() for mask in range(16))
WIDTH = _HAND + 1
CHOOSE = tuple(comb(n, k) for n in range(13 + _HAND) for k in range(WIDTH))
STARTS = (0, 0, 0, comb(17, 5) + comb(16, 4), comb(17, 5), 0)
"""Where the hands of so many cards without the jokers begin: five, then four, then three."""


def hand_rank(hand: int, ranks: Ints) -> int:
    """What five cards are worth, a value of `liarspoker.core.cards.hand_values`.

    Args:
        hand: the cards, from `deck.mask_of`.
        ranks: from `ranks_table`.
    """
    plain, suits, place = 0, 0, 0
    for rank in range(13):
        held = hand >> 4 * rank & 15
        suits |= held
        for _ in range(BITS[held]):
            place += CHOOSE[(rank + plain) * WIDTH + plain + 1]
            plain += 1
    value: int = ranks[(STARTS[plain] + place) * KINDS + _KIND_OF[suits]]
    return value


@lru_cache(maxsize=6)
def ranks_table(jokers: int, double_any: bool) -> Ints:
    """int64: the values of all kinds of hands, as `hand_rank` reads them; 0 for those that there cannot be.

    Args:
        jokers: jokers in the deck.
        double_any: a joker may be a card that the hand holds already, not only to make five of a kind.
    """
    found = np.zeros((STARTS[3] + comb(15, 3)) * KINDS, np.int64)
    for plain in range(_HAND - jokers, _HAND + 1):
        for ranks in combinations_with_replacement(range(13), plain):
            place = STARTS[plain] + sum(comb(rank + before, before + 1) for before, rank in enumerate(ranks))
            for kind, most in ((ONE_SUIT, 1), (ONE_COLOR, 2), (MIXED, 4)):
                if max(map(ranks.count, ranks)) <= most:
                    cards = [4 * rank + suit for rank, suit in zip(ranks, _SUITS_OF[kind], strict=False)]
                    hand = (*cards, *(JOKER,) * (_HAND - plain))
                    found[place * KINDS + kind] = hand_value(hand, double_any)
    return found
