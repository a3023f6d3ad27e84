"""Which actions a seat has, numbered as `DigitRound.legal` lists them: bids from the weakest, then the answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.digits.seen import refusal_of
from liarspoker.games.digits.auction import CHALLENGE, COUNT, Auction, refusal
from liarspoker.games.digits.ladder import listed_end
from liarspoker.games.digits.options import Rules


def answers(auction: Auction, rules: Rules) -> int:
    """How many answers are legal: 1 where there is something to challenge or to count, else 0."""
    may_challenge = refusal(auction, CHALLENGE, rules) == LEGAL
    may_count = refusal(auction, COUNT, rules) == LEGAL
    return 1 if may_challenge or may_count else 0


def answer(auction: Auction, rules: Rules) -> int:
    """The legal answer, where there is one."""
    return CHALLENGE if refusal(auction, CHALLENGE, rules) == LEGAL else COUNT


def bids_listed(auction: Auction, bids: NDArray[np.bool_], rules: Rules) -> int:
    """How many bids are legal; on a ladder without a top, how many of them are listed."""
    end = listed_end(auction.claim, rules)
    if not rules.loose:
        return end - auction.claim - 1
    listed = 0
    for claim in range(end):
        if refusal_of(auction, claim, bids, rules) == LEGAL:
            listed += 1
    return listed


def bid_listed(place: int, auction: Auction, bids: NDArray[np.bool_], rules: Rules) -> int:
    """The legal bid at a place from 0, the weakest, to one less than `bids_listed`."""
    if not rules.loose:
        return auction.claim + 1 + place
    claim = -1
    while place >= 0:
        claim += 1
        if refusal_of(auction, claim, bids, rules) == LEGAL:
            place -= 1
    return claim
