"""The arrays that a traversal reads, updates and works in."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.kernel import record_type
from liarspoker.engine.lanes import LANES
from liarspoker.games.digits.options import Rules
from liarspoker.solve.hands import Small, all_hands
from liarspoker.solve.layout import Layout
from liarspoker.solve.payoffs import payoff_table
from liarspoker.solve.tree import ENDS, Ints, States, ranks_of_bids

Floats = NDArray[np.float32]
"""A float32 array."""


class Cards(NamedTuple):
    """What hands win when a bid is counted.

    Attributes:
        counts: uint8 `[ranks, hands]`, how many digits of a rank a hand holds.
        ranks: int64 `[claims]`, the rank of each bid's digit.
        pays: float32 `[claims, 2, hand_size + 1, seats * hand_size + 1]`, from `payoff_table`.
    """

    counts: Small
    ranks: Ints
    pays: Floats


class Store(NamedTuple):
    """What is stored between traversals, float32 `[rows, hands * LANES]` each.

    Attributes:
        regrets: the cumulative regret of each action.
        played: the next strategy is proportional to its positive part; the same array as `regrets` unless the algorithm
            predicts.
        sums: the sum of the strategies so far, weighted by the player's own reach.
    """

    regrets: Floats
    played: Floats
    sums: Floats


class Step(NamedTuple):
    """The parameters of one iteration.

    Attributes:
        weight: the weight of this iteration's strategy in the average.
        keep_gains: the factor of positive regrets.
        keep_losses: the factor of negative regrets; 0 resets them.
        guess: the weight of the last regret as a prediction; 0 without predictions.
        rare: another seat's reach of a position with a hand, times the hand's prior, counts as zero up to this.
    """

    weight: np.float32
    keep_gains: np.float32
    keep_losses: np.float32
    guess: np.float32
    rare: np.float32


class Front(NamedTuple):
    """What the top of the tree and the tasks exchange.

    Attributes:
        reaches: float32 `[tasks + 1, seats, hands * LANES]`; for the top, the prior of each hand, in lane 0.
        values: float32 `[tasks + 1, hands * LANES]`.
    """

    reaches: Floats
    values: Floats


class Level:
    """A position on the path to the current one.

    Attributes:
        state: its state.
        row: its first row in the store.
        edge: the next edge.
        mover: the seat to act.
        cell: its first row in `reaches` and `values`.
        slot: the row for its own value.
        exit: its first exit.
    """

    state: int
    row: int
    edge: int
    mover: int
    cell: int
    slot: int
    exit: int


class Buffers(NamedTuple):
    """The working memory of one thread; `depth` is the length of the longest line of decisions.

    Attributes:
        levels: records `[depth]`, a `Level` each.
        at: int64 `[depth, seats]`, the row of each seat's reach in `reaches`.
        reaches, values: float32 `[cells, hands * LANES]`.
        bits: `reaches` viewed as ints.
        alive: int64 `[cells]`, 1 where a row of `reaches` isn't all zero.
        work: float32 `[3, hands * LANES]`.
        tallies: float32 `[seats, (hand_size + 1) * LANES]`, a reach by the number of one digit.
        joint: float32 `[2, (seats * hand_size + 1) * LANES]`, the joint reach of several seats by their total number of
            it.
        lines: float32 `[(hand_size + 1) * LANES]`, the payoff by the own number of it.
        both: float32 `[LANES]`, the joint reach of the bidder and of the other seats.
    """

    levels: Any
    at: Ints
    reaches: Floats
    values: Floats
    bits: NDArray[np.int32]
    alive: Ints
    work: Floats
    tallies: Floats
    joint: Floats
    lines: Floats
    both: Floats


def cards_of(rules: Rules) -> Cards:
    """Return what hands win at a table."""
    return Cards(all_hands(rules).by_digit, ranks_of_bids(rules), payoff_table(rules).astype(np.float32))


def front_of(layout: Layout, rules: Rules) -> Front:
    """Return what the top and the tasks exchange; every seat reaches the top with the prior of its hands."""
    hands, tasks = all_hands(rules), layout.tasks + 1
    width = hands.size * LANES
    reaches = np.zeros((tasks, rules.seats, width), np.float32)
    reaches[-1, :, ::LANES] = hands.prior
    return Front(reaches, np.zeros((tasks, width), np.float32))


def new_buffers(states: States, width: int) -> Buffers:
    """Return the buffers of one thread, for vectors of `width` numbers."""
    rules, cells = states.rules, [0] * len(states.edges)
    for state in states.from_the_ends:
        below = (cells[edge.state] for edge in states.edges[state] if edge.state != ENDS)
        cells[state] = len(states.edges[state]) + max(below, default=0)
    most, kinds = cells[0] + rules.seats, rules.hand_size + 1
    reaches = np.zeros((most, width), np.float32)
    return Buffers(
        levels=np.zeros(states.depth, record_type(Level)).view(np.recarray),
        at=np.zeros((states.depth, rules.seats), np.int64),
        reaches=reaches,
        values=np.zeros((most, width), np.float32),
        bits=reaches.view(np.int32),
        alive=np.zeros(most, np.int64),
        work=np.zeros((3, width), np.float32),
        tallies=np.zeros((rules.seats, kinds * LANES), np.float32),
        joint=np.zeros((2, (rules.hand_size * rules.seats + 1) * LANES), np.float32),
        lines=np.zeros(kinds * LANES, np.float32),
        both=np.zeros(LANES, np.float32),
    )
