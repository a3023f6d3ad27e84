"""What comes of counting the standing bid, given how likely each count of its digit is in every other hand.

The counts of the seats do not depend on each other, so that of several seats together is a convolution of short
vectors. Which count makes a bid, and what it pays, the rules say; nothing here knows it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from liarspoker.engine.beliefs.hands import Floats
from liarspoker.engine.beliefs.kernels import kernel
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import OUTCOMES, payoff, settle


class Count(NamedTuple):
    """What a seat can expect of a count, for each number of the bid's digit that it may hold itself.

    Attributes:
        units: float64 `[hand_size + 1]`, what it wins on average at stake 1, or loses below 0.
        outcomes: float64 `[hand_size + 1, 4]`, how likely each outcome is, as numbered in `settlement.OUTCOMES`:
            failed, made, hero, none; rows sum to 1.
    """

    units: Floats
    outcomes: Floats


def count_standing(rules: Rules, seat: int, claim: int, bidder: int, counts: Floats) -> Count:
    """What `seat` can expect if a bid is counted, in some ten microseconds for all of its hands.

    Args:
        rules: the table's.
        seat: who asks; its own row of `counts` is not looked at.
        claim: the bid.
        bidder: the seat that made it, which may be `seat` itself.
        counts: float64 `[seats, hand_size + 1]`, how likely each count of the bid's digit is in each hand.

    >>> from liarspoker.odds.bids import bid_value
    >>> from liarspoker.odds.counts import distribution
    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> three = packed(DigitOptions(), seats=3)
    >>> blind = np.tile(np.array(distribution(8), np.float64), (3, 1))
    >>> count = count_standing(three, 0, claim_of(4, 6, three), 0, blind)
    >>> abs(count.units[1] - float(bid_value(three, claim_of(4, 6, three), own=1))) < 1e-12
    np.True_
    """
    own = rules.hand_size + 1
    count = Count(np.zeros(own), np.zeros((own, len(OUTCOMES))))
    kernel(count_into)(seat, claim, bidder, counts, rules, new_room(rules), count)
    return count


def new_room(rules: Rules) -> Floats:
    """Room for a count, float64 `[2, seats * hand_size + 1]`; not for compiled code."""
    return np.zeros((2, rules.seats * rules.hand_size + 1))


def count_into(seat: int, claim: int, bidder: int, counts: Floats, rules: Rules, room: Floats, count: Count) -> None:
    """Write what `seat` can expect into `count`, all 0 before; arguments as of `count_standing`. For compiled code."""
    size, rest = _together(seat, bidder, counts, rules, room)
    for own in range(rules.hand_size + 1):
        if seat == bidder:
            for others in range(size):
                _weigh(seat, claim, bidder, own, own + others, room[rest, others], own, rules, count)
        else:
            for held in range(rules.hand_size + 1):
                if counts[bidder, held] > 0.0:
                    for others in range(size):
                        likely = counts[bidder, held] * room[rest, others]
                        _weigh(seat, claim, bidder, held, own + held + others, likely, own, rules, count)


def _weigh(
    seat: int, claim: int, bidder: int, held: int, total: int, likely: float, own: int, rules: Rules, count: Count
) -> None:
    """Add one way in which the count may come out."""
    settlement = settle(claim, held, total, rules)
    count.units[own] += likely * payoff(seat, bidder, settlement, 1, rules)
    count.outcomes[own, settlement.outcome] += likely


def _together(seat: int, bidder: int, counts: Floats, rules: Rules, room: Floats) -> tuple[int, int]:
    """How likely each count is in the hands of all who are neither `seat` nor `bidder`: its length, and its row."""
    size, row = 1, 0
    room[0, 0] = 1.0
    for other in range(rules.seats):
        if other not in (seat, bidder):
            later = 1 - row
            for total in range(size + rules.hand_size):
                room[later, total] = 0.0
            for total in range(size):
                for held in range(rules.hand_size + 1):
                    room[later, total + held] += room[row, total] * counts[other, held]
            size += rules.hand_size
            row = later
    return size, row
