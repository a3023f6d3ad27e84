"""Payoffs of a counted bid, and the stake and the opener of the next hand.

A made bid wins its multiplier times the stake from each other player; a failed bid loses one stake to each. Sources 000
(Salomon 1986: "Bonus Bids", "Progressive Stakes", "SLIPS") and 001 ("Special Rules").
"""

from __future__ import annotations

from typing import NamedTuple

from liarspoker.games.digits.hands import HANDS_PER_SLIP
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.options import NEXT_OPENERS, Rules

FAILED = 0
"""The outcome of a bid with too few of the digit."""
MADE = 1
"""The outcome of a bid with enough of the digit."""
HERO = 2
"""The outcome of a made bid whose bidder holds none of the digit."""
NONE = 3
"""The outcome of a bid that wins because nobody has the digit (the skunk)."""
OUTCOMES = ("failed", "made", "hero", "none")
"""The names of the outcomes in the notation."""


class Settlement(NamedTuple):
    """The result of a count, in ints.

    Attributes:
        outcome: `FAILED`, `MADE`, `HERO` or `NONE`.
        multiplier: stakes paid to or by each opponent: 1 if the bid failed, 0 for a push.
        bid_multiplier: the multiplier that follows from level and digit, whatever the outcome.
    """

    outcome: int
    multiplier: int
    bid_multiplier: int


def level_multiplier(level: int, seats: int) -> int:
    """Return how many stakes a made bid at `level` wins from each opponent, before sixes and hero.

    1 below level `seats + 3`, 2 from there, and one more for every two levels (source 000, "The n+3 Rule").

    Args:
        level: 1 or more.
        seats: players at the table, 2 or more.

    Returns:
        The multiplier, at least 1.

    >>> [level_multiplier(level, seats=5) for level in (7, 8, 9, 10)]
    [1, 2, 2, 3]
    """
    return 1 if level < seats + 3 else 1 + (level - seats - 1) // 2


def bid_multiplier(claim: int, rules: Rules) -> int:
    """Return the multiplier of a bid that follows from its level and the sixes rule.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> bid_multiplier(claim_of(10, 6, five), five)
    6
    """
    return level_factor(claim, rules) * sixes_factor(claim, rules)


def level_factor(claim: int, rules: Rules) -> int:
    """Return the level's factor of the multiplier: `level_multiplier` with the n+3 rule, else 1."""
    return level_multiplier(level_of(claim, rules), rules.seats) if rules.level_bonus else 1


def sixes_factor(claim: int, rules: Rules) -> int:
    """Return the sixes rule's factor of the multiplier: 2 for sixes if the rule is on, else 1."""
    return 2 if rules.sixes and digit_of(claim, rules) == 6 else 1


def none_multiplier(seats: int) -> int:
    """Return the multiplier of a skunk: max(0, 2n - 6), "independent of how many are bid" (source 000).

    >>> [none_multiplier(seats) for seats in (2, 3, 4, 5)]
    [0, 0, 2, 4]
    """
    return max(0, 2 * seats - 6)


def settle(claim: int, own: int, total: int, rules: Rules) -> Settlement:
    """Return the result of counting the final bid.

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
    multiplier = bid_multiplier(claim, rules)
    if total == 0 and rules.none_wins and (rules.seats > 2 or rules.two_player_push):
        return Settlement(NONE, none_multiplier(rules.seats), multiplier)
    if total < level_of(claim, rules):
        return Settlement(FAILED, 1, multiplier)
    if own == 0 and rules.hero:
        return Settlement(HERO, multiplier + 1, multiplier)
    return Settlement(MADE, multiplier, multiplier)


def payoff(seat: int, bidder: int, settlement: Settlement, stake: int, rules: Rules) -> int:
    """Return the units that `seat` wins (negative: loses).

    Args:
        seat: the seat.
        bidder: the seat that made the final bid.
        settlement: the result of the count.
        stake: the stake in units.
        rules: the table's rules.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> four = packed(DigitOptions(), seats=4)
    >>> [payoff(seat, 2, Settlement(FAILED, 1, 2), stake=4, rules=four) for seat in range(4)]
    [4, 4, -12, 4]
    """
    each = -stake if settlement.outcome == FAILED else settlement.multiplier * stake
    return each * (rules.seats - 1) if seat == bidder else -each


_WINNER = NEXT_OPENERS.index("winner")
_ROTATE = NEXT_OPENERS.index("rotate")


FLAT = 0
"""The next stake is 1: stakes aren't progressive."""
BID_CARRIES = 1
"""The next stake is the bid's multiplier."""
BID_COMPOUNDS = 2
"""The next stake is the bid's multiplier times the old stake."""
NONE_CARRIES = 3
"""The next stake is 2, because the bidder held none of the digit."""


def carry_rule(own: int, base: int, rules: Rules) -> int:
    """Return the rule that sets the next stake: `FLAT`, `BID_CARRIES`, `BID_COMPOUNDS` or `NONE_CARRIES`."""
    if not rules.progressive:
        return FLAT
    if own == 0 and rules.none_wins and rules.none_carries_double:
        return NONE_CARRIES
    return BID_COMPOUNDS if rules.compound and base > 1 else BID_CARRIES


def next_stake(multiplier: int, own: int, base: int, rules: Rules) -> int:
    """Return the stake that a hand carries to the next, before the doubling of a tenth hand.

    It is the final bid's multiplier "whether or not this bid is actually made", but 2 if the bidder held none of the
    digit: such a bidder is presumed to be going for the none and not the hero (source 000, "Progressive Stakes").

    Args:
        multiplier: the final bid's `bid_multiplier`.
        own: how many of its digit the bidder held.
        base: the stake of this hand before the doubling of a tenth hand; used only with `compound_carry`.
        rules: the table's rules.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> next_stake(2, own=1, base=4, rules=five), next_stake(6, own=0, base=1, rules=five)
    (2, 2)
    """
    rule = carry_rule(own, base, rules)
    if rule == FLAT:
        return 1
    if rule == NONE_CARRIES:
        return 2
    return multiplier * base if rule == BID_COMPOUNDS else multiplier


def resets_stake(hand: int, rules: Rules) -> bool:
    """Return whether hand number `hand` (from 0) begins a slip that starts at stake 1."""
    return rules.slip_resets_stake == 1 and hand % HANDS_PER_SLIP == 0


def base_stake(hand: int, carried: int, rules: Rules) -> int:
    """Return the stake of hand number `hand` (from 0) before the doubling of a tenth hand, given the carried stake."""
    return 1 if resets_stake(hand, rules) else carried


def is_doubled(hand: int, rules: Rules) -> bool:
    """Return whether the stake of hand number `hand` (from 0) is doubled: every tenth, with `tenth_double`."""
    return rules.tenth_double == 1 and hand % HANDS_PER_SLIP == HANDS_PER_SLIP - 1


def stake_of_hand(hand: int, base: int, rules: Rules) -> int:
    """Return the stake of hand number `hand` (from 0), given its base stake.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> [stake_of_hand(hand, 2, packed(DigitOptions(), seats=3)) for hand in (8, 9, 10)]
    [2, 4, 2]
    """
    return 2 * base if is_doubled(hand, rules) else base


def next_opener(opener: int, bidder: int, outcome: int, rules: Rules) -> int:
    """Return the seat that opens the next hand; see the option `next_opener`."""
    seats = rules.seats
    if rules.next_opener == _ROTATE:
        return (opener + 1) % seats
    if rules.next_opener == _WINNER and outcome == FAILED:
        return (bidder + 1) % seats
    return bidder
