"""What a counted bid pays. Sources 000 ("Bonus Bids") and 001 ("Special Rules").

A bid wins its multiplier times the stake from each other player, or loses the stake alone to each.
"""

from __future__ import annotations

from typing import NamedTuple

from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.options import Rules

FAILED = 0
MADE = 1
HERO = 2
NONE = 3
OUTCOMES = ("failed", "made", "hero", "none")


class Settlement(NamedTuple):
    """How a count came out, in ints.

    Attributes:
        outcome: `FAILED`, `MADE`, `HERO` or `NONE`.
        multiplier: stakes paid by or to each opponent: 1 where the bid failed, 0 for a push.
        bid_multiplier: what the bid was worth by its level and digit, whatever the outcome.
    """

    outcome: int
    multiplier: int
    bid_multiplier: int


def level_multiplier(level: int, seats: int) -> int:
    """How many stakes a made bid at `level` wins from each opponent, before sixes and hero.

    One below `seats + 3`; then two, and one more for every two levels (source 000, "The n+3 Rule").

    Args:
        level: 1 or more.
        seats: players at the table, 2 or more.

    Returns:
        A whole multiplier, at least 1.

    >>> [level_multiplier(level, seats=5) for level in (7, 8, 9, 10)]
    [1, 2, 2, 3]
    """
    return 1 if level < seats + 3 else 1 + (level - seats - 1) // 2


def bid_multiplier(claim: int, rules: Rules) -> int:
    """What a bid is worth by its level and by the sixes rule, whoever holds what.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> bid_multiplier(claim_of(10, 6, five), five)
    6
    """
    return level_part(claim, rules) * sixes_part(claim, rules)


def level_part(claim: int, rules: Rules) -> int:
    """What the bid's level makes of it: `level_multiplier` where the n+3 rule is on, else 1."""
    return level_multiplier(level_of(claim, rules), rules.seats) if rules.level_bonus else 1


def sixes_part(claim: int, rules: Rules) -> int:
    """What the sixes rule makes of the bid: 2 for sixes where it is on, else 1."""
    return 2 if rules.sixes and digit_of(claim, rules) == 6 else 1


def none_multiplier(seats: int) -> int:
    """What a bid wins when nobody has its digit: max(0, 2n - 6), "independent of how many are bid".

    >>> [none_multiplier(seats) for seats in (2, 3, 4, 5)]
    [0, 0, 2, 4]
    """
    return max(0, 2 * seats - 6)


def settle(claim: int, own: int, total: int, rules: Rules) -> Settlement:
    """Hold a final bid against the count.

    Args:
        claim: the final bid.
        own: how many of its digit the bidder holds.
        total: how many all players hold together, `own` included.
        rules: the table's rules.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> settle(claim_of(6, 6, five), own=0, total=6, rules=five)  # source 000, "The Hero Bump"
    Settlement(outcome=2, multiplier=3, bid_multiplier=2)
    """
    worth = bid_multiplier(claim, rules)
    if total == 0 and rules.none_wins and (rules.seats > 2 or rules.two_player_push):
        return Settlement(NONE, none_multiplier(rules.seats), worth)
    if total < level_of(claim, rules):
        return Settlement(FAILED, 1, worth)
    if own == 0 and rules.hero:
        return Settlement(HERO, worth + 1, worth)
    return Settlement(MADE, worth, worth)


def payoff(seat: int, bidder: int, settlement: Settlement, stake: int, rules: Rules) -> int:
    """Units that `seat` wins (or loses, below 0) when `bidder`'s bid came out as `settlement` at `stake`.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> four = packed(DigitOptions(), seats=4)
    >>> [payoff(seat, 2, Settlement(FAILED, 1, 2), stake=4, rules=four) for seat in range(4)]
    [4, 4, -12, 4]
    """
    each = -stake if settlement.outcome == FAILED else settlement.multiplier * stake
    return each * (rules.seats - 1) if seat == bidder else -each
