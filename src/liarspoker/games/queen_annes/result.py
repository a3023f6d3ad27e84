"""How a round of a pooled game came out, and what one seat may know of a round.

`QueenAnnesView` is the only thing that a bot, a page or a socket is ever given. The engine compiles `outcome`, and what
stands before `QueenAnnesRoundResult`, as functions on ints alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.core.cards.match import check_seat, next_in, seats_in
from liarspoker.core.session import Reason
from liarspoker.games.queen_annes.ladder import Proof, named_hand, prove
from liarspoker.games.queen_annes.options import NEXT_OPENERS, QueenAnnesOptions, QueenAnnesRules
from liarspoker.games.queen_annes.round import Extra, Legal, QueenAnnesRound, Terms
from liarspoker.games.queen_annes.state import (
    LOSS_BITS,
    Ground,
    RoundState,
    cards_at_once,
    losses_of,
    packed_losses,
    sees_extra,
    sees_hand,
)

_LOSER, _WINNER, _ROTATE = range(len(NEXT_OPENERS))

OPENS_BY = ("loser-opens", "after-loser-opens", "winner-opens", "next-opens")
"""By which rule somebody opens, as `next_opener` numbers them."""
_LOSER_OPENS, _AFTER_LOSER, _WINNER_OPENS, _NEXT_OPENS = range(len(OPENS_BY))


class Outcome(NamedTuple):
    """What a challenge leads to.

    Attributes:
        loser: who has lost.
        by: by which rule somebody opens the next round, as `OPENS_BY` has them.
        ground: what that round is played on.
    """

    loser: int
    by: int
    ground: Ground


def outcome(claimant: int, challenger: int, exists: bool, ground: Ground, rules: QueenAnnesRules) -> Outcome:
    """What a challenge leads to."""
    loser, winner = loser_and_winner(claimant, challenger, exists)
    losses = losses_after(ground.losses, loser)
    alive = living_mask(losses, rules)
    by, opens = next_opener(ground.opener, loser, winner, alive, rules)
    return Outcome(loser, by, Ground(opens, alive, losses))


def loser_and_winner(claimant: int, challenger: int, exists: bool) -> tuple[int, int]:
    """Who loses a challenge, and who wins it: the challenger loses if the hand exists.

    >>> loser_and_winner(claimant=0, challenger=1, exists=True)
    (1, 0)
    """
    return (challenger, claimant) if exists else (claimant, challenger)


def losses_after(losses: int, loser: int) -> int:
    """All seats' losses when `loser` has lost once more; four bits a seat."""
    return losses + (1 << LOSS_BITS * loser)


def is_out(losses: int, rules: QueenAnnesRules) -> bool:
    """Whether so many losses put a player out."""
    return losses >= rules.exit_losses


def living_mask(losses: int, rules: QueenAnnesRules) -> int:
    """Mask of the seats that are not out, by the losses of all seats."""
    alive = 0
    for seat in range(rules.seats):
        if not is_out(losses_of(seat, losses), rules):
            alive |= 1 << seat
    return alive


def next_opener(opener: int, loser: int, winner: int, alive: int, rules: QueenAnnesRules) -> tuple[int, int]:
    """By which rule somebody opens the next round, as `OPENS_BY` has them, and who does."""
    if rules.next_opener == _WINNER:
        return _WINNER_OPENS, winner
    if rules.next_opener == _ROTATE:
        return _NEXT_OPENS, next_in(opener, alive)
    if alive >> loser & 1:
        return _LOSER_OPENS, loser
    return _AFTER_LOSER, next_in(loser, alive)


@dataclass(frozen=True, slots=True)
class QueenAnnesRoundResult:
    """A challenged round; all of it is public.

    Attributes:
        opener: the seat that named the first hand.
        final_claim: the hand that was challenged.
        claimant: who named it.
        challenger: who challenged it.
        proof: the cards that make it, or how many it lacks.
        loser: the challenger if the hand exists, else the claimant.
        losses: each seat's losses after the round.
        alive: the living seats after the round, ascending.
        next_opener: who opens the next round; `None` once the match is won.
        hands: the cards that each seat was dealt at once.
        extras: the cards that came off the deck during the round.
        why: the rules that made the outcome, in the order in which they apply.
    """

    opener: int
    final_claim: int
    claimant: int
    challenger: int
    proof: Proof
    loser: int
    losses: tuple[int, ...]
    alive: tuple[int, ...]
    next_opener: int | None
    hands: tuple[tuple[int, ...], ...]
    extras: tuple[Extra, ...]
    why: tuple[Reason, ...]

    @property
    def exists(self) -> bool:
        """Whether the named hand is in the pool."""
        return self.proof.exists


def conclude(played: QueenAnnesRound) -> QueenAnnesRoundResult:
    """The result of a round that a challenge has ended."""
    rules, terms, standing = played.rules, played.terms, played.standing
    proof = prove(named_hand(standing.claim, rules), played.pool, rules)
    loser, by, later = outcome(standing.claimant, standing.challenger, proof.exists, terms.ground, rules)
    losses = tuple(losses_of(seat, later.losses) for seat in range(rules.seats))
    alive = seats_in(later.alive)
    return QueenAnnesRoundResult(
        opener=terms.opener,
        final_claim=standing.claim,
        claimant=standing.claimant,
        challenger=standing.challenger,
        proof=proof,
        loser=loser,
        losses=losses,
        alive=alive,
        next_opener=later.opener if len(alive) > 1 else None,
        hands=played.hands,
        extras=played.extras,
        why=(
            Reason("exists", len(proof.wilds)) if proof.exists else Reason("missing", proof.missing),
            _cost(losses[loser], rules),
            *((Reason(OPENS_BY[by], later.opener),) if len(alive) > 1 else ()),
        ),
    )


def living(losses: tuple[int, ...], rules: QueenAnnesRules) -> tuple[int, ...]:
    """The seats that are not out."""
    return seats_in(living_mask(packed_losses(losses), rules))


def _cost(losses: int, rules: QueenAnnesRules) -> Reason:
    """What the loser's losses, this one included, leave him."""
    if is_out(losses, rules):
        return Reason("out", losses)
    if rules.loss_costs_card:
        return Reason("cards-left", cards_at_once(losses, rules))
    return Reason("extras-left", max(0, rules.extras - losses))


@dataclass(frozen=True, slots=True)
class QueenAnnesView:
    """A pooled game as `seat` sees it.

    Attributes:
        game: the catalogue id.
        options: the options in force.
        rules: the same, packed for the rule functions.
        seat: whose view this is; `None` for somebody who holds no cards.
        terms: opener and losses of the round on the table; `None` before the first.
        standing: where the round stands; `None` before the first.
        moves: who did what in this round, as (seat, action).
        hand_sizes: how many cards each seat was dealt at once.
        seen: of those cards the ones that this seat sees, a seat; none where it sees none.
        extras: the cards that came off the deck; those that this seat does not see are `UNKNOWN`.
        legal: what the seat to act may do, which everybody may know; and this seat's own challenge out of turn.
        losses: each seat's losses, the round just ended included.
        alive: the living seats.
        score: units won or lost by each seat; none before the match is won.
        winner: the seat that has won the match.
        result: the challenge, once it is over; it shows all cards.
    """

    game: str
    options: QueenAnnesOptions
    rules: QueenAnnesRules
    seat: int | None
    terms: Terms | None
    standing: RoundState | None
    moves: tuple[tuple[int, int], ...]
    hand_sizes: tuple[int, ...]
    seen: tuple[tuple[int, ...], ...]
    extras: tuple[Extra, ...]
    legal: Legal
    losses: tuple[int, ...]
    alive: tuple[int, ...]
    score: tuple[int, ...]
    winner: int | None
    result: QueenAnnesRoundResult | None

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to act."""
        return self.standing is not None and self.seat is not None and self.standing.to_act == self.seat

    @property
    def known(self) -> tuple[int, ...]:
        """All cards in the pool that this seat sees."""
        off_deck = (extra.card for extra in self.extras if extra.card != UNKNOWN)
        return (*(card for cards in self.seen for card in cards), *off_deck)

    @property
    def hidden(self) -> int:
        """How many cards in the pool this seat does not see."""
        return sum(self.hand_sizes) + len(self.extras) - len(self.known)


def seen_hands(hands: tuple[tuple[int, ...], ...], seat: int | None, blind: bool) -> tuple[tuple[int, ...], ...]:
    """The hands that `seat` sees: its own, or where players are blind all but its own. Without cards it sees none.

    Raises:
        BadSeats: there is no such seat.
    """
    check_seat(seat, len(hands))
    if seat is None or not hands[seat]:
        return ((),) * len(hands)
    return tuple(hand if sees_hand(seat, owner, blind) else () for owner, hand in enumerate(hands))


def seen_extras(extras: tuple[Extra, ...], seat: int | None) -> tuple[Extra, ...]:
    """The cards off the deck as `seat` sees them: those that lie face up, and its own."""
    return tuple(
        extra if sees_extra(seat, extra.seat, extra.face_up) else extra._replace(card=UNKNOWN) for extra in extras
    )
