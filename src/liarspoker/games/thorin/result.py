"""How a round of Thorin's game came out, and what one seat may know of it.

`ThorinView` is the only thing that a bot, a page or a socket is ever given.
"""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.cards.hand_values import hand_value
from liarspoker.core.cards.match import seats_in
from liarspoker.core.session import Reason
from liarspoker.games.thorin.ladder import fit, floor_of, keeps_promise
from liarspoker.games.thorin.options import ThorinOptions, ThorinRules
from liarspoker.games.thorin.round import Legal, Stint, ThorinRound
from liarspoker.games.thorin.state import NOBODY, RoundState, Terms, living_after, loser_and_opener


@dataclass(frozen=True, slots=True)
class ThorinRoundResult:
    """A round that is over; all of it is public.

    Attributes:
        opener: the seat that drew the first hand.
        final_claim: the declaration that stood at the end.
        claimant: who made it.
        challenger: who challenged it; `None` if nobody did.
        truthful: whether the hand is what was declared, or better; `None` if it was not shown.
        loser: the seat that is out; `None` if the hand was thrown in.
        alive: the living seats after the round, ascending.
        next_opener: who begins the next round; `None` once the match is won.
        floor: the value of the weakest hand that fits the declaration.
        hand: the five cards, if they were shown.
        hand_value: what they are worth.
        passes: how many passes each seat has left.
        thrown_in: all others passed; nobody is out.
        why: the rules that made the outcome, in the order in which they apply.
    """

    opener: int
    final_claim: int
    claimant: int
    challenger: int | None
    truthful: bool | None
    loser: int | None
    alive: tuple[int, ...]
    next_opener: int | None
    floor: int
    hand: tuple[int, ...] | None
    hand_value: int | None
    passes: tuple[int, ...]
    thrown_in: bool
    why: tuple[Reason, ...]


def conclude(played: ThorinRound) -> ThorinRoundResult:
    """The result of a round that is over: challenged, thrown in, or lost by taking what cannot be bettered."""
    standing = played.standing
    if standing.challenger != NOBODY:
        return _challenged(played)
    loser, opens = loser_and_opener(standing, truthful=False)
    if loser == NOBODY:
        return _result(played, None, opens, (Reason("thrown-in", standing.claimant),))
    return _result(played, loser, opens, (Reason("took-the-top", loser), Reason("out", loser)))


def _challenged(played: ThorinRound) -> ThorinRoundResult:
    """The result of a challenge: the hand lies open."""
    standing, rules = played.standing, played.rules
    value = hand_value(played.hand, bool(rules.double_any))
    truthful = keeps_promise(value, standing.claim, rules)
    loser, opens = loser_and_opener(standing, truthful)
    why = (Reason(_verdict(value, truthful, played), value), Reason("out", loser))
    return _result(played, loser, opens, why, value, truthful)


def _verdict(value: int, truthful: bool, played: ThorinRound) -> str:
    """By which rule the hand keeps the promise, or breaks it."""
    if not played.rules.by_words:
        return "holds" if truthful else "falls-short"
    fits, _ = fit(value, played.standing.claim, played.rules)
    if fits:
        return "fits-the-words"
    return "beats-the-words" if truthful else "fails-the-words"


def _result(
    played: ThorinRound,
    loser: int | None,
    opens: int,
    why: tuple[Reason, ...],
    value: int | None = None,
    truthful: bool | None = None,
) -> ThorinRoundResult:
    terms, standing = played.terms, played.standing
    alive = seats_in(living_after(terms.living, NOBODY if loser is None else loser))
    over = len(alive) == 1
    return ThorinRoundResult(
        opener=terms.opener,
        final_claim=standing.claim,
        claimant=standing.claimant,
        challenger=None if standing.challenger == NOBODY else standing.challenger,
        truthful=truthful,
        loser=loser,
        alive=alive,
        next_opener=None if over else opens,
        floor=floor_of(standing.claim),
        hand=None if value is None else played.hand,
        hand_value=value,
        passes=played.passes_left(),
        thrown_in=loser is None,
        why=why if over else (*why, Reason("opens", opens)),
    )


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
