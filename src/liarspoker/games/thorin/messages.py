"""Messages with views of Thorin's game."""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from liarspoker.protocol.codec import Options
from liarspoker.protocol.views import HandView, RoundView, View

Cards = tuple[str, ...]


class ThorinResult(View, frozen=True, kw_only=True):
    """Result of a round; `hand` is `None` if it wasn't shown."""

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
    """Legal actions: the weakest legal declaration, each answer or `None`, and whether to discard."""

    min_claim: str | None
    min_claim_words: str | None
    declare: bool
    take: str | None
    challenge: str | None
    pass_: str | None = field(name="pass")
    discard: bool


class Memory(View, frozen=True, kw_only=True):
    """Cards that a seat took, discarded and drew while it had the hand."""

    taken: Cards
    discarded: Cards = field(name="thrown")
    drawn: Cards


class ThorinHand(HandView, frozen=True, kw_only=True):
    """The hand if the seat has it, the seat's memory, and its legal actions."""

    hand: Cards | None = None
    memory: tuple[Memory, ...] = ()
    legal: ThorinLegal | None = None


class ThorinRound(RoundView, frozen=True, kw_only=True, tag="passed"):
    """Public view of a round.

    Attributes:
        alive: the seats still in.
        winner: the winner of the match.
        passes: passes that each seat has left.
        named: options chosen for this round.
        active: the seat that has the hand.
        stock: number of cards in the stock.
        discards: number of discards not yet shuffled in.
        claim: the last declaration, by `claimant`.
        floor: the weakest hand that fits it.
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
