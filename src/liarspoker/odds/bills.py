"""What one bill (or slip number) holds: how often its digits repeat. Source 003, the last three tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import factorial, perm, prod

from liarspoker.odds.counts import exactly


def specific_digit(count: int, hand_size: int = 8, symbols: int = 10) -> Fraction:
    """The chance that a given digit stands `count` times in one number: source 003, "Specific Number Odds".

    >>> f"{float(specific_digit(2)):.7f}"
    '0.1488035'
    """
    return exactly(hand_size, count, symbols)


def partition(parts: Iterable[int], hand_size: int = 8, symbols: int = 10) -> Fraction:
    """The chance that a number's digits repeat in the pattern `parts`: source 003, "General Probabilities".

    The bill's digits can be chosen for the parts in so many ways, equal parts being alike, and then set in their
    places in hand_size! / (part! ...) ways.

    Args:
        parts: how often each different digit stands, in any order, each 1 or more: three of a kind, a pair and three
            singletons are `(3, 2, 1, 1, 1)`.
        hand_size: what the parts sum to.
        symbols: how many digits are in play; with more parts than that the chance is 0.

    Raises:
        ValueError: the parts do not sum to `hand_size`, or one is below 1.

    >>> float(partition((3, 2, 1, 1, 1)))  # 66847680
    0.169344
    """
    pattern = tuple(sorted(parts, reverse=True))
    if sum(pattern) != hand_size or (pattern and pattern[-1] < 1):
        raise ValueError(f"the parts {list(pattern)} should be 1 or more and sum to {hand_size}")
    return _partition(pattern, symbols)


@lru_cache(maxsize=1024)
def _partition(pattern: tuple[int, ...], symbols: int) -> Fraction:
    alike = prod(factorial(times) for times in Counter(pattern).values())
    places = factorial(sum(pattern)) // prod(factorial(part) for part in pattern)
    return Fraction(perm(symbols, len(pattern)) // alike * places, symbols ** sum(pattern))


def patterns(hand_size: int = 8, symbols: int = 10) -> tuple[tuple[int, ...], ...]:
    """Every pattern in which a number's digits can repeat, the most of a kind first; 22 for a bill.

    >>> patterns(4, symbols=3)
    ((4,), (3, 1), (2, 2), (2, 1, 1))
    """
    return tuple(_patterns(hand_size, hand_size, symbols))


def _patterns(left: int, largest: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """The ways to write `left` as at most `kinds` parts, none above `largest`, in falling order."""
    if left == 0:
        yield ()
    if left == 0 or kinds == 0:
        return
    for part in range(min(left, largest), 0, -1):
        for rest in _patterns(left - part, part, kinds - 1):
            yield (part, *rest)


@lru_cache(maxsize=1024)
def greatest_frequency(count: int, hand_size: int = 8, symbols: int = 10) -> Fraction:
    """The chance that the most frequent digit of a number stands `count` times: source 003, the last table.

    >>> [f"{float(greatest_frequency(count)):.7f}" for count in (8, 2, 1)]
    ['0.0000001', '0.6191640', '0.0181440']
    """
    fitting = (pattern for pattern in patterns(hand_size, symbols) if pattern[0] == count)
    return sum((partition(pattern, hand_size, symbols) for pattern in fitting), Fraction(0))
