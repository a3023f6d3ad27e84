"""What every count pays, as the rules settle it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import payoff, settle

TO_BIDDER = 0
TO_OTHER = 1


def payments(rules: Rules, stake: int = 1) -> NDArray[np.float64]:
    """Units won by the bidder, and by each of the others: float64 `[2, claims, own, total]`.

    `own` is how many of the bid's digit the bidder holds, 0 to `hand_size`; `total` how many all hold, 0 to all digits
    on the table. Where they cannot go together there is a figure all the same, which nobody asks for.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> payments(five)[:, claim_of(6, 6, five), 0, 6].tolist()  # source 000, "The Hero Bump"
    [12.0, -3.0]
    """
    bidder, other = 0, 1
    paid = np.zeros((2, ladder_length(rules), rules.hand_size + 1, rules.hand_size * rules.seats + 1))
    for claim, own, total in np.ndindex(paid.shape[1:]):
        settlement = settle(claim, own, total, rules)
        paid[TO_BIDDER, claim, own, total] = payoff(bidder, bidder, settlement, stake, rules)
        paid[TO_OTHER, claim, own, total] = payoff(other, bidder, settlement, stake, rules)
    return paid
