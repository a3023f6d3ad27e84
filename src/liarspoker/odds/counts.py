"""How many of a digit the other players hold, and how the digits of one bill repeat.

A digit nobody has seen is a given one with chance 1/symbols, whatever the others are, so the count among `digits`
unseen digits is binomial. Source 003 tabulates it for one to four bills of eight digits of ten; every figure there
agrees to the printed digits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import factorial, perm, prod

_SMALL = 1024
"""Up to so many digits the weights are few and short enough to keep many of them."""


def exactly(digits: int, count: int, symbols: int = 10) -> Fraction:
    """The chance that a given digit stands exactly `count` times among `digits` unseen digits.

    Args:
        digits: how many digits are unseen, 0 or more: eight for each other player.
        count: any whole number; below 0 and above `digits` the chance is 0.
        symbols: how many digits are in play, 2 to 10, each as likely as the next.

    >>> exactly(8, 0), f"{float(exactly(16, 1)):.6f}"
    (Fraction(43046721, 100000000), '0.329426')
    """
    return _exactly(digits, count, symbols) if 0 <= count <= digits else Fraction(0)


def at_least(digits: int, need: int, symbols: int = 10) -> Fraction:
    """The chance that a given digit stands `need` times or more among `digits` unseen digits.

    Args:
        digits: how many digits are unseen, 0 or more.
        need: any whole number; from 0 down the chance is 1, above `digits` it is 0.
        symbols: how many digits are in play, 2 to 10.

    >>> f"{float(at_least(16, 1)):.6f} {float(at_least(16, 2)):.6f}"  # source 003, "So if you are playing ..."
    '0.814698 0.485272'
    """
    if need <= 0:
        return Fraction(1)
    return _at_least(digits, need, symbols) if need <= digits else Fraction(0)


def distribution(digits: int, symbols: int = 10) -> tuple[Fraction, ...]:
    """The chances of 0, 1, 2, ... `digits` times; they sum to 1.

    >>> [str(chance) for chance in distribution(2, symbols=2)]
    ['1/4', '1/2', '1/4']
    """
    return tuple(exactly(digits, count, symbols) for count in range(digits + 1))


def ways(digits: int, symbols: int = 10) -> tuple[int, ...]:
    """In how many of the `symbols ** digits` equally likely ways the digit stands 0, 1, 2, ... `digits` times.

    >>> ways(3, symbols=3)
    (8, 12, 6, 1)
    """
    tails = ways_at_least(digits, symbols)
    return tuple(tails[count] - tails[count + 1] for count in range(digits + 1))


def ways_at_least(digits: int, symbols: int = 10) -> tuple[int, ...]:
    """In how many ways the digit stands at least 0, 1, 2, ... `digits` + 1 times; the last is 0.

    >>> ways_at_least(3, symbols=3)
    (27, 19, 7, 1, 0)
    """
    keep = _kept_ways_at_least if digits <= _SMALL else _large_ways_at_least
    return keep(digits, symbols)


def _ways_at_least(digits: int, symbols: int) -> tuple[int, ...]:
    """Summed from the rarest count down: `digits` times the digit is one way, and each step is a small product."""
    way, tail = 1, 1
    tails = [0, 1]
    for count in range(digits - 1, -1, -1):
        way = way * (count + 1) * (symbols - 1) // (digits - count)
        tail += way
        tails.append(tail)
    return tuple(reversed(tails))


# What is kept is bounded in number, so that no run of questions fills the memory.
_kept_ways_at_least = lru_cache(maxsize=256)(_ways_at_least)
_large_ways_at_least = lru_cache(maxsize=2)(_ways_at_least)


@lru_cache(maxsize=4096)
def _exactly(digits: int, count: int, symbols: int) -> Fraction:
    tails = ways_at_least(digits, symbols)
    return Fraction(tails[count] - tails[count + 1], symbols**digits)


@lru_cache(maxsize=4096)
def _at_least(digits: int, need: int, symbols: int) -> Fraction:
    return Fraction(ways_at_least(digits, symbols)[need], symbols**digits)


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
