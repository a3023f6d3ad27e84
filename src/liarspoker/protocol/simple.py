"""The round of a game whose family has no views of its own."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.protocol.views import HandView, RoundView


class SimpleHand(HandView, frozen=True, kw_only=True):
    """What the seat holds, and its legal actions when it is its turn."""

    hand: str = ""
    legal: tuple[str, ...] | None = None


class SimpleRound(RoundView, frozen=True, kw_only=True, tag="simple"):
    """Claims and answers, and after the round what each seat held.

    Attributes:
        sizes: how many symbols each seat holds.
        alive: the seats still in.
        claim: the claim to beat.
        shown: all hands, once the round is over.
        units: won or lost in the round by each seat, once it is over.
        winner: the seat that has won the match.
        result: how the round came out, in sentences; `{2}` is the place of the name of seat 2.
    """

    hand_type: ClassVar[type[HandView]] = SimpleHand

    sizes: tuple[int, ...]
    alive: tuple[int, ...]
    claim: str | None = None
    shown: tuple[str, ...] = ()
    units: tuple[int, ...] = ()
    winner: int | None = None
    result: tuple[str, ...] = ()
