"""A policy that plays what is worth most by a table of values, whoever has worked them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from liarspoker.engine.chance import Chance
from liarspoker.engine.digits.choices import answer, answers, bid_listed, bids_listed
from liarspoker.engine.digits.policies import Policy
from liarspoker.engine.digits.seen import Seen
from liarspoker.games.digits.auction import DECIDE, OPEN
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.ladder import digit_of, ladder_length
from liarspoker.games.digits.options import Rules

Value = Callable[[int, int], float]
"""What a claim is worth to somebody who holds so many of its digit: `value(claim, own)`, in units at stake 1."""


def priced(rules: Rules, counted: Value, faced: Value, opening_bids: int, later_bids: int) -> Policy:
    """The policy of the greatest value: of the weakest bids the best, unless the answer is worth as much.

    Among bids of equal value it takes the strongest. It leaves nothing to chance.

    Args:
        rules: the table's, with a top to the ladder; the policy is for no other table.
        counted: what a bid is worth to its bidder if it is counted.
        faced: what the standing bid is worth to another player if it is counted.
        opening_bids: how many bids are weighed at the opening, from the weakest.
        later_bids: how many are weighed over a standing bid.
    """
    shape = (ladder_length(rules), rules.hand_size + 1)
    tables = [np.array([[value(*at) for at in line] for line in _places(shape)]) for value in (counted, faced)]
    return Policy(best_by_value, (*tables, opening_bids, later_bids))


def _places(shape: tuple[int, int]) -> list[list[tuple[int, int]]]:
    return [[(claim, own) for own in range(shape[1])] for claim in range(shape[0])]


def best_by_value(seen: Seen, chance: Chance, data: Any) -> int:
    """The bid or the answer of the greatest value; `data` is as `priced` makes it."""
    counted, faced, opening_bids, later_bids = data
    rules, auction = seen.rules, seen.auction
    weighed = opening_bids if auction.phase == OPEN else later_bids
    best, chosen = -np.inf, -1
    for place in range(min(weighed, bids_listed(auction, seen.bids, rules))):
        claim = bid_listed(place, auction, seen.bids, rules)
        value = counted[claim, count_of(seen.counts, digit_of(claim, rules))]
        if value >= best:
            best, chosen = value, claim
    if answers(auction, rules) == 0:
        return chosen
    mine = count_of(seen.counts, digit_of(auction.claim, rules))
    worth = counted[auction.claim, mine] if auction.phase == DECIDE else faced[auction.claim, mine]
    return answer(auction, rules) if worth >= best else chosen
