"""The Beginner: an honest player who knows what to expect on average, and neither chances nor bonuses."""

from __future__ import annotations

from liarspoker.bots.digits.appraisal import hand_of
from liarspoker.bots.protocol import Certain
from liarspoker.rules.digits.auction import COUNT
from liarspoker.rules.digits.ladder import claim_of, digit_of, level_of
from liarspoker.rules.digits.view import DigitView


def expected_action(view: DigitView) -> int:
    """Bids what it holds, raises by as little as it can, and challenges what is more than it expects.

    It expects of each digit what it holds and a fair share of what the others hold. Challenged all around, it counts.

    >>> from liarspoker.rules import catalogue
    >>> from liarspoker.rules.digits.deal import DigitDeal
    >>> session = catalogue.load("dollar-bill").session(seats=2).deal(DigitDeal(("06742088", "92859819")))
    >>> session.write(expected_action(session.view(0)))
    '2x8'
    >>> session = session.apply(session.read("2x8"))
    >>> session.write(expected_action(session.view(1)))
    '2x9'
    """
    rules, legal = view.rules, view.legal
    own = hand_of(view)
    share = rules.hand_size * (rules.seats - 1) / rules.symbols

    def spare(claim: int) -> float:
        """By how many the digits that it expects exceed the bid."""
        return own[claim % rules.symbols] + share - level_of(claim, rules)

    if not legal.answers:
        most = max(range(rules.symbols), key=lambda rank: (own[rank], rank))
        return claim_of(own[most], digit_of(most, rules), rules)
    answer = legal.answers[0]
    if answer == COUNT or not legal.claims or (view.auction is not None and spare(view.auction.claim) < 0):
        return answer
    raised = max(legal.claims[: rules.symbols], key=spare)
    return raised if spare(raised) >= 0 else answer


beginner = Certain(expected_action, listens=False)
