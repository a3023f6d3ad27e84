"""What the engine has dealt, as the Python rules write it."""

from __future__ import annotations

from liarspoker.games.digits.options import Rules


def number_text(number: int, rules: Rules) -> str:
    """A number as people read it, first digit first.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> number_text(0x88024760, packed(DigitOptions(), seats=2))
    '06742088'
    """
    return "".join(str(int(number) >> 4 * place & 15) for place in range(rules.hand_size))
