"""The cards that somebody who has seen some has not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def cards_left(cards: Iterable[int], seen: Iterable[int]) -> tuple[int, ...]:
    """`cards` without those `seen`; of two jokers, which are alike, one stays if one is seen.

    >>> from liarspoker.core.cards.deck import JOKER, full_deck
    >>> len(cards_left(full_deck(2), (0, 51, JOKER)))
    51
    """
    return tuple((Counter(cards) - Counter(seen)).elements())
