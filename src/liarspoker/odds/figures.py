"""Chances as a person reads them, and as JSON has them."""

from __future__ import annotations

from fractions import Fraction

_BLOCK = 4000


def rounded(chance: Fraction, places: int) -> str:
    """A chance in decimal, rounded exactly.

    >>> rounded(Fraction(1, 3), 4), rounded(Fraction(1), 2), rounded(Fraction(-25, 2), 1)
    ('0.3333', '1.00', '-12.5')
    """
    units = round(abs(chance) * 10**places)
    whole, part = divmod(units, 10**places)
    sign = "-" if chance < 0 and units else ""
    return f"{sign}{whole}.{part:0{places}d}"


def percent(chance: Fraction) -> str:
    """A chance in per cent, with two places; what is not certain never looks certain.

    >>> [percent(Fraction(*parts)) for parts in ((1, 3), (0, 1), (1, 10**9), (1, 1), (10**9 - 1, 10**9))]
    ['33.33%', '0%', '<0.01%', '100%', '>99.99%']
    """
    if chance in (0, 1):
        return f"{int(chance) * 100}%"
    if chance * 20_000 < 1:
        return "<0.01%"
    if (1 - chance) * 20_000 <= 1:
        return ">99.99%"
    return f"{rounded(chance * 100, 2)}%"


def one_in(chance: Fraction) -> str:
    """`, 1 in 4.7` for a chance below one half.

    >>> one_in(Fraction(10, 47)), one_in(Fraction(1, 2000)), one_in(Fraction(1, 2))
    (', 1 in 4.7', ', 1 in 2,000', '')
    """
    if not 0 < chance < Fraction(1, 2):
        return ""
    rarity = 1 / chance
    if rarity > 10**12:
        return ""
    return f", 1 in {rounded(rarity, 1)}" if rarity < 10 else f", 1 in {round(rarity):,}"


def exact(value: Fraction) -> dict[str, object]:
    """A figure as all JSON of the odds has it: the nearest float, and the fraction.

    >>> exact(Fraction(-1, 4))
    {'value': -0.25, 'fraction': '-1/4'}
    """
    return {"value": float(value), "fraction": written(value)}


def written(fraction: Fraction) -> str:
    """A fraction in lowest terms, always with its denominator.

    >>> written(Fraction(0)), written(Fraction(-14, 40)), len(written(Fraction(1, 10**9000)))
    ('0/1', '-7/20', 9003)
    """
    sign = "-" if fraction < 0 else ""
    return f"{sign}{_decimal(abs(fraction.numerator))}/{_decimal(fraction.denominator)}"


def _decimal(number: int) -> str:
    """`number` in decimal, in blocks, for Python writes no number of more than 4,300 digits at once."""
    if number < 10**_BLOCK:
        return str(number)
    high, low = divmod(number, 10**_BLOCK)
    return _decimal(high) + str(low).zfill(_BLOCK)
