"""What one seat may know of a session: the only thing that a bot, a page or a socket is ever given."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.digits.auction import Auction
from liarspoker.games.digits.options import DigitOptions, Rules
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.round import DigitRound, Legal, Terms
from liarspoker.games.digits.slips import ROWS


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
