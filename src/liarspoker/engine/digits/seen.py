"""What a policy is shown: all that its seat may know of the hand in play, and nothing else."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.games.digits.auction import Auction, refusal_again
from liarspoker.games.digits.options import Rules


class Seen(NamedTuple):
    """What the seat to act may know. Arrays in it must not be written to.

    Attributes:
        rules: the table's.
        auction: where the bidding stands; `auction.to_act` is the seat that is asked.
        number: its own number, four bits a digit, first digit lowest.
        counts: how often it holds each digit, for `liarspoker.games.digits.hands.count_of`.
        hand: the hand's number in its session, from 0.
        stake: what is played for, in units.
        made: how many actions were played in this hand so far.
        moves: int32 `[many, 2]`, the first `made` of them filled: seat and action.
        bids: bool, under the loose order `[ladder_length]`: which bids were made in this hand; else empty.
    """

    rules: Rules
    auction: Auction
    number: int
    counts: int
    hand: int
    stake: int
    made: int
    moves: NDArray[np.int32]
    bids: NDArray[np.bool_]


def refusal_of(auction: Auction, action: int, bids: NDArray[np.bool_], rules: Rules) -> int:
    """Why the seat to act may not play `action`: 0 if it may, else a refusal of `liarspoker.core.errors`.

    Args:
        auction: as it stands.
        action: any int.
        bids: as in `Seen`.
        rules: the table's.
    """
    made_before = 0 <= action < bids.size and bids[action]
    return refusal_again(auction, action, made_before, rules)
