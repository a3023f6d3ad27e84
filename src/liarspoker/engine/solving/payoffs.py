"""What every count pays, as a table made by the rules of settlement."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from liarspoker.games.digits.ladder import digit_of, ladder_length, rank_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import payoff, settle

BIDDER = 0
ANOTHER = 1


def pay_table(rules: Rules) -> NDArray[np.float64]:
    """What the bidder, and any other seat, wins when a bid is counted, in units at stake 1.

    Returns:
        float64 `[2, claims, hand_size + 1, seats * hand_size + 1]`: for the bidder (0) and for another seat (1), by the
        bid, the bidder's own number of its digit and everybody's. Where the total is below the bidder's own or beyond
        what the others can hold, it is 0.
    """
    most = rules.hand_size * (rules.seats - 1)
    pays = np.zeros((2, ladder_length(rules), rules.hand_size + 1, most + rules.hand_size + 1))
    for claim in range(ladder_length(rules)):
        for own in range(rules.hand_size + 1):
            for total in range(own, own + most + 1):
                settled = settle(claim, own, total, rules)
                pays[BIDDER, claim, own, total] = payoff(0, 0, settled, 1, rules)
                pays[ANOTHER, claim, own, total] = payoff(1, 0, settled, 1, rules)
    return pays


def claim_ranks(rules: Rules) -> NDArray[np.int64]:
    """int64 `[claims]`: the rank of the digit that each bid names, 0 for the lowest."""
    return np.array([rank_of(digit_of(claim, rules), rules) for claim in range(ladder_length(rules))], np.int64)
