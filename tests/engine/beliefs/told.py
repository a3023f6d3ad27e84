"""Compiled policies that tell their chances, for tests; a module of their own, as whoever writes one has."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.games.digits.auction import CHALLENGE, COUNT, refusal
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.kernel_policies import Observation
from liarspoker.games.digits.ladder import digit_of, ladder_length, level_of

Out = NDArray[np.float64]


def fond(seen: Observation, data: Any, out: Out) -> None:
    """Bids the likelier the more it holds of the digit and the lower the bid; `data` is how fond it is of its own."""
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


def ordered(seen: Observation, data: Any, out: Out) -> None:
    """Reads the order of its digits."""
    out[seen.number & 15] = 1.0


def careless(seen: Observation, data: Any, out: Out) -> None:
    """Tells no chances: `data` is what it tells of every action."""
    for column in range(out.size):
        out[column] = data[0]


def by_place(seen: Observation, data: Any, out: Out) -> None:
    """Reads the order of its digits by its place."""
    out[seen[2] & 15] = 1.0


def taken_apart(seen: Observation, data: Any, out: Out) -> None:
    """Takes apart what it sees, under another name."""
    same = seen
    _, _, number, _, _, _, _, _, _ = same
    out[number & 15] = 1.0


def third_of(data: Any, seen: Observation) -> int:
    """What stands third in what is seen."""
    return seen[2]


def handed_on(seen: Observation, data: Any, out: Out) -> None:
    """Lets another function read by place."""
    out[third_of(data, seen) & 15] = 1.0


def itself(seen: Observation) -> Observation:
    """What it is given."""
    return seen


def handed_back(seen: Observation, data: Any, out: Out) -> None:
    """Reads the order of its digits from what another function hands back."""
    out[itself(seen).number & 15] = 1.0
