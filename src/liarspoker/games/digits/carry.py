"""What a hand leaves to the next one: its stake and its opener. Sources 000 ("Progressive Stakes", "SLIPS") and 001."""

from __future__ import annotations

from liarspoker.games.digits.options import NEXT_OPENERS, Rules
from liarspoker.games.digits.settlement import FAILED
from liarspoker.games.digits.slips import HANDS_PER_SLIP

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
