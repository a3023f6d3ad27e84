"""The Beginner: an honest player who knows what to expect on average, and neither chances nor bonuses."""

from __future__ import annotations

from liarspoker.bots.protocol import Certain
from liarspoker.games.digits.auction import COUNT
from liarspoker.games.digits.bots.appraisal import hand_of
from liarspoker.games.digits.ladder import claim_of, digit_of, level_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.view import DigitView


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
