"""Views of a round for game families that define none of their own."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.protocol.views import HandView, RoundView, View


class SimpleLegal(View, frozen=True, kw_only=True):
    """The legal actions: claims, weakest first, and all others."""

    claims: tuple[str, ...]
    answers: tuple[str, ...]


class SimpleHand(HandView, frozen=True, kw_only=True):
    """The seat's hand, and its legal actions when it is its turn."""

    hand: str = ""
    legal: SimpleLegal | None = None


class SimpleRound(RoundView, frozen=True, kw_only=True, tag="simple"):
    """Claims and answers, and all hands once the round is over.

    Attributes:
        stake: stake in units; `None` in a match.
        sizes: number of symbols in each seat's hand.
        alive: the seats that are still in.
        claim: the claim to beat.
        shown: all hands, once the round is over.
        losses: number of rounds each seat has lost; empty without elimination.
        losses_before: `losses` at the start of the round.
        units: units won or lost in the round by each seat, once it is over.
        winner: the seat that won the match.
        result: description of the result, in sentences; `{2}` is replaced by the name of seat 2.
    """

    hand_type: ClassVar[type[HandView]] = SimpleHand

    sizes: tuple[int, ...]
    alive: tuple[int, ...]
    stake: int | None = None
    claim: str | None = None
    shown: tuple[str, ...] = ()
    losses: tuple[int, ...] = ()
    losses_before: tuple[int, ...] = ()
    units: tuple[int, ...] = ()
    winner: int | None = None
    result: tuple[str, ...] = ()
