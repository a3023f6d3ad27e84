"""The hands of a small digit game, in their order, and how likely each of them is.

A hand is a count vector: how many of each digit in play it holds, the lowest digit of the order first. Which place a
digit has in the number never matters to the auction, so all numbers with equal counts are one hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from liarspoker.games.digits.deal import digits_in_play
from liarspoker.games.digits.options import Rules

Counts = tuple[int, ...]
"""How many of each digit in play, the lowest first; they add up to the hand's size."""


def hands_in(rules: Rules) -> int:
    """How many hands there are.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> hands_in(packed(DigitOptions(), seats=2))
    24310
    """
    return comb(rules.hand_size + rules.symbols - 1, rules.hand_size)


def hands_of(rules: Rules) -> tuple[Counts, ...]:
    """Every hand, in ascending order of the count vectors.

    The first one has only the highest digit, the last one only the lowest.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> hands_of(packed(DigitOptions(hand_size=2, symbols=3), seats=2))
    ((0, 0, 2), (0, 1, 1), (0, 2, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0))
    """
    return tuple(_vectors(rules.hand_size, rules.symbols))


def numbers_of(rules: Rules) -> tuple[str, ...]:
    """A number for each hand, in the order of the hands, its digits from the lowest of the order up.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> numbers_of(packed(DigitOptions(hand_size=2, symbols=3), seats=2))
    ('33', '23', '22', '13', '12', '11')
    """
    digits = digits_in_play(rules)
    return tuple("".join(digit * count for digit, count in zip(digits, hand, strict=True)) for hand in hands_of(rules))


def counts_of(rules: Rules) -> NDArray[np.int64]:
    """The same as an array: int64 `[hands, symbols]`."""
    return np.array(hands_of(rules), np.int64)


def prior_of(rules: Rules) -> NDArray[np.float64]:
    """How likely each hand is to be dealt, float64 `[hands]`; they add up to 1.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> prior_of(packed(DigitOptions(hand_size=2, symbols=2), seats=2)).tolist()
    [0.25, 0.5, 0.25]
    """
    numbers = rules.symbols**rules.hand_size
    return np.array([_numbers_with(hand) / numbers for hand in hands_of(rules)])


def _numbers_with(hand: Counts) -> int:
    """How many numbers have these counts."""
    return factorial(sum(hand)) // prod(map(factorial, hand))


def _vectors(digits: int, symbols: int) -> Iterator[Counts]:
    """Every way to share so many digits among so many symbols, in ascending order."""
    if symbols == 1:
        yield (digits,)
        return
    for lowest in range(digits + 1):
        for rest in _vectors(digits - lowest, symbols - 1):
            yield (lowest, *rest)
