"""What a hand leaves to the next one: its stake and its opener. Sources 000 ("Progressive Stakes", "SLIPS") and 001."""

from __future__ import annotations

from liarspoker.rules.digits.options import NEXT_OPENERS, Rules
from liarspoker.rules.digits.settlement import FAILED
from liarspoker.rules.digits.slips import HANDS_PER_SLIP

_WINNER = NEXT_OPENERS.index("winner")
_ROTATE = NEXT_OPENERS.index("rotate")


def next_stake(worth: int, own: int, base: int, rules: Rules) -> int:
    """The stake that a hand leaves to the next, before any doubling of a tenth hand.

    The final bid's multiplier "whether or not this bid is actually made", but two after a bidder who held none of the
    digit: "he is presumed to be going for the none and not the hero" (source 000, "Progressive Stakes").

    Args:
        worth: the final bid's `bid_multiplier`.
        own: how many of its digit the bidder held.
        base: the stake of this hand before a tenth hand's doubling; counts only where the carry compounds.
        rules: the table's rules.

    >>> from liarspoker.rules.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> next_stake(2, own=1, base=4, rules=five), next_stake(6, own=0, base=1, rules=five)
    (2, 2)
    """
    if not rules.progressive:
        return 1
    if own == 0 and rules.none_wins and rules.none_carries_double:
        return 2
    return worth * base if rules.compound else worth


def base_stake(hand: int, carried: int, rules: Rules) -> int:
    """The stake of hand number `hand` (from 0) before a tenth hand's doubling; `carried` is what the last hand left."""
    if rules.slip_resets_stake and hand % HANDS_PER_SLIP == 0:
        return 1
    return carried


def is_tenth(hand: int) -> bool:
    """Whether hand number `hand` (from 0) is the last of its slip."""
    return hand % HANDS_PER_SLIP == HANDS_PER_SLIP - 1


def stake_of_hand(hand: int, base: int, rules: Rules) -> int:
    """What is played for: the base stake, twice that in a tenth hand where the rule is on.

    >>> from liarspoker.rules.digits.options import DigitOptions, packed
    >>> [stake_of_hand(hand, 2, packed(DigitOptions(), seats=3)) for hand in (8, 9, 10)]
    [2, 4, 2]
    """
    return 2 * base if rules.tenth_double and is_tenth(hand) else base


def next_opener(opener: int, bidder: int, outcome: int, rules: Rules) -> int:
    """Who opens the next hand: the final bidder, the winner or the next seat, as the rules have it."""
    seats = rules.seats
    if rules.next_opener == _ROTATE:
        return (opener + 1) % seats
    if rules.next_opener == _WINNER and outcome == FAILED:
        return (bidder + 1) % seats
    return bidder
