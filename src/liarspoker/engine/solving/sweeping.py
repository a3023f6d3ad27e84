"""One sweep over a part of the public tree, for all hands and sixteen subtrees at once; in compiled code.

A sweep belongs to one player. On the way down it carries what the others reach a position with, hand by hand; on the
way up, what the player's own hands are worth there, weighted with that reach. It never goes where the seat whose
strategy is being averaged, which for two players is the other one, plays with no hand at all.

Numbers of a position lie together: of row r and hand h for lane l at `(r * hands + h) * LANES + l`. Loops over them
know nothing of hands and lanes, except at the ends, where bids are counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.solving.automaton import ENDS
from liarspoker.engine.solving.payoffs import ANOTHER, BIDDER
from liarspoker.engine.solving.plan import EXIT, LANES, Ints, Plan

Floats = NDArray[np.float32]

DESCEND = 0
UPDATE = 1
RESPOND_BEST = 2
EXPECT = 3

ZERO = np.float32(0)
ONE = np.float32(1)
TOO_RARE = np.float32(1e-15)
"""A reach below this counts as none: such numbers slow the processor down and decide nothing."""


class Cards(NamedTuple):
    """What hands are worth when a bid is counted.

    Attributes:
        counts: int64 `[ranks, hands]`, how many digits of a rank a hand holds.
        ranks: int64 `[claims]`, the rank that a bid names.
        pays: float32 `[2, claims, hand_size + 1, seats * hand_size + 1]`, from `payoffs.pay_table`.
    """

    counts: Ints
    ranks: Ints
    pays: Floats


class Store(NamedTuple):
    """What is remembered between sweeps, float32 `[rows, hands * LANES]` each.

    Attributes:
        regrets: of each action, cumulated.
        played: what the next strategy is in proportion to; the same array as `regrets` unless it is predicted.
        sums: of the strategies played so far, weighted with the own reach.
    """

    regrets: Floats
    played: Floats
    sums: Floats


class Step(NamedTuple):
    """What one iteration does.

    Attributes:
        weight: of this iteration's strategy in the average.
        keep_gains: what positive regrets are multiplied by.
        keep_losses: what negative ones are multiplied by; 0 forgets them.
        predicts: 1 where the last regret counts twice for the next strategy.
    """

    weight: np.float32
    keep_gains: np.float32
    keep_losses: np.float32
    predicts: int


class Front(NamedTuple):
    """What passes between the top and the tasks.

    Attributes:
        reaches: float32 `[tasks + 1, seats, hands * LANES]`; of the top, the chance of each hand, in lane 0.
        values: float32 `[tasks + 1, hands * LANES]`.
        roots, movers, starts, places: as in `Layout`.
    """

    reaches: Floats
    values: Floats
    roots: Ints
    movers: Ints
    starts: Ints
    places: Ints


class Room(NamedTuple):
    """Where one thread works; `depth` is the longest line of decisions, and one more.

    Attributes:
        state, base, edge, mover, cell, slot, exit: int64 `[depth]`: the state of the position on each level, its first
            row in the store, the edge that is next, who acts, its first row in `reaches` and `values`, the row for its
            own value, and its first exit.
        at: int64 `[depth, seats]`, where in `reaches` each seat's reach stands.
        reaches, values: float32 `[cells, hands * LANES]`.
        bits: `reaches` seen as integers.
        alive: int64 `[cells]`, 1 where a row of `reaches` is not all zero.
        work: float32 `[3, hands * LANES]`.
        tallies: float32 `[seats, hand_size + 1, LANES]`, a reach by the number of one digit.
        joint: float32 `[2, seats * hand_size + 1, LANES]`, several reaches by their total number of it.
        lines: float32 `[hand_size + 1, LANES]`, what is won by the own number of it.
    """

    state: Ints
    base: Ints
    edge: Ints
    mover: Ints
    cell: Ints
    slot: Ints
    exit: Ints
    at: Ints
    reaches: Floats
    values: Floats
    bits: NDArray[np.int32]
    alive: Ints
    work: Floats
    tallies: Floats
    joint: Floats
    lines: Floats


def sweep_all(
    tasks: Ints, mode: int, player: int, step: Step, plan: Plan, cards: Cards, store: Store, front: Front, room: Room
) -> None:
    """Sweep over tasks one after the other.

    Args:
        tasks: int64 `[n]`, their numbers.
        mode: `DESCEND` (the top only: tell the tasks what they are reached with), `UPDATE` the regrets, or, against the
            average strategies of the others, `RESPOND_BEST` or `EXPECT` the worth of the player's own average.
        player: whose sweep it is.
        step: the iteration's numbers.
        plan: the tree.
        cards: what hands are worth.
        store: what is remembered; written to by `UPDATE` alone.
        front: from where reaches are read, and where values are written.
        room: for this thread.
    """
    for task in tasks:
        if _enter_task(task, player, front, room):
            _sweep(task, mode, player, step, plan, cards, store, front, room)
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


def _sweep(
    task: int,
    mode: int,
    player: int,
    step: Step,
    plan: Plan,
    cards: Cards,
    store: Store,
    front: Front,
    room: Room,
) -> None:
    """Walk a task's tree, depth first."""
    seats = room.at.shape[1]
    averaged = player + 1 if player + 1 < seats else 0
    played = store.sums if mode == RESPOND_BEST or mode == EXPECT else store.played
    level = 0
    room.edge[0] = plan.first[room.state[0]]
    if room.mover[0] != player:
        _spread(0, mode == UPDATE and room.mover[0] == averaged, step.weight, plan, played, store.sums, room)
    while level >= 0:
        state, edge, mover = room.state[level], room.edge[level], room.mover[level]
        if edge == plan.first[state + 1]:
            if mode != DESCEND:
                if mover != player:
                    _add_up(level, mover == averaged, plan, room)
                elif mode == RESPOND_BEST:
                    _take_best(level, plan, room)
                else:
                    _expect(level, plan, played, room)
                    if mode == UPDATE:
                        _learn(level, step, plan, store, room)
            level -= 1
            continue
        room.edge[level] = edge + 1
        cell = room.cell[level] + edge - plan.first[state]
        if mover == averaged and not room.alive[cell]:
            continue
        later = plan.state[edge]
        if later == ENDS:
            if mode != DESCEND:
                _count(level, edge, mover, player, cell, plan, cards, room)
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
            level = below
            if acts != player:
                _spread(level, mode == UPDATE and acts == averaged, step.weight, plan, played, store.sums, room)


def _spread(
    level: int, averages: bool, weight: np.float32, plan: Plan, played: Floats, sums: Floats, room: Room
) -> None:
    """What a seat that is not the sweep's player reaches each child with, by its strategy."""
    state, base, cell, width = room.state[level], room.base[level], room.cell[level], room.reaches.shape[1]
    rows = plan.first[state + 1] - plan.first[state]
    even = ONE / np.float32(rows)
    reach = room.at[level, room.mover[level]]
    shares, evens = 0, 1
    for i in range(width):
        room.work[0, i] = ZERO
    for row in range(rows):
        for i in range(width):
            room.work[0, i] += max(played[base + row, i], ZERO)
    for i in range(width):
        total = room.work[0, i]
        is_some = total > ZERO
        room.work[shares, i] = room.reaches[reach, i] / total if is_some else ZERO
        room.work[evens, i] = ZERO if is_some else room.reaches[reach, i] * even
    for row in range(rows):
        found = 0
        for i in range(width):
            share = max(played[base + row, i], ZERO) * room.work[shares, i] + room.work[evens, i]
            share = share if share > TOO_RARE else ZERO
            room.reaches[cell + row, i] = share
        for i in range(width):
            found |= room.bits[cell + row, i]
        room.alive[cell + row] = found != 0
        if averages and found != 0:
            for i in range(width):
                sums[base + row, i] += weight * room.reaches[cell + row, i]


def _add_up(level: int, prunes: bool, plan: Plan, room: Room) -> None:
    """The value of a position in which another seat has acted: the sum over what it may have done."""
    state, cell, slot, width = room.state[level], room.cell[level], room.slot[level], room.reaches.shape[1]
    for i in range(width):
        room.work[0, i] = ZERO
    for row in range(plan.first[state + 1] - plan.first[state]):
        if not prunes or room.alive[cell + row]:
            for i in range(width):
                room.work[0, i] += room.values[cell + row, i]
    for i in range(width):
        room.values[slot, i] = room.work[0, i]


def _expect(level: int, plan: Plan, played: Floats, room: Room) -> None:
    """The value of a position in which the player has acted by a strategy; it is left in `work[0]` as well."""
    state, base, cell = room.state[level], room.base[level], room.cell[level]
    slot, width = room.slot[level], room.reaches.shape[1]
    rows = plan.first[state + 1] - plan.first[state]
    even = ONE / np.float32(rows)
    values, totals, plain = 0, 1, 2
    for i in range(width):
        room.work[values, i] = ZERO
        room.work[totals, i] = ZERO
        room.work[plain, i] = ZERO
    for row in range(rows):
        for i in range(width):
            share, value = max(played[base + row, i], ZERO), room.values[cell + row, i]
            room.work[values, i] += share * value
            room.work[totals, i] += share
            room.work[plain, i] += value
    for i in range(width):
        total = room.work[totals, i]
        room.work[values, i] = room.work[values, i] / total if total > ZERO else room.work[plain, i] * even
        room.values[slot, i] = room.work[values, i]


def _learn(level: int, step: Step, plan: Plan, store: Store, room: Room) -> None:
    """Add to the regrets what each action would have won more than the position's value in `work[0]`."""
    state, base, cell, width = room.state[level], room.base[level], room.cell[level], room.reaches.shape[1]
    regrets, played = store.regrets, store.played
    for row in range(plan.first[state + 1] - plan.first[state]):
        if step.predicts:
            for i in range(width):
                last = room.values[cell + row, i] - room.work[0, i]
                regret = regrets[base + row, i] + last
                regret *= step.keep_gains if regret > ZERO else step.keep_losses
                regrets[base + row, i] = regret
                played[base + row, i] = regret + last
        else:
            for i in range(width):
                regret = regrets[base + row, i] + (room.values[cell + row, i] - room.work[0, i])
                regrets[base + row, i] = regret * (step.keep_gains if regret > ZERO else step.keep_losses)


def _take_best(level: int, plan: Plan, room: Room) -> None:
    """The value of a position in which the player takes, with each hand, what is best."""
    state, cell, slot, width = room.state[level], room.cell[level], room.slot[level], room.reaches.shape[1]
    for i in range(width):
        room.work[0, i] = room.values[cell, i]
    for row in range(1, plan.first[state + 1] - plan.first[state]):
        for i in range(width):
            room.work[0, i] = max(room.work[0, i], room.values[cell + row, i])
    for i in range(width):
        room.values[slot, i] = room.work[0, i]


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


def _count(level: int, edge: int, mover: int, player: int, cell: int, plan: Plan, cards: Cards, room: Room) -> None:
    """What the player's hands win when the bid is counted, against all that the others may hold."""
    seats, kinds, claim = room.at.shape[1], room.lines.shape[0], plan.claim[edge]
    counts = cards.counts[cards.ranks[claim]]
    bidder = mover + plan.turn[edge]
    bidder = bidder if bidder < seats else bidder - seats
    bids = bidder == player
    joined, spare, most = 0, 1, 0
    for lane in range(LANES):
        room.joint[joined, 0, lane] = ONE
    for seat in range(seats):
        if seat == player:
            continue
        reach = cell if seat == mover else room.at[level, seat]
        _tally(reach, counts, room.tallies[seat], room.reaches)
        if seat != bidder:
            _join(room.joint[joined], most, room.tallies[seat], room.joint[spare])
            joined, spare = spare, joined
            most += kinds - 1
    for own in range(kinds):
        for lane in range(LANES):
            room.lines[own, lane] = ZERO
        for held in range(1 if bids else kinds):
            for others in range(most + 1):
                if bids:
                    pay = cards.pays[BIDDER, claim, own, own + others]
                    for lane in range(LANES):
                        room.lines[own, lane] += pay * room.joint[joined, others, lane]
                else:
                    pay = cards.pays[ANOTHER, claim, held, own + held + others]
                    for lane in range(LANES):
                        room.lines[own, lane] += (
                            pay * room.tallies[bidder, held, lane] * room.joint[joined, others, lane]
                        )
    values = room.values[cell]
    for hand in range(counts.size):
        own = counts[hand]
        for lane in range(LANES):
            values[hand * LANES + lane] = room.lines[own, lane]


def _tally(reach: int, counts: Ints, tally: Floats, reaches: Floats) -> None:
    """A reach by how many of one digit the hands hold."""
    for kind in range(tally.shape[0]):
        for lane in range(LANES):
            tally[kind, lane] = ZERO
    for hand in range(counts.size):
        kind = counts[hand]
        for lane in range(LANES):
            tally[kind, lane] += reaches[reach, hand * LANES + lane]


def _join(joint: Floats, most: int, tally: Floats, joined: Floats) -> None:
    """What several seats together hold, with one seat more."""
    kinds = tally.shape[0]
    for total in range(most + kinds):
        for lane in range(LANES):
            joined[total, lane] = ZERO
    for before in range(most + 1):
        for kind in range(kinds):
            for lane in range(LANES):
                joined[before + kind, lane] += joint[before, lane] * tally[kind, lane]
