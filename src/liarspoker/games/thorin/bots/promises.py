"""What a declaration promises: a hand that would just keep it, and how easily that hand is improved on."""

from __future__ import annotations

from functools import lru_cache

from liarspoker.core.cards.deck import JOKER
from liarspoker.core.cards.hand_values import (
    COLOR_FLUSH,
    COLOR_STRAIGHT_FLUSH,
    FIVE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    KEYS,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    straight_ranks,
)
from liarspoker.games.thorin.bots.draws import Cards, best_keep
from liarspoker.games.thorin.ladder import next_value
from liarspoker.games.thorin.options import ThorinRules

_COPIES = {PAIR: (2, 1, 1, 1), TWO_PAIR: (2, 2, 1), THREE: (3, 1, 1), FULL_HOUSE: (3, 2), FOUR: (4, 1), FIVE: (5,)}
"""How many cards each key rank stands for; one where nothing is said."""

_SUITS = {FLUSH: (0,), STRAIGHT_FLUSH: (0,), COLOR_FLUSH: (0, 3), COLOR_STRAIGHT_FLUSH: (0, 3)}
_MIXED = (0, 1, 3, 2)


@lru_cache(maxsize=1 << 14)
def model_hand(value: int) -> Cards:
    """Five cards that are worth just `value`, in suits as mixed as they may be.

    >>> from liarspoker.core.cards.deck import cards_text
    >>> from liarspoker.core.cards.hand_values import STARTS, TWO_PAIR
    >>> cards_text(model_hand(STARTS[TWO_PAIR]))  # the worst two pair
    '3c3d2s2h4c'
    """
    category, keys = KEYS[value]
    if category in (STRAIGHT, COLOR_STRAIGHT_FLUSH, STRAIGHT_FLUSH):
        ranks = sorted(straight_ranks(keys[0]))
    else:
        copies = _COPIES.get(category, (1,) * len(keys))
        ranks = [rank for rank, count in zip(keys, copies, strict=True) for _ in range(count)]
    suits = _SUITS.get(category, _MIXED)
    cards: list[int] = []
    for place, rank in enumerate(ranks):
        card = 4 * rank + suits[place % len(suits)]
        if card in cards:
            card = next((4 * rank + suit for suit in suits if 4 * rank + suit not in cards), JOKER)
        cards.append(card)
    return tuple(cards)


@lru_cache(maxsize=1 << 14)
def improvable(value: int, rules: ThorinRules) -> float:
    """The chance to improve on a promise for somebody who takes a hand that just keeps it; 0 for the best of all.

    >>> from liarspoker.core.cards.hand_values import TWO_PAIR, VALUE_OF
    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> rules = packed(ThorinOptions(), seats=4)
    >>> tens = [VALUE_OF[TWO_PAIR, (8, 3, 0)], VALUE_OF[PAIR, (8, 12, 11, 9)]]  # 10-10-5-5-2 and 10-10-A-K-J
    >>> [round(improvable(value, rules), 2) for value in tens]
    [0.92, 0.43]
    """
    higher = next_value(value, rules)
    return 0.0 if higher is None else best_keep(model_hand(value), higher, rules)[0]
