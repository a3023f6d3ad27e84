"""How compiled networks see the digit games."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import Chance, below
from liarspoker.engine.compiling import compiled
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.network import Buffers
from liarspoker.engine.networks import NOTHING_WILD, Inputs
from liarspoker.games.digits.auction import refusal
from liarspoker.games.digits.features import (
    Tails,
    action_of,
    sizes_of,
    tails_of,
    was_bid,
    weakest_bid,
    write_digit,
    write_moves,
    write_table,
)
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.kernel import counts_in
from liarspoker.games.digits.kernel_policies import Observation
from liarspoker.games.digits.ladder import digit_of, ladder_length
from liarspoker.games.digits.options import Rules

_WILD_LEVELS = 8
"""How many levels a wild bid may be above the standing one."""


def arrays_of(rules: Rules) -> Tails:
    """Return the tails for a table's rules as arrays."""
    return Tails(*(np.array(each) for each in tails_of(rules)))


def see(observation: Observation, tails: Tails, buffers: Buffers) -> int:
    """Write the features and the possible actions of an observation, and return the seat to act."""
    auction, rules = observation.auction, observation.rules
    write_moves(auction, observation.moves, observation.made, rules, buffers.features)
    for rank in range(rules.symbols):
        own, key = count_of(observation.counts, digit_of(rank, rules)), -1
        if buffers.is_read.size > 0 and not was_bid(rank, rules, buffers.features):
            key = weakest_bid(rank, auction, rules) * (rules.hand_size + 1) + own
        buffers.keys[rank] = key
        if key < 0 or not buffers.is_read[key]:
            write_digit(rank, own, auction, tails, rules, buffers.features)
    write_table(auction, observation.counts, observation.made, tails, rules, buffers.features)
    for column in range(buffers.legal.size):
        action = action_of(column, auction, rules)
        buffers.actions[column], buffers.legal[column] = action, refusal(auction, action, rules) == LEGAL
    return auction.to_act


def secret(observation: Observation) -> int:
    """Return the packed counts of the hand."""
    return observation.counts


def wild(observation: Observation, chance: Chance) -> int:
    """Return a random bid up to `_WILD_LEVELS` levels up."""
    claim = observation.auction.claim + 1 + below(chance, _WILD_LEVELS * observation.rules.symbols)
    return claim if claim < ladder_length(observation.rules) else NOTHING_WILD


def _about(rules: Rules) -> dict[str, int]:
    if rules.loose:
        raise CannotPlay("loose_order: networks can't be trained for it")
    return {"seats": rules.seats, "hand_size": rules.hand_size, "symbols": rules.symbols}


def _won(played: Any) -> NDArray[np.float32]:
    found: NDArray[np.float32] = (played.payoffs / played.stakes[:, :, None]).astype(np.float32)
    return found


def _secrets(played: Any, rounds: NDArray[np.int64], seats: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return how many of each digit each seat holds, counted from the deciding one: `[n, symbols, seats]`."""
    rules, many = played.table.rules, played.numbers.shape[0]
    counts = np.zeros((many, rules.seats, rules.symbols), np.float32)
    compiled(_count_all)(played.numbers[:, 0], rules, counts)
    around = (seats[:, None] + np.arange(rules.seats)) % rules.seats
    found: NDArray[np.float32] = counts[rounds[:, None], around].transpose(0, 2, 1)
    return found


def _count_all(numbers: NDArray[np.int64], rules: Rules, counts: NDArray[np.float32]) -> None:
    for hand in range(numbers.shape[0]):
        for seat in range(rules.seats):
            packed = counts_in(numbers[hand, seat], rules)
            for rank in range(rules.symbols):
                counts[hand, seat, rank] = count_of(packed, digit_of(rank, rules))


INPUTS = Inputs(
    sizes=sizes_of,
    about=_about,
    see=see,
    secret=secret,
    sources=arrays_of,
    wild=wild,
    won=_won,
    secrets=_secrets,
    secret_features=lambda rules: rules.seats,
    keys=lambda rules: (ladder_length(rules) + rules.symbols) * (rules.hand_size + 1),
)
