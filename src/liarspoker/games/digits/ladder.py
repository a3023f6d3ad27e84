"""The ladder of bids: a bid is an int, and among bids of the usual order the stronger is the greater.

The bids are numbered from the weakest: one of the lowest digit is 0, one of the next digit 1, and so on through the
digits in play, then two of each. Source 000: "A bid is stronger if it calls for at least the same number of
occurrences of a higher rank or a greater number of occurrences."
"""

from __future__ import annotations

from liarspoker.games.digits.options import Rules

NO_CLAIM = -1


def ladder_length(rules: Rules) -> int:
    """How many bids there are when the level is capped at every digit on the table: `hand_size * seats * symbols`.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> ladder_length(packed(DigitOptions(), seats=2))
    160
    """
    return rules.hand_size * rules.seats * rules.symbols


def level_of(claim: int, rules: Rules) -> int:
    """How many of its digit the bid asks for, 1 or more."""
    return claim // rules.symbols + 1


def digit_of(claim: int, rules: Rules) -> int:
    """The digit that the bid names, 0 to 9; 0 is the "ten"."""
    return (rules.lowest_digit + claim % rules.symbols) % 10


def rank_of(digit: int, rules: Rules) -> int:
    """Where `digit` stands in the game's order, 0 for the lowest; `symbols` or more if it is not in play."""
    return (digit - rules.lowest_digit) % 10


def claim_of(level: int, digit: int, rules: Rules) -> int:
    """The bid of `level` of `digit`; the digit must be in play and the level 1 or more.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> zero_high = packed(DigitOptions(order="zero_high"), seats=3)
    >>> claim_of(5, 0, zero_high) > claim_of(5, 9, zero_high)
    True
    """
    return (level - 1) * rules.symbols + rank_of(digit, rules)


def listed_end(standing: int, rules: Rules) -> int:
    """Where the bids end that are listed for a seat's choice over `standing`: the first one that is not.

    The ladder's own end where it has one; else some bids beyond the standing one, and all up to every digit on the
    table. Of the loose order without a top it is not all that is listed; `DigitRound.legal` knows more.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> listed_end(200, packed(DigitOptions(cap_level=False), seats=2))
    211
    """
    length = ladder_length(rules)
    if rules.capped:
        return length
    return max(length, standing + 1) + rules.symbols


def beats(claim: int, standing: int, rules: Rules) -> bool:
    """Whether `claim` may be made over `standing`.

    Under the loose order a higher digit beats whatever its level (source 003, step 8 read literally); that relation
    has cycles.
    """
    if rules.loose and claim % rules.symbols > standing % rules.symbols:
        return True
    if rules.loose:
        return claim // rules.symbols > standing // rules.symbols
    return claim > standing
