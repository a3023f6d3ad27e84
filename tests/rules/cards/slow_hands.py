"""A simple, slow implementation of the hand ranks of source 002, to check the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement

from liarspoker.core.cards.hand_values import CATEGORIES

HandRank = tuple[int, tuple[int, ...]]
"""A category and its significant ranks; greater is stronger."""


def hand_rank(hand: Sequence[int]) -> HandRank:
    """Return the rank of five cards without jokers."""
    suits = {card % 4 for card in hand}
    suited, colored = len(suits) == 1, suits <= {0, 3} or suits <= {1, 2}
    return hand_rank_of_ranks([card // 4 for card in hand], colored, suited)


def hand_rank_of_ranks(ranks: Sequence[int], colored: bool, suited: bool) -> HandRank:
    high_to_low = tuple(sorted(ranks, reverse=True))
    top = high_to_low[0]
    straight = high_to_low == tuple(range(top, top - 5, -1))
    if high_to_low == (12, 3, 2, 1, 0):
        straight, top = True, 3
    counts = Counter(ranks)
    grouped = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    shape = sorted(counts.values(), reverse=True)
    candidates: list[tuple[str, tuple[int, ...]]] = [("high", high_to_low)]
    by_shape = {
        (2, 1, 1, 1): "pair",
        (2, 2, 1): "two-pair",
        (3, 1, 1): "three",
        (3, 2): "full-house",
        (4, 1): "four",
        (5,): "five",
    }
    if tuple(shape) in by_shape:
        candidates.append((by_shape[tuple(shape)], grouped))
    if colored:
        candidates.append(("color-flush", high_to_low))
    if suited:
        candidates.append(("flush", high_to_low))
    if straight:
        candidates.append(("straight", (top,)))
    if straight and colored:
        candidates.append(("color-straight-flush", (top,)))
    if straight and suited:
        candidates.append(("straight-flush", (top,)))
    return max((CATEGORIES.index(word), keys) for word, keys in candidates)


def substituted(natural: Sequence[int], jokers: int, double_any: bool) -> Iterator[HandRank]:
    """Yield the hand rank for each substitution of the jokers."""
    for stand_ins in combinations_with_replacement(range(52), jokers):
        hand = [*natural, *stand_ins]
        doubled = len(set(hand)) < 5
        if not doubled or double_any or len({card // 4 for card in hand}) == 1:
            yield hand_rank(hand)


@cache
def natural_hand_ranks() -> frozenset[HandRank]:
    """Return all ranks of hands without jokers."""
    hand_ranks = set()
    for ranks in combinations_with_replacement(range(13), 5):
        counts = Counter(ranks)
        most = max(counts.values())
        if most > 4:
            continue
        hand_ranks.add(hand_rank_of_ranks(ranks, False, False))
        if most <= 2:  # a colour has two cards of each rank
            hand_ranks.add(hand_rank_of_ranks(ranks, True, False))
        if most == 1:
            hand_ranks.add(hand_rank_of_ranks(ranks, True, True))
    return frozenset(hand_ranks)
