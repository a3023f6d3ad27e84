"""The auction of one hand: legal actions and transitions.

```
            bid                     bid (resets the challenges)
   OPEN ───────────► RESPOND ◄──────────────┐
                       │ all others challenge │ a stronger bid: the rebid
                       ├──────────────────► DECIDE
                       │ (rebids off, or      │ count
                       │  this is a rebid)    ▼
                       └──────────────────► OVER
```

There is no pass. A challenge isn't final: after a new bid, everybody may bid or challenge again.
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
"""The challenge, as an action."""
COUNT = -2
"""The count, as an action."""

OPEN = 0
"""The phase before the first bid."""
RESPOND = 1
"""The phase in which the next seat bids or challenges."""
DECIDE = 2
"""The phase in which a bidder, challenged all around, counts or rebids."""
OVER = 3
"""The phase after the auction."""
PHASES = ("open", "respond", "decide", "over")
"""The names of the phases in the notation."""

NOBODY = -1
"""Takes the place of a seat."""


class Auction(NamedTuple):
    """The public state of an auction, in ints.

    Attributes:
        claim: the standing bid, `NO_CLAIM` before the first.
        bidder: the seat that made it, `NOBODY` before the first.
        is_rebid: 1 if its bidder was challenged all around and raised their own bid.
        challenges: consecutive challenges to it, 0 to seats - 1.
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
    """Return the auction before the first bid, which `opener` must make."""
    return Auction(NO_CLAIM, NOBODY, 0, 0, opener, OPEN)


def refusal(auction: Auction, action: int, rules: Rules) -> int:
    """Return `LEGAL` (0) if the seat to act may play `action`, else a refusal code of `liarspoker.core.errors`.

    This function doesn't detect repeated bids, which are illegal with `loose_order`; see `refusal_with_repeats`.

    Args:
        auction: the state of the auction.
        action: a bid, `CHALLENGE` or `COUNT`.
        rules: the table's rules.
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


def refusal_with_repeats(auction: Auction, action: int, made_before: bool, rules: Rules) -> int:
    """Return the refusal code of `action`, as `refusal` does, and refuse repeated bids with `loose_order`.

    The loose order has cycles, so no bid may be made twice in a hand.

    Args:
        auction: the state of the auction.
        action: a bid, `CHALLENGE` or `COUNT`.
        made_before: whether this bid was already made in this hand.
        rules: the table's rules.
    """
    code = refusal(auction, action, rules)
    if made_before and rules.loose and action >= 0 and code in (LEGAL, NOT_STRONGER):
        return REPEATED_CLAIM
    return code


def after(auction: Auction, action: int, rules: Rules) -> Auction:
    """Return the auction after the seat to act plays `action`, which must be legal."""
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
