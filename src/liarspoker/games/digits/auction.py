"""The auction of one hand: who may do what, and what it leads to.

```
            bid                     bid (the count of challenges starts again)
   OPEN ───────────► RESPOND ◄──────────────┐
                       │ all others challenge │ a stronger bid: the rebid
                       ├──────────────────► DECIDE
                       │ (rebids off, or      │ count
                       │  this is a rebid)    ▼
                       └──────────────────► OVER
```

There is no pass, and a challenge is not final: after a new bid everybody is free again.
"""

from __future__ import annotations

from typing import NamedTuple

from liarspoker.core.errors import (
    LEGAL,
    NO_SUCH_CLAIM,
    NOT_STRONGER,
    REPEATED_CLAIM,
    ROUND_OVER,
    UNREADABLE_ACTION,
    WRONG_PHASE,
)
from liarspoker.games.digits.ladder import NO_CLAIM, beats, ladder_length
from liarspoker.games.digits.options import Rules

CHALLENGE = -1
COUNT = -2

OPEN = 0
RESPOND = 1
DECIDE = 2
OVER = 3
PHASES = ("open", "respond", "decide", "over")

NOBODY = -1


class Auction(NamedTuple):
    """All that the auction's future depends on, public and in ints.

    Attributes:
        claim: the standing bid, `NO_CLAIM` before the first.
        bidder: the seat that made it, `NOBODY` before the first.
        is_rebid: 1 if its bidder, challenged all around, raised his own bid to it.
        challenges: how many have challenged it in a row, 0 to seats - 1.
        to_act: the seat whose turn it is, `NOBODY` when the auction is over.
        phase: `OPEN`, `RESPOND`, `DECIDE` or `OVER`.
    """

    claim: int
    bidder: int
    is_rebid: int
    challenges: int
    to_act: int
    phase: int


def opening(opener: int) -> Auction:
    """The auction before its first bid, which `opener` must make."""
    return Auction(NO_CLAIM, NOBODY, 0, 0, opener, OPEN)


def refusal(auction: Auction, action: int, rules: Rules) -> int:
    """Why the seat to act may not play `action`: `LEGAL`, which is 0, or a refusal of `liarspoker.core.errors`.

    Args:
        auction: as it stands.
        action: a bid of the ladder, `CHALLENGE` or `COUNT`.
        rules: the table's rules. That a bid was made before in this hand, which counts only under the loose order, is
            not seen here: `refusal_again` sees it.
    """
    phase = auction.phase
    if phase == OVER:
        return ROUND_OVER
    if action >= 0:
        if rules.capped and action >= ladder_length(rules):
            return NO_SUCH_CLAIM
        if phase == OPEN or beats(action, auction.claim, rules):
            return LEGAL
        return NOT_STRONGER
    if action == CHALLENGE:
        return LEGAL if phase == RESPOND else WRONG_PHASE
    if action == COUNT:
        return LEGAL if phase == DECIDE else WRONG_PHASE
    return UNREADABLE_ACTION


def refusal_again(auction: Auction, action: int, made_before: bool, rules: Rules) -> int:
    """Why the seat to act may not play `action`, given whether this very bid was made before in this hand.

    Under the loose order, which has cycles, no bid may be made twice; under the usual ones none can be.
    """
    code = refusal(auction, action, rules)
    if made_before and rules.loose and action >= 0 and code in (LEGAL, NOT_STRONGER):
        return REPEATED_CLAIM
    return code


def after(auction: Auction, action: int, rules: Rules) -> Auction:
    """The auction after the seat to act plays `action`, which must be legal."""
    seat = auction.to_act
    following = seat + 1 if seat + 1 < rules.seats else 0
    if action >= 0:
        rebid = 1 if auction.phase == DECIDE else 0
        return Auction(action, seat, rebid, 0, following, RESPOND)
    if action == COUNT:
        return Auction(auction.claim, auction.bidder, auction.is_rebid, auction.challenges, NOBODY, OVER)
    challenges = auction.challenges + 1
    if challenges < rules.seats - 1:
        return Auction(auction.claim, auction.bidder, auction.is_rebid, challenges, following, RESPOND)
    if rules.rebid and not auction.is_rebid:
        return Auction(auction.claim, auction.bidder, auction.is_rebid, challenges, auction.bidder, DECIDE)
    return Auction(auction.claim, auction.bidder, auction.is_rebid, challenges, NOBODY, OVER)
