"""Observations and actions of policies in Thorin's game, and the uniform policy.

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
from liarspoker.games.thorin.claim_table import Ladder, first_above, floor_of
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.state import DECLARE, DISCARDING, RoundState, refusal


class Observation(NamedTuple):
    """Observation of the seat to act. Policies must not write to its arrays.

    Attributes:
        rules: the table's rules.
        ladder: the table's claims.
        ranks: the table of hand ranks, for `liarspoker.games.thorin.kernel_policies.hand_rank`.
        alive: mask of the seats still in.
        state: the state of the round; `state.to_act` is the seat that decides.
        hand: the hand as a mask of `liarspoker.core.cards.deck.mask_of`, if the seat has it; else 0.
        had: the hand when the seat last declared in this round; 0 if it hasn't.
        taken: the hand as the seat got it, if the seat has it; else 0.
        discarded: the cards that it has discarded, if the seat has the hand; else 0.
        stock: number of cards in the stock.
        discards: number of discards.
        made: number of actions in this round so far.
        moves: int64 `[many, 2]`, seat and action, with discards face down; the first `made` rows are filled.
    """

    rules: ThorinRules
    ladder: Ladder
    ranks: NDArray[np.int64]
    alive: int
    state: RoundState
    hand: int
    had: int
    taken: int
    discarded: int
    stock: int
    discards: int
    made: int
    moves: NDArray[np.int64]


ANSWERS = (TAKE, CHALLENGE, PASS)


def claim_count(seen: Observation) -> int:
    """Return the number of legal claims."""
    return len(seen.ladder.claims) - first_above(floor_of(seen.state.claim), seen.ladder)


def nth_claim(place: int, seen: Observation) -> int:
    """Return a legal claim by its index from 0, the weakest."""
    return seen.ladder.claims[first_above(floor_of(seen.state.claim), seen.ladder) + place]


def is_answer(answer: int, seen: Observation) -> bool:
    """Return whether an answer (take, challenge or pass) is legal."""
    return refusal(seen.state, answer, False, seen.ladder, seen.rules) == LEGAL


def answer_count(seen: Observation) -> int:
    """Return the number of legal answers."""
    count = 0
    for answer in ANSWERS:
        if is_answer(answer, seen):
            count += 1
    return count


def nth_answer(place: int, seen: Observation) -> int:
    """Return a legal answer by its index from 0, in the order take, challenge, pass."""
    for answer in ANSWERS:
        if is_answer(answer, seen):
            if place == 0:
                return answer
            place -= 1
    return CHALLENGE


def discard_count(hand: int) -> int:
    """Return the number of different discards of a hand; jokers are interchangeable."""
    count = 1 + (hand >> JOKER)
    for card in range(JOKER):
        if hand >> card & 1:
            count *= 2
    return count


def nth_discard(place: int, hand: int) -> int:
    """Return a discard by its index, from 0 (no cards) to `discard_count` - 1."""
    discarded = 0
    for card in range(JOKER):
        if hand >> card & 1:
            discarded |= (place & 1) << card
            place >>= 1
    return DISCARD - (discarded + (place << JOKER))


def uniform(seen: Observation, chance: Chance, data: Any) -> int:
    """Choose uniformly among the legal actions."""
    if seen.state.phase == DECLARE:
        return nth_claim(below(chance, claim_count(seen)), seen)
    if seen.state.phase == DISCARDING:
        return nth_discard(below(chance, discard_count(seen.hand)), seen.hand)
    return nth_answer(below(chance, answer_count(seen)), seen)


Ints = NDArray[np.int64]

_HAND = 5
MIXED, ONE_COLOR, ONE_SUIT = range(3)
KINDS = 3
_KIND_OF = tuple(ONE_SUIT if suits in (1, 2, 4, 8) else ONE_COLOR if suits in (6, 9) else MIXED for suits in range(16))
"""The kind of hand for a mask of suits; clubs and spades have one color, diamonds and hearts the other."""
_SUITS_OF = {ONE_SUIT: (0,) * _HAND, ONE_COLOR: (0, 3, 0, 3, 0), MIXED: (0, 1, 2, 3, 0)}
"""Suits for cards in the order of their ranks, such that cards of one rank have different suits."""

BITS = tuple(mask.bit_count() for mask in range(16))
WIDTH = _HAND + 1
CHOOSE = tuple(comb(n, k) for n in range(13 + _HAND) for k in range(WIDTH))
STARTS = (0, 0, 0, comb(17, 5) + comb(16, 4), comb(17, 5), 0)
"""First index of hands by number of cards without jokers: five, then four, then three."""


def hand_rank(hand: int, ranks: Ints) -> int:
    """Return the rank of a hand of five cards, a value of `liarspoker.core.cards.hand_values`.

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
    """Return int64: the ranks of all hands in the indexing of `hand_rank`; 0 for impossible hands.

    Args:
        jokers: jokers in the deck.
        double_any: whether a joker may always duplicate a card of the hand, not only for five of a kind.
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
