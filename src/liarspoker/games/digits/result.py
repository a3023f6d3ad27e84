"""The result of a hand, and a seat's view of a session.

Bots, pages and sockets receive only a `DigitView`.
"""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.errors import BadDeal
from liarspoker.core.session import Reason
from liarspoker.games.digits.auction import Auction
from liarspoker.games.digits.hands import HIDDEN, ROWS, ends_odd
from liarspoker.games.digits.options import DigitOptions, Rules
from liarspoker.games.digits.round import DigitRound, Legal, Terms
from liarspoker.games.digits.settlement import (
    BID_CARRIES,
    BID_COMPOUNDS,
    FLAT,
    HERO,
    MADE,
    NONE_CARRIES,
    OUTCOMES,
    Settlement,
    carry_rule,
    level_factor,
    next_opener,
    next_stake,
    payoff,
    settle,
    sixes_factor,
)
from liarspoker.language import _


@dataclass(frozen=True, slots=True)
class DigitResult:
    """The result of a counted hand.

    Attributes:
        opener: the seat that opened.
        stake: the stake in units.
        final_claim: the bid that was counted.
        bidder: the seat that made it.
        total: how many of its digit all players hold.
        counts: how many of it each seat holds.
        settlement: outcome and multipliers.
        payoffs: units won or lost by each seat; they sum to zero.
        next_stake: the carried stake, before a tenth hand doubles it or a new slip resets it.
        next_opener: the seat that opens the next hand.
        why: the rules behind the multiplier and the next stake, in the order in which they apply.
        odd_endings: on slips, whether each seat's number ends in an odd digit; otherwise empty.
    """

    opener: int
    stake: int
    final_claim: int
    bidder: int
    total: int
    counts: tuple[int, ...]
    settlement: Settlement
    payoffs: tuple[int, ...]
    next_stake: int
    next_opener: int
    why: tuple[Reason, ...]
    odd_endings: tuple[bool, ...] = ()


def conclude(hand: DigitRound) -> DigitResult:
    """Return the result of a hand whose auction is over.

    Raises:
        BadDeal: the counts contradict the numbers, or the last digit of a slip's number is hidden.
        MissingInformation: numbers are hidden and the record gives no counts.
    """
    rules, terms, auction = hand.rules, hand.terms, hand.auction
    counts = hand.final_counts()
    own, total = counts[auction.bidder], sum(counts)
    settlement = settle(auction.claim, own, total, rules)
    carried = next_stake(settlement.bid_multiplier, own, terms.base, rules)
    return DigitResult(
        opener=terms.opener,
        stake=terms.stake,
        final_claim=auction.claim,
        bidder=auction.bidder,
        total=total,
        counts=counts,
        settlement=settlement,
        payoffs=tuple(payoff(seat, auction.bidder, settlement, terms.stake, rules) for seat in range(rules.seats)),
        next_stake=carried,
        next_opener=next_opener(terms.opener, auction.bidder, settlement.outcome, rules),
        why=_reasons(hand, settlement, own, carried),
        odd_endings=() if terms.row is None else _odd_endings(hand.numbers),
    )


def _odd_endings(numbers: tuple[str, ...]) -> tuple[bool, ...]:
    if any(number[-1] == HIDDEN for number in numbers):
        raise BadDeal(
            _("slips: the last digit of each number played must be known, because it determines the next row")
        )
    return tuple(ends_odd(number) for number in numbers)


def bid_reasons(claim: int, rules: Rules) -> tuple[Reason, ...]:
    """Return the rules that raise a bid's multiplier above 1."""
    parts = (Reason("level", level_factor(claim, rules)), Reason("sixes", sixes_factor(claim, rules)))
    return tuple(reason for reason in parts if reason.amount > 1)


def _reasons(hand: DigitRound, settlement: Settlement, own: int, carried: int) -> tuple[Reason, ...]:
    """Return the rules behind the payoffs and the next stake; a skunk doesn't depend on the bid's multiplier."""
    carry = carry_rule(own, hand.terms.base, hand.rules)
    matters = settlement.outcome in (MADE, HERO) or carry in (BID_CARRIES, BID_COMPOUNDS)
    multiplier = bid_reasons(hand.auction.claim, hand.rules) if matters else ()
    name = _CARRY_NAMES[carry]
    return (
        *multiplier,
        Reason(OUTCOMES[settlement.outcome], settlement.multiplier),
        *((Reason(name, carried),) if name else ()),
    )


_CARRY_NAMES = {FLAT: "", BID_CARRIES: "bid-carries", BID_COMPOUNDS: "bid-compounds", NONE_CARRIES: "none-carries"}


@dataclass(frozen=True, slots=True)
class DigitView:
    """A digit session as one seat sees it. Before the count, no field holds another seat's number.

    Attributes:
        game: the catalogue ID.
        options: the options in force.
        rules: the same, packed for the rule functions.
        seat: the seat whose view this is; `None` for a spectator.
        terms: opener, stake and row of the hand on the table; `None` before the first.
        auction: the state of the auction; `None` before the first hand.
        moves: the moves of this hand, as (seat, action).
        number: this seat's number; `None` for a spectator or before the first hand.
        slip: the fifteen numbers of this seat's slip; empty where bills are dealt.
        played_rows: mask of the slip's rows that have been played and counted.
        score: units won or lost by each seat so far.
        result: the result of the count; `None` before it.
        shown: each seat's number once the count has made the numbers public; else empty.
    """

    game: str
    options: DigitOptions
    rules: Rules
    seat: int | None
    terms: Terms | None
    auction: Auction | None
    moves: tuple[tuple[int, int], ...]
    number: str | None
    slip: tuple[str, ...]
    played_rows: int
    score: tuple[int, ...]
    result: DigitResult | None
    shown: tuple[str, ...]

    @property
    def legal(self) -> Legal:
        """The legal actions of the seat to act. They follow from public information."""
        if self.terms is None or self.auction is None:
            return Legal((), (), endless=False)
        return DigitRound(self.rules, self.terms, (), None, self.auction, self.moves).legal()

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to act."""
        return self.auction is not None and self.seat is not None and self.auction.to_act == self.seat

    def row_played(self, row: int) -> bool:
        """Return whether `row` of the slip, 0 to 14, has been played and counted."""
        return 0 <= row < ROWS and bool(self.played_rows >> row & 1)
