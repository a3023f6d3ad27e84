"""Where a round of Thorin's game is, what may be done in it and what that leads to, as functions on ints alone.

```
            claim               take              discard
  DECLARE ────────► RESPOND ───────────► DISCARD ────────► DECLARE
                    │  │  └─┐ pass: the next player
                    │  └────┘ (all others passed: OVER, the hand is thrown in)
                    │ challenge          show
                    └───────────► (SHOW ──────►) OVER
```

The hand is shown by an action only where a record does not tell it. The engine compiles these functions as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.match import mask_of, next_in
from liarspoker.core.errors import (
    CANNOT_TAKE,
    CARDS_NOT_HELD,
    LEGAL,
    NO_PASS_LEFT,
    NO_SUCH_CLAIM,
    NOT_STRONGER,
    ROUND_OVER,
    UNREADABLE_ACTION,
    WRONG_PHASE,
)
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, is_discard, is_show
from liarspoker.games.thorin.listed import NO_VALUE, Ladder, floor_of, is_claim, value_above
from liarspoker.games.thorin.options import ThorinRules

DECLARE = 0
RESPOND = 1
DISCARDING = 2
SHOWING = 3
OVER = 4
PHASES = ("declare", "respond", "discard", "show", "over")

NOBODY = -1

SPENT_BITS = 4
_SPENT = (1 << SPENT_BITS) - 1


@dataclass(frozen=True, slots=True)
class Terms:
    """What a round is played on; all of it public.

    Attributes:
        number: the round's number in the match, from 0.
        opener: the seat that draws the first hand.
        alive: the seats that play it.
        named: the options that the opener named for this round, as (name, value), where he has the choice.
        opener_agreed: the table named the opener, not the rules.
    """

    number: int
    opener: int
    alive: tuple[int, ...]
    named: tuple[tuple[str, object], ...] = ()
    opener_agreed: bool = False

    @property
    def living(self) -> int:
        """`alive` as a mask."""
        return mask_of(self.alive)


class RoundState(NamedTuple):
    """Where a round is, in ints; all of it public.

    Attributes:
        claim: the declaration made last, `NO_CLAIM` before the first.
        claimant: the seat that made it, `NOBODY` before the first.
        active: the seat that has the hand.
        challenger: the seat that challenged, `NOBODY` before that.
        to_act: the seat whose turn it is, `NOBODY` when the round is over.
        phase: `DECLARE`, `RESPOND`, `DISCARDING`, `SHOWING` or `OVER`.
        spent: how many passes each seat has spent in the match, four bits a seat, seat 0 lowest.
    """

    claim: int
    claimant: int
    active: int
    challenger: int
    to_act: int
    phase: int
    spent: int


def opening(opener: int, spent: int) -> RoundState:
    """The state before the first declaration; the opener has drawn the hand."""
    return RoundState(NO_CLAIM, NOBODY, opener, NOBODY, opener, DECLARE, spent)


def holds_hand(seat: int, state: RoundState) -> bool:
    """Whether `seat` has the hand, and so sees it; once the round is over nobody does."""
    return state.phase != OVER and state.active == seat


def packed_passes(spent: Iterable[int]) -> int:
    """The passes that all seats have spent, in one int."""
    return sum(count << SPENT_BITS * seat for seat, count in enumerate(spent))


def spent_by(seat: int, spent: int) -> int:
    """How many passes a seat has spent, out of those of all seats."""
    return spent >> SPENT_BITS * seat & _SPENT


def passes_left(spent: int, rules: ThorinRules) -> int:
    """How many passes a seat has left that has spent so many."""
    return max(0, rules.passes - spent)


def refusal(state: RoundState, action: int, is_held: bool, ladder: Ladder, rules: ThorinRules) -> int:
    """Why the seat to act may not play `action`; `LEGAL`, which is 0, if it may.

    Args:
        state: where the round is.
        action: any action.
        is_held: whether the hand can hold the cards that the action throws or shows; of others it is not looked at.
        ladder: the table's claims.
        rules: the table's rules.
    """
    if state.phase == OVER:
        return ROUND_OVER
    if action >= 0:
        if state.phase != DECLARE:
            return WRONG_PHASE
        if not is_claim(action, ladder):
            return NO_SUCH_CLAIM
        return LEGAL if floor_of(action) > floor_of(state.claim) else NOT_STRONGER
    if is_discard(action) or is_show(action):
        if state.phase != (DISCARDING if is_discard(action) else SHOWING):
            return WRONG_PHASE
        return LEGAL if is_held else CARDS_NOT_HELD
    if action not in (TAKE, CHALLENGE, PASS):
        return UNREADABLE_ACTION
    if state.phase != RESPOND:
        return WRONG_PHASE
    if action == TAKE and not rules.take_top and is_top(state.claim, ladder):
        return CANNOT_TAKE
    if action == PASS and passes_left(spent_by(state.to_act, state.spent), rules) == 0:
        return NO_PASS_LEFT
    return LEGAL


def is_top(claim: int, ladder: Ladder) -> bool:
    """Whether no hand is better than what a claim promises."""
    return value_above(floor_of(claim), ladder) == NO_VALUE


def after(state: RoundState, action: int, alive: int, is_known: bool, ladder: Ladder) -> RoundState:
    """The state after `action`, which must be legal.

    Who has taken a hand that nothing beats has lost once he has thrown what he wants.

    Args:
        state: where the round is.
        action: what the seat to act plays.
        alive: mask of the living seats.
        is_known: whether the cards of the hand are known; otherwise they are shown after a challenge.
        ladder: the table's claims.
    """
    claim, claimant, active, challenger, seat, phase, spent = state
    if action >= 0:
        return RoundState(action, seat, active, challenger, next_in(seat, alive), RESPOND, spent)
    if is_discard(action):
        lost = is_top(claim, ladder)
        return RoundState(
            claim, claimant, active, challenger, NOBODY if lost else seat, OVER if lost else DECLARE, spent
        )
    if action == TAKE:
        return RoundState(claim, claimant, seat, challenger, seat, DISCARDING, spent)
    if action == CHALLENGE and not is_known:
        return RoundState(claim, claimant, active, seat, active, SHOWING, spent)
    if action == CHALLENGE:
        return RoundState(claim, claimant, active, seat, NOBODY, OVER, spent)
    if action == PASS:
        spent += 1 << SPENT_BITS * seat
        following = next_in(seat, alive)
        if following != active:
            return RoundState(claim, claimant, active, challenger, following, phase, spent)
    return RoundState(
        claim, claimant, active, challenger, NOBODY, OVER, spent
    )  # all have passed, or the hand has been shown


def loser_and_opener(state: RoundState, truthful: bool) -> tuple[int, int]:
    """Who is out after a round that is over, `NOBODY` where the hand was thrown in, and who begins the next.

    Args:
        state: where the round is.
        truthful: whether the hand kept the promise, where it was challenged; otherwise it is not looked at.
    """
    if state.challenger != NOBODY:
        if truthful:
            return state.challenger, state.claimant
        return state.claimant, state.challenger
    if state.active == state.claimant:
        return NOBODY, state.claimant
    return state.active, state.claimant


def living_after(alive: int, loser: int) -> int:
    """Mask of the seats that are living when `loser`, or `NOBODY`, is out."""
    return alive if loser == NOBODY else alive & ~(1 << loser)
