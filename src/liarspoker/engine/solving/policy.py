"""The average strategies as a table in the canonical order."""

from __future__ import annotations

import numpy as np

from liarspoker.engine.compiling import compiled
from liarspoker.engine.solving.automaton import ENDS
from liarspoker.engine.solving.plan import EXIT, LANES, Ints, Layout, Plan
from liarspoker.engine.solving.rooms import Floats
from liarspoker.engine.solving.solver import Solver

ZERO = np.float32(0)
ONE = np.float32(1)


def average_strategy(solver: Solver) -> Floats:
    """What every seat does on average, with each hand at each public position.

    Returns:
        float32 `[rows, hands]`, chances, in the order of `liarspoker.engine.strategies.tree`. Where a hand has never
        come to a position by its own play, all actions are equally likely.
    """
    layout, hands = solver.layout, solver.width // LANES
    probabilities = np.zeros((solver.automaton.sizes[0], hands), np.float32)
    depth = sum(map(len, solver.automaton.edges))
    waiting = np.zeros((depth, 4), np.int64)
    waiting[0] = layout.roots[-1], layout.starts[-2], 0, 0
    compiled(write_chances)(layout.plan, _exits(layout), solver.store.sums, probabilities, waiting)
    return probabilities


def _exits(layout: Layout) -> Ints:
    """int64 `[exits, 3]`: the state behind each exit of the top, the first row of its task, and its lane."""
    tasks, lanes = layout.places // LANES, layout.places % LANES
    return np.ascontiguousarray(np.stack([layout.roots[tasks], layout.starts[tasks], lanes], axis=1))


def write_chances(plan: Plan, exits: Ints, sums: Floats, probabilities: Floats, waiting: Ints) -> None:
    """Walk the tree in its canonical order and write each position's chances.

    Args:
        plan: the tree.
        exits: where the subtrees behind the top's exits are.
        sums: float32 `[rows, hands * LANES]`.
        probabilities: float32 `[rows, hands]`, to be written.
        waiting: int64 `[many, 4]`: positions that are still to be written: state, row in `sums`, lane, first exit. The
            first is the opening.
    """
    left, row = 1, 0
    while left:
        left -= 1
        state, base, lane, met = waiting[left, 0], waiting[left, 1], waiting[left, 2], waiting[left, 3]
        first, end = plan.first[state], plan.first[state + 1]
        for hand in range(probabilities.shape[1]):
            place, total = hand * LANES + lane, ZERO
            for edge in range(first, end):
                total += sums[base + edge - first, place]
            for edge in range(first, end):
                chance = sums[base + edge - first, place] / total if total > ZERO else ONE / np.float32(end - first)
                probabilities[row + edge - first, hand] = chance
        row += end - first
        for edge in range(end - 1, first - 1, -1):
            later = plan.state[edge]
            if later == ENDS:
                continue
            number = met + plan.exits[edge]
            waiting[left, 0] = exits[number, 0] if later == EXIT else later
            waiting[left, 1] = exits[number, 1] if later == EXIT else base + plan.skip[edge]
            waiting[left, 2] = exits[number, 2] if later == EXIT else lane
            waiting[left, 3] = number
            left += 1
