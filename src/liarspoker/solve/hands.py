"""All hands of a digit game in order, and the probability of each.

A hand is a vector of counts: how many of each digit in play it holds, the lowest digit of the game's order first. The
order of the digits in a number doesn't matter to the auction, so all numbers with equal counts are one hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from math import comb, factorial, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.errors import CannotBelieve
from liarspoker.games.digits.deal import digits_in_play
from liarspoker.games.digits.options import Rules

Floats = NDArray[np.float64]
"""A float64 array."""
Small = NDArray[np.uint8]
"""A uint8 array."""

_INTERPRETED = 1 << 13
"""Compiling a function takes longer than interpreting it up to this many numbers."""


class Hands(NamedTuple):
    """All hands of a table, in the lexicographic order of their counts: first the hand with only the highest digit.

    The arrays are shared and read-only.

    Attributes:
        counts: uint8 `[hands, symbols]`, how many of each digit a hand holds, the lowest of the game's order first.
        prior: float64 `[hands]`, the probability that each hand is dealt; they sum to 1.
        by_digit: uint8 `[symbols, hands]`, the transpose of `counts`.
    """

    counts: Small
    prior: Floats
    by_digit: Small

    @property
    def size(self) -> int:
        """The number of hands, C(hand_size + symbols - 1, hand_size)."""
        return int(self.prior.size)

    @property
    def vectors(self) -> tuple[tuple[int, ...], ...]:
        """The rows of `counts` as tuples."""
        return tuple(map(tuple, self.counts.tolist()))


@lru_cache(maxsize=8)
def all_hands(rules: Rules) -> Hands:
    """Return all hands of a table; the same arrays for the same rules.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> hands = all_hands(packed(DigitOptions(hand_size=2, symbols=3), seats=2))
    >>> hands.counts.tolist()
    [[0, 0, 2], [0, 1, 1], [0, 2, 0], [1, 0, 1], [1, 1, 0], [2, 0, 0]]
    >>> (hands.prior * 9).round(12).tolist()
    [1.0, 2.0, 1.0, 2.0, 2.0, 1.0]
    >>> all_hands(packed(DigitOptions(), seats=2)).size
    24310
    """
    vectors = list(_vectors(rules.hand_size, rules.symbols))
    counts, numbers = np.array(vectors, np.uint8), rules.symbols**rules.hand_size
    ways = [factorial(rules.hand_size) // prod(map(factorial, vector)) for vector in vectors]
    hands = Hands(counts, np.array([many / numbers for many in ways]), np.ascontiguousarray(counts.T))
    for array in hands:
        array.setflags(write=False)
    return hands


def _vectors(digits: int, symbols: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to distribute this number of digits among the symbols, in ascending order."""
    if symbols == 1:
        yield (digits,)
        return
    for lowest in range(digits + 1):
        for rest in _vectors(digits - lowest, symbols - 1):
            yield (lowest, *rest)


def hands_in(rules: Rules) -> int:
    """Return the number of hands.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> hands_in(packed(DigitOptions(), seats=2))
    24310
    """
    return comb(rules.hand_size + rules.symbols - 1, rules.hand_size)


def numbers_of(rules: Rules) -> tuple[str, ...]:
    """Return a number for each hand, in the order of the hands, with its digits in ascending order.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> numbers_of(packed(DigitOptions(hand_size=2, symbols=3), seats=2))
    ('33', '23', '22', '13', '12', '11')
    """
    digits, hands = digits_in_play(rules), all_hands(rules).vectors
    return tuple("".join(digit * count for digit, count in zip(digits, hand, strict=True)) for hand in hands)


def index_of(counts: Sequence[int]) -> int:
    """Return the index of a hand, from 0.

    Args:
        counts: how many of each digit it holds, the lowest of the game's order first.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(hand_size=3, symbols=4), seats=2)
    >>> all(index_of(counts) == number for number, counts in enumerate(all_hands(rules).counts.tolist()))
    True
    """
    index, left = 0, sum(counts)
    for place, count in enumerate(counts[:-1]):
        after = len(counts) - place - 1
        # Hands with fewer of this digit come first; the remaining digits are distributed among the later symbols.
        index += sum(comb(left - fewer + after - 1, after - 1) for fewer in range(count))
        left -= count
    return index


def counts_of(number: str, rules: Rules) -> tuple[int, ...]:
    """Return how many of each digit in play a number holds, the lowest digit first.

    Args:
        number: its digits, such as `06742088`.
        rules: the table's rules.

    Raises:
        CannotBelieve: it doesn't consist of `hand_size` digits in play.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> counts_of("06742088", packed(DigitOptions(), seats=2))  # ones, twos, ..., zeros
    (0, 1, 0, 1, 0, 1, 1, 2, 0, 2)
    """
    counts = tuple(map(number.count, digits_in_play(rules)))
    if not sum(counts) == len(number) == rules.hand_size:
        raise CannotBelieve(f"{number!r} isn't a hand of {rules.hand_size} digits of the {rules.symbols} in play")
    return counts


def count_probabilities(hands: Hands, belief: Floats) -> Floats:
    """Return the probability of each count of each digit: float64 `[symbols, hand_size + 1]`.

    Each row sums to the sum of the belief.

    Args:
        hands: all hands.
        belief: float64 `[hands]`, the probability of each.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> hands = all_hands(packed(DigitOptions(hand_size=2, symbols=2), seats=2))
    >>> count_probabilities(hands, hands.prior).tolist()
    [[0.25, 0.5, 0.25], [0.25, 0.5, 0.25]]
    """
    symbols, hand_size = hands.counts.shape[1], int(hands.counts[0].sum())
    probabilities = np.zeros((symbols, hand_size + 1))
    kernel(_add_counts)(hands.counts, belief, probabilities)
    return probabilities


def digit_probabilities(hands: Hands, belief: Floats, rank: int) -> Floats:
    """Return the probability of each count of one digit: float64 `[hand_size + 1]`.

    This is one row of `count_probabilities`, computed faster.

    Args:
        hands: all hands.
        belief: float64 `[hands]`, the probability of each.
        rank: the digit's rank in the game's order, 0 for the lowest.
    """
    probabilities = np.zeros(int(hands.counts[0].sum()) + 1)
    kernel(tally)(hands.by_digit[rank], belief, probabilities)
    return probabilities


def tally(counts: Small, belief: Floats, probabilities: Floats) -> None:
    """Add the probability of each hand to that of its count of one digit; for compiled code.

    Args:
        counts: uint8 `[hands]`, how many of the digit each hand holds.
        belief: float64 `[hands]`, the probability of each.
        probabilities: float64 `[hand_size + 1]`, to which it is added.
    """
    for hand in range(counts.size):
        probabilities[counts[hand]] += belief[hand]


def _add_counts(counts: Small, belief: Floats, probabilities: Floats) -> None:
    for hand in range(counts.shape[0]):
        likely = belief[hand]
        if likely != 0.0:
            for rank in range(counts.shape[1]):
                probabilities[rank, counts[hand, rank]] += likely


@cache
def kernel(function: Callable[..., Any]) -> Kernel:
    """Return the kernel of a function. It is cached, since a look-up takes longer than some kernels run."""
    return compiled(function)


def quickest(function: Callable[..., Any], numbers: int) -> Callable[..., Any]:
    """Return the faster way to run a function: the function itself for a small input, else its kernel.

    Args:
        function: plain Python that can be compiled and returns the same either way.
        numbers: how many numbers it reads or writes.
    """
    return function if numbers <= _INTERPRETED else kernel(function)
