"""Messages with views of Queen Anne's games."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.protocol.views import HandView, RoundView, View

Cards = tuple[str, ...]


class ExtraCard(View, frozen=True, kw_only=True):
    """An extra card, face `up` or `down`; `??` if the viewer can't see it."""

    seat: int
    turn: int
    card: str
    face: str


class QueenAnnesResult(View, frozen=True, kw_only=True):
    """Result of a challenge, with all hands and the cards that make the named hand."""

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
    """Legal actions: the weakest legal claim, and the challenge to send or `None`."""

    min_claim: str | None
    min_claim_words: str | None
    claim: bool
    challenge: str | None


class QueenAnnesHand(HandView, frozen=True, kw_only=True):
    """The cards that the seat sees, per seat, its face-down extra cards, and its legal actions."""

    seen: tuple[Cards, ...] = ()
    extras: tuple[ExtraCard, ...] = ()
    legal: QueenAnnesLegal | None = None


class QueenAnnesRound(RoundView, frozen=True, kw_only=True, tag="pooled"):
    """Public view of a round.

    Attributes:
        losses: rounds lost by each seat.
        alive: the seats still in.
        winner: the winner of the match.
        hand_sizes: number of cards dealt to each seat at the start.
        blind: whether players can't see their own cards.
        extras: the extra cards.
        claim: the last hand named, by `claimant`.
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
