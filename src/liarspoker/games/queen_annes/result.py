"""How a round of a pooled game came out: the proof from the pool, who loses, and who opens next."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.cards.elimination import seats_in
from liarspoker.core.reason import Reason
from liarspoker.games.queen_annes.dealing import cards_at_once
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.outcome import OPENS_BY, is_out, living_mask, outcome
from liarspoker.games.queen_annes.pool import Proof, prove
from liarspoker.games.queen_annes.round import Extra, QueenAnnesRound
from liarspoker.games.queen_annes.state import losses_of, packed_losses


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
