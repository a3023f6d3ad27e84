"""Five ranks that are said one after the other, as in "10-10-5-5-2": they mean the hand that they make."""

from __future__ import annotations

from collections.abc import Sequence

from liarspoker.core.cards.claims import NO_SUIT, Spelling
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, hand_value

_MIXED = (0, 1, 2, 3)
_RED = (1, 2)


def listed(ranks: Sequence[int], suit: int, colored: bool) -> Spelling:
    """The claim that five ranks make.

    Args:
        ranks: five of them, in any order.
        suit: the suit of them all, `NO_SUIT` if none was named.
        colored: they were said to be all red or all black.

    Returns:
        A flush has its suit, which Thorin's claims go without.

    >>> listed((10, 9, 7, 2, 0), NO_SUIT, colored=True)
    Spelling(word='color-flush', ranks=(10, 9, 7, 2, 0), suit=-1)
    >>> listed((12, 12, 12, 12, 12), NO_SUIT, colored=False)
    Spelling(word='five', ranks=(12,), suit=-1)
    """
    if len(set(ranks)) == 1:
        return Spelling("five", (ranks[0],), suit)
    most = max(map(ranks.count, ranks))
    if suit != NO_SUIT and most == 1:
        cards = [4 * rank + suit for rank in ranks]
    else:
        cards = _cards(ranks, _RED if colored and most <= len(_RED) else _MIXED)
    category, keys = KEYS[hand_value(cards)]
    word = CATEGORIES[category]
    return (
        Spelling("royal-flush", (), suit) if word == "straight-flush" and keys == (12,) else Spelling(word, keys, suit)
    )


def _cards(ranks: Sequence[int], suits: tuple[int, ...]) -> list[int]:
    """Cards of these ranks in more than one of `suits`."""
    cards = [4 * rank + suits[list(ranks[:place]).count(rank)] for place, rank in enumerate(ranks)]
    if len(set(ranks)) == len(ranks):
        cards[0] = 4 * ranks[0] + suits[1]
    return cards
