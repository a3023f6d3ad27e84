"""All hands of a digit game. A hand is how often each digit is held; the order of its digits never matters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.beliefs.kernels import kernel
from liarspoker.engine.errors import CannotBelieve
from liarspoker.engine.strategies.hands import counts_of as listed
from liarspoker.engine.strategies.hands import prior_of
from liarspoker.games.digits.hands import HIDDEN, count_of, packed_counts
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import Rules

Floats = NDArray[np.float64]
Small = NDArray[np.uint8]


class Hands(NamedTuple):
    """All hands of so many digits, in the lexicographic order of their counts: first all of the highest digit.

    The arrays are shared and cannot be written to.

    Attributes:
        counts: uint8 `[hands, symbols]`, how often a hand holds each digit, the lowest of the game's order first.
        prior: float64 `[hands]`, the chance of each hand that is dealt; they sum to 1.
        by_digit: uint8 `[symbols, hands]`, the same as `counts`, a row a digit.
    """

    counts: Small
    prior: Floats
    by_digit: Small

    @property
    def size(self) -> int:
        """How many hands there are: C(hand_size + symbols - 1, hand_size)."""
        return int(self.prior.size)


@lru_cache(maxsize=8)
def all_hands(rules: Rules) -> Hands:
    """All hands of a table; the same arrays for the same rules.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> hands = all_hands(packed(DigitOptions(hand_size=2, symbols=3), seats=2))
    >>> hands.counts.tolist()
    [[0, 0, 2], [0, 1, 1], [0, 2, 0], [1, 0, 1], [1, 1, 0], [2, 0, 0]]
    >>> (hands.prior * 9).round(12).tolist()
    [1.0, 2.0, 1.0, 2.0, 2.0, 1.0]
    >>> all_hands(packed(DigitOptions(), seats=2)).size
    24310
    """
    counts = listed(rules).astype(np.uint8)
    hands = Hands(counts, prior_of(rules), np.ascontiguousarray(counts.T))
    for array in hands:
        array.setflags(write=False)
    return hands


def index_of(counts: Sequence[int]) -> int:
    """The number of a hand among all of its size, from 0.

    Args:
        counts: how often it holds each digit, the lowest of the game's order first.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(hand_size=3, symbols=4), seats=2)
    >>> all(index_of(counts) == number for number, counts in enumerate(all_hands(rules).counts.tolist()))
    True
    """
    index, left = 0, sum(counts)
    for place, count in enumerate(counts[:-1]):
        after = len(counts) - place - 1
        # Before it come the hands with fewer here: what those have beyond, the digits after share.
        index += sum(comb(left - fewer + after - 1, after - 1) for fewer in range(count))
        left -= count
    return index


def counts_of(number: str, rules: Rules) -> tuple[int, ...]:
    """How often a number holds each digit in play, the lowest first.

    Args:
        number: as people write it, such as `06742088`.
        rules: the table's.

    Raises:
        CannotBelieve: it does not have `hand_size` digits that are in play.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> counts_of("06742088", packed(DigitOptions(), seats=2))  # ones, twos, ..., tens
    (0, 1, 0, 1, 0, 1, 1, 2, 0, 2)
    """
    known = number.isdecimal() and HIDDEN not in number
    packed = packed_counts(number) if known and len(number) == rules.hand_size else 0
    counts = tuple(count_of(packed, digit_of(rank, rules)) for rank in range(rules.symbols))
    if sum(counts) != rules.hand_size:
        raise CannotBelieve(f"{number!r} is no hand of {rules.hand_size} digits of the {rules.symbols} in play")
    return counts


def count_chances(hands: Hands, belief: Floats) -> Floats:
    """How likely each count of each digit is, float64 `[symbols, hand_size + 1]`; rows sum as `belief` does.

    Args:
        hands: all hands.
        belief: float64 `[hands]`, the chance of each.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> hands = all_hands(packed(DigitOptions(hand_size=2, symbols=2), seats=2))
    >>> count_chances(hands, hands.prior).tolist()
    [[0.25, 0.5, 0.25], [0.25, 0.5, 0.25]]
    """
    symbols, hand_size = hands.counts.shape[1], int(hands.counts[0].sum())
    chances = np.zeros((symbols, hand_size + 1))
    kernel(_add_counts)(hands.counts, belief, chances)
    return chances


def digit_chances(hands: Hands, belief: Floats, rank: int) -> Floats:
    """How likely each count of one digit is, float64 `[hand_size + 1]`: a row of `count_chances`, in less time.

    Args:
        hands: all hands.
        belief: float64 `[hands]`, the chance of each.
        rank: the digit's place in the game's order, 0 for the lowest.
    """
    chances = np.zeros(int(hands.counts[0].sum()) + 1)
    kernel(_add_digit)(hands.by_digit[rank], belief, chances)
    return chances


def _add_digit(counts: Small, belief: Floats, chances: Floats) -> None:
    for hand in range(counts.size):
        chances[counts[hand]] += belief[hand]


def _add_counts(counts: Small, belief: Floats, chances: Floats) -> None:
    for hand in range(counts.shape[0]):
        likely = belief[hand]
        if likely != 0.0:
            for rank in range(counts.shape[1]):
                chances[rank, counts[hand, rank]] += likely
