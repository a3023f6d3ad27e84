"""Draws in Thorin's game: counting by classes matches an enumeration."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import JOKER, full_deck, read_joined_cards
from liarspoker.core.cards.hand_values import CATEGORIES, FIVE, FLUSH, KEYS, STARTS, THREE, hand_value
from liarspoker.odds.draws import (
    DiscardChoice,
    Gone,
    Outcomes,
    best_discard,
    cards_left,
    choices,
    choices_of_size,
    fresh_hand_probability,
    outcomes,
    reach,
)
from tests.effort import effort, one_in

# Deal counts of five cards by category, RULES B2.
DEALS = [1_225_920, 1_052_480, 122_380, 123_552, 54_912, 9_600, 5_108, 3_744, 600, 624, 40, 0]
VALUES = st.integers(0, len(KEYS) - 1)


def draws_by_value(kept: Sequence[int], unseen: Iterable[int], drawn: int, double_any: bool = False) -> Counter[int]:
    """Return how many draws give each value, by enumeration."""
    return Counter(hand_value((*kept, *draw), double_any) for draw in combinations(unseen, drawn))


def by_value(found: Outcomes) -> Counter[int]:
    """Return the same, counted by classes."""
    following = (*found.at_least[1:], 0)
    return Counter(
        {value: more - less for value, more, less in zip(found.values, found.at_least, following, strict=True)}
    )


@st.composite
def hands(draw: st.DrawFn) -> tuple[tuple[int, ...], int]:
    """Draw five cards and the number of jokers in their deck."""
    jokers = draw(st.integers(0, 2))
    held = draw(st.integers(0, jokers))
    hand = draw(st.permutations(full_deck(0)))[: 5 - held]
    return tuple(draw(st.permutations([*hand, *[JOKER] * held]))), jokers


suited_hands = st.builds(
    lambda ranks, suit, jokers: (tuple(4 * rank + suit for rank in ranks), jokers),
    st.permutations(range(13)).map(lambda ranks: ranks[:5]),
    st.integers(0, 3),
    st.integers(0, 2),
)


# -------------------------------------------------------------------------------------- against every draw


@given(hands() | suited_hands, st.integers(3, 5), st.booleans())
def test_drawing_up_to_two_cards_matches_an_enumeration(
    dealt: tuple[tuple[int, ...], int], keep: int, double_any: bool
) -> None:
    hand, jokers = dealt
    unseen = cards_left(full_deck(jokers), hand)
    found = outcomes(hand[:keep], unseen, 5 - keep, double_any)
    assert by_value(found) == draws_by_value(hand[:keep], unseen, 5 - keep, double_any)


@given(st.integers(0, 5), st.booleans(), st.integers(0, 2), st.data())
def test_draws_from_a_small_deck_match_an_enumeration(
    keep: int, double_any: bool, jokers: int, data: st.DataObject
) -> None:
    near = st.integers(0, 11) | st.integers(0, JOKER - 1)
    natural = data.draw(st.sets(near, min_size=10, max_size=14))
    deck = data.draw(st.permutations([*natural, *(JOKER,) * jokers]))
    found = outcomes(deck[:keep], deck[keep:], 5 - keep, double_any)
    assert by_value(found) == draws_by_value(deck[:keep], deck[keep:], 5 - keep, double_any)


def test_drawing_three_cards_matches_an_enumeration() -> None:
    for text in ("AsAdKc7h2s", "KsQsJs9s2d", "JkJk9h8h3c", "Jk7c8s4d4h"):
        hand = read_joined_cards(text)
        unseen = cards_left(full_deck(2), hand)
        assert by_value(outcomes(hand[:2], unseen, 3)) == draws_by_value(hand[:2], unseen, 3)


@pytest.mark.slow
def test_drawing_four_cards_matches_an_enumeration() -> None:
    hand = read_joined_cards("Ks9d8d4c2h")
    unseen = cards_left(full_deck(2), hand)
    found = outcomes(hand[:1], unseen, 4)
    assert found.draws == comb(49, 4)
    assert by_value(found) == draws_by_value(hand[:1], unseen, 4)


# ------------------------------------------------------------------------------------------- fresh hands


def test_new_hands_match_the_counts_of_the_rules() -> None:
    better = [fresh_hand_probability(start) for start in STARTS[:-1]] + [Fraction(0)]
    dealt = [(here - above) * comb(52, 5) for here, above in pairwise(better)]
    assert dealt == DEALS


@pytest.mark.slow
def test_every_value_occurs_as_often_as_in_all_hands() -> None:
    deck = full_deck(0)
    assert by_value(outcomes((), deck, 5)) == draws_by_value((), deck, 5)


def test_five_of_a_kind_needs_a_joker() -> None:
    # One joker: four of a kind and the joker. Two jokers: the same with each joker, and three of a kind with both.
    chances = [fresh_hand_probability(STARTS[FIVE], jokers) for jokers in range(3)]
    assert chances == [0, Fraction(13, comb(53, 5)), Fraction(13 * 2 + 13 * 4, comb(54, 5))]


# ------------------------------------------------------------------------------------------------------ laws


@given(hands(), VALUES, VALUES, st.integers(0, 31))
def test_a_higher_value_is_never_more_likely(
    dealt: tuple[tuple[int, ...], int], one: int, other: int, mask: int
) -> None:
    hand, jokers = dealt
    discard = tuple(card for place, card in enumerate(hand) if mask >> place & 1)
    low, high = sorted((one, other))
    assert 1 == reach(hand, discard, 0, jokers) >= reach(hand, discard, low, jokers)
    assert reach(hand, discard, low, jokers) >= reach(hand, discard, high, jokers) >= 0


@one_in(2)
@given(hands(), VALUES, st.integers(2, 4))
def test_the_probability_of_a_draw_is_the_mean_over_its_first_card(
    dealt: tuple[tuple[int, ...], int], value: int, keep: int
) -> None:
    hand, jokers = dealt
    kept, unseen = hand[:keep], cards_left(full_deck(jokers), hand)
    after = [outcomes((*kept, card), cards_left(unseen, [card]), 4 - keep).reach(value) for card in unseen]
    assert outcomes(kept, unseen, 5 - keep).reach(value) == sum(after) / len(unseen)


@one_in(12)
@given(hands(), VALUES)
def test_choices_are_all_discards_best_first(dealt: tuple[tuple[int, ...], int], value: int) -> None:
    hand, jokers = dealt
    table = choices(hand, value, jokers)
    assert len(table) == (24 if hand.count(JOKER) == 2 else 32)
    assert [choice.probability for choice in table] == sorted((choice.probability for choice in table), reverse=True)
    assert best_discard(hand, value, jokers) == table[0]
    assert all(choice.probability == reach(hand, choice.discard, value, jokers) for choice in table)
    if hand_value(hand) >= value:
        assert table[0] == DiscardChoice((), Fraction(1))


def test_earlier_discards_are_drawn_only_if_the_stock_is_too_short() -> None:
    hand, pair = read_joined_cards("KsQd9h7c3s"), STARTS[1]
    earlier = read_joined_cards("KdKhKc")
    chosen = choices(hand, pair, gone=Gone(earlier, stock=3))
    assert reach(hand, hand[4:], pair) == Fraction(12, 47)
    assert reach(hand, hand[4:], pair, gone=Gone(earlier)) == Fraction(9, 44)
    for discard, probability in chosen:
        within = Gone(earlier if len(discard) <= 3 else ())
        assert probability == reach(hand, discard, pair, gone=within)
    assert best_discard(hand, pair, gone=Gone(earlier, stock=3)) == chosen[0]


def test_the_probability_of_any_values_is_the_sum_over_them() -> None:
    hand = read_joined_cards("KsKd9h7c3s")
    unseen = cards_left(full_deck(0), hand)
    for count in (1, 2):
        for discard, probability in choices_of_size(hand, count, lambda value: value % 3 == 0):
            found = draws_by_value(cards_left(hand, discard), unseen, count)
            good = sum(ways for value, ways in found.items() if value % 3 == 0)
            assert (len(discard), probability) == (count, Fraction(good, comb(47, count)))


def test_either_of_two_jokers_may_be_discarded() -> None:
    for text in ("JkJk9h8h3c", "Jk9h8hJk3c", "9h8h3cJkJk"):
        hand = read_joined_cards(text)
        table = dict(choices(hand, STARTS[THREE], jokers=2))
        assert len(table) == 24
        assert table[(JOKER,)] == reach(hand, [JOKER], STARTS[THREE], jokers=2)
        assert (JOKER, JOKER) in table


def test_a_joker_may_duplicate_a_card_if_the_rules_allow_it() -> None:
    hand, ace_ace = read_joined_cards("JkAs9s8s3s"), STARTS[FLUSH + 1] - 1
    assert KEYS[ace_ace][1][:3] == (12, 12, 12)
    two_aces = next(value for value in range(STARTS[FLUSH], ace_ace) if KEYS[value] == (FLUSH, (12, 12, 7, 6, 1)))
    assert [reach(hand, (), two_aces, 1, double_any) for double_any in (False, True)] == [0, 1]


# ---------------------------------------------------------------------------------------------- simulation


@pytest.mark.soak
def test_simulated_draws_match_the_probabilities() -> None:
    hand = read_joined_cards("AsJk9h8h3c")
    kept, unseen = hand[:2], cards_left(full_deck(2), hand)
    rng, draws = random.Random(20), effort(20_000, quick=20_000, soak=1_000_000)
    found = Counter(KEYS[hand_value((*kept, *rng.sample(unseen, 3)))][0] for _ in range(draws))
    for category in range(len(CATEGORIES)):
        exact = reach(hand, hand[2:], STARTS[category], 2) - reach(hand, hand[2:], STARTS[category + 1], 2)
        assert abs(found[category] / draws - exact) <= 3 * sqrt(exact * (1 - exact) / draws)
