"""How a hand came out, and what one seat may know of a session.

`DigitView` is the only thing that a bot, a page or a socket is ever given.
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
    level_part,
    next_opener,
    next_stake,
    payoff,
    settle,
    sixes_part,
)


@dataclass(frozen=True, slots=True)
class DigitResult:
    """A counted hand.

    Attributes:
        opener: the seat that opened.
        stake: what was played for, in units.
        final_claim: the bid that was counted.
        bidder: who made it.
        total: how many of its digit all players hold.
        counts: how many each seat holds.
        settlement: outcome and multipliers.
        payoffs: units won or lost by each seat; they sum to zero.
        next_stake: the stake carried on, before a tenth hand doubles it or a new slip resets it.
        next_opener: who opens the next hand.
        why: the rules that made the multiplier and the next stake, in the order in which they apply.
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
    """The result of a hand whose auction is over.

    Raises:
        BadDeal: the counts told contradict the numbers, or the last digit of a slip's number was never shown.
        NotTold: numbers were never shown, and no counts are told.
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
        raise BadDeal("slips: the last digits of the numbers played choose the next row and must be known")
    return tuple(ends_odd(number) for number in numbers)


def bid_reasons(claim: int, rules: Rules) -> tuple[Reason, ...]:
    """The rules that make a bid worth more than one."""
    parts = (Reason("level", level_part(claim, rules)), Reason("sixes", sixes_part(claim, rules)))
    return tuple(reason for reason in parts if reason.amount > 1)


def _reasons(hand: DigitRound, settlement: Settlement, own: int, carried: int) -> tuple[Reason, ...]:
    """The rules that bear on what was paid and on the next stake; of a skunk the bid's worth is none of them."""
    carry = carry_rule(own, hand.terms.base, hand.rules)
    tells = settlement.outcome in (MADE, HERO) or carry in (BID_CARRIES, BID_COMPOUNDS)
    worth = bid_reasons(hand.auction.claim, hand.rules) if tells else ()
    name = _CARRY_NAMES[carry]
    return (
        *worth,
        Reason(OUTCOMES[settlement.outcome], settlement.multiplier),
        *((Reason(name, carried),) if name else ()),
    )


_CARRY_NAMES = {FLAT: "", BID_CARRIES: "bid-carries", BID_COMPOUNDS: "bid-compounds", NONE_CARRIES: "none-carries"}


@dataclass(frozen=True, slots=True)
class DigitView:
    """A digit session as `seat` sees it. It has no field that could hold another seat's number before the count.

    Attributes:
        game: the catalogue id.
        options: the options in force.
        rules: the same, packed for the rule functions.
        seat: whose view this is; `None` for somebody who holds no number.
        terms: opener, stake and row of the hand on the table; `None` before the first.
        auction: where the bidding stands; `None` before the first hand.
        moves: who did what in this hand, as (seat, action).
        number: this seat's own number.
        slip: this seat's own slip, all fifteen numbers; empty where bills are dealt.
        played_rows: mask of the slip's rows that have been played and counted.
        score: units won or lost by each seat.
        result: the count, once it is over; counts are public.
        shown: the numbers that the count has made public, one a seat; empty if none.
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
        """What the seat to act may do; everybody may know it, for it follows from what is public."""
        if self.terms is None or self.auction is None:
            return Legal((), (), endless=False)
        return DigitRound(self.rules, self.terms, (), None, self.auction, self.moves).legal()

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to act."""
        return self.auction is not None and self.seat is not None and self.auction.to_act == self.seat

    def row_played(self, row: int) -> bool:
        """Whether `row` of the slip, 0 to 14, has been played and counted."""
        return 0 <= row < ROWS and bool(self.played_rows >> row & 1)
