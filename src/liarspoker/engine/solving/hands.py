"""The hands of a seat as count vectors, and how likely each is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from liarspoker.rules.digits.options import Rules


@dataclass(frozen=True, slots=True)
class Hands:
    """All hands of one seat.

    Attributes:
        counts: int64 `[hands, symbols]`, how many digits of each rank a hand holds, the lowest rank first; the rows in
            ascending order, so that the first hand holds nothing but the highest rank.
        prior: float64 `[hands]`, the chance of being dealt each; they sum to 1.
    """

    counts: NDArray[np.int64]
    prior: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.counts)


def number_of_hands(rules: Rules) -> int:
    """How many hands there are: the ways to share `hand_size` digits out among `symbols` ranks.

    >>> from liarspoker.rules.digits.options import DigitOptions, packed
    >>> number_of_hands(packed(DigitOptions(), seats=2))
    24310
    """
    return comb(rules.hand_size + rules.symbols - 1, rules.hand_size)


def hands_of(rules: Rules) -> Hands:
    """The hands at a table, each with its multinomial chance.

    >>> from liarspoker.rules.digits.options import DigitOptions, packed
    >>> hands = hands_of(packed(DigitOptions(hand_size=2, symbols=2), seats=2))
    >>> hands.counts.tolist(), hands.prior.tolist()
    ([[0, 2], [1, 1], [2, 0]], [0.25, 0.5, 0.25])
    """
    size, symbols = rules.hand_size, rules.symbols
    leading = product(range(size + 1), repeat=symbols - 1)
    counts = [(*some, size - sum(some)) for some in leading if sum(some) <= size]
    ways = [factorial(size) // prod(map(factorial, hand)) for hand in counts]
    return Hands(np.array(counts, np.int64), np.array(ways, np.float64) / symbols**size)
