"""Formatting of probabilities and other fractions, for people and for JSON."""

from __future__ import annotations

from fractions import Fraction

from liarspoker.language import _, number

_BLOCK = 4000


def rounded(probability: Fraction, places: int) -> str:
    """Return a fraction as a decimal, rounded exactly to `places` places.

    >>> rounded(Fraction(1, 3), 4), rounded(Fraction(1), 2), rounded(Fraction(-25, 2), 1), rounded(Fraction(25, 2), 0)
    ('0.3333', '1.00', '-12.5', '12')
    """
    units = round(abs(probability) * 10**places)
    whole, part = divmod(units, 10**places)
    sign, decimals = "-" if probability < 0 and units else "", f".{part:0{places}d}" if places else ""
    return f"{sign}{whole}{decimals}"


def signed_mean(mean: float, places: int = 2) -> str:
    """Return a mean with its sign, and zero without one.

    >>> signed_mean(0.354), signed_mean(-1.2), signed_mean(-0.001), signed_mean(0.0125, 3)
    ('+0.35', '-1.20', '0.00', '+0.013')
    """
    text = f"{mean:+z.{places}f}"
    return number(text if float(text) else text[1:])


def in_percent(probability: Fraction | float, places: int) -> str:
    """Return a probability in percent, without the sign; only certain events are shown as 0 or 100.

    >>> [in_percent(one, 1) for one in (Fraction(1, 3), 0, Fraction(1, 2000), 1, Fraction(1999, 2000))]
    ['33.3', '0', '<0.1', '100', '>99.9']
    """
    if not 0 < probability < 1:
        return "0" if probability <= 0 else "100"
    percentage, unit = Fraction(probability) * 100, Fraction(1, 10**places)
    if percentage <= unit / 2:
        return number("<" + rounded(unit, places))
    if 100 - percentage <= unit / 2:
        return number(">" + rounded(100 - unit, places))
    return number(rounded(percentage, places))


def percent(probability: Fraction | float, places: int = 2) -> str:
    """Return a probability in percent; only certain events are shown as 0% or 100%.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 10**9)), percent(0.614, 0)
    ('33.33%', '<0.01%', '61%')
    """
    return _("{number}%", number=in_percent(probability, places))


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
