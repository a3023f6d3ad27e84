"""The result of a round of Queen Anne's games, and one seat's view of a round.

Bots, pages and sockets only get a `QueenAnnesView`. The engine compiles the functions before `QueenAnnesRoundResult`,
which work on ints.
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
    NO_SLOT,
    PackedTerms,
    RoundState,
    cards_at_once,
    common_losses,
    extra_slot,
    losses_of,
    packed_losses,
    sees_extra,
    sees_hand,
)

_LOSER, _WINNER, _ROTATE = range(len(NEXT_OPENERS))

OPENS_BY = ("loser-opens", "after-loser-opens", "winner-opens", "next-opens")
"""Rules that determine the next opener, in the numbering of `next_opener`."""
_LOSER_OPENS, _AFTER_LOSER, _WINNER_OPENS, _NEXT_OPENS = range(len(OPENS_BY))


class Outcome(NamedTuple):
    """The outcome of a challenge.

    Attributes:
        loser: the seat that lost the round.
        by: the rule that determines the next opener, an index of `OPENS_BY`.
        terms: the terms of the next round.
    """

    loser: int
    by: int
    terms: PackedTerms


def outcome(claimant: int, challenger: int, exists: bool, terms: PackedTerms, rules: QueenAnnesRules) -> Outcome:
    """Return the outcome of a challenge."""
    loser, winner = loser_and_winner(claimant, challenger, exists)
    losses = losses_after(terms.losses, loser)
    alive = alive_mask(losses, rules)
    by, opens = next_opener(terms.opener, loser, winner, alive, rules)
    return Outcome(loser, by, PackedTerms(opens, alive, losses))


def loser_and_winner(claimant: int, challenger: int, exists: bool) -> tuple[int, int]:
    """Return the loser and the winner of a challenge; the challenger loses if the hand exists.

    >>> loser_and_winner(claimant=0, challenger=1, exists=True)
    (1, 0)
    """
    return (challenger, claimant) if exists else (claimant, challenger)


def losses_after(losses: int, loser: int) -> int:
    """Return the packed losses with one more for `loser`; four bits per seat."""
    return losses + (1 << LOSS_BITS * loser)


def is_out(losses: int, rules: QueenAnnesRules) -> bool:
    """Return whether a player with these losses is out."""
    return losses >= rules.exit_losses


def alive_mask(losses: int, rules: QueenAnnesRules) -> int:
    """Return a mask of the seats still in, given the packed losses."""
    alive = 0
    for seat in range(rules.seats):
        if not is_out(losses_of(seat, losses), rules):
            alive |= 1 << seat
    return alive


def next_opener(opener: int, loser: int, winner: int, alive: int, rules: QueenAnnesRules) -> tuple[int, int]:
    """Return the rule that determines the next opener, an index of `OPENS_BY`, and the seat."""
    if rules.next_opener == _WINNER:
        return _WINNER_OPENS, winner
    if rules.next_opener == _ROTATE:
        return _NEXT_OPENS, next_in(opener, alive)
    if alive >> loser & 1:
        return _LOSER_OPENS, loser
    return _AFTER_LOSER, next_in(loser, alive)


@dataclass(frozen=True, slots=True)
class QueenAnnesRoundResult:
    """The result of a challenged round; all of it is public.

    Attributes:
        opener: the seat that named the first hand.
        final_claim: the hand that was challenged.
        claimant: who named it.
        challenger: who challenged it.
        proof: the cards that make the hand, and the number missing.
        loser: the challenger if the hand exists, else the claimant.
        losses: each seat's losses after the round.
        alive: the seats still in after the round, ascending.
        next_opener: who opens the next round; `None` once the match is won.
        hands: the cards dealt to each seat at the start.
        extras: the extra cards.
        why: the rules that led to the result, in the order in which they apply.
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
        """Whether the named hand exists."""
        return self.proof.exists


def conclude(played: QueenAnnesRound) -> QueenAnnesRoundResult:
    """Return the result of a challenged round."""
    rules, terms, state = played.rules, played.terms, played.state
    proof = prove(named_hand(state.claim, rules), played.pool, rules)
    loser, by, later = outcome(state.claimant, state.challenger, proof.exists, terms.packed, rules)
    losses = tuple(losses_of(seat, later.losses) for seat in range(rules.seats))
    alive = seats_in(later.alive)
    return QueenAnnesRoundResult(
        opener=terms.opener,
        final_claim=state.claim,
        claimant=state.claimant,
        challenger=state.challenger,
        proof=proof,
        loser=loser,
        losses=losses,
        alive=alive,
        next_opener=later.opener if len(alive) > 1 else None,
        hands=played.hands,
        extras=played.extras,
        why=(
            Reason("exists", len(proof.wilds)) if proof.exists else Reason("missing", proof.missing),
            _cost(losses[loser], later, rules),
            *((Reason(OPENS_BY[by], later.opener),) if len(alive) > 1 else ()),
        ),
    )


def seats_alive(losses: tuple[int, ...], rules: QueenAnnesRules) -> tuple[int, ...]:
    """Return the seats still in."""
    return seats_in(alive_mask(packed_losses(losses), rules))


def _cost(losses: int, later: PackedTerms, rules: QueenAnnesRules) -> Reason:
    """Return what the loss costs, given the loser's losses including this one and the terms of the next round."""
    if is_out(losses, rules):
        return Reason("out", losses)
    if rules.loss_costs_card:
        return Reason("cards-left", cards_at_once(losses, rules))
    common = common_losses(later, rules.seats)
    slots = [extra_slot(turn, losses, common, rules) for turn in range(1, rules.extras + 1)]
    return Reason("extras-left", sum(slot != NO_SLOT for slot in slots))


@dataclass(frozen=True, slots=True)
class QueenAnnesView:
    """One seat's view of a game.

    Attributes:
        game: the catalogue id.
        options: the options in force.
        rules: the same, packed for the rule functions.
        seat: the viewing seat; `None` for a spectator.
        terms: opener and losses of the current round; `None` before the first.
        state: the state of the current round; `None` before the first.
        moves: the actions of this round, as (seat, action).
        hand_sizes: number of cards dealt to each seat at the start.
        seen: for each seat, those of its cards that the viewer sees.
        extras: the extra cards; those that the viewer can't see are `UNKNOWN`.
        legal: the legal actions of the seat to act, which are public, and the viewer's own challenge out of turn.
        losses: each seat's losses, including a round just ended.
        alive: the seats still in.
        score: units won or lost by each seat; empty before the match is won.
        winner: the seat that has won the match.
        result: the result of the challenge with all cards; `None` before it.
    """

    game: str
    options: QueenAnnesOptions
    rules: QueenAnnesRules
    seat: int | None
    terms: Terms | None
    state: RoundState | None
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
        """Whether it is the viewer's turn."""
        return self.state is not None and self.seat is not None and self.state.to_act == self.seat

    @property
    def known(self) -> tuple[int, ...]:
        """All cards in the pool that the viewer sees."""
        off_deck = (extra.card for extra in self.extras if extra.card != UNKNOWN)
        return (*(card for cards in self.seen for card in cards), *off_deck)

    @property
    def hidden(self) -> int:
        """The number of cards in the pool that the viewer can't see."""
        return sum(self.hand_sizes) + len(self.extras) - len(self.known)


def seen_hands(hands: tuple[tuple[int, ...], ...], seat: int | None, blind: bool) -> tuple[tuple[int, ...], ...]:
    """Return the hands that `seat` sees: its own, or in a blind game all others; none for a seat without cards.

    Raises:
        BadSeats: the seat doesn't exist.
    """
    check_seat(seat, len(hands))
    if seat is None or not hands[seat]:
        return ((),) * len(hands)
    return tuple(hand if sees_hand(seat, owner, blind) else () for owner, hand in enumerate(hands))


def seen_extras(extras: tuple[Extra, ...], seat: int | None) -> tuple[Extra, ...]:
    """Return the extra cards as `seat` sees them: face-up ones and its own."""
    return tuple(
        extra if sees_extra(seat, extra.seat, extra.face_up) else extra._replace(card=UNKNOWN) for extra in extras
    )
