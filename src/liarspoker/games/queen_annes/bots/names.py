"""Which of the thousands of hands that can be named a player would think of, given what it sees."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from liarspoker.games.queen_annes.bots.sight import Sight, wants_of
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules

LIKELY = 6
"""Of so many ranks two pairs and full houses are thought of."""

NEAR = 6
"""So many hands just above the one that stands are always thought of."""

_MISSING = 2
"""Flushes that lack more cards than that, of those seen, are not thought of."""


@dataclass(frozen=True, slots=True)
class Names:
    """The claims of a ladder by what they name.

    Attributes:
        of_one: high cards, pairs, threes, fours and straights: claims that do not depend on two ranks.
        of_two: two pairs and full houses, by their ranks in both orders.
        suited: for each suit its flushes and straight flushes, as (claim, mask of their cards), ascending.
        size: how many claims there are.
    """

    of_one: tuple[int, ...]
    of_two: dict[tuple[int, ...], tuple[int, ...]]
    suited: tuple[tuple[tuple[int, int], ...], ...]
    size: int


@lru_cache(maxsize=32)
def names_of(rules: QueenAnnesRules) -> Names:
    """The claims of a table's ladder."""
    of_one: list[int] = []
    of_two: dict[tuple[int, ...], tuple[int, ...]] = {}
    suited: list[list[tuple[int, int]]] = [[], [], [], []]
    for claim, wants in enumerate(wants_of(rules)):
        ranks = named_hand(claim, rules).ranks
        suit = wants[0][1]
        if suit >= 0:
            suited[suit].append((claim, sum(1 << 4 * rank + suit for rank, _, _ in wants)))
        elif len(ranks) == 2:
            orders = (ranks,) if wants[0][2] != wants[1][2] else (ranks, ranks[::-1])
            for order in orders:
                of_two[order] = (*of_two.get(order, ()), claim)
        else:
            of_one.append(claim)
    return Names(tuple(of_one), of_two, tuple(map(tuple, suited)), ladder_length(rules))


def thought_of(sight: Sight, above: int, weights: Sequence[float] | None = None) -> list[int]:
    """The hands above the claim `above` that are worth weighing, weakest first; some whenever there are any.

    Args:
        sight: what the player sees.
        above: the claim that stands.
        weights: as in `Sight.chance`; ranks that are likelier come to mind first.
    """
    names = names_of(sight.rules)
    claims = set(range(above + 1, min(above + 1 + NEAR, names.size)))
    claims.update(names.of_one[bisect_left(names.of_one, above + 1) :])
    claims.update(claim for claim in _of_two(sight, names, weights) if claim > above)
    for suit in range(4):
        claims.update(_suited(suit, sight.seen, above, sight.rules))
    return sorted(claims)


def _of_two(sight: Sight, names: Names, weights: Sequence[float] | None) -> Iterator[int]:
    """Two pairs and full houses of the ranks that there are most of, as far as the player can tell."""
    share = sight.unknown / sight.unseen if sight.unseen else 0.0
    likely = [
        (seen + left * share * (1.0 if weights is None else weights[4 * rank]), rank)
        for rank, (seen, left) in enumerate(zip(sight.held, sight.left, strict=True))
    ]
    most = tuple(sorted(rank for _, rank in sorted(likely)[-LIKELY:]))
    return iter(_claims_of_two(most, sight.rules))


@lru_cache(maxsize=1 << 12)
def _claims_of_two(ranks: tuple[int, ...], rules: QueenAnnesRules) -> tuple[int, ...]:
    of_two = names_of(rules).of_two
    return tuple(sorted({claim for both in permutations(ranks, 2) for claim in of_two[both]}))


def _suited(suit: int, seen: int, above: int, rules: QueenAnnesRules) -> Iterator[int]:
    """For each number of cards that may be missing the weakest and the strongest flush that lacks so many."""
    for claims in _suited_by_missing(suit, seen & _OF_SUIT[suit], rules):
        place = bisect_left(claims, above + 1)
        if place < len(claims):
            yield claims[place]
            yield claims[-1]


@lru_cache(maxsize=1 << 12)
def _suited_by_missing(suit: int, seen: int, rules: QueenAnnesRules) -> tuple[tuple[int, ...], ...]:
    """The flushes and straight flushes of a suit that lack 0, 1, ... of their cards, of those not seen."""
    held = seen.bit_count()
    if held < 5 - _MISSING:
        return ()
    lists: list[list[int]] = [[] for _ in range(_MISSING + 1)]
    for claim, cards in names_of(rules).suited[suit]:
        missing = 5 - (cards & seen).bit_count()
        if missing <= _MISSING:
            lists[missing].append(claim)
    return tuple(map(tuple, lists))


_OF_SUIT = tuple(sum(1 << 4 * rank + suit for rank in range(13)) for suit in range(4))
