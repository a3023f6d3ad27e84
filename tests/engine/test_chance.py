"""Random numbers in compiled code agree with plain integers, are uniform, and are independent for each match."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from liarspoker.engine.chance import BITS, CHOICES, DEALS, begin, below, drawn, random_float, seed_of
from liarspoker.engine.compiling import compiled
from liarspoker.games.digits.hands import ends_odd, packed_counts
from liarspoker.games.digits.kernel import alphabet_of, counts_in, dealt_number, last_is_odd, number_text
from liarspoker.games.digits.options import DigitOptions, packed

WORD = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mixed(state: int) -> int:
    """SplitMix64's hash, in Python integers."""
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD
    state = (state ^ state >> 27) * 0x94D049BB133111EB & WORD
    return state ^ state >> 31


def expected(seed: int, number: int, stream: int, draws: int) -> list[int]:
    place = 2 * number + stream
    state = mixed(mixed(int(seed_of(seed)) + STEP & WORD) + mixed(place * STEP & WORD) & WORD)
    return [mixed(state + STEP * (1 + draw) & WORD) >> 64 - BITS for draw in range(draws)]


def stream(seed: int, number: int, of: int) -> Any:
    chance = np.zeros(1, np.uint64)
    compiled(begin)(chance, seed_of(seed), number, of)
    return chance


@pytest.mark.parametrize(("seed", "number", "of"), [(0, 0, DEALS), (1, 7, CHOICES), (-5, 1 << 61, DEALS)])
def test_a_stream_agrees_with_python_integers(seed: int, number: int, of: int) -> None:
    chance = stream(seed, number, of)
    assert [compiled(drawn)(chance) for _ in range(20)] == expected(seed, number, of, 20)


def test_streams_of_different_matches_and_purposes_share_no_numbers() -> None:
    seen = {draw for number in range(200) for of in (DEALS, CHOICES) for draw in expected(3, number, of, 20)}
    assert len(seen) == 200 * 2 * 20


@pytest.mark.parametrize("n", [1, 2, 3, 10, 162, 1 << 30])
def test_numbers_below_n_are_uniform(n: int) -> None:
    chance = stream(n, 0, CHOICES)
    draw = compiled(below)
    draws = [draw(chance, n) for _ in range(20_000)]
    assert min(draws) >= 0
    assert max(draws) < n
    tenths = Counter(10 * draw // n for draw in draws)
    shares = (
        [sum(1 for value in range(n) if 10 * value // n == tenth) / n for tenth in range(10)] if n < 200 else [0.1] * 10
    )
    for tenth, share in enumerate(shares):
        assert abs(tenths[tenth] - 20_000 * share) <= 5 * (20_000 * share) ** 0.5


def test_floats_are_below_one() -> None:
    chance = stream(1, 0, CHOICES)
    draw = compiled(random_float)
    draws = [draw(chance) for _ in range(20_000)]
    assert 0 <= min(draws) < 0.001
    assert 0.999 < max(draws) < 1
    assert abs(sum(draws) / 20_000 - 0.5) < 0.01


@pytest.mark.parametrize("order", ["zero_low", "zero_high", "ace_high"])
@pytest.mark.parametrize(("hand_size", "symbols"), [(1, 2), (3, 3), (8, 10), (15, 10)])
def test_a_dealt_number_agrees_with_its_text(order: str, hand_size: int, symbols: int) -> None:
    rules = packed(DigitOptions(order=order, hand_size=hand_size, symbols=symbols), seats=2)
    chance, alphabet = stream(9, 9, DEALS), alphabet_of(rules)
    for _ in range(200):
        number = compiled(dealt_number)(chance, alphabet, rules)
        text = number_text(number, rules)
        assert len(text) == hand_size
        assert compiled(counts_in)(number, rules) == packed_counts(text)
        assert compiled(last_is_odd)(number, rules) == ends_odd(text)


def test_all_numbers_are_dealt_equally_often() -> None:
    rules = packed(DigitOptions(order="ace_high", hand_size=3, symbols=3), seats=2)
    chance, alphabet, draw = stream(4, 0, DEALS), alphabet_of(rules), compiled(dealt_number)
    dealt = Counter(number_text(draw(chance, alphabet, rules), rules) for _ in range(27_000))
    assert set("".join(dealt)) == set("234")
    assert len(dealt) == 27
    assert sum((count - 1000) ** 2 / 1000 for count in dealt.values()) < 26 + 5 * (2 * 26) ** 0.5
