"""Views of Thorin's game, in which one hand is passed on."""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from liarspoker.protocol.codec import Options
from liarspoker.protocol.views import HandView, RoundView, View

Cards = tuple[str, ...]


class ThorinResult(View, frozen=True, kw_only=True):
    """How the challenge came out; `hand` is shown, unless the round was thrown in."""

    final_claim: str
    final_claim_words: str
    claimant: int
    challenger: int | None
    truthful: bool | None
    loser: int | None
    alive: tuple[int, ...]
    next_opener: int | None
    floor: str
    hand: Cards | None
    hand_value: str | None
    hand_words: str | None
    passes: tuple[int, ...]
    thrown_in: bool


class ThorinLegal(View, frozen=True, kw_only=True):
    """What may be done now: the weakest hand that may be declared, answers or `None`, and whether to discard."""

    min_claim: str | None
    min_claim_words: str | None
    declare: bool
    take: str | None
    challenge: str | None
    pass_: str | None = field(name="pass")
    discard: bool


class Memory(View, frozen=True, kw_only=True):
    """What a seat has seen while it had the hand: cards taken over, thrown (discarded) and drawn."""

    taken: Cards
    thrown: Cards
    drawn: Cards


class ThorinHand(HandView, frozen=True, kw_only=True):
    """The hand while the seat has it, what it remembers, and what it may do."""

    hand: Cards | None = None
    memory: tuple[Memory, ...] = ()
    legal: ThorinLegal | None = None


class ThorinRound(RoundView, frozen=True, kw_only=True, tag="passed"):
    """A round: what was declared, who has the hand, and after a challenge the hand.

    Attributes:
        alive: the seats still in.
        winner: of the match.
        passes: that each seat has left.
        named: options named for this round.
        active: the seat that has the hand.
        stock: cards left to draw.
        discards: cards discarded so far.
        claim: the hand declared last, by `claimant`.
        floor: what that claim says for sure.
    """

    hand_type: ClassVar[type[HandView]] = ThorinHand

    alive: tuple[int, ...]
    winner: int | None
    passes: tuple[int, ...]
    named: Options
    active: int
    stock: int
    discards: int
    claim: str | None = None
    claim_words: str | None = None
    claimant: int | None = None
    floor: str | None = None
    floor_words: str | None = None
    result: ThorinResult | None = None


ROUND = ThorinRound
