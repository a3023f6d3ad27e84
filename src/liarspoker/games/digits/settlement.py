"""What a counted bid pays, and what the hand leaves to the next one: its stake and its opener.

A bid wins its multiplier times the stake from each other player, or loses the stake alone to each. Sources 000 ("Bonus
Bids", "Progressive Stakes", "SLIPS") and 001 ("Special Rules").
"""

from __future__ import annotations

from typing import NamedTuple

from liarspoker.games.digits.hands import HANDS_PER_SLIP
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.options import NEXT_OPENERS, Rules

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


_WINNER = NEXT_OPENERS.index("winner")
_ROTATE = NEXT_OPENERS.index("rotate")


FLAT = 0
BID_CARRIES = 1
BID_COMPOUNDS = 2
NONE_CARRIES = 3


def carry_rule(own: int, base: int, rules: Rules) -> int:
    """Which rule makes the next stake: `FLAT`, `BID_CARRIES`, `BID_COMPOUNDS` or `NONE_CARRIES`; see `next_stake`."""
    if not rules.progressive:
        return FLAT
    if own == 0 and rules.none_wins and rules.none_carries_double:
        return NONE_CARRIES
    return BID_COMPOUNDS if rules.compound and base > 1 else BID_CARRIES


def next_stake(worth: int, own: int, base: int, rules: Rules) -> int:
    """The stake that a hand leaves to the next, before any doubling of a tenth hand.

    The final bid's multiplier "whether or not this bid is actually made", but two after a bidder who held none of the
    digit: "he is presumed to be going for the none and not the hero" (source 000, "Progressive Stakes").

    Args:
        worth: the final bid's `bid_multiplier`.
        own: how many of its digit the bidder held.
        base: the stake of this hand before a tenth hand's doubling; counts only where the carry compounds.
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
    return worth * base if rule == BID_COMPOUNDS else worth


def starts_anew(hand: int, rules: Rules) -> bool:
    """Whether hand number `hand` (from 0) begins a slip that starts at one, whatever was carried."""
    return rules.slip_resets_stake == 1 and hand % HANDS_PER_SLIP == 0


def base_stake(hand: int, carried: int, rules: Rules) -> int:
    """The stake of hand number `hand` (from 0) before a tenth hand's doubling; `carried` is what the last hand left."""
    return 1 if starts_anew(hand, rules) else carried


def is_doubled(hand: int, rules: Rules) -> bool:
    """Whether hand number `hand` (from 0) is a tenth, and tenths are played for twice their stake."""
    return rules.tenth_double == 1 and hand % HANDS_PER_SLIP == HANDS_PER_SLIP - 1


def stake_of_hand(hand: int, base: int, rules: Rules) -> int:
    """What is played for: the base stake, twice that in a tenth hand where the rule is on.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> [stake_of_hand(hand, 2, packed(DigitOptions(), seats=3)) for hand in (8, 9, 10)]
    [2, 4, 2]
    """
    return 2 * base if is_doubled(hand, rules) else base


def next_opener(opener: int, bidder: int, outcome: int, rules: Rules) -> int:
    """Who opens the next hand: the final bidder, the winner or the next seat, as the rules have it."""
    seats = rules.seats
    if rules.next_opener == _ROTATE:
        return (opener + 1) % seats
    if rules.next_opener == _WINNER and outcome == FAILED:
        return (bidder + 1) % seats
    return bidder
