"""Whether the numbers of a table are chances."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.auctions import auction_in, put_auction
from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.errors import BadStrategy
from liarspoker.engine.strategies.tree import action_listed, actions_listed, rows_for
from liarspoker.games.digits.auction import OVER, Auction, after, opening
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules

TOLERANCE = 1e-5
"""By how much the chances of a position and a hand may miss 1."""

_FINE = -1


def check_chances(probabilities: NDArray[np.float32], rules: Rules) -> None:
    """Refuse a table in which the numbers of some position and hand are no chances.

    Args:
        probabilities: float32 `[rows, hands]`, of the shape that belongs to the rules.
        rules: the table's.

    Raises:
        BadStrategy: a number is below 0 or not finite, or those of a position and a hand do not add up to 1.
    """
    waiting = np.zeros((most_waiting(rules), len(Auction._fields)), np.int64)
    row, hand = _walk()(probabilities, rules, waiting)
    if row != _FINE:
        raise BadStrategy(f"row {row}, hand {hand}: the chances of the position that begins there do not add up to 1")


@cache
def _walk() -> Kernel:
    """The walk in machine code; its key is worked out once."""
    return compiled(first_fault)


def most_waiting(rules: Rules) -> int:
    """How many positions can wait at once in a walk that goes into the depth.

    Nobody answers a bid more than once, so a bid has at most `seats` positions on the way down, the one in which its
    bidder may bid again among them. Each of them leaves at most its stronger bids and an answer waiting.
    """
    bids = ladder_length(rules)
    return rules.seats * (bids + 1) * (bids + 2) + 1


def first_fault(probabilities: NDArray[np.float32], rules: Rules, waiting: NDArray[np.int64]) -> tuple[int, int]:
    """The first row of the first position, and the hand, whose numbers are no chances; -1 twice if all are.

    Args:
        probabilities: float32 `[rows, hands]`.
        rules: the table's.
        waiting: int64 `[many, 6]`, room for the positions that are still to be looked at.
    """
    put_auction(waiting, 0, opening(0))
    left, row = 1, 0
    while left:
        left -= 1
        auction = auction_in(waiting, left)
        actions = actions_listed(auction, rules)
        rows = rows_for(actions)
        for hand in range(probabilities.shape[1] if rows else 0):
            total = 0.0
            for action in range(row, row + rows):
                if not probabilities[action, hand] >= 0:
                    return row, hand
                total += probabilities[action, hand]
            if not abs(total - 1) <= TOLERANCE:
                return row, hand
        row += rows
        for place in range(actions - 1, -1, -1):
            following = after(auction, action_listed(place, auction, rules), rules)
            if following.phase != OVER:
                put_auction(waiting, left, following)
                left += 1
    return _FINE, _FINE
