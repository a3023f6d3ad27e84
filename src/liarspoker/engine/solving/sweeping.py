"""One sweep over a part of the public tree, for all hands and eight subtrees at once; in compiled code.

A sweep belongs to one player. On the way down it carries what the others reach a position with, hand by hand; on the
way up, what the player's own hands are worth there, weighted with that reach. It never goes where the seat whose
strategy is being averaged, which for two players is the other one, plays with no hand at all.

Numbers of a position lie together: of row r and hand h for lane l at `(r * hands + h) * LANES + l`. Loops over them
know nothing of hands and lanes, except at the ends, where bids are counted.
"""

from __future__ import annotations

import numpy as np

from liarspoker.engine.solving.automaton import ENDS
from liarspoker.engine.solving.counting import count
from liarspoker.engine.solving.nodes import add_up, expect, learn, spread, take_best
from liarspoker.engine.solving.plan import EXIT, LANES, Ints, Plan
from liarspoker.engine.solving.rooms import Cards, Floats, Front, Room, Step, Store

DESCEND = 0
UPDATE = 1
RESPOND_BEST = 2
EXPECT = 3

ZERO = np.float32(0)


def sweep_all(jobs: Ints, steps: Floats, plan: Plan, cards: Cards, store: Store, front: Front, room: Room) -> None:
    """Do jobs one after the other, each a sweep of one seat over some of the tasks.

    Args:
        jobs: int64 `[n, 4]`, of each the mode, the seat whose sweep it is, the first task and the one after the last.
            Modes are `DESCEND` (the top only: tell all tasks what they are reached with), `UPDATE` the regrets, or,
            against the averages of the others, `RESPOND_BEST` or `EXPECT` the worth of the seat's own average.
        steps: float32 `[n, 4]`, the iteration's numbers for each job, in the order of `Step`.
        plan: the tree.
        cards: what hands are worth.
        store: what is remembered; written to by `UPDATE` alone.
        front: from where reaches are read, and where values are written.
        room: for this thread.
    """
    # One function, though it is long: each level of calls would compile everything below it once more.
    seats = room.at.shape[1]
    for job in range(jobs.shape[0]):
        mode, player = jobs[job, 0], jobs[job, 1]
        step = Step(steps[job, 0], steps[job, 1], steps[job, 2], steps[job, 3])
        averaged = player + 1 if player + 1 < seats else 0
        played = store.sums if mode in (RESPOND_BEST, EXPECT) else store.played
        if mode == DESCEND:
            front.reaches[:-1] = ZERO
        for task in range(jobs[job, 2], jobs[job, 3]):
            if not _enter_task(task, player, front, room):
                continue
            level, is_new = 0, True
            room.edge[0] = plan.first[room.state[0]]
            while level >= 0:
                state, edge, mover = room.state[level], room.edge[level], room.mover[level]
                if is_new and mover != player:
                    averages = mode == UPDATE and mover == averaged
                    spread(level, averages, step.weight, plan, played, store.sums, room)
                is_new = False
                if edge == plan.first[state + 1]:
                    if mode != DESCEND:
                        if mover != player:
                            add_up(level, mover == averaged, plan, room)
                        elif mode == RESPOND_BEST:
                            take_best(level, plan, room)
                        else:
                            expect(level, plan, played, room)
                            if mode == UPDATE:
                                learn(level, step, plan, store, room)
                    level -= 1
                    continue
                room.edge[level] = edge + 1
                cell = room.cell[level] + edge - plan.first[state]
                if mover == averaged and not room.alive[cell]:
                    continue
                later = plan.state[edge]
                if later == ENDS:
                    if mode != DESCEND:
                        count(level, edge, mover, player, cell, plan, cards, room)
                elif later == EXIT:
                    place = front.places[room.exit[level] + plan.exits[edge]]
                    _cross(level, mover, player, cell, place // LANES, place % LANES, mode, front, room)
                else:
                    below = level + 1
                    for seat in range(seats):
                        room.at[below, seat] = room.at[level, seat]
                    if mover != player:
                        room.at[below, mover] = cell
                    acts = mover + plan.turn[edge]
                    acts = acts if acts < seats else acts - seats
                    room.state[below] = later
                    room.base[below] = room.base[level] + plan.skip[edge]
                    room.edge[below] = plan.first[later]
                    room.mover[below] = acts
                    room.cell[below] = room.cell[level] + plan.first[state + 1] - plan.first[state]
                    room.slot[below] = cell
                    room.exit[below] = room.exit[level] + plan.exits[edge]
                    level, is_new = below, True
            for i in range(front.values.shape[1]):
                front.values[task, i] = room.values[0, i]


def _enter_task(task: int, player: int, front: Front, room: Room) -> bool:
    """Set the first level up; false where nobody who matters gets there."""
    seats, width = room.at.shape[1], room.reaches.shape[1]
    averaged = player + 1 if player + 1 < seats else 0
    for seat in range(seats):
        room.at[0, seat] = seat
        for i in range(width):
            room.reaches[seat, i] = front.reaches[task, seat, i]
    found = 0
    for i in range(width):
        found |= room.bits[averaged, i]
    room.state[0] = front.roots[task]
    room.base[0] = front.starts[task]
    room.mover[0] = front.movers[task]
    room.cell[0] = seats
    room.slot[0] = 0
    room.exit[0] = 0
    return found != 0


def _cross(
    level: int, mover: int, player: int, cell: int, task: int, lane: int, mode: int, front: Front, room: Room
) -> None:
    """Where the top ends: tell the task what it is reached with, or take over what it is worth."""
    width = room.reaches.shape[1]
    if mode != DESCEND:
        for i in range(width):
            room.values[cell, i] = front.values[task, i + lane] if i % LANES == 0 else ZERO
        return
    for seat in range(room.at.shape[1]):
        reach = cell if seat == mover and mover != player else room.at[level, seat]
        for i in range(0, width, LANES):
            front.reaches[task, seat, i + lane] = room.reaches[reach, i]
