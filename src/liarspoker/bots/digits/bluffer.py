"""The Bluffer: counts like the Calculator, believes most of what the others bid, and sometimes bids what it lacks."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from liarspoker.bots.digits.appraisal import answer_value, best_bid, hand_of
from liarspoker.bots.digits.beliefs import bids_of, expected_counts
from liarspoker.bots.protocol import Chances
from liarspoker.rules.digits.auction import DECIDE
from liarspoker.rules.digits.options import Rules
from liarspoker.rules.digits.view import DigitView

_FINENESS = 8
"""Beliefs are rounded to an eighth of a digit, so that few enough of them differ to be remembered."""


@dataclass(frozen=True, slots=True)
class Bluffer:
    """A player with beliefs.

    Attributes:
        trust: 0 to 1; how much it believes that the bids of others are honest.
        bluffs: the chance that, when it may bid, it takes itself to hold one more of some digit than it does.
    """

    trust: float = 0.3
    bluffs: float = 0.2

    def __call__(self, view: DigitView, chance: Random) -> int:
        """The action that is worth most by what it holds, or pretends to, and by what it believes of the others.

        >>> from liarspoker.rules import catalogue
        >>> from liarspoker.rules.digits.deal import DigitDeal
        >>> session = catalogue.load("dollar-bill").session(seats=2).deal(DigitDeal(("06742088", "92859819")))
        >>> session = session.apply(session.read("3x8"))
        >>> session.write(Bluffer()(session.view(1), Random(0)))
        '3x9'
        """
        pretends = chance.random() < self.bluffs if self.pretends(view) else False
        return self._action(view, chance.randrange(view.rules.symbols) if pretends else None)

    def pretends(self, view: DigitView) -> float:
        """The chance that it bids as if it held one more of some digit. A rebid is never a bluff."""
        return 0.0 if view.auction is not None and view.auction.phase == DECIDE else self.bluffs

    def chances(self, view: DigitView) -> Chances:
        """What it plays with the hand that it holds, and with one more of each digit, as often as it pretends so."""
        bluffs = self.pretends(view)
        taken = {self._action(view, None): 1 - bluffs}
        for extra in range(view.rules.symbols if bluffs else 0):
            action = self._action(view, extra)
            taken[action] = taken.get(action, 0.0) + bluffs / view.rules.symbols
        return tuple(taken.items())

    def _action(self, view: DigitView, extra: int | None) -> int:
        """What it plays if it bids from the hand that it holds, or from one with one more of the digit of a rank."""
        own, known = hand_of(view), believed(view, self.trust)
        shown = [count + (rank == extra) for rank, count in enumerate(own)]
        value, claim = best_bid(view, shown, known.chances)
        answers, auction = view.legal.answers, view.auction
        if not answers or auction is None:
            return claim
        rank = auction.claim % view.rules.symbols
        worth = answer_value(view, own[rank], known.chances[rank], known.bidders, known.rest)
        return answers[0] if worth >= value else claim


class Believed(NamedTuple):
    """What a seat believes of the others, from public moves alone.

    Attributes:
        chances: that a digit of another player is this one, for each digit, the lowest first.
        bidders: the chance that one of the bidder's digits is the standing bid's; 0 where there is no bid.
        rest: the same of the digits of all who are neither the bidder nor this seat.
    """

    chances: tuple[float, ...]
    bidders: float
    rest: float


def believed(view: DigitView, trust: float) -> Believed:
    """What the seat to act believes of the others.

    Args:
        view: of that seat; its number is not looked at.
        trust: 0 to 1; how much it believes that the bids of others are honest.
    """
    beliefs, others, auction = _beliefs(view, trust), view.rules.seats - 1, view.auction
    chances = tuple(_chance(sum(column), others, view.rules) for column in zip(*beliefs, strict=True))
    if auction is None or auction.bidder < 0:
        return Believed(chances, 0.0, 0.0)
    column = [row[auction.claim % view.rules.symbols] for row in beliefs]
    bidder = column[auction.bidder]
    rest = _chance(sum(column) - bidder, others - 1, view.rules)
    return Believed(chances, _chance(bidder, 1, view.rules), rest)


def _beliefs(view: DigitView, trust: float) -> list[tuple[float, ...]]:
    """How many of each digit every other seat is expected to hold; nothing for the seat itself."""
    rows = [expected_counts(bids, trust, view.rules) for bids in bids_of(view.moves, view.rules.seats)]
    if view.seat is not None:
        rows[view.seat] = (0.0,) * view.rules.symbols
    return rows


def _chance(expected: float, players: int, rules: Rules) -> float:
    """The chance that one of so many players' digits is one of which they are expected to hold `expected`, rounded."""
    if players == 0:
        return 0.0
    return min(1.0, round(expected * _FINENESS) / (_FINENESS * players * rules.hand_size))


bluffer = Bluffer()
