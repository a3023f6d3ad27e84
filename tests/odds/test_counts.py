"""How many of a digit the others hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.odds.counts import at_least, distribution, exactly, ways, ways_at_least
from liarspoker.odds.figures import rounded

digits_unseen = st.integers(0, 130)
symbols_in_play = st.integers(2, 10)
small = st.tuples(st.integers(0, 5), st.integers(2, 4))

# Source 003, "Probabilities in Liars Poker": the count, and 1 to 4 other players. It drops closing zeros.
SHACKLEFORD = {
    0: ("0.430467", "0.185302", "0.079766", "0.034337"),
    1: ("0.382638", "0.329426", "0.212711", "0.122087"),
    2: ("0.148803", "0.274522", "0.271797", "0.210260"),
    3: ("0.033067", "0.142344", "0.221464", "0.233622"),
    4: ("0.004593", "0.051402", "0.129187", "0.188196"),
}


@given(digits_unseen, symbols_in_play)
def test_the_chances_of_all_counts_sum_to_one(digits: int, symbols: int) -> None:
    assert sum(distribution(digits, symbols)) == 1


@given(digits_unseen, symbols_in_play, st.integers(-5, 140))
def test_at_least_is_the_sum_of_exactly(digits: int, symbols: int, need: int) -> None:
    enough = (exactly(digits, count, symbols) for count in range(max(0, need), digits + 1))
    assert at_least(digits, need, symbols) == sum(enough)


@given(small, st.integers(-1, 6))
def test_the_chances_are_those_of_counting_every_deal(size: tuple[int, int], count: int) -> None:
    digits, symbols = size
    counts = [deal.count(0) for deal in product(range(symbols), repeat=digits)]
    assert exactly(digits, count, symbols) == Fraction(counts.count(count), len(counts))
    assert at_least(digits, count, symbols) == Fraction(sum(held >= count for held in counts), len(counts))


@given(digits_unseen, symbols_in_play)
def test_the_mean_is_one_in_symbols_of_the_digits(digits: int, symbols: int) -> None:
    mean = sum(count * chance for count, chance in enumerate(distribution(digits, symbols)))
    assert mean == Fraction(digits, symbols)


@given(st.integers(1, 60), st.integers(1, 60), symbols_in_play)
def test_two_groups_of_digits_are_one_group(some: int, more: int, symbols: int) -> None:
    both = [0] * (some + more + 1)
    for held, way in enumerate(ways(some, symbols)):
        for other, other_way in enumerate(ways(more, symbols)):
            both[held + other] += way * other_way
    assert ways(some + more, symbols) == tuple(both)


@given(digits_unseen, symbols_in_play)
def test_every_deal_is_counted_once(digits: int, symbols: int) -> None:
    assert sum(ways(digits, symbols)) == ways_at_least(digits, symbols)[0] == symbols**digits


@pytest.mark.parametrize("count", SHACKLEFORD)
def test_the_first_table_of_source_003_is_right_to_the_last_figure(count: int) -> None:
    assert tuple(rounded(exactly(8 * others, count), 6) for others in range(1, 5)) == SHACKLEFORD[count]


def test_the_two_examples_below_that_table_are_right() -> None:
    assert rounded(at_least(16, 1), 6) == "0.814698"
    assert rounded(at_least(16, 2), 6) == "0.485272"


def test_more_players_than_any_table_seats_are_counted_too() -> None:
    assert sum(distribution(1200)) == 1
    assert at_least(8000, 8000) == Fraction(1, 10**8000)
