"""What the engine has dealt, as the Python rules take it."""

from __future__ import annotations

from collections.abc import Sequence

from liarspoker.games.queen_annes.deal import PooledDeal


def deal_of(deck: Sequence[int], hand_sizes: Sequence[int]) -> PooledDeal:
    """The deal of a round.

    Args:
        deck: the cards in the order in which they were dealt.
        hand_sizes: how many cards each seat was dealt at once; those that are left came with the turns.

    >>> deal_of((3, 9, 51, 0), (2, 0, 1))
    PooledDeal(hands=((3, 9), (), (51,)), extras=(0,))
    """
    hands, start = [], 0
    for size in hand_sizes:
        hands.append(tuple(map(int, deck[start : start + size])))
        start += size
    return PooledDeal(tuple(hands), tuple(map(int, deck[start:])))
