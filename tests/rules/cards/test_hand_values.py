"""What hands are worth. Source 002, "Ranks of Hands"; RULES B2 and B3."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import JOKER
from liarspoker.core.cards.hand_values import CATEGORIES, FIVE, FLUSH_STOPS, KEYS, STARTS, VALUE_OF, hand_value
from tests.rules.cards.matches import cards
from tests.rules.cards.slow_hands import natural_worths, substituted, worth

natural_hands = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)
one_colour = st.sampled_from([(0, 3), (1, 2)]).flatmap(
    lambda suits: st.lists(
        st.sampled_from([card for card in range(52) if card % 4 in suits]), min_size=5, max_size=5, unique=True
    )
)
close_ranks = st.lists(st.sampled_from([*range(20), 48, 49, 50, 51]), min_size=5, max_size=5, unique=True)
any_hand = st.one_of(natural_hands, one_colour, close_ranks)


def told(text: str, double_any: bool = False) -> tuple[str, tuple[int, ...]]:
    category, keys = KEYS[hand_value(cards(text), double_any)]
    return CATEGORIES[category], keys


@given(any_hand, any_hand)
def test_a_hand_is_stronger_where_its_worth_is(one: list[int], other: list[int]) -> None:
    assert (hand_value(one) > hand_value(other)) == (worth(one) > worth(other))
    assert KEYS[hand_value(one)] == worth(one)


@given(any_hand, st.randoms())
def test_the_order_of_the_cards_does_not_matter(hand: list[int], chance: Random) -> None:
    mixed = chance.sample(hand, 5)
    assert hand_value(mixed) == hand_value(hand)


@given(any_hand, st.permutations(range(2)))
def test_which_colour_does_not_matter(hand: list[int], order: list[int]) -> None:
    swapped = [card - card % 4 + (1, 0, 3, 2)[card % 4] for card in hand]
    assert hand_value(swapped) == hand_value(hand)


def test_there_are_11_609_natural_values() -> None:
    never_natural = set(range(STARTS[FIVE], len(KEYS))) | set(range(FLUSH_STOPS[0], FLUSH_STOPS[2]))
    natural = [KEYS[value] for value in range(len(KEYS)) if value not in never_natural]
    assert len(natural) == 11_609
    assert natural == sorted(natural_worths())


def test_values_are_numbered_in_order() -> None:
    assert list(KEYS) == sorted(KEYS)
    assert [VALUE_OF[both] for both in KEYS] == list(range(len(KEYS)))


def test_the_worst_hand_is_7_5_4_3_2() -> None:
    assert hand_value(cards("7c5d4h3s2c")) == 0


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("QhJd9h4d2h", "QhTdTh4d2h"),  # a pair inside a color flush is irrelevant
        ("8c8d8h4s4c", "7c7d7hQsQc"),
        ("2c2s4c5s7c", "AcAdKhQsJc"),  # the least color flush against the best pair
        ("3c3d2h2s4c", "AcKsQcJs9c"),  # the least two pair against the best color flush
        ("2c3s4c5s6c", "AcAdAhKsKc"),  # a color straight flush against the best full house
        ("2c2d2h2s3c", "AcKsQcJsTc"),
        ("Ac2c3c4c5c", "AcAdAhAsKc"),
        ("2c3d4h5s6c", "Ac2d3h4s5c"),
        ("3c3d2h2sAc", "3c3d2h2sKc"),
    ],
)
def test_one_hand_beats_the_other(stronger: str, weaker: str) -> None:
    assert hand_value(cards(stronger)) > hand_value(cards(weaker))


def test_all_red_two_pair_is_two_pair_and_an_all_red_pair_is_a_color_flush() -> None:
    assert told("QhQd9h9d2h") == ("two-pair", (10, 7, 0))
    assert told("QhQd9h8d2h") == ("color-flush", (10, 10, 7, 6, 0))


def test_the_ace_is_low_only_in_the_straight_to_the_five() -> None:
    assert told("Ac2d3h4s5c") == ("straight", (3,))
    assert told("QcKdAh2s3c") == ("high", (12, 11, 10, 1, 0))


@pytest.mark.parametrize(
    ("hand", "as_declared"),
    [
        ("7c7d7h7sJk", "five"),
        ("7c7d7hJkJk", "five"),
        ("7c8c9cTcJk", "straight-flush"),
        ("7c7d7h2sJk", "four"),
        ("7c7d2hJkJk", "four"),
        ("7c8s9cTsJk", "color-straight-flush"),
        ("7c7d2h2sJk", "full-house"),
        ("Kc9c5c2cJk", "flush"),
        ("7c8d9hTsJk", "straight"),
        ("Kc9d5hJkJk", "three"),
        ("KcKd5h2sJk", "three"),
        ("Kc9s5c2sJk", "color-flush"),
        ("Kc9d5h2sJk", "pair"),
    ],
)
def test_a_joker_is_the_best_card_it_can_be(hand: str, as_declared: str) -> None:
    assert told(hand)[0] == as_declared


def test_a_second_ace_in_a_flush_only_where_any_card_may_be_doubled() -> None:
    assert told("AcKc9c5cJk") == ("flush", (12, 11, 10, 7, 3))
    assert told("AcKc9c5cJk", double_any=True) == ("flush", (12, 12, 11, 7, 3))


@given(any_hand, st.booleans())
@example(cards("AcKc9c5c2d"), True)
@example(cards("AhAd9h5d2d"), False)
def test_one_joker_is_worth_its_best_substitution(hand: list[int], double_any: bool) -> None:
    natural = hand[:4]
    assert KEYS[hand_value([*natural, JOKER], double_any)] == max(substituted(natural, 1, double_any))


@pytest.mark.slow
@given(any_hand, st.booleans())
def test_two_jokers_are_worth_their_best_substitution(hand: list[int], double_any: bool) -> None:
    natural = hand[:3]
    assert KEYS[hand_value([JOKER, *natural, JOKER], double_any)] == max(substituted(natural, 2, double_any))


@given(any_hand)
def test_a_joker_never_weakens(hand: list[int]) -> None:
    assert hand_value([*hand[:4], JOKER]) >= hand_value(hand)


@pytest.mark.slow
def test_all_2_598_960_hands_are_counted() -> None:
    starts = [0] * len(KEYS)
    for hand in combinations(range(52), 5):
        starts[hand_value(hand)] += 1
    counts: Counter[str] = Counter()
    for value, count in enumerate(starts):
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
        "five": 0,
    }
    assert sum(1 for count in starts if count) == 11_609


@pytest.mark.slow
@pytest.mark.parametrize(("jokers", "double_any"), [(1, False), (1, True), (2, False), (2, True)])
def test_every_value_in_play_is_that_of_some_hand_with_jokers(jokers: int, double_any: bool) -> None:
    """The flushes of aces, and five of a kind, are exactly what jokers add to the natural values."""
    reached = set()
    for used in range(1, jokers + 1):
        for natural in combinations(range(52), 5 - used):
            reached.add(hand_value((*natural, *(JOKER,) * used), double_any))
    added = {value for value in reached if FLUSH_STOPS[0] <= value < FLUSH_STOPS[2] or value >= STARTS[FIVE]}
    flushes = set(range(FLUSH_STOPS[0], FLUSH_STOPS[jokers])) if double_any else set()
    assert added == flushes | set(range(STARTS[FIVE], len(KEYS)))
