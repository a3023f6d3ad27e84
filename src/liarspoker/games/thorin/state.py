"""State of a round of Thorin's game: legality and transitions as functions on ints.

```
            claim               take              discard
  DECLARE ────────► RESPOND ───────────► DISCARD ────────► DECLARE
                    │  │  └─┐ pass: the next player
                    │  └────┘ (all others passed: OVER, no one is out)
                    │ challenge          show
                    └───────────► (SHOW ──────►) OVER
```

The hand is shown by an action only if it isn't known from the record. The engine compiles these functions.
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
from liarspoker.games.thorin.claim_table import NO_VALUE, Ladder, floor_of, is_claim, value_above
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
    """Terms of a round, fixed when it starts; all of it is public.

    Attributes:
        number: the round's number in the match, from 0.
        opener: the seat that draws the first hand.
        alive: the seats that play it.
        named: the options that the opener chose for this round, as (name, value).
        opener_agreed: whether the table, not the rules, chose the opener.
    """

    number: int
    opener: int
    alive: tuple[int, ...]
    named: tuple[tuple[str, object], ...] = ()
    opener_agreed: bool = False

    @property
    def alive_mask(self) -> int:
        """`alive` as a mask."""
        return mask_of(self.alive)


class RoundState(NamedTuple):
    """State of a round as ints; all of it is public.

    Attributes:
        claim: the last declaration, `NO_CLAIM` before the first.
        claimant: the seat that made it, `NOBODY` before the first.
        active: the seat that has the hand.
        challenger: the seat that challenged, `NOBODY` before the challenge.
        to_act: the seat to act, `NOBODY` when the round is over.
        phase: `DECLARE`, `RESPOND`, `DISCARDING`, `SHOWING` or `OVER`.
        spent: passes that each seat has used in the match, four bits per seat, seat 0 lowest.
    """

    claim: int
    claimant: int
    active: int
    challenger: int
    to_act: int
    phase: int
    spent: int


def opening(opener: int, spent: int) -> RoundState:
    """Return the state before the first declaration; the opener has drawn the hand."""
    return RoundState(NO_CLAIM, NOBODY, opener, NOBODY, opener, DECLARE, spent)


def holds_hand(seat: int, state: RoundState) -> bool:
    """Return whether `seat` has the hand and so sees it; no seat does once the round is over."""
    return state.phase != OVER and state.active == seat


def packed_passes(spent: Iterable[int]) -> int:
    """Pack the used passes of all seats into one int."""
    return sum(count << SPENT_BITS * seat for seat, count in enumerate(spent))


def spent_by(seat: int, spent: int) -> int:
    """Return the used passes of a seat from the packed passes."""
    return spent >> SPENT_BITS * seat & _SPENT


def passes_left(spent: int, rules: ThorinRules) -> int:
    """Return the passes left after `spent` used ones."""
    return max(0, rules.passes - spent)


def refusal(state: RoundState, action: int, is_held: bool, ladder: Ladder, rules: ThorinRules) -> int:
    """Return why `action` is illegal for the seat to act as a code of `liarspoker.core.errors`, or `LEGAL` (0).

    Args:
        state: the state of the round.
        action: any action.
        is_held: whether the hand can hold the cards of a discard or show; ignored for other actions.
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
    """Return whether no hand beats the promise of a claim."""
    return value_above(floor_of(claim), ladder) == NO_VALUE


def after(state: RoundState, action: int, alive: int, is_known: bool, ladder: Ladder) -> RoundState:
    """Return the state after a legal `action`.

    A player who has taken a hand that can't be beaten is out after the discard.

    Args:
        state: the state of the round.
        action: the action of the seat to act.
        alive: mask of the seats still in.
        is_known: whether the hand is known; otherwise a challenge is followed by a show.
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
    )  # all others passed, or the hand has been shown


def loser_and_opener(state: RoundState, truthful: bool) -> tuple[int, int]:
    """Return who is out after a finished round (`NOBODY` if all others passed), and who begins the next one.

    Args:
        state: the final state of the round.
        truthful: whether the declaration was true; ignored without a challenge.
    """
    if state.challenger != NOBODY:
        if truthful:
            return state.challenger, state.claimant
        return state.claimant, state.challenger
    if state.active == state.claimant:
        return NOBODY, state.claimant
    return state.active, state.claimant


def alive_after(alive: int, loser: int) -> int:
    """Return the mask of seats still in after `loser` (or `NOBODY`) is out."""
    return alive if loser == NOBODY else alive & ~(1 << loser)
