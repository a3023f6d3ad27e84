"""How many of a digit the other players hold.

A digit nobody has seen is a given one with chance 1/symbols, whatever the others are, so the count among `digits`
unseen digits is binomial. Source 003 tabulates it for one to four bills of eight digits of ten; every figure there
agrees to the printed digits.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

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
