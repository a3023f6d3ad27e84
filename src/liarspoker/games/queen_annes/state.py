"""State of a round of Queen Anne's games: legality and transitions as functions on ints.

```
            claim                claim
   OPEN ───────────► RESPOND ◄──────────┐
                        │   └───────────┘
                        │ challenge
                        └──────────────► OVER
```

In Stud, extra cards are slots 1 to 5: up, up, up, up, down. A player with L losses doesn't get the first L of them. If
all remaining players have at least m losses, the first m slots are skipped for the whole table (source 004, Variant 2).

The engine compiles these functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import deck_size
from liarspoker.core.cards.match import count_in, next_in
from liarspoker.core.errors import (
    LEGAL,
    NO_SUCH_CLAIM,
    NOT_STRONGER,
    ROUND_OVER,
    UNREADABLE_ACTION,
    WRONG_PHASE,
)
from liarspoker.games.queen_annes.ladder import ladder_length
from liarspoker.games.queen_annes.options import EVERYONE_LOST, QueenAnnesRules

NO_SLOT = 0
_SKIP_SLOT, _FORGIVE, _AT_ONCE = range(len(EVERYONE_LOST))


def cards_at_once(losses: int, rules: QueenAnnesRules) -> int:
    """Return the number of cards dealt to a player at the start of a round; 0 if the player is out."""
    if losses >= rules.exit_losses:
        return 0
    return rules.hand_cards - losses if rules.loss_costs_card else rules.hand_cards


def extra_slot(turn: int, losses: int, common: int, rules: QueenAnnesRules) -> int:
    """Return the extra card that a player gets on a turn.

    Args:
        turn: the player's turn in this round, from 1.
        losses: the player's losses.
        common: the smallest number of losses of the players still in.
        rules: the table's rules.

    Returns:
        The slot, 1 to 5; `NO_SLOT` for no card.

    >>> from liarspoker.games.queen_annes.options import packed
    >>> from liarspoker.games.queen_annes.presets import presets
    >>> stud = presets()["queen-annes-stud"]
    >>> rules = packed(stud.options, stud.dealing, seats=3)
    >>> [extra_slot(turn, 2, 1, rules) for turn in range(1, 6)]
    [0, 3, 4, 5, 0]
    """
    if rules.everyone_lost == _AT_ONCE:
        slot, omitted = turn + losses, losses
    elif rules.everyone_lost == _FORGIVE:
        slot, omitted = turn, losses - common
    else:
        slot, omitted = turn + common, losses
    return slot if omitted < slot <= rules.extras else NO_SLOT


def face_up(slot: int, rules: QueenAnnesRules) -> bool:
    """Return whether the extra card of `slot`, 1 to 5, is dealt face up."""
    return bool(rules.faces >> slot - 1 & 1)


def sees_hand(seat: int, owner: int, blind: bool) -> bool:
    """Return whether a player sees the hand of `owner`: their own, or in a blind game all others."""
    return (owner == seat) != blind


def sees_extra(seat: int | None, owner: int, face_up: bool) -> bool:
    """Return whether `seat` (`None` for a spectator) sees an extra card of `owner`: face-up cards and their own."""
    return face_up or owner == seat


CHALLENGE = -1
_CHALLENGE_BY = -2

OPEN = 0
RESPOND = 1
OVER = 2
PHASES = ("open", "respond", "over")

NOBODY = -1

LOSS_BITS = 4
_LOSSES = (1 << LOSS_BITS) - 1


class PackedTerms(NamedTuple):
    """Terms of a round as ints: fixed when it starts.

    Attributes:
        opener: the seat that names the first hand.
        alive: mask of the seats that play.
        losses: each seat's losses before the round, four bits per seat, seat 0 lowest.
    """

    opener: int
    alive: int
    losses: int


class RoundState(NamedTuple):
    """State of a round as ints; all of it is public.

    Attributes:
        claim: the last hand named, `NO_CLAIM` before the first.
        claimant: the seat that named it, `NOBODY` before the first.
        challenger: the seat that challenged it, `NOBODY` before the challenge.
        to_act: the seat to act, `NOBODY` when the round is over.
        phase: `OPEN`, `RESPOND` or `OVER`.
        made: number of hands named.
        drawn: number of extra cards dealt in this round.
        dealt_to: mask of the seats that were dealt a card as the current turn began.
    """

    claim: int
    claimant: int
    challenger: int
    to_act: int
    phase: int
    made: int
    drawn: int
    dealt_to: int


def packed_losses(losses: Iterable[int]) -> int:
    """Pack the losses of all seats into one int.

    >>> losses_of(1, packed_losses((3, 5)))
    5
    """
    return sum(lost << LOSS_BITS * seat for seat, lost in enumerate(losses))


def losses_of(seat: int, losses: int) -> int:
    """Return a seat's losses from the packed losses."""
    return losses >> LOSS_BITS * seat & _LOSSES


def challenge_by(seat: int) -> int:
    """Return the action by which a seat challenges out of turn; the seat to act uses `CHALLENGE`."""
    return _CHALLENGE_BY - seat


def challenger_of(action: int, to_act: int) -> int:
    """Return the seat that makes the challenge `action`."""
    return to_act if action == CHALLENGE else _CHALLENGE_BY - action


def opening(terms: PackedTerms, rules: QueenAnnesRules) -> RoundState:
    """Return the state before the first claim, after the extra cards of the first turn."""
    return _turn_begun(NO_CLAIM, NOBODY, terms.opener, 0, 0, terms, rules)


def refusal(state: RoundState, action: int, alive: int, rules: QueenAnnesRules) -> int:
    """Return why `action` is illegal as a code of `liarspoker.core.errors`, or `LEGAL` (0).

    Out of turn, a seat can only challenge, if the options allow it and the seat is still in and isn't the claimant.

    Args:
        state: the state of the round.
        action: a claim, `CHALLENGE`, or a challenge from `challenge_by`.
        alive: mask of the seats still in.
        rules: the table's rules.
    """
    if state.phase == OVER:
        return ROUND_OVER
    if action >= 0:
        if action >= ladder_length(rules):
            return NO_SUCH_CLAIM
        return LEGAL if action > state.claim else NOT_STRONGER
    if action != CHALLENGE:
        seat = challenger_of(action, state.to_act)
        if not rules.anyone_challenges or seat >= rules.seats or seat == state.to_act:
            return UNREADABLE_ACTION
        if seat == state.claimant or not alive >> seat & 1:
            return WRONG_PHASE
    return LEGAL if state.phase == RESPOND else WRONG_PHASE


def after(state: RoundState, action: int, terms: PackedTerms, rules: QueenAnnesRules) -> RoundState:
    """Return the state after a legal `action`."""
    if action < 0:
        challenger = challenger_of(action, state.to_act)
        return RoundState(state.claim, state.claimant, challenger, NOBODY, OVER, state.made, state.drawn, 0)
    following = next_in(state.to_act, terms.alive)
    return _turn_begun(action, state.to_act, following, state.made + 1, state.drawn, terms, rules)


def _turn_begun(
    claim: int, claimant: int, to_act: int, made: int, drawn: int, terms: PackedTerms, rules: QueenAnnesRules
) -> RoundState:
    """Return the state at the start of a seat's turn, after dealing its extra cards while the deck lasts."""
    dealt_to = 0
    receivers = _receivers(to_act, terms, rules)
    if receivers:
        left = deck_size(rules.jokers) - rules.hand_cards * count_in(terms.alive) - drawn
        while receivers and count_in(dealt_to) < left:
            seat = first_receiver(to_act, receivers)
            if slot_of(seat, made, terms, rules) != NO_SLOT:
                dealt_to |= 1 << seat
            receivers ^= 1 << seat
    phase = OPEN if claim == NO_CLAIM else RESPOND
    return RoundState(claim, claimant, NOBODY, to_act, phase, made, drawn + count_in(dealt_to), dealt_to)


def _receivers(to_act: int, terms: PackedTerms, rules: QueenAnnesRules) -> int:
    """Return a mask of the seats that may get an extra card at the start of a turn."""
    if not rules.extras:
        return 0
    if not rules.deal_to_everyone:
        return 1 << to_act
    return terms.alive if to_act == terms.opener else 0


def first_receiver(to_act: int, seats: int) -> int:
    """Return the seat of a mask that is dealt to first: clockwise from the seat to act, inclusive.

    >>> first_receiver(2, 0b1011), first_receiver(2, 0b0111)
    (3, 2)
    """
    return next_in(to_act - 1, seats)


def slot_of(seat: int, made: int, terms: PackedTerms, rules: QueenAnnesRules) -> int:
    """Return the extra card that a seat gets after `made` claims; see `extra_slot`."""
    turn = turn_of(made, terms.alive)
    return extra_slot(turn, losses_of(seat, terms.losses), common_losses(terms, rules.seats), rules)


def turn_of(made: int, alive: int) -> int:
    """Return the number of the acting seat's turn, from 1, after `made` claims."""
    return 1 + made // count_in(alive)


def common_losses(terms: PackedTerms, seats: int) -> int:
    """Return the smallest number of losses of the seats still in."""
    least = _LOSSES
    for seat in range(seats):
        if terms.alive >> seat & 1:
            least = min(least, losses_of(seat, terms.losses))
    return least


def turns_of(state: RoundState, terms: PackedTerms, seats: int) -> tuple[int, ...]:
    """Return how often each seat has been to act.

    >>> turns_of(RoundState(3, 0, NOBODY, 3, RESPOND, 4, 0, 0), PackedTerms(2, 0b1101, 0), seats=4)
    (1, 0, 2, 2)
    """
    turns, seat, count = [0] * seats, terms.opener, count_in(terms.alive)
    for place in range(count):
        turns[seat] = (state.made + count - place) // count
        seat = next_in(seat, terms.alive)
    return tuple(turns)
