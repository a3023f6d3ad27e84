"""What a traversal computes at one position and at a count, for all hands and lanes at once; in compiled code."""

from __future__ import annotations

import numpy as np

from liarspoker.solve.buffers import Buffers, Cards, Floats, Step, Store
from liarspoker.solve.hands import Small
from liarspoker.solve.layout import LANES, Layout
from liarspoker.solve.payoffs import ANOTHER, BIDDER

ZERO = np.float32(0)
ONE = np.float32(1)
TOO_RARE = np.float32(1e-15)
"""A reach below this counts as none: such numbers slow the processor down and decide nothing."""


def spread(
    level: int, averages: bool, weight: np.float32, layout: Layout, played: Floats, sums: Floats, buffers: Buffers
) -> None:
    """What a seat that isn't the traversal's player reaches each child with, by its strategy."""
    state, base, cell, width = buffers.state[level], buffers.base[level], buffers.cell[level], buffers.reaches.shape[1]
    rows = layout.first[state + 1] - layout.first[state]
    even = ONE / np.float32(rows)
    reach = buffers.at[level, buffers.mover[level]]
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
            share = share if share > TOO_RARE else ZERO
            buffers.reaches[cell + row, i] = share
        for i in range(width):
            found |= buffers.bits[cell + row, i]
        buffers.alive[cell + row] = found != 0
        if averages and found != 0:
            for i in range(width):
                sums[base + row, i] += weight * buffers.reaches[cell + row, i]


def add_up(level: int, prunes: bool, layout: Layout, buffers: Buffers) -> None:
    """The value of a position in which another seat has acted: the sum over what it may have done."""
    state, cell, slot, width = buffers.state[level], buffers.cell[level], buffers.slot[level], buffers.reaches.shape[1]
    for i in range(width):
        buffers.work[0, i] = ZERO
    for row in range(layout.first[state + 1] - layout.first[state]):
        if not prunes or buffers.alive[cell + row]:
            for i in range(width):
                buffers.work[0, i] += buffers.values[cell + row, i]
    for i in range(width):
        buffers.values[slot, i] = buffers.work[0, i]


def expect(level: int, layout: Layout, played: Floats, buffers: Buffers) -> None:
    """The value of a position in which the player has acted by a strategy; it is left in `work[0]` as well."""
    state, base, cell = buffers.state[level], buffers.base[level], buffers.cell[level]
    slot, width = buffers.slot[level], buffers.reaches.shape[1]
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
        total = buffers.work[totals, i]
        buffers.work[values, i] = buffers.work[values, i] / total if total > ZERO else buffers.work[plain, i] * even
        buffers.values[slot, i] = buffers.work[values, i]


def learn(level: int, step: Step, layout: Layout, store: Store, buffers: Buffers) -> None:
    """Add to the regrets what each action would have won more than the position's value in `work[0]`."""
    state, base, cell, width = buffers.state[level], buffers.base[level], buffers.cell[level], buffers.reaches.shape[1]
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
    """The value of a position in which the player takes, with each hand, what is best."""
    state, cell, slot, width = buffers.state[level], buffers.cell[level], buffers.slot[level], buffers.reaches.shape[1]
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
    """What the player's hands win when the bid is counted, against all that the others may hold."""
    seats, kinds, claim = buffers.at.shape[1], buffers.lines.shape[0], layout.claim[edge]
    counts = cards.counts[cards.ranks[claim]]
    bidder = mover + layout.turn[edge]
    bidder = bidder if bidder < seats else bidder - seats
    bids = bidder == player
    joined, spare, most = 0, 1, 0
    for lane in range(LANES):
        buffers.joint[joined, 0, lane] = ONE
    for seat in range(seats):
        if seat == player:
            continue
        reach = cell if seat == mover else buffers.at[level, seat]
        _tally(reach, counts, buffers.tallies[seat], buffers.reaches)
        if seat != bidder:
            _join(buffers.joint[joined], most, buffers.tallies[seat], buffers.joint[spare])
            joined, spare = spare, joined
            most += kinds - 1
    for own in range(kinds):
        for lane in range(LANES):
            buffers.lines[own, lane] = ZERO
        for held in range(1 if bids else kinds):
            for others in range(most + 1):
                if bids:
                    pay = cards.pays[claim, BIDDER, own, own + others]
                    for lane in range(LANES):
                        buffers.lines[own, lane] += pay * buffers.joint[joined, others, lane]
                else:
                    pay = cards.pays[claim, ANOTHER, held, own + held + others]
                    for lane in range(LANES):
                        buffers.lines[own, lane] += (
                            pay * buffers.tallies[bidder, held, lane] * buffers.joint[joined, others, lane]
                        )
    values = buffers.values[cell]
    for hand in range(counts.size):
        own = counts[hand]
        for lane in range(LANES):
            values[hand * LANES + lane] = buffers.lines[own, lane]


def _tally(reach: int, counts: Small, tally: Floats, reaches: Floats) -> None:
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
