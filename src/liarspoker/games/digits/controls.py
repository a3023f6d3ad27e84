"""Sums over a deal whose expected values are known exactly; they explain part of the luck in what bots win.

Each seat's favourite digit is the one that it holds most of; of equally frequent ones, the last of the ladder. A seat's
strength is how many of it the seat holds, and its help is how many of it the others hold. Own and other digits are
independent, so the expected values of strength, help, their squares and their product follow from the distribution of
the strongest digit of one hand and a binomial distribution. Where sixes pay double, the same sums are taken over the
seats whose favourite is a six.

The sums work on ints, and on integer arrays element by element.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import Any

from liarspoker.games.digits.deal import DigitDeal, digits_in_play
from liarspoker.games.digits.hands import count_of, packed_counts
from liarspoker.games.digits.options import Rules


def of_deal(deal: DigitDeal, rules: Rules) -> tuple[int, ...]:
    """Return the controls of a deal of bills.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> of_deal(DigitDeal(("11123456", "11999987")), packed(DigitOptions(sixes=False), seats=2))
    (7, 2, 25, 6, 4)
    """
    return tuple(_sums([packed_counts(number) for number in deal.numbers], rules))


def of_kept(deals: Any, rules: Rules) -> list[Any]:
    """Return the controls of many deals, each as an int64 array.

    Args:
        deals: int64 `[deals, seats]`, the numbers as the engine keeps them: four bits per digit.
        rules: the rules.
    """
    places = range(0, 4 * rules.hand_size, 4)
    return _sums([sum(1 << 4 * (numbers >> place & 15) for place in places) for numbers in deals.T], rules)


def _sums(counts: Sequence[Any], rules: Rules) -> list[Any]:
    """Return the controls of a deal.

    Args:
        counts: each seat's packed counts, as ints or as int64 arrays of one shape.
        rules: the rules.

    Returns:
        The sums of strength, help, strength², strength * help and help²; where sixes pay double, also the number of
        seats whose favourite is a six, and the sums of strength and help over them.
    """
    sums: list[Any] = [0] * len(expected(rules, 2))
    digits = [int(digit) for digit in digits_in_play(rules)]
    pools = {digit: sum(count_of(each, digit) for each in counts) for digit in digits}
    for each in counts:
        strength: Any = 0
        total: Any = 0
        doubled: Any = 0
        for digit in digits:
            count = count_of(each, digit)
            is_higher = (count >= strength) * 1
            strength = strength + is_higher * (count - strength)
            total = total + is_higher * (pools[digit] - total)
            doubled = doubled + is_higher * ((digit == 6) - doubled)
        others = total - strength
        terms = [strength, others, strength * strength, strength * others, others * others]
        terms += [doubled, doubled * strength, doubled * others]
        for index in range(len(sums)):
            sums[index] = sums[index] + terms[index]
    return sums


@lru_cache(maxsize=64)
def expected(rules: Rules, seats: int) -> tuple[Fraction, ...]:
    """Return the exact expected values of the controls of a deal for this number of players.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> [round(float(value), 3) for value in expected(packed(DigitOptions(sixes=False), seats=2), 2)]
    [4.799, 1.6, 12.304, 3.839, 2.72]
    """
    digits, symbols, held = digits_in_play(rules), rules.symbols, rules.hand_size
    chances = {
        (strength, digit): _chance(strength, rank, symbols, held)
        for rank, digit in enumerate(digits)
        for strength in range(1, held + 1)
    }
    others, p = held * (seats - 1), Fraction(1, symbols)
    helped = others * p
    strength = sum(value * chance for (value, _), chance in chances.items())
    squared = sum(value * value * chance for (value, _), chance in chances.items())
    values = [strength, helped, squared, strength * helped, helped * (1 - p) + helped * helped]
    if rules.sixes and "6" in digits:
        six = sum(chance for (_, digit), chance in chances.items() if digit == "6")
        held_sixes = sum(value * chance for (value, digit), chance in chances.items() if digit == "6")
        values += [six, held_sixes, six * helped]
    return tuple(Fraction(seats * value) for value in values)


def _chance(strength: int, rank: int, symbols: int, held: int) -> Fraction:
    """Return the probability that a hand's favourite is the digit of this rank, held `strength` times."""
    up_to, below = ([Fraction(1, factorial(count)) for count in range(most + 1)] for most in (strength, strength - 1))
    series = [Fraction(1)]  # of counts, in the form of an exponential generating function
    for factor in [up_to] * rank + [below] * (symbols - 1 - rank):
        series = _product(series, factor, held)
    rest = held - strength
    term = series[rest] if rest < len(series) else Fraction(0)
    return term * Fraction(factorial(held), factorial(strength) * symbols**held)


def _product(left: Sequence[Fraction], right: Sequence[Fraction], degree: int) -> list[Fraction]:
    """Return the product of two polynomials up to a degree."""
    size = min(degree + 1, len(left) + len(right) - 1)
    return [
        sum((left[i] * right[n - i] for i in range(max(0, n - len(right) + 1), min(n, len(left) - 1) + 1)), Fraction(0))
        for n in range(size)
    ]
