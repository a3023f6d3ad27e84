"""What a sweep does at one position, for all hands and lanes at once; in compiled code."""

from __future__ import annotations

import numpy as np

from liarspoker.engine.solving.plan import Plan
from liarspoker.engine.solving.rooms import Floats, Room, Step, Store

ZERO = np.float32(0)
ONE = np.float32(1)
TOO_RARE = np.float32(1e-15)
"""A reach below this counts as none: such numbers slow the processor down and decide nothing."""


def spread(
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


def add_up(level: int, prunes: bool, plan: Plan, room: Room) -> None:
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


def expect(level: int, plan: Plan, played: Floats, room: Room) -> None:
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


def learn(level: int, step: Step, plan: Plan, store: Store, room: Room) -> None:
    """Add to the regrets what each action would have won more than the position's value in `work[0]`."""
    state, base, cell, width = room.state[level], room.base[level], room.cell[level], room.reaches.shape[1]
    regrets, played = store.regrets, store.played
    for row in range(plan.first[state + 1] - plan.first[state]):
        if step.guess > ZERO:
            for i in range(width):
                last = room.values[cell + row, i] - room.work[0, i]
                regret = regrets[base + row, i] + last
                regret *= step.keep_gains if regret > ZERO else step.keep_losses
                regrets[base + row, i] = regret
                played[base + row, i] = regret + step.guess * last
        else:
            for i in range(width):
                regret = regrets[base + row, i] + (room.values[cell + row, i] - room.work[0, i])
                regrets[base + row, i] = regret * (step.keep_gains if regret > ZERO else step.keep_losses)


def take_best(level: int, plan: Plan, room: Room) -> None:
    """The value of a position in which the player takes, with each hand, what is best."""
    state, cell, slot, width = room.state[level], room.cell[level], room.slot[level], room.reaches.shape[1]
    for i in range(width):
        room.work[0, i] = room.values[cell, i]
    for row in range(1, plan.first[state + 1] - plan.first[state]):
        for i in range(width):
            room.work[0, i] = max(room.work[0, i], room.values[cell + row, i])
    for i in range(width):
        room.values[slot, i] = room.work[0, i]
