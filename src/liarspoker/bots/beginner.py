from __future__ import annotations
from random import Random
from liarspoker.rules.digits.auction import COUNT
from liarspoker.bots.binomial import held
from liarspoker.rules.digits.view import DigitView


def beginner(view, chance):
    rules, auction, legal = view.rules, view.auction, view.legal
    own = held(view.number, rules)
    share = rules.hand_size * (rules.seats - 1) / rules.symbols
    m = rules.symbols

    def margin(claim):
        return own[claim % m] + share - (claim // m + 1)

    if legal.answers:
        c = auction.claim
        if legal.answers[0] == COUNT:
            return COUNT
        if margin(c) < 0 or not legal.claims:
            return legal.answers[0]
    claims = legal.claims[:m]
    best = max(claims, key=lambda c: (own[c % m] - (c // m + 1), -c))
    if legal.answers and margin(best) < 0:
        return legal.answers[0]
    return best
