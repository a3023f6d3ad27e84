"""The bots of the digit games.

The Beginner is an honest player who knows what to expect on average, and neither probabilities nor bonuses. The
Calculator knows the exact probabilities and payoffs of every bid, by its own hand alone, and never bluffs. The Bluffer
counts like the Calculator, believes most of what the others bid, and sometimes bids what it lacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from liarspoker.bots.protocol import Certain, Chances
from liarspoker.games.digits.appraisal import answer_value, best_bid, hand_of
from liarspoker.games.digits.auction import COUNT, DECIDE
from liarspoker.games.digits.beliefs import bids_of, expected_counts
from liarspoker.games.digits.ladder import NO_CLAIM, claim_of, digit_of, level_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitView


def expected_action(view: DigitView) -> int:
    """Bids what it holds, raises by as little as it can, and challenges what is more than it expects.

    It expects of each digit what it holds and a fair share of what the others hold. Challenged all around, it counts.

    >>> from liarspoker.core import catalogue
    >>> from liarspoker.games.digits.deal import DigitDeal
    >>> session = catalogue.load("dollar-bill").session(seats=2).deal(DigitDeal(("06742088", "92859819")))
    >>> session.write(expected_action(session.view(0)))
    '2x8'
    >>> session = session.apply(session.read("2x8"))
    >>> session.write(expected_action(session.view(1)))
    '2x9'
    """
    rules, legal = view.rules, view.legal
    own = hand_of(view)

    def spared(claim: int) -> float:
        return spare(claim, own[claim % rules.symbols], rules)

    if not legal.answers:
        most = max(range(rules.symbols), key=lambda rank: (own[rank], rank))
        return opened(own[most], most, rules)
    answer = legal.answers[0]
    if answer == COUNT or not legal.claims or (view.auction is not None and spared(view.auction.claim) < 0):
        return answer
    raised = max(legal.claims[: rules.symbols], key=spared)
    return raised if spared(raised) >= 0 else answer


def opened(own: int, rank: int, rules: Rules) -> int:
    """The bid with which it opens, holding `own` of its commonest digit, which has this rank."""
    return claim_of(own, digit_of(rank, rules), rules)


def spare(claim: int, own: int, rules: Rules) -> float:
    """By how many the digits that it expects, holding `own` of the bid's digit, exceed the bid."""
    share = rules.hand_size * (rules.seats - 1) / rules.symbols
    return own + share - level_of(claim, rules)


beginner = Certain(expected_action, listens=False)


def best_action(view: DigitView) -> int:
    """The action that is worth most if the auction ended with it.

    A bid is weighed as though everybody would challenge it, a challenge as though the bid were counted. The digits
    that it does not see are any digit in play with equal chances, whatever was bid.

    >>> from liarspoker.core import catalogue
    >>> from liarspoker.games.digits.deal import DigitDeal
    >>> session = catalogue.load("dollar-bill").session(seats=2).deal(DigitDeal(("06742088", "92859819")))
    >>> session = session.apply(session.read("2x8"))
    >>> session.write(best_action(session.view(1)))
    '3x9'
    """
    own, blind = hand_of(view), 1 / view.rules.symbols
    value, claim = best_bid(view, own, (blind,) * view.rules.symbols)
    answers = view.legal.answers
    if not answers or view.auction is None:
        return claim
    mine = own[view.auction.claim % view.rules.symbols]
    return answers[0] if answer_value(view, mine, blind, blind, blind) >= value else claim


binomial = Certain(best_action, listens=False)


FINENESS = 8
"""Beliefs are rounded to an eighth of a digit, so that few enough of them differ to be remembered."""


class Heard(NamedTuple):
    """What a Bluffer believes of the others.

    Attributes:
        chances: for each digit in play, the lowest first, that a digit of the others is this one.
        bidders: that a digit of the bidder is the standing bid's, and
        rest: the same of all who are neither bidder nor the Bluffer; both 0 at the opening.
    """

    chances: tuple[float, ...]
    bidders: float
    rest: float


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

        >>> from liarspoker.core import catalogue
        >>> from liarspoker.games.digits.deal import DigitDeal
        >>> session = catalogue.load("dollar-bill").session(seats=2).deal(DigitDeal(("06742088", "92859819")))
        >>> session = session.apply(session.read("3x8"))
        >>> session.write(Bluffer()(session.view(1), Random(0)))
        '3x9'
        """
        pretends = self.pretends(view)
        bluffs = pretends > 0 and chance.random() < pretends
        return self._action(view, self.heard(view), chance.randrange(view.rules.symbols) if bluffs else None)

    def chances(self, view: DigitView) -> Chances:
        """What it plays with the hand that it holds, and with one more of each digit, as often as it pretends so."""
        pretends, heard = self.pretends(view), self.heard(view)
        taken = {self._action(view, heard, None): 1 - pretends}
        for extra in range(view.rules.symbols if pretends else 0):
            action = self._action(view, heard, extra)
            taken[action] = taken.get(action, 0.0) + pretends / view.rules.symbols
        return tuple(taken.items())

    def pretends(self, view: DigitView) -> float:
        """The chance that it bids as if it held one more of some digit. A rebid is never a bluff."""
        return 0.0 if view.auction is not None and view.auction.phase == DECIDE else self.bluffs

    def heard(self, view: DigitView) -> Heard:
        """What it believes of the others' digits, by what they have bid."""
        nothing = (0.0,) * view.rules.symbols
        rows = [
            nothing if seat == view.seat else expected_counts(bids, self.trust, view.rules)
            for seat, bids in enumerate(bids_of(view.moves, view.rules.seats))
        ]
        others = view.rules.seats - 1
        chances = tuple(_chance(sum(column), others, view.rules) for column in zip(*rows, strict=True))
        if view.auction is None or view.auction.claim == NO_CLAIM:
            return Heard(chances, 0.0, 0.0)
        believed = [row[view.auction.claim % view.rules.symbols] for row in rows]
        bidder = believed[view.auction.bidder]
        return Heard(chances, _chance(bidder, 1, view.rules), _chance(sum(believed) - bidder, others - 1, view.rules))

    def _action(self, view: DigitView, heard: Heard, extra: int | None) -> int:
        """What it plays if it bids from the hand that it holds, or from one with one more of the digit of a rank."""
        own = hand_of(view)
        shown = [count + (rank == extra) for rank, count in enumerate(own)]
        value, claim = best_bid(view, shown, heard.chances)
        answers, auction = view.legal.answers, view.auction
        if not answers or auction is None:
            return claim
        rank = auction.claim % view.rules.symbols
        counted = answer_value(view, own[rank], heard.chances[rank], heard.bidders, heard.rest)
        return answers[0] if counted >= value else claim


def _chance(expected: float, players: int, rules: Rules) -> float:
    """The chance that one of so many players' digits is one of which they are expected to hold `expected`, rounded."""
    most = finest(players, rules)
    return eighths(expected, most) / most if most else 0.0


def eighths(expected: float, most: int) -> int:
    """An expected count in whole eighths of a digit, at most `most`."""
    return min(most, round(expected * FINENESS))


def finest(players: int, rules: Rules) -> int:
    """How many eighths of a digit so many players hold together."""
    return FINENESS * players * rules.hand_size


bluffer = Bluffer()
