"""Dealing, in compiled code: a number is one int of four bits a digit, its first digit lowest.

So is the rules' pack of counts, four bits for each of the ten digits (`liarspoker.games.digits.hands`).
"""

from __future__ import annotations

from liarspoker.engine.chance import BITS, Chance, drawn
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import Rules

_BELOW = (1 << BITS) - 1


def alphabet_of(rules: Rules) -> int:
    """The digits in play from the weakest, four bits each, lowest first; worked out once for many deals."""
    alphabet = 0
    for rank in range(rules.symbols):
        alphabet |= digit_of(rank, rules) << 4 * rank
    return alphabet


def dealt_number(chance: Chance, alphabet: int, rules: Rules) -> int:
    """A number of `hand_size` digits, each any of those in play, exactly as likely as every other number.

    All digits come from one draw: seen as a fraction, times ten gives a digit and leaves a fraction for the next one.
    What is left in the end is, as in `below`, now and then among the few that would make some numbers likelier.
    """
    while True:
        left = drawn(chance)
        number = 0
        ways = 1
        for place in range(rules.hand_size):
            left = left * rules.symbols
            number |= (alphabet >> 4 * (left >> BITS) & 15) << 4 * place
            left &= _BELOW
            ways *= rules.symbols
        if left >= ways or left >= (1 << BITS) % ways:
            return number


def counts_in(number: int, rules: Rules) -> int:
    """How often each digit stands in a number, packed as the rules pack it."""
    counts = 0
    for place in range(rules.hand_size):
        counts += 1 << 4 * (number >> 4 * place & 15)
    return counts


def last_is_odd(number: int, rules: Rules) -> bool:
    """Whether the number's last digit is odd."""
    return (number >> 4 * (rules.hand_size - 1) & 1) == 1
