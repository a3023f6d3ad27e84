"""The bots of the digit games as policies, so that they play in compiled rounds.

What a bid is worth and what it tells of a hand is worked out by the bots' own functions, compiled. Only how they go
through the moves and the bids is written for arrays here, and a test asks the bots at every turn whether they would
have played the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import Chance, below, chance_below_one
from liarspoker.engine.compiling import compiled
from liarspoker.engine.lineup import Policy
from liarspoker.games.digits.appraisal import appraiser, bids_weighed, paid_to_bidder, paid_to_other, tail
from liarspoker.games.digits.auction import COUNT, DECIDE, OPEN
from liarspoker.games.digits.beliefs import UNTOLD, explain, mean, prior, reweigh, share_out, weakest_of
from liarspoker.games.digits.bots import bluffer, eighths, finest, opened, spare
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.kernel_policies import (
    Observation,
    answer,
    answers,
    bid_listed,
    bids_listed,
    priced,
    uniform,
)
from liarspoker.games.digits.ladder import NO_CLAIM, digit_of, ladder_length
from liarspoker.games.digits.options import Rules

Floats = NDArray[np.float64]


def bot_policy(name: str, rules: Rules) -> Policy:
    """The policy that plays at a table as the bot of this name does.

    Args:
        name: `uniform`, `beginner`, `binomial` or `bluffer`.
        rules: the table's, with a top to the ladder; the policy is for no other table.
    """
    if name == "uniform":
        return Policy(uniform)
    if name == "beginner":
        return Policy(expected_action)
    return _calculator(rules) if name == "binomial" else _bluffer(rules)


def _calculator(rules: Rules) -> Policy:
    """What bids are worth is asked of the bot's own appraiser, once for each bid and count."""
    values, blind = appraiser(rules), 1 / rules.symbols
    return priced(
        rules,
        lambda claim, own: values.counted(claim, own, blind),
        lambda claim, own: values.faced(claim, own, blind, blind),
        *(bids_weighed(rules, opening=opening) for opening in (True, False)),
    )


def expected_action(seen: Observation, chance: Chance, data: Any) -> int:
    """What the Beginner plays, see `liarspoker.games.digits.bots.expected_action`; `data` is not looked at."""
    rules, auction = seen.rules, seen.auction
    if answers(auction, rules) == 0:
        most = 0
        for rank in range(rules.symbols):
            if _held(seen, rank, rules) >= _held(seen, most, rules):
                most = rank
        return opened(_held(seen, most, rules), most, rules)
    reply, bids = answer(auction, rules), bids_listed(auction, seen.bids, rules)
    if reply == COUNT or bids == 0 or spare(auction.claim, _held(seen, auction.claim, rules), rules) < 0:
        return reply
    best, raised = -np.inf, -1
    for place in range(min(bids, rules.symbols)):
        claim = bid_listed(place, auction, seen.bids, rules)
        spared = spare(claim, _held(seen, claim, rules), rules)
        if spared > best:
            best, raised = spared, claim
    return raised if best >= 0 else reply


def _held(seen: Observation, claim: int, rules: Rules) -> int:
    """How many of a bid's digit the seat itself holds."""
    return count_of(seen.counts, digit_of(claim, rules))


def _bluffer(rules: Rules) -> Policy:
    """The Bluffer with all that follows from the rules alone: tails of every belief, and how well counts explain bids.

    Its data are what `believing` reads, in that order.
    """
    others, claims = rules.seats - 1, ladder_length(rules)
    before = np.array(prior(rules))
    fits = np.ones((claims + 1, claims, rules.hand_size + 1))
    blind = np.array(tail(rules.hand_size * others, 1 / rules.symbols))
    values = np.zeros((rules.symbols, before.size))
    compiled(explain_all)(fits, values, np.zeros(values.shape, np.int64), blind, before, rules)
    tails = (_tails(others, rules), _tails(1, rules), _tails(others - 1, rules))
    weighed = (bids_weighed(rules, opening=True), bids_weighed(rules, opening=False))

    def workspace() -> tuple[Floats, ...]:
        return np.zeros(values.shape), np.zeros(rules.symbols), np.zeros(rules.symbols)

    return Policy(believing, (bluffer.trust, bluffer.bluffs, *tails, fits, before, *weighed), workspace)


def _tails(players: int, rules: Rules) -> Floats:
    """float64 `[eighths, counts]`: the tail of all digits of so many players, for each belief in eighths of a digit."""
    most, digits = finest(players, rules), players * rules.hand_size
    return np.array([tail(digits, part / most if most else 0.0) for part in range(most + 1)])


def explain_all(
    fits: Floats, values: Floats, meant: NDArray[np.int64], blind: Floats, before: Floats, rules: Rules
) -> None:
    """Write how well each count explains each bid over each that may stand.

    Args:
        fits: float64 `[claims + 1, claims, counts]`, to be written; the first index is the standing bid plus one.
        values: float64 `[digits, counts]`, and
        meant: int64 `[digits, counts]`, room for the best bids over a standing bid.
        blind: the tail of all that an honest player does not see.
        before: the chance of each count in a random hand.
        rules: the table's.
    """
    for standing in range(NO_CLAIM, fits.shape[1]):
        for rank in range(rules.symbols):
            weakest, levels = weakest_of(rank, standing, rules)
            for own in range(before.size):
                values[rank, own] = -np.inf
                for level in range(levels):
                    claim = weakest + level * rules.symbols
                    value = paid_to_bidder(claim, own, blind, rules)
                    if value >= values[rank, own]:
                        values[rank, own] = value
                        meant[rank, own] = claim
        for claim in range(0 if rules.loose else standing + 1, fits.shape[1]):
            explain(fits[standing + 1, claim], values, meant[claim % rules.symbols], claim, before)


def believing(seen: Observation, chance: Chance, data: Any) -> int:
    """What the Bluffer plays, see `liarspoker.games.digits.bots`; `data` is as `_bluffer` makes it."""
    trust, bluffs, others, held, rest, fits, before, opening_bids, later_bids, weights, counts, sums = data
    rules, auction = seen.rules, seen.auction
    pretends = auction.phase != DECIDE and bluffs > 0 and chance_below_one(chance) < bluffs
    extra = below(chance, rules.symbols) if pretends else -1
    bidders = 0.0
    for rank in range(rules.symbols):
        sums[rank] = 0.0
    for seat in range(rules.seats):
        if seat != auction.to_act:
            _believe(seat, seen, trust, fits, before, weights, counts)
            for rank in range(rules.symbols):
                sums[rank] += counts[rank]
            if seat == auction.bidder and auction.claim != NO_CLAIM:
                bidders = counts[auction.claim % rules.symbols]
    most = others.shape[0] - 1
    best, chosen = -np.inf, -1
    weighed = opening_bids if auction.phase == OPEN else later_bids
    for place in range(min(weighed, bids_listed(auction, seen.bids, rules))):
        claim = bid_listed(place, auction, seen.bids, rules)
        rank = claim % rules.symbols
        shown = _held(seen, claim, rules) + (1 if rank == extra else 0)
        value = paid_to_bidder(claim, shown, others[eighths(sums[rank], most)], rules)
        if value >= best:
            best, chosen = value, claim
    if answers(auction, rules) == 0:
        return chosen
    rank, own = auction.claim % rules.symbols, _held(seen, auction.claim, rules)
    if auction.phase == DECIDE:
        worth = paid_to_bidder(auction.claim, own, others[eighths(sums[rank], most)], rules)
    else:
        bidder, beyond = eighths(bidders, held.shape[0] - 1), eighths(sums[rank] - bidders, rest.shape[0] - 1)
        worth = paid_to_other(auction.claim, own, held[bidder], rest[beyond], rules)
    return answer(auction, rules) if worth >= best else chosen


def _believe(
    seat: int, seen: Observation, trust: float, fits: Floats, before: Floats, weights: Floats, counts: Floats
) -> None:
    """Write into `counts` how many of each digit a seat is expected to hold, by its bids in this hand."""
    rules, standing = seen.rules, NO_CLAIM
    for rank in range(rules.symbols):
        counts[rank] = UNTOLD
    for place in range(seen.made):
        action = int(seen.moves[place, 1])
        if action >= 0:
            if seen.moves[place, 0] == seat:
                rank = action % rules.symbols
                if counts[rank] == UNTOLD:
                    for count in range(before.size):
                        weights[rank, count] = before[count]
                reweigh(weights[rank], fits[standing + 1, action], trust)
                counts[rank] = mean(weights[rank])
            standing = action
    share_out(counts, rules)
