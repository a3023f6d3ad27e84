"""The Calculator: exact chances and exact payoffs of every bid, by its own hand alone; it never bluffs."""

from __future__ import annotations

from liarspoker.bots.protocol import Certain
from liarspoker.games.digits.bots.appraisal import answer_value, best_bid, hand_of
from liarspoker.games.digits.view import DigitView


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
