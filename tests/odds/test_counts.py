"""The distribution of a digit among the others' digits and on one bill."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.odds.counts import (
    at_least,
    distribution,
    exactly,
    greatest_frequency,
    partition,
    patterns,
    specific_digit,
    ways,
    ways_at_least,
)
from liarspoker.odds.figures import rounded

digits_unseen = st.integers(0, 130)
symbols_in_play = st.integers(2, 10)

# Source 003, "Probabilities in Liars Poker": the count, and 1 to 4 other players. The source omits trailing zeros.
SHACKLEFORD = {
    0: ("0.430467", "0.185302", "0.079766", "0.034337"),
    1: ("0.382638", "0.329426", "0.212711", "0.122087"),
    2: ("0.148803", "0.274522", "0.271797", "0.210260"),
    3: ("0.033067", "0.142344", "0.221464", "0.233622"),
    4: ("0.004593", "0.051402", "0.129187", "0.188196"),
}
# Source 003, "Greatest Frequency Odds in Liar's Poker".
GREATEST = {
    8: "0.0000001",
    7: "0.0000072",
    6: "0.0002268",
    5: "0.0040824",
    4: "0.0458955",
    3: "0.3124800",
    2: "0.6191640",
    1: "0.0181440",
}


@given(digits_unseen, symbols_in_play, st.integers(-5, 140))
def test_probabilities_sum_to_one_and_at_least_is_the_sum_of_exactly(digits: int, symbols: int, need: int) -> None:
    chances = distribution(digits, symbols)
    assert sum(chances) == 1
    assert sum(count * chance for count, chance in enumerate(chances)) == Fraction(digits, symbols)
    assert sum(ways(digits, symbols)) == ways_at_least(digits, symbols)[0] == symbols**digits
    enough = (exactly(digits, count, symbols) for count in range(max(0, need), digits + 1))
    assert at_least(digits, need, symbols) == sum(enough)


@given(st.integers(0, 5), st.integers(2, 4), st.integers(-1, 6))
def test_probabilities_match_an_enumeration_of_all_deals(digits: int, symbols: int, count: int) -> None:
    counts = [deal.count(0) for deal in product(range(symbols), repeat=digits)]
    assert exactly(digits, count, symbols) == Fraction(counts.count(count), len(counts))
    assert at_least(digits, count, symbols) == Fraction(sum(held >= count for held in counts), len(counts))


@given(st.integers(1, 60), st.integers(1, 60), symbols_in_play)
def test_two_groups_of_digits_combine_by_convolution(some: int, more: int, symbols: int) -> None:
    both = [0] * (some + more + 1)
    for held, way in enumerate(ways(some, symbols)):
        for other, other_way in enumerate(ways(more, symbols)):
            both[held + other] += way * other_way
    assert ways(some + more, symbols) == tuple(both)


def test_the_first_table_and_the_examples_of_source_003_match_to_the_last_digit() -> None:
    for count, row in SHACKLEFORD.items():
        assert tuple(rounded(exactly(8 * others, count), 6) for others in range(1, 5)) == row
    assert [rounded(at_least(16, need), 6) for need in (1, 2)] == ["0.814698", "0.485272"]


def test_more_players_than_a_game_allows_are_supported() -> None:
    assert sum(distribution(1200)) == 1
    assert at_least(8000, 8000) == Fraction(1, 10**8000)


# --------------------------------------------------------------------------------------------------- one bill


@given(st.integers(1, 15), symbols_in_play)
def test_the_patterns_and_the_counts_of_a_digit_are_exhaustive(size: int, symbols: int) -> None:
    assert sum(partition(pattern, size, symbols) for pattern in patterns(size, symbols)) == 1
    assert sum(specific_digit(count, size, symbols) for count in range(size + 1)) == 1


@given(st.integers(1, 5), st.integers(2, 4))
def test_the_probability_of_a_pattern_matches_an_enumeration(size: int, symbols: int) -> None:
    numbers = [Counter(number) for number in product(range(symbols), repeat=size)]
    seen = Counter(tuple(sorted(number.values(), reverse=True)) for number in numbers)
    assert {pattern: partition(pattern, size, symbols) for pattern in patterns(size, symbols)} == {
        pattern: Fraction(times, len(numbers)) for pattern, times in seen.items()
    }
    greatest = Counter(max(number.values()) for number in numbers)
    for count in range(7):
        assert greatest_frequency(count, size, symbols) == Fraction(greatest[count], len(numbers))


def test_the_bill_of_source_003_has_the_printed_probability_in_any_order() -> None:
    parts = list(Counter("66847680").values())
    assert {rounded(partition(order), 7) for order in (parts, parts[::-1], sorted(parts))} == {"0.1693440"}
    assert len(patterns()) == len(set(patterns())) == 22


def test_the_last_table_of_source_003_matches_to_the_last_digit() -> None:
    """Its seven decimal places are exact except for eight of a kind."""
    assert {count: rounded(greatest_frequency(count), 7) for count in GREATEST} == GREATEST
    assert all((10**7 * greatest_frequency(count)).denominator == 1 for count in GREATEST)


@pytest.mark.parametrize("parts", [(), (7,), (9,), (4, 4, 0), (9, -1), (1,) * 9])
def test_parts_that_do_not_form_a_bill_are_rejected(parts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="sum to 8"):
        partition(parts)


def test_patterns_with_more_digits_than_are_in_play_have_probability_zero() -> None:
    assert partition((1,) * 8) == Fraction(prod(range(3, 11)), 10**8)
    assert partition((1, 1, 1), hand_size=3, symbols=2) == 0
