"""Which of the thousands of declarations a player would think of."""

from __future__ import annotations

from random import Random

from liarspoker.core.cards.hand_values import CATEGORIES, FOUR, KEYS, PAIR, STARTS, THREE, TWO_PAIR, VALUE_OF
from liarspoker.games.thorin.ladder import full_claim, is_claim, next_value
from liarspoker.games.thorin.options import ThorinRules

_SET_RANKS = {PAIR: 1, TWO_PAIR: 2, THREE: 1, FOUR: 1}
"""How many ranks make the set; the rest are kickers."""

_DRAWN = 8
"""So many values are thought of by chance."""


def thought_of(floor: int, mine: int, reach: int, rules: ThorinRules, chance: Random) -> list[int]:
    """Values that may be declared, ascending; some whenever there are any.

    The least that may be; the truth; the best of every category, which are the hardest to improve on; the hand's pair
    with the best kickers; and some by chance, true ones too.

    Args:
        floor: the value to be beaten.
        mine: what the hand is worth.
        reach: how many categories above the floor's are thought of.
        rules: of the round.
        chance: draws some more.
    """
    top = max(mine, STARTS[min(len(CATEGORIES), KEYS[floor][0] + reach + 1)] - 1)
    found = {mine, *(stop - 1 for stop in STARTS[1:])}
    least = next_value(floor, rules)
    if least is not None:
        found.add(least)
    pair = KEYS[mine][1][0]
    found.add(VALUE_OF[PAIR, (pair, *[rank for rank in range(12, -1, -1) if rank != pair][:3])])
    found.update(chance.randint(floor, top) for _ in range(_DRAWN))
    if mine > floor:
        found.update(chance.randint(floor, mine) for _ in range(_DRAWN // 2))
    return [value for value in sorted(found) if floor < value <= top and _may_be(value, rules)]


def same_set(floor: int, rules: ThorinRules) -> list[int]:
    """The values that have the set of `floor`, a pair or more, and better kickers; none if it has no set.

    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> two_pair = VALUE_OF[TWO_PAIR, (8, 3, 9)]  # 10-10-5-5-J
    >>> [KEYS[value][1] for value in same_set(two_pair, packed(ThorinOptions(), seats=4))]
    [(8, 3, 10), (8, 3, 11), (8, 3, 12)]
    """
    category, keys = KEYS[floor]
    length = _SET_RANKS.get(category, 0)
    found: list[int] = []
    value = floor + 1
    while length and value < STARTS[category + 1] and KEYS[value][1][:length] == keys[:length]:
        found.append(value)
        value += 1
    return [value for value in found if _may_be(value, rules)]


def easy_sets() -> list[int]:
    """Every pair and two pair with the worst kickers, which is easily improved on; ascending.

    >>> [KEYS[value][1] for value in easy_sets()[:2] + easy_sets()[-1:]]
    [(0, 3, 2, 1), (1, 3, 2, 0), (12, 11, 0)]
    """
    found: list[int] = []
    for category in (PAIR, TWO_PAIR):
        sets: dict[tuple[int, ...], int] = {}
        for value in range(STARTS[category], STARTS[category + 1]):
            sets.setdefault(KEYS[value][1][: _SET_RANKS[category]], value)
        found += sets.values()
    return sorted(found)


def _may_be(value: int, rules: ThorinRules) -> bool:
    return is_claim(full_claim(value), rules)
