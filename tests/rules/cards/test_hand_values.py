"""Hand ranks. Source 002, "Ranks of Hands"; RULES B2 and B3."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import JOKER
from liarspoker.core.cards.hand_values import CATEGORIES, FIVE, FLUSH_STOPS, KEYS, STARTS, VALUE_OF, hand_value
from tests.rules.cards.matches import cards
from tests.rules.cards.slow_hands import hand_rank, natural_hand_ranks, substituted


def five_of(deck: list[int]) -> st.SearchStrategy[list[int]]:
    return st.lists(st.sampled_from(deck), min_size=5, max_size=5, unique=True)


EVERY_CARD = list(range(52))
any_hand = st.one_of(
    five_of(EVERY_CARD),
    *(five_of([card for card in EVERY_CARD if card % 4 in colour]) for colour in ((0, 3), (1, 2))),
    five_of([*range(20), 48, 49, 50, 51]),
)


def value_of(text: str, double_any: bool = False) -> tuple[str, tuple[int, ...]]:
    category, keys = KEYS[hand_value(cards(text), double_any)]
    return CATEGORIES[category], keys


@given(any_hand, any_hand, st.randoms())
def test_hand_ranks_order_hands_correctly(one: list[int], other: list[int], chance: Random) -> None:
    """Neither the order of the cards nor the color matters."""
    assert (hand_value(one) > hand_value(other)) == (hand_rank(one) > hand_rank(other))
    assert KEYS[hand_value(one)] == hand_rank(one)
    swapped = [card - card % 4 + (1, 0, 3, 2)[card % 4] for card in chance.sample(one, 5)]
    assert hand_value(swapped) == hand_value(one) <= hand_value([*one[:4], JOKER])


def test_there_are_11_609_natural_values_numbered_in_order() -> None:
    assert list(KEYS) == sorted(KEYS)
    assert [VALUE_OF[both] for both in KEYS] == list(range(len(KEYS)))
    never_natural = set(range(STARTS[FIVE], len(KEYS))) | set(range(FLUSH_STOPS[0], FLUSH_STOPS[2]))
    natural = [KEYS[value] for value in range(len(KEYS)) if value not in never_natural]
    assert len(natural) == 11_609
    assert natural == sorted(natural_hand_ranks())


LOWEST_TO_HIGHEST = {
    "high": "AcKdQhJs9c",
    "pair": "AcAdKhQsJc",
    "color-flush": "AhKdQhJd9h",
    "two-pair": "AcAdKhKsQc",
    "three": "AcAdAhKsQc",
    "straight": "AcKdQhJsTc",
    "flush": "AcKcQcJc9c",
    "full-house": "AcAdAhKsKc",
    "color-straight-flush": "AhKdQhJdTh",
    "four": "AcAdAhAsKc",
    "straight-flush": "AcKcQcJcTc",
    "five": "AcAdAhAsJk",
}


def test_hands_rank_as_the_document_lists_them() -> None:
    """Without the color hands and five of a kind, the order is that of poker."""
    assert {kind: value_of(hand)[0] for kind, hand in LOWEST_TO_HIGHEST.items()} == {kind: kind for kind in CATEGORIES}
    values = [hand_value(cards(hand)) for hand in LOWEST_TO_HIGHEST.values()]
    assert values == sorted(values)
    assert tuple(LOWEST_TO_HIGHEST) == CATEGORIES
    poker = [kind for kind in CATEGORIES if not kind.startswith("color-") and kind != "five"]
    assert poker == ["high", "pair", "two-pair", "three", "straight", "flush", "full-house", "four", "straight-flush"]


OF_A_KIND = {
    "high": "KcTd4h3s2c>QcJd9h8s7c KcTd4h3s2c>Kc9d8h7s6c KcTd5h3s2c>KcTd4h3s2d",
    "pair": "8c8d4h3s2c>7c7dAhKsQc 7c7dAh3s2c>7c7dKhQsJc 7c7dAhKs4c>7c7dAhKs3c",
    # A pair within a color flush doesn't count.
    "color-flush": "QhJd9h4d2h>QhTdTh4d2h QcJs9c4s3c>QhJd9h4d2h",
    "two-pair": "8c8d3h3s2c>7c7d6h6sAc 7c7d4h4s2c>7c7d3h3sAc 7c7d3h3sJc>7c7d3h3sTc",
    "three": "5c5d5h3s2c>4c4d4hAsKc 4c4d4hAsKc>4c4d4hAsQc",
    "straight": "4c5d6h7s8c>3c4d5h6s7c 2c3d4h5s6c>Ac2d3h4s5c",
    "flush": "KcJc7c5c3c>KdJd7d5d2d",
    "full-house": "8c8d8h4s4c>7c7d7hQsQc 8c8d8h4s4c>8c8d8h3s3c 3c3d3hAsAc>3c3d3hKsKc",
    "color-straight-flush": "4c5s6c7s8c>3h4d5h6d7h",
    "four": "5c5d5h5s2c>4c4d4h4sAc 4c4d4h4sAc>4c4d4h4sKc",
    "straight-flush": "4c5c6c7c8c>3h4h5h6h7h",
    "five": "8c8d8h8sJk>7c7d7h7sJk",
}
ACROSS_KINDS = [
    "2c2s4c5s7c>AcAdKhQsJc",  # the lowest color flush against the best pair
    "3c3d2h2s4c>AcKsQcJs9c",  # the lowest two pair against the best color flush
    "2c3s4c5s6c>AcAdAhKsKc",  # a color straight flush against the best full house
    *["2c2d2h2s3c>AcKsQcJsTc", "Ac2c3c4c5c>AcAdAhAsKc"],
    "2c2d2h3s4c>AcAdKhKsQc",  # any three of a kind against the best two pair
]


def test_one_hand_beats_the_other() -> None:
    of_a_kind = [(kind, pair) for kind, pairs in OF_A_KIND.items() for pair in pairs.split()]
    assert [pair for kind, pair in of_a_kind if {value_of(hand)[0] for hand in pair.split(">")} != {kind}] == []
    values = {pair: [hand_value(cards(hand)) for hand in pair.split(">")] for _, pair in of_a_kind}
    values |= {pair: [hand_value(cards(hand)) for hand in pair.split(">")] for pair in ACROSS_KINDS}
    assert [pair for pair, (stronger, weaker) in values.items() if stronger <= weaker] == []
    assert hand_value(cards("7c5d4h3s2c")) == 0


def test_all_red_two_pair_is_two_pair_and_an_all_red_pair_is_a_color_flush() -> None:
    assert value_of("QhQd9h9d2h") == ("two-pair", (10, 7, 0))
    assert value_of("QhQd9h8d2h") == ("color-flush", (10, 10, 7, 6, 0))


def test_the_ace_is_low_only_in_the_straight_to_the_five() -> None:
    assert value_of("Ac2d3h4s5c") == ("straight", (3,))
    assert value_of("QcKdAh2s3c") == ("high", (12, 11, 10, 1, 0))


def test_a_joker_is_the_best_card_it_can_be() -> None:
    kinds = {
        "7c7d7h7sJk": "five",
        "7c7d7hJkJk": "five",
        "7c8c9cTcJk": "straight-flush",
        "7c7d7h2sJk": "four",
        "7c7d2hJkJk": "four",
        "7c8s9cTsJk": "color-straight-flush",
        "7c7d2h2sJk": "full-house",
        "Kc9c5c2cJk": "flush",
        "7c8d9hTsJk": "straight",
        "Kc9d5hJkJk": "three",
        "KcKd5h2sJk": "three",
        "Kc9s5c2sJk": "color-flush",
        "Kc9d5h2sJk": "pair",
    }
    assert {hand: value_of(hand)[0] for hand in kinds} == kinds


def test_a_second_ace_in_a_flush_needs_the_option_duplicate() -> None:
    assert value_of("AcKc9c5cJk") == ("flush", (12, 11, 10, 7, 3))
    assert value_of("AcKc9c5cJk", double_any=True) == ("flush", (12, 12, 11, 7, 3))


@given(any_hand, st.booleans())
@example(cards("AcKc9c5c2d"), True)
@example(cards("AhAd9h5d2d"), False)
def test_one_joker_makes_the_best_substitution(hand: list[int], double_any: bool) -> None:
    natural = hand[:4]
    assert KEYS[hand_value([*natural, JOKER], double_any)] == max(substituted(natural, 1, double_any))


@pytest.mark.slow
@given(any_hand, st.booleans())
def test_two_jokers_make_the_best_substitutions(hand: list[int], double_any: bool) -> None:
    natural = hand[:3]
    assert KEYS[hand_value([JOKER, *natural, JOKER], double_any)] == max(substituted(natural, 2, double_any))


@pytest.mark.slow
def test_all_2_598_960_hands_are_counted() -> None:
    starts = Counter(map(hand_value, combinations(range(52), 5)))
    counts: Counter[str] = Counter()
    for value, count in starts.items():
        counts[CATEGORIES[KEYS[value][0]]] += count
    assert counts == {
        "high": 1_225_920,
        "pair": 1_052_480,
        "color-flush": 122_380,
        "two-pair": 123_552,
        "three": 54_912,
        "straight": 9_600,
        "flush": 5_108,
        "full-house": 3_744,
        "color-straight-flush": 600,
        "four": 624,
        "straight-flush": 40,
    }
    assert len(starts) == 11_609


@pytest.mark.slow
@pytest.mark.parametrize("double_any", [False, True])
def test_every_hand_rank_occurs_with_jokers(double_any: bool) -> None:
    """The flushes of aces, and five of a kind, are exactly what jokers add to the natural values.

    Suits and colors are interchangeable, so hands whose lowest card is a club are sufficient.
    """
    reached: set[int] = set()
    for jokers in (1, 2):
        hands = (hand for hand in combinations(range(52), 5 - jokers) if hand[0] % 4 == 0)
        reached |= {hand_value((*hand, *(JOKER,) * jokers), double_any) for hand in hands}
        added = {value for value in reached if FLUSH_STOPS[0] <= value < FLUSH_STOPS[2] or value >= STARTS[FIVE]}
        flushes = set(range(FLUSH_STOPS[0], FLUSH_STOPS[jokers])) if double_any else set()
        assert added == flushes | set(range(STARTS[FIVE], len(KEYS)))
