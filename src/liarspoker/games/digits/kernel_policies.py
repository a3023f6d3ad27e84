"""Observations and legal actions for compiled policies of the digit games, and two policies.

Legal actions have the order of `liarspoker.games.digits.round.Legal`: bids from the weakest, then the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import Chance, below
from liarspoker.engine.lineup import Policy
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE, OPEN, Auction, refusal, refusal_with_repeats
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.ladder import digit_of, ladder_length, listing_end
from liarspoker.games.digits.options import Rules


class Observation(NamedTuple):
    """The information available to the seat to act. Its arrays must not be written to.

    Attributes:
        rules: the table's rules.
        auction: the state of the auction; `auction.to_act` is the observing seat.
        number: the seat's own number, four bits per digit, first digit lowest.
        counts: the packed counts of its digits, for `liarspoker.games.digits.hands.count_of`.
        hand: the hand's number in its session, from 0.
        stake: the stake in units.
        made: the number of actions in this hand so far.
        moves: int32 `[capacity, 2]`, seat and action of each move; only the first `made` rows are valid.
        bids: bool `[ladder_length]` with `loose_order`: which bids were made in this hand; else empty.
    """

    rules: Rules
    auction: Auction
    number: int
    counts: int
    hand: int
    stake: int
    made: int
    moves: NDArray[np.int32]
    bids: NDArray[np.bool_]


def refusal_of(auction: Auction, action: int, bids: NDArray[np.bool_], rules: Rules) -> int:
    """Return `LEGAL` (0) if the seat to act may play `action`, else a refusal code of `liarspoker.core.errors`.

    Args:
        auction: the state of the auction.
        action: any int.
        bids: as in `Observation`.
        rules: the table's rules.
    """
    made_before = 0 <= action < bids.size and bids[action]
    return refusal_with_repeats(auction, action, made_before, rules)


def answers(auction: Auction, rules: Rules) -> int:
    """Return the number of legal answers: 1 if the seat may challenge or count, else 0."""
    may_challenge = refusal(auction, CHALLENGE, rules) == LEGAL
    may_count = refusal(auction, COUNT, rules) == LEGAL
    return 1 if may_challenge or may_count else 0


def answer(auction: Auction, rules: Rules) -> int:
    """Return the legal answer, which must exist."""
    return CHALLENGE if refusal(auction, CHALLENGE, rules) == LEGAL else COUNT


def count_bids(auction: Auction, bids: NDArray[np.bool_], rules: Rules) -> int:
    """Return the number of legal bids; if the ladder isn't capped, of those that are listed."""
    end = listing_end(auction.claim, rules)
    if not rules.loose:
        return end - auction.claim - 1
    found = 0
    for claim in range(end):
        if refusal_of(auction, claim, bids, rules) == LEGAL:
            found += 1
    return found


def nth_bid(index: int, auction: Auction, bids: NDArray[np.bool_], rules: Rules) -> int:
    """Return the legal bid with an index, 0 for the weakest."""
    if not rules.loose:
        return auction.claim + 1 + index
    claim = -1
    while index >= 0:
        claim += 1
        if refusal_of(auction, claim, bids, rules) == LEGAL:
            index -= 1
    return claim


def uniform(observation: Observation, chance: Chance, data: Any) -> int:
    """Return a legal action drawn uniformly; if the ladder isn't capped, one of those that are listed."""
    rules, auction = observation.rules, observation.auction
    bids = count_bids(auction, observation.bids, rules)
    index = below(chance, bids + answers(auction, rules))
    return nth_bid(index, auction, observation.bids, rules) if index < bids else answer(auction, rules)


Value = Callable[[int, int], float]
"""Returns the value of a claim for a player holding `own` of its digit: `value(claim, own)`, in units at stake 1."""


def highest_value_policy(rules: Rules, counted: Value, faced: Value, opening_bids: int, later_bids: int) -> Policy:
    """Return a deterministic policy that plays the action with the highest value.

    It plays the answer if no bid has a higher value, and prefers the strongest of equal bids.

    Args:
        rules: the table's rules, with `cap_level` on; the policy is only for this table.
        counted: the value of a bid for its bidder if it is counted.
        faced: the value of the standing bid for another player if it is counted.
        opening_bids: how many bids, from the weakest, are evaluated at the opening.
        later_bids: how many are evaluated over a standing bid.
    """
    shape = (ladder_length(rules), rules.hand_size + 1)
    tables = [np.array([[value(*at) for at in line] for line in _index_pairs(shape)]) for value in (counted, faced)]
    return Policy(best_by_value, (*tables, opening_bids, later_bids))


def _index_pairs(shape: tuple[int, int]) -> list[list[tuple[int, int]]]:
    return [[(claim, own) for own in range(shape[1])] for claim in range(shape[0])]


def best_by_value(observation: Observation, chance: Chance, data: Any) -> int:
    """Return the action with the highest value; `data` is that of `highest_value_policy`."""
    counted, faced, opening_bids, later_bids = data
    rules, auction = observation.rules, observation.auction
    weighed = opening_bids if auction.phase == OPEN else later_bids
    best, chosen = -np.inf, -1
    for index in range(min(weighed, count_bids(auction, observation.bids, rules))):
        claim = nth_bid(index, auction, observation.bids, rules)
        value = counted[claim, count_of(observation.counts, digit_of(claim, rules))]
        if value >= best:
            best, chosen = value, claim
    if answers(auction, rules) == 0:
        return chosen
    mine = count_of(observation.counts, digit_of(auction.claim, rules))
    answer_value = counted[auction.claim, mine] if auction.phase == DECIDE else faced[auction.claim, mine]
    return answer(auction, rules) if answer_value >= best else chosen
