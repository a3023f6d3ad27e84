"""How the public tree is cut into parts that are traversed in parallel, and where each row is in memory.

Close to the leaves, the same state is reached by thousands of histories, and all subtrees below it have the same shape.
So the tree is cut at a bid. The positions before that bid form the top, which is traversed on its own. The subtrees
after it are grouped by state and seat, and each group of eight forms the lanes of one task. Every computation for a
hand covers eight subtrees at once, and tasks can be distributed among threads.

A task has a block of numbers `[rows, hands, LANES]`. Its rows are in the canonical order: a position's own rows first,
then the blocks of its children in the order of its rows. The top is a task of its own, with one lane in use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from liarspoker.engine.lanes import LANES
from liarspoker.solve.tree import ENDS, Ints, States, skips

EXIT = -2
"""In a layout's `state`: the next subtree is a lane of a task."""


class Layout(NamedTuple):
    """A tree cut into tasks: its states as arrays, once for the tasks and once for the top, and the tasks.

    State s within a task is state s + states within the top; see :class:`~liarspoker.solve.tree.Tree` for the first
    five arrays.

    Attributes:
        first: int64 `[2 * states + 1]`, each state's first edge; the last entry is the number of edges.
        state: int64 `[edges]`, the next state, `ENDS` or `EXIT`.
        skip: int64 `[edges]`, rows from the first of a position to the first of the child.
        turn: int64 `[edges]`, seats from the seat to act to the next one to act; at an end, to the bidder.
        claim: int64 `[edges]`, the bid that is counted at an end.
        exits: int64 `[edges]`, exits of the top from a position's first one to the child's first one.
        roots: int64 `[tasks + 1]`, the state in which each task begins; the last one is the top.
        movers: int64 `[tasks + 1]`, the seat to act there.
        starts: int64 `[tasks + 2]`, the first row of each task's block, counted in rows of hands x LANES numbers.
        places: int64 `[exits]`, for the exits of the top in canonical order: task times LANES, plus the lane.
    """

    first: Ints
    state: Ints
    skip: Ints
    turn: Ints
    claim: Ints
    exits: Ints
    roots: Ints
    movers: Ints
    starts: Ints
    places: Ints

    @property
    def tasks(self) -> int:
        """The number of tasks without the top."""
        return len(self.roots) - 1

    @property
    def rows(self) -> int:
        """The number of rows of all blocks, each of hands x LANES numbers."""
        return int(self.starts[-1])


@dataclass(frozen=True)
class Cut:
    """A way to cut a tree, by the bid from which on positions belong to tasks.

    Attributes:
        claim: that bid; the ladder's length if the whole tree is the top.
        instances: the number of subtrees of each state and seat.
        top_sizes: for each state, the number of rows of the top below it.
        top_exits: for each state, the number of exits of the top below it.
        rows: the number of rows of all blocks.
    """

    claim: int
    instances: dict[tuple[int, int], int]
    top_sizes: tuple[int, ...]
    top_exits: tuple[int, ...]
    rows: int


def best_cut(states: States) -> Cut:
    """Return the cut with the fewest rows, including empty lanes."""
    claims = {auction.claim for auction in states.auctions}
    return min((cut_at(states, claim) for claim in claims | {max(claims) + 1} if claim >= 0), key=lambda cut: cut.rows)


def cut_at(states: States, claim: int) -> Cut:
    """Return the tree cut at a bid."""
    edges, seats = states.edges, states.rules.seats
    is_top = [auction.claim < claim for auction in states.auctions]
    sizes, exits = [0] * len(edges), [0] * len(edges)
    for state in states.from_the_ends:
        inner = [edge.state for edge in edges[state] if edge.state != ENDS]
        sizes[state] = len(edges[state]) + sum(sizes[later] for later in inner if is_top[later])
        exits[state] = sum(exits[later] if is_top[later] else 1 for later in inner)
    instances: dict[tuple[int, int], int] = {}
    reached = {(0, 0): 1}
    for state in reversed(states.from_the_ends):
        for mover in range(seats):
            times = reached.get((state, mover), 0)
            for edge in edges[state] if times and is_top[state] else ():
                if edge.state != ENDS:
                    later = (edge.state, (mover + edge.turn) % seats)
                    reached[later] = reached.get(later, 0) + times
                    if not is_top[edge.state]:
                        instances[later] = instances.get(later, 0) + times
    rows = sizes[0] + sum(-(-times // LANES) * states.sizes[state] for (state, _), times in instances.items())
    return Cut(claim, instances, tuple(sizes), tuple(exits), rows)


def layout_of(states: States, cut: Cut) -> Layout:
    """Return the arrays of a cut tree: the complete states, and the states in the top, where the cut is an exit."""
    tree, number = states.tree, len(states.edges)
    later, own = tree.state.clip(0), np.diff(tree.first)
    leaves = (tree.state != ENDS) & np.array([auction.claim >= cut.claim for auction in states.auctions])[later]
    stays = (tree.state != ENDS) & ~leaves
    below, exits = (np.where(stays, np.array(sizes)[later], 0) for sizes in (cut.top_sizes, cut.top_exits))
    exits = skips(tree.first, exits + leaves) - np.repeat(own, own)
    return Layout(
        np.concatenate((tree.first, tree.first[1:] + tree.first[-1])),
        np.concatenate((tree.state, np.where(leaves, EXIT, np.where(stays, tree.state + number, ENDS)))),
        np.concatenate((tree.skip, skips(tree.first, below))),
        np.tile(tree.turn, 2),
        np.tile(tree.claim, 2),
        np.concatenate((np.zeros_like(exits), exits)),
        *(np.array(values, np.int64) for values in _tasks(states, cut)),
    )


def _tasks(states: States, cut: Cut) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return the roots, movers, starts and places of the tasks, the largest first, and of the top."""
    first: dict[tuple[int, int], int] = {}
    roots, movers, starts, places = list[int](), list[int](), [0], list[int]()
    for (state, mover), times in sorted(cut.instances.items(), key=lambda item: -states.sizes[item[0][0]]):
        first[state, mover] = len(roots) * LANES
        for _ in range(-(-times // LANES)):
            roots.append(state)
            movers.append(mover)
            starts.append(starts[-1] + states.sizes[state])
    waiting = [(0, 0)]
    while waiting:
        state, mover = waiting.pop()
        if states.auctions[state].claim >= cut.claim:
            places.append(first[state, mover])
            first[state, mover] += 1
            continue
        inner = [edge for edge in states.edges[state] if edge.state != ENDS]
        waiting += [(edge.state, (mover + edge.turn) % states.rules.seats) for edge in reversed(inner)]
    return [*roots, len(states.edges)], [*movers, 0], [*starts, starts[-1] + cut.top_sizes[0]], places
