"""Values of five-card hands in Thorin's game: a value is an int, and a stronger hand has a greater value.

Values are numbered from 0, the worst hand 7-5-4-3-2: 11,609 values of natural hands, five of a kind, and flushes with
two or three aces (possible only with jokers that may duplicate a card in the hand). A value has a category and key
ranks, in the order in which they are compared. Source 002, "Ranks of Hands".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement

from liarspoker.core.cards.deck import JOKER

HIGH, PAIR, COLOR_FLUSH, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, COLOR_STRAIGHT_FLUSH, FOUR = range(10)
STRAIGHT_FLUSH, FIVE = 10, 11
CATEGORIES = (
    "high",
    "pair",
    "color-flush",
    "two-pair",
    "three",
    "straight",
    "flush",
    "full-house",
    "color-straight-flush",
    "four",
    "straight-flush",
    "five",
)
"""The categories, weakest first."""
KEY_LENGTHS = (5, 4, 5, 3, 3, 1, 5, 2, 1, 2, 1, 1)
"""The number of key ranks in each category."""

Keys = tuple[int, ...]
"""The key ranks of a value."""

ACE = 12
"""The rank of an ace."""
WHEEL_TOP = 3
"""The rank of the straight A-2-3-4-5: its top card, the five."""


def straight_ranks(top: int) -> frozenset[int]:
    """Return the five ranks of the straight up to rank `top`, 3 (five high, with the ace low) to 12.

    >>> sorted(straight_ranks(3))
    [0, 1, 2, 3, 12]
    """
    return frozenset((top - step) % 13 for step in range(5))


STRAIGHTS = {straight_ranks(top): top for top in range(WHEEL_TOP, ACE + 1)}
"""The rank of the top card of each straight, by its set of ranks."""


def _falling(count: int, ranks: Sequence[int] = range(13)) -> list[Keys]:
    """Return all sets of `count` different ranks, each from high to low, the weakest set first."""
    return sorted(tuple(sorted(choice, reverse=True)) for choice in combinations(ranks, count))


def _without(*ranks: int) -> list[int]:
    return [rank for rank in range(13) if rank not in ranks]


def _flushes_of_aces(aces: int) -> list[Keys]:
    """Return the flushes with `aces` aces that aren't straight flushes; they need jokers."""
    rest = _falling(5 - aces, range(ACE))
    return [(ACE,) * aces + ranks for ranks in rest if not any({ACE, *ranks} <= straight for straight in STRAIGHTS)]


def _keys_by_category() -> list[list[Keys]]:
    """Return the key ranks of each category, weakest first."""
    distinct = [ranks for ranks in _falling(5) if frozenset(ranks) not in STRAIGHTS]
    pairs = [(pair, *rest) for pair in range(13) for rest in _falling(3, _without(pair))]
    paired = [tuple(sorted((keys[0], *keys), reverse=True)) for keys in pairs]
    singles: list[Keys] = [(rank,) for rank in range(13)]
    straights: list[Keys] = [(top,) for top in range(WHEEL_TOP, ACE + 1)]
    twos: list[Keys] = [(first, second) for first in range(13) for second in _without(first)]
    return [
        distinct,
        pairs,
        sorted(distinct + paired),
        [(*both, kicker) for both in _falling(2) for kicker in _without(*both)],
        [(rank, *rest) for rank in range(13) for rest in _falling(2, _without(rank))],
        straights,
        distinct + _flushes_of_aces(2) + _flushes_of_aces(3),
        twos,
        straights,
        twos,
        straights,
        singles,
    ]


_BY_CATEGORY = _keys_by_category()

KEYS: tuple[tuple[int, Keys], ...] = tuple(
    (category, keys) for category, block in enumerate(_BY_CATEGORY) for keys in block
)
"""The category and the key ranks of every value."""

STARTS = tuple(sum(len(block) for block in _BY_CATEGORY[:category]) for category in range(len(CATEGORIES) + 1))
"""The first value of each category, and the number of all values."""

_natural_flushes = STARTS[FLUSH] + len(_BY_CATEGORY[HIGH])
FLUSH_STOPS = (_natural_flushes, _natural_flushes + len(_flushes_of_aces(2)), STARTS[FULL_HOUSE])
"""The ends of the flushes possible with 0, 1 and 2 jokers, if jokers may duplicate cards in the hand."""

VALUE_OF = {both: value for value, both in enumerate(KEYS)}
"""The value of each pair of category and key ranks."""


# A hand is encoded as the sum of its cards' weights: 5 to the power of the rank, above twelve bits for the suits.
_SUIT_BITS = 12
_RANKS_OF = 1 << _SUIT_BITS
_WEIGHTS = [(5 ** (card >> 2) << _SUIT_BITS) + (1 << 3 * (card & 3)) for card in range(JOKER)]
_JOKER_WEIGHT = 5**13 << _SUIT_BITS
_WEIGHTS.append(_JOKER_WEIGHT)
_MIXED, _ONE_COLOR, _ONE_SUIT = 0, 1, 2


def _suit_kinds() -> list[int]:
    """Return, for each packed count of the suits, whether they are one suit, one color or mixed."""
    kinds = [_MIXED] * _RANKS_OF
    for one, other in ((0, 3), (1, 2)):  # black: clubs and spades; red: diamonds and hearts
        for count in range(6):
            kinds[(count << 3 * one) + (5 - count << 3 * other)] = _ONE_SUIT if count in (0, 5) else _ONE_COLOR
    return kinds


def _plain_keys(ranks: Sequence[int]) -> tuple[int, Keys]:
    """Return the category and key ranks of five ranks, not all equal, ignoring suits."""
    if frozenset(ranks) in STRAIGHTS:
        return STRAIGHT, (STRAIGHTS[frozenset(ranks)],)
    grouped = tuple(sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True))
    most = ranks.count(grouped[0])
    category = {5: HIGH, 4: PAIR, 3: THREE if most == 3 else TWO_PAIR, 2: FOUR if most == 4 else FULL_HOUSE}
    return category[len(grouped)], grouped


def _values_of(ranks: Sequence[int]) -> tuple[int, int, int]:
    """Return the values of five ranks, not all equal, in mixed suits, one color and one suit."""
    category, keys = _plain_keys(ranks)
    plain = VALUE_OF[category, keys]
    high_to_low = tuple(sorted(ranks, reverse=True))
    if category == HIGH:
        return plain, VALUE_OF[COLOR_FLUSH, high_to_low], VALUE_OF[FLUSH, high_to_low]
    if category == STRAIGHT:
        return plain, VALUE_OF[COLOR_STRAIGHT_FLUSH, keys], VALUE_OF[STRAIGHT_FLUSH, keys]
    if category == PAIR:
        return plain, VALUE_OF[COLOR_FLUSH, high_to_low], plain
    return plain, plain, plain


_SUIT_KINDS = _suit_kinds()
_VALUES = {
    sum(5**rank for rank in ranks): _values_of(ranks)
    for ranks in combinations_with_replacement(range(13), 5)
    if ranks[0] != ranks[4]
}


def hand_value(hand: Sequence[int], double_any: bool = False) -> int:
    """Return the value of five cards, with jokers as the best possible cards.

    Args:
        hand: five known cards.
        double_any: a joker may duplicate any card in the hand, not only for five of a kind.

    Returns:
        The value; `KEYS[value]` is its category and key ranks.

    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> def category(text): return CATEGORIES[KEYS[hand_value(read_joined_cards(text))][0]]
    >>> category("Qh7s7d6c2c"), category("QhTdTh4d2h"), category("QhTdJkJk2h")
    ('pair', 'color-flush', 'three')
    """
    first, second, third, fourth, fifth = hand
    weights = _WEIGHTS
    total = weights[first] + weights[second] + weights[third] + weights[fourth] + weights[fifth]
    if total >= _JOKER_WEIGHT:
        natural = [card for card in hand if card < JOKER]
        return max(_with_jokers(natural, 5 - len(natural), double_any))
    return _VALUES[total >> _SUIT_BITS][_SUIT_KINDS[total & _RANKS_OF - 1]]


def _with_jokers(cards: Sequence[int], jokers: int, double_any: bool) -> Iterator[int]:
    """Yield values that `cards` with one or two jokers can have, including the best."""
    ranks = sorted((card >> 2 for card in cards), reverse=True)
    suits = {card & 3 for card in cards}
    distinct = len(set(ranks)) == len(ranks)
    tops = [top for straight, top in STRAIGHTS.items() if distinct and straight.issuperset(ranks)]
    if len(suits) == 1:
        yield VALUE_OF[FLUSH, _filled(ranks, jokers, double_any)] if not tops else VALUE_OF[STRAIGHT_FLUSH, (tops[-1],)]
    elif suits in ({0, 3}, {1, 2}) and tops:
        yield VALUE_OF[COLOR_STRAIGHT_FLUSH, (tops[-1],)]
    elif suits in ({0, 3}, {1, 2}) and distinct and jokers == 1:
        # The joker is an ace: one of the same color is always left.
        yield VALUE_OF[COLOR_FLUSH, (ACE, *ranks)]
    if tops:
        yield VALUE_OF[STRAIGHT, (tops[-1],)]
    yield _of_a_kind(ranks, jokers)


def _filled(ranks: Sequence[int], jokers: int, double_any: bool) -> Keys:
    """Return the ranks of the best flush of `ranks` and jokers."""
    free = [ACE] * jokers if double_any else [rank for rank in range(ACE, -1, -1) if rank not in ranks][:jokers]
    return tuple(sorted([*ranks, *free], reverse=True))


def _of_a_kind(ranks: Sequence[int], jokers: int) -> int:
    """Return the value if the jokers take the most frequent rank (the highest of several)."""
    grouped = tuple(sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True))
    most = ranks.count(grouped[0]) + jokers
    if most == 3:
        return VALUE_OF[FULL_HOUSE if len(grouped) == 2 else THREE, grouped]
    return VALUE_OF[{2: PAIR, 4: FOUR, 5: FIVE}[most], grouped]
