"""The player who counts chances: what a bid is worth by the hand it sees, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from liarspoker.bots.chances import as_bidder, as_other
from liarspoker.rules.digits.auction import DECIDE, OPEN
from liarspoker.rules.digits.hands import count_of, packed_counts
from liarspoker.rules.digits.ladder import digit_of
from liarspoker.rules.digits.options import Rules
from liarspoker.rules.digits.view import DigitView

LEVELS = 4


def held(number, rules):
    counts = packed_counts(number)
    return [count_of(counts, digit_of(rank, rules)) for rank in range(rules.symbols)]


@lru_cache(maxsize=64)
def _bid_values(rules: Rules) -> Callable[[int, int], float]:
    blind = 1 / rules.symbols

    @lru_cache(maxsize=65536)
    def value(claim, own):
        return as_bidder(claim, own, blind, rules)

    return value


@lru_cache(maxsize=64)
def _challenge_values(rules: Rules) -> Callable[[int, int], float]:
    blind = 1 / rules.symbols

    @lru_cache(maxsize=65536)
    def value(claim, own):
        return as_other(claim, own, blind, blind, rules)

    return value


def binomial(view: DigitView, chance: Random) -> int:
    rules, auction, legal = view.rules, view.auction, view.legal
    own = held(view.number, rules)
    symbols = rules.symbols
    levels = LEVELS + max(own) if auction.phase == OPEN else LEVELS
    best, action = -1e300, None
    value = _bid_values(rules)
    for claim in legal.claims[: levels * symbols]:
        worth = value(claim, own[claim % symbols])
        if worth >= best:
            best, action = worth, claim
    if legal.answers:
        standing = auction.claim
        values = value if auction.phase == DECIDE else _challenge_values(rules)
        if action is None or values(standing, own[standing % symbols]) >= best:
            return legal.answers[0]
    return action
