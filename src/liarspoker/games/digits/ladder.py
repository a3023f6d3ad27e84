"""The ladder of bids: a bid is an int, and in the usual order the stronger bid is the greater int.

Bids are numbered from the weakest. Bid 0 is one of the lowest digit, bid 1 one of the next digit; after all digits in
play come two of each, and so on. Source 000 (Salomon 1986): "A bid is stronger if it calls for at least the same number
of occurrences of a higher rank or a greater number of occurrences."
"""

from __future__ import annotations

from liarspoker.games.digits.options import Rules

NO_CLAIM = -1
"""Takes the place of a bid before the first one."""


def ladder_length(rules: Rules) -> int:
    """Return the number of bids up to the cap: `hand_size * seats * symbols`.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> ladder_length(packed(DigitOptions(), seats=2))
    160
    """
    return rules.hand_size * rules.seats * rules.symbols


def level_of(claim: int, rules: Rules) -> int:
    """Return the level of a bid: how many of its digit it asks for, 1 or more."""
    return claim // rules.symbols + 1


def digit_of(claim: int, rules: Rules) -> int:
    """Return the digit of a bid, 0 to 9."""
    return (rules.lowest_digit + claim % rules.symbols) % 10


def rank_of(digit: int, rules: Rules) -> int:
    """Return the rank of `digit` in the game's order, 0 for the lowest; `symbols` or more if it isn't in play."""
    return (digit - rules.lowest_digit) % 10


def claim_of(level: int, digit: int, rules: Rules) -> int:
    """Return the bid of `level` of `digit`. The digit must be in play and the level at least 1.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> zero_high = packed(DigitOptions(order="zero_high"), seats=3)
    >>> claim_of(5, 0, zero_high) > claim_of(5, 9, zero_high)
    True
    """
    return (level - 1) * rules.symbols + rank_of(digit, rules)


def listing_end(standing: int, rules: Rules) -> int:
    """Return the end (exclusive) of the range of bids listed as legal over `standing`.

    With `cap_level` on, this is the length of the ladder. Without a cap, the range includes all bids up to the number
    of digits on the table and at least one level above the standing bid. With `loose_order` and no cap, see
    `liarspoker.games.digits.round.DigitRound.legal`.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> listing_end(200, packed(DigitOptions(cap_level=False), seats=2))
    211
    """
    length = ladder_length(rules)
    if rules.capped:
        return length
    return max(length, standing + 1) + rules.symbols


def beats(claim: int, standing: int, rules: Rules) -> bool:
    """Return whether `claim` beats `standing`.

    With `loose_order`, a higher digit beats a lower one at any level (source 003, step 8 read literally). This relation
    has cycles.
    """
    if rules.loose and claim % rules.symbols > standing % rules.symbols:
        return True
    if rules.loose:
        return claim // rules.symbols > standing // rules.symbols
    return claim > standing
