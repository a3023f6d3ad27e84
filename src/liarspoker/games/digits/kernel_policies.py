"""What a policy may know at a digit game, which actions it has, and the policies that need nothing else.

Actions are numbered as `DigitRound.legal` lists them: bids from the weakest, then the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import Chance, below
from liarspoker.engine.lineup import Policy
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE, OPEN, Auction, refusal, refusal_again
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.ladder import digit_of, ladder_length, listed_end
from liarspoker.games.digits.options import Rules


class Observation(NamedTuple):
    """What the seat to act may know. Arrays in it must not be written to.

    Attributes:
        rules: the table's.
        auction: where the bidding stands; `auction.to_act` is the seat that is asked.
        number: its own number, four bits a digit, first digit lowest.
        counts: how often it holds each digit, for `liarspoker.games.digits.deal.count_of`.
        hand: the hand's number in its session, from 0.
        stake: what is played for, in units.
        made: how many actions were played in this hand so far.
        moves: int32 `[many, 2]`, the first `made` of them filled: seat and action.
        bids: bool, under the loose order `[ladder_length]`: which bids were made in this hand; else empty.
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
    """Why the seat to act may not play `action`: 0 if it may, else a refusal of `liarspoker.core.errors`.

    Args:
        auction: as it stands.
        action: any int.
        bids: as in `Observation`.
        rules: the table's.
    """
    made_before = 0 <= action < bids.size and bids[action]
    return refusal_again(auction, action, made_before, rules)


def answers(auction: Auction, rules: Rules) -> int:
    """How many answers are legal: 1 where there is something to challenge or to count, else 0."""
    may_challenge = refusal(auction, CHALLENGE, rules) == LEGAL
    may_count = refusal(auction, COUNT, rules) == LEGAL
    return 1 if may_challenge or may_count else 0


def answer(auction: Auction, rules: Rules) -> int:
    """The legal answer, where there is one."""
    return CHALLENGE if refusal(auction, CHALLENGE, rules) == LEGAL else COUNT


def bids_listed(auction: Auction, bids: NDArray[np.bool_], rules: Rules) -> int:
    """How many bids are legal; on a ladder without a top, how many of them are listed."""
    end = listed_end(auction.claim, rules)
    if not rules.loose:
        return end - auction.claim - 1
    listed = 0
    for claim in range(end):
        if refusal_of(auction, claim, bids, rules) == LEGAL:
            listed += 1
    return listed


def bid_listed(place: int, auction: Auction, bids: NDArray[np.bool_], rules: Rules) -> int:
    """The legal bid at a place from 0, the weakest, to one less than `bids_listed`."""
    if not rules.loose:
        return auction.claim + 1 + place
    claim = -1
    while place >= 0:
        claim += 1
        if refusal_of(auction, claim, bids, rules) == LEGAL:
            place -= 1
    return claim


def uniform(seen: Observation, chance: Chance, data: Any) -> int:
    """Any legal action, each as likely as every other; on a ladder without a top, any of those that are listed."""
    rules, auction = seen.rules, seen.auction
    bids = bids_listed(auction, seen.bids, rules)
    place = below(chance, bids + answers(auction, rules))
    return bid_listed(place, auction, seen.bids, rules) if place < bids else answer(auction, rules)


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


def best_by_value(seen: Observation, chance: Chance, data: Any) -> int:
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
