"""The round of a game whose family has no views of its own."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.protocol.views import HandView, RoundView, View


class SimpleLegal(View, frozen=True, kw_only=True):
    """What may be done now: claims, weakest first, and other actions."""

    claims: tuple[str, ...]
    answers: tuple[str, ...]


class SimpleHand(HandView, frozen=True, kw_only=True):
    """What the seat holds, and what it may do when it is its turn."""

    hand: str = ""
    legal: SimpleLegal | None = None


class SimpleRound(RoundView, frozen=True, kw_only=True, tag="simple"):
    """Claims and answers, and after the round what each seat held.

    Attributes:
        stake: what is played for; `None` in a match.
        sizes: how many symbols each seat holds.
        alive: the seats still in.
        claim: the claim to beat.
        shown: all hands, once the round is over.
        losses: how often each seat has lost; empty without elimination.
        losses_before: `losses` when the round began.
        units: won or lost in the round by each seat, once it is over.
        winner: the seat that has won the match.
        result: how the round came out, in sentences; `{2}` is the place of the name of seat 2.
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
