"""The result of a round of Thorin's game, and one seat's view of a round.

Bots, pages and sockets only get a `ThorinView`.
"""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.cards.hand_values import hand_value
from liarspoker.core.cards.match import seats_in
from liarspoker.core.session import Reason
from liarspoker.games.thorin.ladder import fit, floor_of, keeps_promise
from liarspoker.games.thorin.options import ThorinOptions, ThorinRules
from liarspoker.games.thorin.round import Legal, Stint, ThorinRound
from liarspoker.games.thorin.state import NOBODY, RoundState, Terms, alive_after, loser_and_opener


@dataclass(frozen=True, slots=True)
class ThorinRoundResult:
    """The result of a round; all of it is public.

    Attributes:
        opener: the seat that drew the first hand.
        final_claim: the last declaration.
        claimant: who made it.
        challenger: who challenged it; `None` if no one did.
        truthful: whether the declaration was true; `None` if the hand wasn't shown.
        loser: the seat that is out; `None` if all others passed.
        alive: the seats still in after the round, ascending.
        next_opener: who begins the next round; `None` once the match is won.
        floor: the hand rank of the weakest hand that fits the declaration.
        hand: the five cards; `None` if they weren't shown.
        hand_value: their hand rank.
        passes: number of passes that each seat has left.
        thrown_in: whether all others passed, so that no one is out.
        why: the rules that led to the result, in the order in which they apply.
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
    """Return the result of a finished round."""
    state = played.state
    if state.challenger != NOBODY:
        return _challenged(played)
    loser, opens = loser_and_opener(state, truthful=False)
    if loser == NOBODY:
        return _result(played, None, opens, (Reason("thrown-in", state.claimant),))
    return _result(played, loser, opens, (Reason("took-the-top", loser), Reason("out", loser)))


def _challenged(played: ThorinRound) -> ThorinRoundResult:
    """Return the result of a challenge."""
    state, rules = played.state, played.rules
    value = hand_value(played.hand, bool(rules.double_any))
    truthful = keeps_promise(value, state.claim, rules)
    loser, opens = loser_and_opener(state, truthful)
    why = (Reason(_verdict(value, truthful, played), value), Reason("out", loser))
    return _result(played, loser, opens, why, value, truthful)


def _verdict(value: int, truthful: bool, played: ThorinRound) -> str:
    """Return the rule by which the declaration is true or false."""
    if not played.rules.by_words:
        return "holds" if truthful else "falls-short"
    fits, _ = fit(value, played.state.claim, played.rules)
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
    terms, state = played.terms, played.state
    alive = seats_in(alive_after(terms.alive_mask, NOBODY if loser is None else loser))
    over = len(alive) == 1
    return ThorinRoundResult(
        opener=terms.opener,
        final_claim=state.claim,
        claimant=state.claimant,
        challenger=None if state.challenger == NOBODY else state.challenger,
        truthful=truthful,
        loser=loser,
        alive=alive,
        next_opener=None if over else opens,
        floor=floor_of(state.claim),
        hand=None if value is None else played.hand,
        hand_value=value,
        passes=played.passes_left(),
        thrown_in=loser is None,
        why=why if over else (*why, Reason("opens", opens)),
    )


@dataclass(frozen=True, slots=True)
class ThorinView:
    """One seat's view of Thorin's game, without any cards that the seat hasn't seen.

    Attributes:
        game: the catalogue id.
        options: the options of the match.
        rules: the options of this round, packed for the rule functions.
        seat: the viewing seat; `None` for a spectator.
        terms: opener and seats of the current round; `None` before the first.
        state: the state of the current round; `None` before the first.
        moves: the actions of this round, as (seat, action); other seats' discards are face down.
        hand: the hand, if this seat has it.
        stints: what this seat took, discarded and drew each time it had the hand in this round.
        stock_left: number of cards in the stock.
        discards: number of discards not yet shuffled into the stock.
        floor: the hand rank that the next declaration must beat.
        passes: number of passes that each seat has left.
        legal: the legal actions of the seat to act; legal discards only in that seat's own view.
        alive: the seats still in.
        score: units won or lost by each seat; empty before the match is won.
        winner: the seat that has won the match.
        result: the result of the round; `None` before its end.
    """

    game: str
    options: ThorinOptions
    rules: ThorinRules
    seat: int | None
    terms: Terms | None
    state: RoundState | None
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
        """Whether it is the viewer's turn."""
        return self.state is not None and self.seat is not None and self.state.to_act == self.seat
