"""One traversal of a part of the public tree, for all hands and eight subtrees at once, in compiled code.

A traversal belongs to one player. On the way down it carries each other seat's reach probability, by hand. On the way
up it carries the value of the player's own hands, weighted with that reach. It skips positions that the seat whose
strategy is being averaged (for two players, the other one) reaches with no hand, or too rarely (`Step.rare`).

The number of row r and hand h in lane l is at `(r * hands + h) * LANES + l`. Loops over these numbers ignore hands and
lanes, except at the ends, where bids are counted.
"""

from __future__ import annotations

import numpy as np

from liarspoker.engine.lanes import LANES, LINE, add_lanes, add_products, copy_lanes, fetch, fill_lanes
from liarspoker.solve.buffers import Buffers, Cards, Floats, Front, Step, Store
from liarspoker.solve.hands import Small
from liarspoker.solve.layout import EXIT, Layout
from liarspoker.solve.payoffs import ANOTHER, BIDDER
from liarspoker.solve.tree import ENDS, Ints

ZERO = np.float32(0)
ONE = np.float32(1)
AHEAD = 16
"""Memory is loaded this many rows ahead of the position. Rows are needed in order, but with gaps that a processor can't
foresee."""

DESCEND = 0
UPDATE = 1
RESPOND_BEST = 2
EXPECT = 3
"""The modes of a traversal; see :func:`traverse_all`."""


def traverse_all(
    jobs: Ints, steps: Floats, layout: Layout, cards: Cards, store: Store, front: Front, buffers: Buffers
) -> None:
    """Run jobs one after the other; each is a traversal of some of the tasks for one seat.

    Args:
        jobs: int64 `[n, 4]`: the mode, the player's seat, the first task and the end. Modes are `DESCEND` (in the top
            only: pass the reaches to all tasks), `UPDATE` (the regrets), `RESPOND_BEST` (the value of a best response
            to the averages of the others) and `EXPECT` (the value of the seat's own average against them).
        steps: float32 `[n, 5]`, the parameters of the iteration for each job, in the order of `Step`.
        layout: the tree.
        cards: what hands win.
        store: regrets and sums; only `UPDATE` writes to it.
        front: reaches are read from it, and values are written to it.
        buffers: this thread's buffers.
    """
    # This is one long function, because each level of calls would compile everything below it again.
    seats = buffers.at.shape[1]
    for job in range(jobs.shape[0]):
        mode, player = jobs[job, 0], jobs[job, 1]
        step = Step(steps[job, 0], steps[job, 1], steps[job, 2], steps[job, 3], steps[job, 4])
        averaged = player + 1 if player + 1 < seats else 0
        played = store.sums if mode in (RESPOND_BEST, EXPECT) else store.played
        if mode == DESCEND:
            front.reaches[:-1] = ZERO
        for task in range(jobs[job, 2], jobs[job, 3]):
            if not _enter_task(task, player, layout, front, buffers):
                continue
            level, is_new = 0, True
            buffers.levels[0].edge = layout.first[buffers.levels[0].state]
            while level >= 0:
                here = buffers.levels[level]
                state, edge, mover = here.state, here.edge, here.mover
                if is_new and mode != DESCEND:
                    read_ahead(level, mode == UPDATE, layout, played, store.sums, buffers)
                if is_new and mover != player:
                    averages = mode == UPDATE and mover == averaged
                    spread(level, averages, step, layout, played, store.sums, buffers)
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
                here.edge = edge + 1
                cell = here.cell + edge - layout.first[state]
                if mover == averaged and not buffers.alive[cell]:
                    continue
                later = layout.state[edge]
                if later == ENDS:
                    if mode != DESCEND:
                        count(level, edge, mover, player, cell, layout, cards, buffers)
                elif later == EXIT:
                    place = layout.places[here.exit + layout.exits[edge]]
                    _cross(level, mover, player, cell, place // LANES, place % LANES, mode, front, buffers)
                else:
                    for seat in range(seats):
                        buffers.at[level + 1, seat] = buffers.at[level, seat]
                    if mover != player:
                        buffers.at[level + 1, mover] = cell
                    acts = mover + layout.turn[edge]
                    acts = acts if acts < seats else acts - seats
                    below = buffers.levels[level + 1]
                    below.state, below.row, below.edge = later, here.row + layout.skip[edge], layout.first[later]
                    below.cell, below.slot = here.cell + layout.first[state + 1] - layout.first[state], cell
                    below.mover, below.exit = acts, here.exit + layout.exits[edge]
                    level, is_new = level + 1, True
            for i in range(front.values.shape[1]):
                front.values[task, i] = buffers.values[0, i]


def _enter_task(task: int, player: int, layout: Layout, front: Front, buffers: Buffers) -> bool:
    """Set up the first level; return false if the seat that is averaged doesn't get there."""
    seats, width = buffers.at.shape[1], buffers.reaches.shape[1]
    averaged = player + 1 if player + 1 < seats else 0
    for seat in range(seats):
        buffers.at[0, seat] = seat
        for i in range(width):
            buffers.reaches[seat, i] = front.reaches[task, seat, i]
    found = 0
    for i in range(width):
        found |= buffers.bits[averaged, i]
    here = buffers.levels[0]
    here.state, here.row, here.mover = layout.roots[task], layout.starts[task], layout.movers[task]
    here.cell, here.slot, here.exit = seats, 0, 0
    return found != 0


def _cross(
    level: int, mover: int, player: int, cell: int, task: int, lane: int, mode: int, front: Front, buffers: Buffers
) -> None:
    """At the end of the top: pass its reaches to the task, or take over the task's value."""
    width = buffers.reaches.shape[1]
    if mode != DESCEND:
        for i in range(width):
            buffers.values[cell, i] = front.values[task, i + lane] if i % LANES == 0 else ZERO
        return
    for seat in range(buffers.at.shape[1]):
        reach = cell if seat == mover and mover != player else buffers.at[level, seat]
        for i in range(0, width, LANES):
            front.reaches[task, seat, i + lane] = buffers.reaches[reach, i]


def read_ahead(level: int, with_sums: bool, layout: Layout, played: Floats, sums: Floats, buffers: Buffers) -> None:
    """Begin to load rows that may be needed soon, as many as this position has.

    Who acts there isn't known here, so the sums of the other seats' rows are loaded too.
    """
    here = buffers.levels[level]
    rows, width = layout.first[here.state + 1] - layout.first[here.state], buffers.reaches.shape[1]
    first = (here.row + AHEAD) * width
    for at in range(first, first + rows * width, LINE):
        fetch(played, at)
        if with_sums:
            fetch(sums, at)


def spread(
    level: int, averages: bool, step: Step, layout: Layout, played: Floats, sums: Floats, buffers: Buffers
) -> None:
    """Compute the reach of each child for a seat that isn't the traversal's player, by its strategy."""
    here = buffers.levels[level]
    state, base, cell, width = here.state, here.row, here.cell, buffers.reaches.shape[1]
    rows = layout.first[state + 1] - layout.first[state]
    even = ONE / np.float32(rows)
    reach = buffers.at[level, here.mover]
    shares, evens = 0, 1
    for i in range(width):
        buffers.work[0, i] = ZERO
    for row in range(rows):
        for i in range(width):
            buffers.work[0, i] += max(played[base + row, i], ZERO)
    for i in range(width):
        total = buffers.work[0, i]
        is_some = total > ZERO
        buffers.work[shares, i] = buffers.reaches[reach, i] / total if is_some else ZERO
        buffers.work[evens, i] = ZERO if is_some else buffers.reaches[reach, i] * even
    for row in range(rows):
        found = 0
        for i in range(width):
            share = max(played[base + row, i], ZERO) * buffers.work[shares, i] + buffers.work[evens, i]
            share = share if share > step.rare else ZERO
            buffers.reaches[cell + row, i] = share
        for i in range(width):
            found |= buffers.bits[cell + row, i]
        buffers.alive[cell + row] = found != 0
        if averages and found != 0:
            for i in range(width):
                sums[base + row, i] += step.weight * buffers.reaches[cell + row, i]


def add_up(level: int, prunes: bool, layout: Layout, buffers: Buffers) -> None:
    """Compute the value of a position in which another seat acts: the sum over its actions."""
    here = buffers.levels[level]
    state, cell, slot, width = here.state, here.cell, here.slot, buffers.reaches.shape[1]
    for i in range(width):
        buffers.work[0, i] = ZERO
    for row in range(layout.first[state + 1] - layout.first[state]):
        if not prunes or buffers.alive[cell + row]:
            for i in range(width):
                buffers.work[0, i] += buffers.values[cell + row, i]
    for i in range(width):
        buffers.values[slot, i] = buffers.work[0, i]


def expect(level: int, layout: Layout, played: Floats, buffers: Buffers) -> None:
    """Compute the value of a position in which the player acts by a strategy; it is stored in `work[0]` too."""
    here = buffers.levels[level]
    state, base, cell, slot, width = here.state, here.row, here.cell, here.slot, buffers.reaches.shape[1]
    rows = layout.first[state + 1] - layout.first[state]
    even = ONE / np.float32(rows)
    values, totals, plain = 0, 1, 2
    for i in range(width):
        buffers.work[values, i] = ZERO
        buffers.work[totals, i] = ZERO
        buffers.work[plain, i] = ZERO
    for row in range(rows):
        for i in range(width):
            share, value = max(played[base + row, i], ZERO), buffers.values[cell + row, i]
            buffers.work[values, i] += share * value
            buffers.work[totals, i] += share
            buffers.work[plain, i] += value
    for i in range(width):
        # Without branches, so that it is vectorized. Where a total is 0, `work[values]` is 0 too.
        total = buffers.work[totals, i]
        value = buffers.work[values, i] + (even if total <= ZERO else ZERO) * buffers.work[plain, i]
        value /= total + (ONE if total <= ZERO else ZERO)
        buffers.work[values, i] = value
        buffers.values[slot, i] = value


def learn(level: int, step: Step, layout: Layout, store: Store, buffers: Buffers) -> None:
    """Add each action's regret, its value minus the position's value in `work[0]`, to the cumulative regrets."""
    here = buffers.levels[level]
    state, base, cell, width = here.state, here.row, here.cell, buffers.reaches.shape[1]
    regrets, played = store.regrets, store.played
    for row in range(layout.first[state + 1] - layout.first[state]):
        if step.guess > ZERO:
            for i in range(width):
                last = buffers.values[cell + row, i] - buffers.work[0, i]
                regret = regrets[base + row, i] + last
                regret *= step.keep_gains if regret > ZERO else step.keep_losses
                regrets[base + row, i] = regret
                played[base + row, i] = regret + step.guess * last
        else:
            for i in range(width):
                regret = regrets[base + row, i] + (buffers.values[cell + row, i] - buffers.work[0, i])
                regrets[base + row, i] = regret * (step.keep_gains if regret > ZERO else step.keep_losses)


def take_best(level: int, layout: Layout, buffers: Buffers) -> None:
    """Compute the value of a position in which the player takes the best action with each hand."""
    here = buffers.levels[level]
    state, cell, slot, width = here.state, here.cell, here.slot, buffers.reaches.shape[1]
    for i in range(width):
        buffers.work[0, i] = buffers.values[cell, i]
    for row in range(1, layout.first[state + 1] - layout.first[state]):
        for i in range(width):
            buffers.work[0, i] = max(buffers.work[0, i], buffers.values[cell + row, i])
    for i in range(width):
        buffers.values[slot, i] = buffers.work[0, i]


def count(
    level: int, edge: int, mover: int, player: int, cell: int, layout: Layout, cards: Cards, buffers: Buffers
) -> None:
    """Compute what the player's hands win when the bid is counted, against all possible hands of the others."""
    seats, kinds, claim = buffers.at.shape[1], buffers.tallies.shape[1] // LANES, layout.claim[edge]
    counts = cards.counts[cards.ranks[claim]]
    bidder = mover + layout.turn[edge]
    bidder = bidder if bidder < seats else bidder - seats
    joined, spare, most = 0, 1, 0
    fill_lanes(buffers.joint[joined], 0, ONE)
    for seat in range(seats):
        if seat == player:
            continue
        reach = cell if seat == mover else buffers.at[level, seat]
        _tally(buffers.reaches[reach], counts, buffers.tallies[seat])
        if seat != bidder:
            _join(buffers.joint[joined], most, buffers.tallies[seat], buffers.joint[spare])
            joined, spare = spare, joined
            most += kinds - 1
    lines, joint, both, values = buffers.lines, buffers.joint[joined], buffers.both, buffers.values[cell]
    for own in range(kinds):
        fill_lanes(lines, own * LANES, ZERO)
        for others in range(most + 1 if bidder == player else 0):
            pay = cards.pays[claim, BIDDER, own, own + others]
            add_lanes(lines, own * LANES, joint, others * LANES, pay)
    for held in range(0 if bidder == player else kinds):
        for others in range(most + 1):
            fill_lanes(both, 0, ZERO)
            add_products(both, 0, buffers.tallies[bidder], held * LANES, joint, others * LANES)
            for own in range(kinds):
                add_lanes(lines, own * LANES, both, 0, cards.pays[claim, ANOTHER, held, own + held + others])
    for hand in range(counts.size):
        copy_lanes(values, hand * LANES, lines, counts[hand] * LANES)


def _tally(reach: Floats, counts: Small, tally: Floats) -> None:
    """Sum a reach by how many of one digit the hands hold."""
    for kind in range(tally.size // LANES):
        fill_lanes(tally, kind * LANES, ZERO)
    for hand in range(counts.size):
        add_lanes(tally, counts[hand] * LANES, reach, hand * LANES, ONE)


def _join(joint: Floats, most: int, tally: Floats, joined: Floats) -> None:
    """Add one more seat to the joint distribution of several seats' total."""
    kinds = tally.size // LANES
    for total in range(most + kinds):
        fill_lanes(joined, total * LANES, ZERO)
    for before in range(most + 1):
        for kind in range(kinds):
            add_products(joined, (before + kind) * LANES, joint, before * LANES, tally, kind * LANES)
