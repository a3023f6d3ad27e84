"""A policy for tests: it challenges so often that half of all bids stand, and bids little more than stands."""

from __future__ import annotations

from typing import Any

from liarspoker.engine.chance import Chance, below, chance_below_one
from liarspoker.engine.digits.choices import answer, answers, bid_listed, bids_listed
from liarspoker.engine.digits.seen import Seen


def hasty(seen: Seen, chance: Chance, data: Any) -> int:
    rules, auction = seen.rules, seen.auction
    bids = bids_listed(auction, seen.bids, rules)
    if answers(auction, rules) and (bids == 0 or chance_below_one(chance) < 1 - 0.6 / (rules.seats - 1)):
        return answer(auction, rules)
    little = bids if chance_below_one(chance) < 0.1 else min(bids, 1 + rules.symbols)
    return bid_listed(below(chance, little), auction, seen.bids, rules)
