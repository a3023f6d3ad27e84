"""A hand is a string of digits to people, and to the rules a pack of counts: four bits a digit.

A digit that nobody outside has seen is written `?`; it counts as none until somebody says how the whole hand counts.
"""

from __future__ import annotations

HIDDEN = "?"
_BITS = 4
_MASK = 15


def packed_counts(number: str) -> int:
    """How often each digit stands in `number`, packed four bits a digit (digit 0 lowest); hidden digits are left out.

    >>> [count_of(packed_counts("06742088"), digit) for digit in (0, 8, 9)]
    [2, 2, 0]
    """
    return sum(1 << _BITS * int(digit) for digit in number if digit != HIDDEN)


def count_of(counts: int, digit: int) -> int:
    """How many of `digit` a pack of counts holds, 0 to 15."""
    return counts >> _BITS * digit & _MASK


def ends_odd(number: str) -> bool:
    """Whether the number's last digit, which must be known, is odd; 0 is even."""
    return int(number[-1]) % 2 == 1
