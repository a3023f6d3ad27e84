"""Compiled policies that return probabilities, in a module of their own as a user would write them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.games.digits.auction import CHALLENGE, COUNT, refusal
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.ladder import digit_of, ladder_length, level_of
from liarspoker.solve.beliefs.function_policy import HandObservation

Out = NDArray[np.float64]


def fond(seen: HandObservation, data: Any, out: Out) -> None:
    """Bid more often the more it holds of the digit and the lower the bid; `data` is the preference for held digits."""
    rules, bids = seen.rules, ladder_length(seen.rules)
    total = 0.0
    for column in range(bids + 2):
        action = column if column < bids else CHALLENGE if column == bids else COUNT
        if refusal(seen.auction, action, rules) != LEGAL:
            continue
        if action < 0:
            held = count_of(seen.counts, digit_of(seen.auction.claim, rules))
            weight = 0.3 * max(1.0, level_of(seen.auction.claim, rules) - held) ** 2
        elif action > seen.auction.claim + 2 * rules.symbols:
            weight = 0.0
        else:
            held = count_of(seen.counts, digit_of(action, rules))
            weight = data[0] ** held / (1.0 + (action - seen.auction.claim) ** 2)
        out[column] = weight
        total += weight
    for column in range(bids + 2):
        out[column] /= total


def ordered(seen: Any, data: Any, out: Out) -> None:
    """Read the order of its digits, which no observation contains."""
    out[seen.number & 15] = 1.0


def careless(seen: HandObservation, data: Any, out: Out) -> None:
    """Return numbers that aren't probabilities: `data` is the number for every action."""
    for column in range(out.size):
        out[column] = data[0]
