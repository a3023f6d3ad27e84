"""What a hand is worth, in compiled code: looked up in a table that the rules' own function has filled.

A value depends on the ranks of the cards that are no jokers, and on whether these are of one suit, of one colour or
mixed. So `liarspoker.core.cards.hand_values.hand_value` is asked once for each such kind of hand.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.deck import JOKER
from liarspoker.core.cards.hand_values import hand_value

Ints = NDArray[np.int64]

_HAND = 5
_MIXED, _ONE_COLOR, _ONE_SUIT = range(3)
_KINDS = 3
_KIND_OF = tuple(
    _ONE_SUIT if suits in (1, 2, 4, 8) else _ONE_COLOR if suits in (6, 9) else _MIXED for suits in range(16)
)
"""For a mask of suits; clubs and spades are of one colour, diamonds and hearts are."""
_SUITS_OF = {_ONE_SUIT: (0,) * _HAND, _ONE_COLOR: (0, 3, 0, 3, 0), _MIXED: (0, 1, 2, 3, 0)}
"""Suits for cards in the order of their ranks, such that cards of a rank have different ones."""

_BITS = tuple(mask.bit_count() for mask in range(16))
_WIDTH = _HAND + 1
_CHOOSE = tuple(comb(n, k) for n in range(13 + _HAND) for k in range(_WIDTH))
_STARTS = (0, 0, 0, comb(17, 5) + comb(16, 4), comb(17, 5), 0)
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
        for _ in range(_BITS[held]):
            place += _CHOOSE[(rank + plain) * _WIDTH + plain + 1]
            plain += 1
    value: int = ranks[(_STARTS[plain] + place) * _KINDS + _KIND_OF[suits]]
    return value


@lru_cache(maxsize=6)
def ranks_table(jokers: int, double_any: bool) -> Ints:
    """int64: the values of all kinds of hands, as `hand_rank` reads them; 0 for those that there cannot be.

    Args:
        jokers: jokers in the deck.
        double_any: a joker may be a card that the hand holds already, not only to make five of a kind.
    """
    found = np.zeros((_STARTS[3] + comb(15, 3)) * _KINDS, np.int64)
    for plain in range(_HAND - jokers, _HAND + 1):
        for ranks in combinations_with_replacement(range(13), plain):
            place = _STARTS[plain] + sum(comb(rank + before, before + 1) for before, rank in enumerate(ranks))
            for kind, most in ((_ONE_SUIT, 1), (_ONE_COLOR, 2), (_MIXED, 4)):
                if max(map(ranks.count, ranks)) <= most:
                    cards = [4 * rank + suit for rank, suit in zip(ranks, _SUITS_OF[kind], strict=False)]
                    hand = (*cards, *(JOKER,) * (_HAND - plain))
                    found[place * _KINDS + kind] = hand_value(hand, double_any)
    return found
