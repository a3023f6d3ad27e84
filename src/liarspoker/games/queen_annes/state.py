"""Where a round of a pooled game is, what may be done in it and what that leads to, as functions on ints alone.

```
            claim                claim
   OPEN ───────────► RESPOND ◄──────────┐
                        │   └───────────┘
                        │ challenge
                        └──────────────► OVER
```

The extra cards that come with turns are slots 1 to 5: up, up, up, up, down. Who has lost L times goes without the first
L of them, and if all living players have lost m times, the first m are left out for the whole table (source 004,
Variant 2).

The engine compiles these functions as they are.
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
    """How many cards a player gets before the round begins; none once he is out."""
    if losses >= rules.exit_losses:
        return 0
    return rules.hand_cards - losses if rules.loss_costs_card else rules.hand_cards


def extra_slot(turn: int, losses: int, common: int, rules: QueenAnnesRules) -> int:
    """Which extra card comes on a turn.

    Args:
        turn: the player's turn in this round, from 1.
        losses: how often he has lost.
        common: how often all living players have lost, the least of their losses.
        rules: the table's rules.

    Returns:
        The slot, 1 to 5; `NO_SLOT` if no card comes.

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
    """Whether the extra card of `slot`, 1 to 5, lies face up."""
    return bool(rules.faces >> slot - 1 & 1)


def sees_hand(seat: int, owner: int, blind: bool) -> bool:
    """Whether a living player sees the cards dealt to `owner` at once: his own, or, where he is blind, the others'."""
    return (owner == seat) != blind


def sees_extra(seat: int | None, owner: int, face_up: bool) -> bool:
    """Whether `seat`, or somebody who does not play, sees an extra card of `owner`: face up, or his own."""
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


class Ground(NamedTuple):
    """What a round is played on, in ints.

    Attributes:
        opener: the seat that names the first hand.
        alive: mask of the seats that play.
        losses: each seat's losses before the round, four bits a seat, seat 0 lowest.
    """

    opener: int
    alive: int
    losses: int


class RoundState(NamedTuple):
    """Where a round is, in ints; all of it public.

    Attributes:
        claim: the hand named last, `NO_CLAIM` before the first.
        claimant: the seat that named it, `NOBODY` before the first.
        challenger: the seat that challenged it, `NOBODY` before that.
        to_act: the seat whose turn it is, `NOBODY` when the round is over.
        phase: `OPEN`, `RESPOND` or `OVER`.
        made: how many hands have been named.
        drawn: how many cards have come off the deck since the hands were dealt.
        came: mask of the seats that got one of them with the turn that has begun last, from the seat to act clockwise.
    """

    claim: int
    claimant: int
    challenger: int
    to_act: int
    phase: int
    made: int
    drawn: int
    came: int


def packed_losses(losses: Iterable[int]) -> int:
    """The losses of all seats in one int.

    >>> losses_of(1, packed_losses((3, 5)))
    5
    """
    return sum(lost << LOSS_BITS * seat for seat, lost in enumerate(losses))


def losses_of(seat: int, losses: int) -> int:
    """A seat's losses, out of those of all seats."""
    return losses >> LOSS_BITS * seat & _LOSSES


def challenge_by(seat: int) -> int:
    """The challenge of a seat whose turn it is not; that of the seat to act is `CHALLENGE`."""
    return _CHALLENGE_BY - seat


def challenger_of(action: int, to_act: int) -> int:
    """The seat that challenges by `action`, which must be a challenge."""
    return to_act if action == CHALLENGE else _CHALLENGE_BY - action


def opening(ground: Ground, rules: QueenAnnesRules) -> RoundState:
    """The state before the first claim; the cards that come with the opener's turn have been dealt."""
    return _turn_begun(NO_CLAIM, NOBODY, ground.opener, 0, 0, ground, rules)


def refusal(state: RoundState, action: int, alive: int, rules: QueenAnnesRules) -> int:
    """Why `action` may not be played: `LEGAL`, which is 0, or a refusal of `liarspoker.core.errors`.

    A seat whose turn it is not may only challenge, and only where anyone may; never the claimant, or one who is out.

    Args:
        state: where the round is.
        action: a claim, `CHALLENGE` or one of `challenge_by`.
        alive: mask of the living seats.
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


def after(state: RoundState, action: int, ground: Ground, rules: QueenAnnesRules) -> RoundState:
    """The state after `action`, which must be legal."""
    if action < 0:
        challenger = challenger_of(action, state.to_act)
        return RoundState(state.claim, state.claimant, challenger, NOBODY, OVER, state.made, state.drawn, 0)
    following = next_in(state.to_act, ground.alive)
    return _turn_begun(action, state.to_act, following, state.made + 1, state.drawn, ground, rules)


def _turn_begun(
    claim: int, claimant: int, to_act: int, made: int, drawn: int, ground: Ground, rules: QueenAnnesRules
) -> RoundState:
    """The state when a seat's turn begins: the cards that come with it are dealt, as far as the deck goes."""
    came = 0
    receivers = _receivers(to_act, ground, rules)
    if receivers:
        left = deck_size(rules.jokers) - rules.hand_cards * count_in(ground.alive) - drawn
        while receivers and count_in(came) < left:
            seat = first_receiver(to_act, receivers)
            if slot_of(seat, made, ground, rules) != NO_SLOT:
                came |= 1 << seat
            receivers ^= 1 << seat
    phase = OPEN if claim == NO_CLAIM else RESPOND
    return RoundState(claim, claimant, NOBODY, to_act, phase, made, drawn + count_in(came), came)


def _receivers(to_act: int, ground: Ground, rules: QueenAnnesRules) -> int:
    """Mask of the seats to which a card may come as a turn begins."""
    if not rules.extras:
        return 0
    if not rules.deal_to_everyone:
        return 1 << to_act
    return ground.alive if to_act == ground.opener else 0


def first_receiver(to_act: int, seats: int) -> int:
    """To whom of a mask of seats the first card comes: clockwise from the seat to act, itself included.

    >>> first_receiver(2, 0b1011), first_receiver(2, 0b0111)
    (3, 2)
    """
    return next_in(to_act - 1, seats)


def slot_of(seat: int, made: int, ground: Ground, rules: QueenAnnesRules) -> int:
    """Which extra card comes to a seat with the turn after so many hands have been named; see `dealing.extra_slot`."""
    turn = turn_of(made, ground.alive)
    return extra_slot(turn, losses_of(seat, ground.losses), common_losses(ground, rules.seats), rules)


def turn_of(made: int, alive: int) -> int:
    """Which turn of its own the seat to act has, from 1, when so many hands have been named."""
    return 1 + made // count_in(alive)


def common_losses(ground: Ground, seats: int) -> int:
    """How often all living players have lost: the least of their losses."""
    least = _LOSSES
    for seat in range(seats):
        if ground.alive >> seat & 1:
            least = min(least, losses_of(seat, ground.losses))
    return least


def turns_of(state: RoundState, ground: Ground, seats: int) -> tuple[int, ...]:
    """How often each seat has been to act.

    >>> turns_of(RoundState(3, 0, NOBODY, 3, RESPOND, 4, 0, 0), Ground(2, 0b1101, 0), seats=4)
    (1, 0, 2, 2)
    """
    turns, seat, count = [0] * seats, ground.opener, count_in(ground.alive)
    for place in range(count):
        turns[seat] = (state.made + count - place) // count
        seat = next_in(seat, ground.alive)
    return tuple(turns)
