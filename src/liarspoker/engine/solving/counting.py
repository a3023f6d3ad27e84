"""What a counted bid is worth to each hand, against all that the others may hold; in compiled code."""

from __future__ import annotations

import numpy as np

from liarspoker.engine.solving.payoffs import ANOTHER, BIDDER
from liarspoker.engine.solving.plan import LANES, Ints, Plan
from liarspoker.engine.solving.rooms import Cards, Floats, Room

ZERO = np.float32(0)
ONE = np.float32(1)


def count(level: int, edge: int, mover: int, player: int, cell: int, plan: Plan, cards: Cards, room: Room) -> None:
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
