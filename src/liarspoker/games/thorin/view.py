"""What one seat may know of Thorin's game: the only thing that a bot, a page or a socket is ever given."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.thorin.options import ThorinOptions, ThorinRules
from liarspoker.games.thorin.result import ThorinRoundResult
from liarspoker.games.thorin.round import Legal, Stint
from liarspoker.games.thorin.state import RoundState, Terms


@dataclass(frozen=True, slots=True)
class ThorinView:
    """Thorin's game as `seat` sees it. No field could hold the hand or a discard that this seat has not seen.

    Attributes:
        game: the catalogue id.
        options: the options of the match.
        rules: those of this round, packed for the rule functions.
        seat: whose view this is; `None` for somebody who does not play.
        terms: opener and living seats of the round on the table; `None` before the first.
        standing: where the round stands; `None` before the first.
        moves: who did what in this round, as (seat, action); the others' discards are face down.
        hand: the hand that goes around, for the active seat while it has it.
        stints: this seat's own memory: what it has taken, thrown and drawn each time it had the hand in this round.
        stock_left: cards in the stock.
        discards: cards thrown that have not been shuffled into the stock.
        floor: the value that the next declaration must promise more than.
        passes: how many passes each seat has left.
        legal: what the seat to act may do; what may be discarded, that seat alone may know.
        alive: the living seats.
        score: units won or lost by each seat; none before the match is won.
        winner: the seat that has won the match.
        result: how the round came out, once it is over.
    """

    game: str
    options: ThorinOptions
    rules: ThorinRules
    seat: int | None
    terms: Terms | None
    standing: RoundState | None
    moves: tuple[tuple[int, int], ...]
    hand: tuple[int, ...] | None
    stints: tuple[Stint, ...]
    stock_left: int
    discards: int
    floor: int
    passes: tuple[int, ...]
    legal: Legal
    alive: tuple[int, ...]
    score: tuple[int, ...]
    winner: int | None
    result: ThorinRoundResult | None

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to act."""
        return self.standing is not None and self.seat is not None and self.standing.to_act == self.seat
