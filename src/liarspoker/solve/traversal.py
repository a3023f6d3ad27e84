"""One traversal of a part of the public tree, for all hands and eight subtrees at once; in compiled code.

A traversal belongs to one player. On the way down it carries what the others reach a position with, hand by hand; on
the way up, what the player's own hands are worth there, weighted with that reach. It never goes where the seat whose
strategy is being averaged, which for two players is the other one, plays with no hand at all.

Numbers of a position lie together: of row r and hand h for lane l at `(r * hands + h) * LANES + l`. Loops over them
know nothing of hands and lanes, except at the ends, where bids are counted.
"""

from __future__ import annotations

from liarspoker.solve.buffers import Buffers, Cards, Floats, Front, Step, Store
from liarspoker.solve.cfr import ZERO, add_up, count, expect, learn, spread, take_best
from liarspoker.solve.layout import EXIT, LANES, Layout
from liarspoker.solve.tree import ENDS, Ints

DESCEND = 0
UPDATE = 1
RESPOND_BEST = 2
EXPECT = 3


def traverse_all(
    jobs: Ints, steps: Floats, layout: Layout, cards: Cards, store: Store, front: Front, buffers: Buffers
) -> None:
    """Do jobs one after the other, each a traversal of some of the tasks for one seat.

    Args:
        jobs: int64 `[n, 4]`, of each the mode, the player's seat, the first task and the one after the last.
            Modes are `DESCEND` (the top only: pass to all tasks what they are reached with), `UPDATE` the regrets, or,
            against the averages of the others, `RESPOND_BEST` or `EXPECT` the value of the seat's own average.
        steps: float32 `[n, 4]`, the iteration's numbers for each job, in the order of `Step`.
        layout: the tree.
        cards: what hands are worth.
        store: what is remembered; written to by `UPDATE` alone.
        front: from where reaches are read, and where values are written.
        buffers: this thread's.
    """
    # One function, though it is long: each level of calls would compile everything below it once more.
    seats = buffers.at.shape[1]
    for job in range(jobs.shape[0]):
        mode, player = jobs[job, 0], jobs[job, 1]
        step = Step(steps[job, 0], steps[job, 1], steps[job, 2], steps[job, 3])
        averaged = player + 1 if player + 1 < seats else 0
        played = store.sums if mode in (RESPOND_BEST, EXPECT) else store.played
        if mode == DESCEND:
            front.reaches[:-1] = ZERO
        for task in range(jobs[job, 2], jobs[job, 3]):
            if not _enter_task(task, player, layout, front, buffers):
                continue
            level, is_new = 0, True
            buffers.edge[0] = layout.first[buffers.state[0]]
            while level >= 0:
                state, edge, mover = buffers.state[level], buffers.edge[level], buffers.mover[level]
                if is_new and mover != player:
                    averages = mode == UPDATE and mover == averaged
                    spread(level, averages, step.weight, layout, played, store.sums, buffers)
                is_new = False
                if edge == layout.first[state + 1]:
                    if mode != DESCEND:
                        if mover != player:
                            add_up(level, mover == averaged, layout, buffers)
                        elif mode == RESPOND_BEST:
                            take_best(level, layout, buffers)
                        else:
                            expect(level, layout, played, buffers)
                            if mode == UPDATE:
                                learn(level, step, layout, store, buffers)
                    level -= 1
                    continue
                buffers.edge[level] = edge + 1
                cell = buffers.cell[level] + edge - layout.first[state]
                if mover == averaged and not buffers.alive[cell]:
                    continue
                later = layout.state[edge]
                if later == ENDS:
                    if mode != DESCEND:
                        count(level, edge, mover, player, cell, layout, cards, buffers)
                elif later == EXIT:
                    place = layout.places[buffers.exit[level] + layout.exits[edge]]
                    _cross(level, mover, player, cell, place // LANES, place % LANES, mode, front, buffers)
                else:
                    below = level + 1
                    for seat in range(seats):
                        buffers.at[below, seat] = buffers.at[level, seat]
                    if mover != player:
                        buffers.at[below, mover] = cell
                    acts = mover + layout.turn[edge]
                    acts = acts if acts < seats else acts - seats
                    buffers.state[below] = later
                    buffers.base[below] = buffers.base[level] + layout.skip[edge]
                    buffers.edge[below] = layout.first[later]
                    buffers.mover[below] = acts
                    buffers.cell[below] = buffers.cell[level] + layout.first[state + 1] - layout.first[state]
                    buffers.slot[below] = cell
                    buffers.exit[below] = buffers.exit[level] + layout.exits[edge]
                    level, is_new = below, True
            for i in range(front.values.shape[1]):
                front.values[task, i] = buffers.values[0, i]


def _enter_task(task: int, player: int, layout: Layout, front: Front, buffers: Buffers) -> bool:
    """Set the first level up; false where the seat that is averaged never gets there."""
    seats, width = buffers.at.shape[1], buffers.reaches.shape[1]
    averaged = player + 1 if player + 1 < seats else 0
    for seat in range(seats):
        buffers.at[0, seat] = seat
        for i in range(width):
            buffers.reaches[seat, i] = front.reaches[task, seat, i]
    found = 0
    for i in range(width):
        found |= buffers.bits[averaged, i]
    buffers.state[0] = layout.roots[task]
    buffers.base[0] = layout.starts[task]
    buffers.mover[0] = layout.movers[task]
    buffers.cell[0] = seats
    buffers.slot[0] = 0
    buffers.exit[0] = 0
    return found != 0


def _cross(
    level: int, mover: int, player: int, cell: int, task: int, lane: int, mode: int, front: Front, buffers: Buffers
) -> None:
    """Where the top ends: pass the task what it is reached with, or take over its value."""
    width = buffers.reaches.shape[1]
    if mode != DESCEND:
        for i in range(width):
            buffers.values[cell, i] = front.values[task, i + lane] if i % LANES == 0 else ZERO
        return
    for seat in range(buffers.at.shape[1]):
        reach = cell if seat == mover and mover != player else buffers.at[level, seat]
        for i in range(0, width, LANES):
            front.reaches[task, seat, i + lane] = buffers.reaches[reach, i]
