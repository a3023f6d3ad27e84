"""What one bill holds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.odds.counts import greatest_frequency, partition, patterns, specific_digit
from liarspoker.odds.figures import rounded

sizes = st.tuples(st.integers(1, 15), st.integers(2, 10))
small_sizes = st.tuples(st.integers(1, 5), st.integers(2, 4))

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


@given(sizes)
def test_the_patterns_are_all_that_can_happen(size: tuple[int, int]) -> None:
    assert sum(partition(pattern, *size) for pattern in patterns(*size)) == 1


@given(small_sizes)
def test_the_chance_of_a_pattern_is_that_of_counting_every_number(size: tuple[int, int]) -> None:
    hand_size, symbols = size
    numbers = list(product(range(symbols), repeat=hand_size))
    seen = Counter(tuple(sorted(Counter(number).values(), reverse=True)) for number in numbers)
    assert {pattern: partition(pattern, *size) for pattern in patterns(*size)} == {
        pattern: Fraction(times, len(numbers)) for pattern, times in seen.items()
    }


@given(small_sizes, st.integers(0, 6))
def test_the_greatest_frequency_is_that_of_counting_every_number(size: tuple[int, int], count: int) -> None:
    hand_size, symbols = size
    numbers = list(product(range(symbols), repeat=hand_size))
    fitting = sum(max(Counter(number).values()) == count for number in numbers)
    assert greatest_frequency(count, *size) == Fraction(fitting, len(numbers))


@given(st.permutations((3, 2, 1, 1, 1)))
def test_the_parts_may_stand_in_any_order(parts: list[int]) -> None:
    assert partition(parts) == Fraction("0.169344")


@given(sizes)
def test_a_given_digit_stands_somehow_often(size: tuple[int, int]) -> None:
    assert sum(specific_digit(count, *size) for count in range(size[0] + 1)) == 1


def test_a_bill_has_22_patterns() -> None:
    assert len(patterns()) == len(set(patterns())) == 22


def test_the_bill_of_source_003_has_the_chance_it_prints() -> None:
    parts = Counter("66847680").values()
    assert rounded(partition(parts), 7) == "0.1693440"


@pytest.mark.parametrize("count", GREATEST)
def test_the_last_table_of_source_003_is_right_to_the_last_figure(count: int) -> None:
    assert rounded(greatest_frequency(count), 7) == GREATEST[count]


def test_the_seven_places_of_source_003_are_all_there_is_but_for_eight_of_a_kind() -> None:
    assert all((10**7 * greatest_frequency(count)).denominator == 1 for count in GREATEST)


@pytest.mark.parametrize("parts", [(), (7,), (9,), (4, 4, 0), (9, -1), (1,) * 9])
def test_parts_that_are_no_bill_are_refused(parts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="sum to 8"):
        partition(parts)


def test_more_different_digits_than_are_in_play_cannot_be() -> None:
    assert partition((1, 1, 1), hand_size=3, symbols=2) == 0


def test_eight_different_digits_are_chosen_one_after_another() -> None:
    assert partition((1,) * 8) == Fraction(prod(range(3, 11)), 10**8)
