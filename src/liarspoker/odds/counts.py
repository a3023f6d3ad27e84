"""The distribution of a digit's count among unseen digits, and of the patterns of one bill.

An unseen digit equals a given one with probability 1/symbols, independently of the others, so the count among `digits`
unseen digits is binomial. Source 003 (Shackleford) tabulates it for one to four bills of eight digits; all its figures
agree with this module to the printed precision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import factorial, perm, prod

_SMALL = 1024
"""Up to this many digits, many results are cached; beyond it, only a few, because they are large."""


def exactly(digits: int, count: int, symbols: int = 10) -> Fraction:
    """Return the probability that a given digit occurs exactly `count` times among unseen digits.

    Args:
        digits: the number of unseen digits, 0 or more: eight for each other player.
        count: any int; the probability is 0 below 0 and above `digits`.
        symbols: the number of equally likely digits in play, 2 to 10.

    >>> exactly(8, 0), f"{float(exactly(16, 1)):.6f}"
    (Fraction(43046721, 100000000), '0.329426')
    """
    return _exactly(digits, count, symbols) if 0 <= count <= digits else Fraction(0)


def at_least(digits: int, need: int, symbols: int = 10) -> Fraction:
    """Return the probability that a given digit occurs at least `need` times among unseen digits.

    Args:
        digits: the number of unseen digits, 0 or more.
        need: any int; the probability is 1 for 0 or less, and 0 above `digits`.
        symbols: the number of equally likely digits in play, 2 to 10.

    >>> f"{float(at_least(16, 1)):.6f} {float(at_least(16, 2)):.6f}"  # source 003, "So if you are playing ..."
    '0.814698 0.485272'
    """
    if need <= 0:
        return Fraction(1)
    return _at_least(digits, need, symbols) if need <= digits else Fraction(0)


def distribution(digits: int, symbols: int = 10) -> tuple[Fraction, ...]:
    """Return the probabilities of the counts 0, 1, ..., `digits`; they sum to 1.

    >>> [str(probability) for probability in distribution(2, symbols=2)]
    ['1/4', '1/2', '1/4']
    """
    return tuple(exactly(digits, count, symbols) for count in range(digits + 1))


def ways(digits: int, symbols: int = 10) -> tuple[int, ...]:
    """Return in how many of the `symbols ** digits` equally likely ways a digit occurs 0, 1, ..., `digits` times.

    >>> ways(3, symbols=3)
    (8, 12, 6, 1)
    """
    tails = ways_at_least(digits, symbols)
    return tuple(tails[count] - tails[count + 1] for count in range(digits + 1))


def ways_at_least(digits: int, symbols: int = 10) -> tuple[int, ...]:
    """Return in how many ways a digit occurs at least 0, 1, ..., `digits` + 1 times; the last is 0.

    >>> ways_at_least(3, symbols=3)
    (27, 19, 7, 1, 0)
    """
    cached = _small_ways_at_least if digits <= _SMALL else _large_ways_at_least
    return cached(digits, symbols)


def _ways_at_least(digits: int, symbols: int) -> tuple[int, ...]:
    """Return the tails, summed from the highest count down, so that each step is a small product."""
    way, tail = 1, 1
    tails = [0, 1]
    for count in range(digits - 1, -1, -1):
        way = way * (count + 1) * (symbols - 1) // (digits - count)
        tail += way
        tails.append(tail)
    return tuple(reversed(tails))


# The caches are bounded, so that no sequence of questions exhausts the memory.
_small_ways_at_least = lru_cache(maxsize=256)(_ways_at_least)
_large_ways_at_least = lru_cache(maxsize=2)(_ways_at_least)


@lru_cache(maxsize=4096)
def _exactly(digits: int, count: int, symbols: int) -> Fraction:
    tails = ways_at_least(digits, symbols)
    return Fraction(tails[count] - tails[count + 1], symbols**digits)


@lru_cache(maxsize=4096)
def _at_least(digits: int, need: int, symbols: int) -> Fraction:
    return Fraction(ways_at_least(digits, symbols)[need], symbols**digits)


def specific_digit(count: int, hand_size: int = 8, symbols: int = 10) -> Fraction:
    """Return the probability of `count` of a given digit in one number (source 003, "Specific Number Odds").

    >>> f"{float(specific_digit(2)):.7f}"
    '0.1488035'
    """
    return exactly(hand_size, count, symbols)


def partition(parts: Iterable[int], hand_size: int = 8, symbols: int = 10) -> Fraction:
    """Return the probability that a number's digits repeat in a pattern (source 003, "General Probabilities").

    It is the number of ways to choose digits for the parts, times the hand_size! / (part! ...) ways to arrange them,
    divided by `symbols ** hand_size`.

    Args:
        parts: the counts of the different digits, in any order, each 1 or more: three of a kind, a pair and three
            singletons are `(3, 2, 1, 1, 1)`.
        hand_size: the number of digits, the sum of the parts.
        symbols: the number of digits in play; with more parts than that, the probability is 0.

    Raises:
        ValueError: the parts don't sum to `hand_size`, or one is below 1.

    >>> float(partition((3, 2, 1, 1, 1)))  # source 003: the bill 66847680
    0.169344
    """
    pattern = tuple(sorted(parts, reverse=True))
    if sum(pattern) != hand_size or (pattern and pattern[-1] < 1):
        raise ValueError(f"the parts {list(pattern)} must be 1 or more and sum to {hand_size}")
    return _partition(pattern, symbols)


@lru_cache(maxsize=1024)
def _partition(pattern: tuple[int, ...], symbols: int) -> Fraction:
    alike = prod(factorial(times) for times in Counter(pattern).values())
    places = factorial(sum(pattern)) // prod(factorial(part) for part in pattern)
    return Fraction(perm(symbols, len(pattern)) // alike * places, symbols ** sum(pattern))


def patterns(hand_size: int = 8, symbols: int = 10) -> tuple[tuple[int, ...], ...]:
    """Return all patterns in which a number's digits can repeat, the longest repetition first; 22 for a bill.

    >>> patterns(4, symbols=3)
    ((4,), (3, 1), (2, 2), (2, 1, 1))
    """
    return tuple(_patterns(hand_size, hand_size, symbols))


def _patterns(left: int, largest: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of `left` into at most `kinds` parts of at most `largest`, in descending order."""
    if left == 0:
        yield ()
    if left == 0 or kinds == 0:
        return
    for part in range(min(left, largest), 0, -1):
        for rest in _patterns(left - part, part, kinds - 1):
            yield (part, *rest)


@lru_cache(maxsize=1024)
def greatest_frequency(count: int, hand_size: int = 8, symbols: int = 10) -> Fraction:
    """Return the probability that the most frequent digit of a number occurs `count` times (source 003, last table).

    >>> [f"{float(greatest_frequency(count)):.7f}" for count in (8, 2, 1)]
    ['0.0000001', '0.6191640', '0.0181440']
    """
    fitting = (pattern for pattern in patterns(hand_size, symbols) if pattern[0] == count)
    return sum((partition(pattern, hand_size, symbols) for pattern in fitting), Fraction(0))
