"""Formatting of probabilities and other fractions, for people and for JSON."""

from __future__ import annotations

from fractions import Fraction

from liarspoker.language import _, number

_BLOCK = 4000


def rounded(probability: Fraction, places: int) -> str:
    """Return a fraction as a decimal, rounded exactly to `places` places.

    >>> rounded(Fraction(1, 3), 4), rounded(Fraction(1), 2), rounded(Fraction(-25, 2), 1)
    ('0.3333', '1.00', '-12.5')
    """
    units = round(abs(probability) * 10**places)
    whole, part = divmod(units, 10**places)
    sign = "-" if probability < 0 and units else ""
    return f"{sign}{whole}.{part:0{places}d}"


def percent(probability: Fraction) -> str:
    """Return a probability in percent with two places; only certain events are shown as 0% or 100%.

    >>> [percent(Fraction(*parts)) for parts in ((1, 3), (0, 1), (1, 10**9), (1, 1), (10**9 - 1, 10**9))]
    ['33.33%', '0%', '<0.01%', '100%', '>99.99%']
    """
    if probability in (0, 1):
        figure = str(int(probability) * 100)
    elif probability * 20_000 < 1:
        figure = "<0.01"
    elif (1 - probability) * 20_000 <= 1:
        figure = ">99.99"
    else:
        figure = rounded(probability * 100, 2)
    return _("{number}%", number=number(figure))


def one_in(probability: Fraction) -> str:
    """Return `, 1 in 4.7` for a probability below one half; else an empty string.

    >>> one_in(Fraction(10, 47)), one_in(Fraction(1, 2000)), one_in(Fraction(1, 2))
    (', 1 in 4.7', ', 1 in 2,000', '')
    """
    if not 0 < probability < Fraction(1, 2):
        return ""
    rarity = 1 / probability
    if rarity > 10**12:
        return ""
    # Translators: after a probability: "5%, 1 in 20"
    return _(", 1 in {number}", number=number(rounded(rarity, 1) if rarity < 10 else f"{round(rarity):,}"))


def exact(value: Fraction) -> dict[str, object]:
    """Return a fraction as JSON: the nearest float, and the exact fraction.

    >>> exact(Fraction(-1, 4))
    {'value': -0.25, 'fraction': '-1/4'}
    """
    return {"value": float(value), "fraction": written(value)}


def written(fraction: Fraction) -> str:
    """Return a fraction in lowest terms, always with its denominator.

    >>> written(Fraction(0)), written(Fraction(-14, 40)), len(written(Fraction(1, 10**9000)))
    ('0/1', '-7/20', 9003)
    """
    sign = "-" if fraction < 0 else ""
    return f"{sign}{_decimal(abs(fraction.numerator))}/{_decimal(fraction.denominator)}"


def _decimal(number: int) -> str:
    """Return `number` in decimal, converted in blocks because Python limits conversions to 4,300 digits."""
    if number < 10**_BLOCK:
        return str(number)
    high, low = divmod(number, 10**_BLOCK)
    return _decimal(high) + str(low).zfill(_BLOCK)
