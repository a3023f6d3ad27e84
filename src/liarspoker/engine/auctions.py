"""Auctions of the digit games in rows of arrays, in compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from liarspoker.games.digits.auction import Auction

Ints = NDArray[np.int64]


def auction_in(auctions: Ints, row: int) -> Auction:
    """The auction of a row."""
    line = auctions[row]
    return Auction(line[0], line[1], line[2], line[3], line[4], line[5])


def put_auction(auctions: Ints, row: int, auction: Auction) -> None:
    """Write the auction of a row."""
    auctions[row, 0] = auction.claim
    auctions[row, 1] = auction.bidder
    auctions[row, 2] = auction.is_rebid
    auctions[row, 3] = auction.challenges
    auctions[row, 4] = auction.to_act
    auctions[row, 5] = auction.phase
