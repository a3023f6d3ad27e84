"""Views of Queen Anne's games, in which all hands are pooled."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.protocol.views import HandView, RoundView, View

Cards = tuple[str, ...]


class ExtraCard(View, frozen=True, kw_only=True):
    """A card dealt during the round, face `up` or `down`; one that you don't see is `??`."""

    seat: int
    turn: int
    card: str
    face: str


class QueenAnnesResult(View, frozen=True, kw_only=True):
    """How the challenge came out, with all hands and the cards that prove it."""

    final_claim: str
    final_claim_words: str
    claimant: int
    challenger: int
    exists: bool
    loser: int
    losses: tuple[int, ...]
    alive: tuple[int, ...]
    next_opener: int | None
    hands: tuple[Cards, ...]
    extras: tuple[ExtraCard, ...]
    proof: Cards
    missing: int
    proof_words: tuple[str, ...]


class QueenAnnesLegal(View, frozen=True, kw_only=True):
    """What may be done now: the weakest hand that may be named, and the challenge to send or `None`."""

    min_claim: str | None
    min_claim_words: str | None
    claim: bool
    challenge: str | None


class QueenAnnesHand(HandView, frozen=True, kw_only=True):
    """The cards that the seat sees, a list per seat, its covered extras, and what it may do."""

    seen: tuple[Cards, ...] = ()
    extras: tuple[ExtraCard, ...] = ()
    legal: QueenAnnesLegal | None = None


class QueenAnnesRound(RoundView, frozen=True, kw_only=True, tag="pooled"):
    """A round: what was named, who holds how many cards, and after a challenge all of them.

    Attributes:
        losses: rounds lost by each seat.
        alive: the seats still in.
        winner: of the match.
        hand_sizes: cards that each seat holds.
        blind: players don't see their own cards.
        extras: cards dealt during the round.
        claim: the hand to beat, named by `claimant`.
    """

    hand_type: ClassVar[type[HandView]] = QueenAnnesHand

    losses: tuple[int, ...]
    alive: tuple[int, ...]
    winner: int | None
    hand_sizes: tuple[int, ...]
    blind: bool
    extras: tuple[ExtraCard, ...]
    claim: str | None = None
    claim_words: str | None = None
    claimant: int | None = None
    result: QueenAnnesResult | None = None


ROUND = QueenAnnesRound
