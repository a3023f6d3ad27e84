"""What the seat to act may know of its hand, as a row of numbers for a net."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.digits.stepping import State, auction_in
from liarspoker.games.digits.auction import OVER
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.ladder import NO_CLAIM, digit_of, level_of, rank_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.slips import HANDS_PER_SLIP

STANDING = ("open", "respond", "decide", "challenges", "is rebid", "bidder", "stake", "hand of ten")
"""Columns that are the same for every table."""


def feature_names(rules: Rules) -> list[str]:
    """What stands in each column of an observation.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> names = feature_names(packed(DigitOptions(symbols=2), seats=2))
    >>> names[:5]
    ['own 1', 'own 2', 'level', 'standing 1', 'standing 2']
    >>> names[5:13] == list(STANDING), names[13:]
    (True, ['bid 1 by 0', 'bid 2 by 0', 'bid 1 by 1', 'bid 2 by 1'])
    """
    digits = [digit_of(rank, rules) for rank in range(rules.symbols)]
    return [
        *(f"own {digit}" for digit in digits),
        "level",
        *(f"standing {digit}" for digit in digits),
        *STANDING,
        *(f"bid {digit} by {other}" for other in range(rules.seats) for digit in digits),
    ]


def observe_all(state: State, rules: Rules, features: NDArray[np.float32]) -> None:
    """Write each row's observation into `features`, `[n, len(feature_names)]`; zeros where the hand is over."""
    symbols, seats = rules.symbols, rules.seats
    standing = symbols + 1
    rest = standing + symbols
    bids = rest + 8
    for row in range(features.shape[0]):
        line = features[row]
        for column in range(line.size):
            line[column] = 0.0
        auction = auction_in(state.auctions, row)
        if auction.phase == OVER:
            continue
        seat = auction.to_act
        for rank in range(symbols):
            line[rank] = count_of(state.counts[row, seat], digit_of(rank, rules))
        line[rest + 5] = -1.0
        if auction.claim != NO_CLAIM:
            line[symbols] = level_of(auction.claim, rules)
            line[standing + rank_of(digit_of(auction.claim, rules), rules)] = 1.0
            line[rest + 5] = (auction.bidder - seat) % seats
        line[rest + auction.phase] = 1.0
        line[rest + 3] = auction.challenges
        line[rest + 4] = auction.is_rebid
        line[rest + 6] = state.terms[row, 2]
        line[rest + 7] = state.ledgers[row, 0] % HANDS_PER_SLIP
        for other in range(seats):
            by = (seat + other) % seats
            for rank in range(symbols):
                line[bids + other * symbols + rank] = state.levels[row, by, rank]
