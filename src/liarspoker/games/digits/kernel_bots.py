"""The bots of the digit games as compiled policies.

Values and beliefs are computed by the bots' own functions, compiled. Only the loops over moves and bids are written for
arrays here; tests compare them with the bots at every turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import Chance, below, random_float
from liarspoker.engine.compiling import compiled
from liarspoker.engine.lineup import Policy
from liarspoker.engine.networks import policy_of
from liarspoker.games.digits.appraisal import appraiser, bids_weighed, paid_to_bidder, paid_to_other, tail
from liarspoker.games.digits.auction import COUNT, DECIDE, OPEN
from liarspoker.games.digits.beliefs import NOT_BID, fit_counts, mean, prior, share_out, update, weakest_of
from liarspoker.games.digits.bots import bluffer, eighths, margin, max_eighths, opening_bid
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.kernel_network import INPUTS
from liarspoker.games.digits.kernel_policies import (
    Observation,
    answer,
    answers,
    count_bids,
    highest_value_policy,
    nth_bid,
    uniform,
)
from liarspoker.games.digits.ladder import NO_CLAIM, digit_of, ladder_length
from liarspoker.games.digits.network_bot import NETWORK_BOTS
from liarspoker.games.digits.options import Rules

Floats = NDArray[np.float64]
"""An array of float64."""


def bot_policy(name: str, rules: Rules) -> Policy:
    """Return the policy that plays as the bot of this name.

    Args:
        name: the name of a bot of the digit games, or `net:` and the file of a network.
        rules: the table's rules, with `cap_level` on; the policy is only for this table.
    """
    return policy_of(name, rules, NETWORK_BOTS, lambda: INPUTS, _simple_policy)


def _simple_policy(name: str, rules: Rules) -> Policy:
    """Return the policy of a bot without a network."""
    if name == "uniform":
        return Policy(uniform)
    if name == "beginner":
        return Policy(expected_action)
    return _calculator(rules) if name == "binomial" else _bluffer(rules)


def _calculator(rules: Rules) -> Policy:
    """Return the Calculator's policy, with the value of each bid and count from its appraiser."""
    values, blind = appraiser(rules), 1 / rules.symbols
    return highest_value_policy(
        rules,
        lambda claim, own: values.counted(claim, own, blind),
        lambda claim, own: values.faced(claim, own, blind, blind),
        *(bids_weighed(rules, opening=opening) for opening in (True, False)),
    )


def expected_action(observation: Observation, chance: Chance, data: Any) -> int:
    """Return the Beginner's action; see `liarspoker.games.digits.bots.expected_action`. `data` is unused."""
    rules, auction = observation.rules, observation.auction
    if answers(auction, rules) == 0:
        most = 0
        for rank in range(rules.symbols):
            if _held(observation, rank, rules) >= _held(observation, most, rules):
                most = rank
        return opening_bid(_held(observation, most, rules), most, rules)
    reply, bids = answer(auction, rules), count_bids(auction, observation.bids, rules)
    if reply == COUNT or bids == 0 or margin(auction.claim, _held(observation, auction.claim, rules), rules) < 0:
        return reply
    best, raised = -np.inf, -1
    for place in range(min(bids, rules.symbols)):
        claim = nth_bid(place, auction, observation.bids, rules)
        here = margin(claim, _held(observation, claim, rules), rules)
        if here > best:
            best, raised = here, claim
    return raised if best >= 0 else reply


def _held(observation: Observation, claim: int, rules: Rules) -> int:
    """Return how many of a bid's digit the observing seat holds."""
    return count_of(observation.counts, digit_of(claim, rules))


def _bluffer(rules: Rules) -> Policy:
    """Return the Bluffer's policy, with precomputed tails and likelihoods as its data.

    `bluffer_action` unpacks the data in this order.
    """
    others, claims = rules.seats - 1, ladder_length(rules)
    before = np.array(prior(rules))
    fits = np.ones((claims + 1, claims, rules.hand_size + 1))
    blind = np.array(tail(rules.hand_size * others, 1 / rules.symbols))
    values = np.zeros((rules.symbols, before.size))
    compiled(fit_all)(fits, values, np.zeros(values.shape, np.int64), blind, before, rules)
    tails = (_tails(others, rules), _tails(1, rules), _tails(others - 1, rules))
    weighed = (bids_weighed(rules, opening=True), bids_weighed(rules, opening=False))

    def workspace() -> tuple[Floats, ...]:
        return np.zeros(values.shape), np.zeros(rules.symbols), np.zeros(rules.symbols)

    return Policy(bluffer_action, (bluffer.trust, bluffer.bluffs, *tails, fits, before, *weighed), workspace)


def _tails(players: int, rules: Rules) -> Floats:
    """Return float64 `[eighths, counts]`: the tails for `players` players, by their expected count in eighths."""
    most, digits = max_eighths(players, rules), players * rules.hand_size
    return np.array([tail(digits, part / most if most else 0.0) for part in range(most + 1)])


def fit_all(
    fits: Floats, values: Floats, meant: NDArray[np.int64], blind: Floats, before: Floats, rules: Rules
) -> None:
    """Write the relative likelihood of each bid over each standing bid, for each count of its digit.

    Args:
        fits: float64 `[claims + 1, claims, counts]`, the output; the first index is the standing bid plus one.
        values: float64 `[digits, counts]`, a buffer for the values of the best bids over a standing bid.
        meant: int64 `[digits, counts]`, a buffer for these bids.
        blind: the tail of all digits that an honest player doesn't see.
        before: the probability of each count in a random hand.
        rules: the table's rules.
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
            fit_counts(fits[standing + 1, claim], values, meant[claim % rules.symbols], claim, before)


def bluffer_action(observation: Observation, chance: Chance, data: Any) -> int:
    """Return the Bluffer's action; see `liarspoker.games.digits.bots.Bluffer`. `data` is made by `_bluffer`."""
    trust, bluffs, others, held, rest, fits, before, opening_bids, later_bids, weights, counts, sums = data
    rules, auction = observation.rules, observation.auction
    pretends = auction.phase != DECIDE and bluffs > 0 and random_float(chance) < bluffs
    extra = below(chance, rules.symbols) if pretends else -1
    bidders = 0.0
    for rank in range(rules.symbols):
        sums[rank] = 0.0
    for seat in range(rules.seats):
        if seat != auction.to_act:
            _expect_counts(seat, observation, trust, fits, before, weights, counts)
            for rank in range(rules.symbols):
                sums[rank] += counts[rank]
            if seat == auction.bidder and auction.claim != NO_CLAIM:
                bidders = counts[auction.claim % rules.symbols]
    most = others.shape[0] - 1
    best, chosen = -np.inf, -1
    weighed = opening_bids if auction.phase == OPEN else later_bids
    for place in range(min(weighed, count_bids(auction, observation.bids, rules))):
        claim = nth_bid(place, auction, observation.bids, rules)
        rank = claim % rules.symbols
        shown = _held(observation, claim, rules) + (1 if rank == extra else 0)
        value = paid_to_bidder(claim, shown, others[eighths(sums[rank], most)], rules)
        if value >= best:
            best, chosen = value, claim
    if answers(auction, rules) == 0:
        return chosen
    rank, own = auction.claim % rules.symbols, _held(observation, auction.claim, rules)
    if auction.phase == DECIDE:
        answer_value = paid_to_bidder(auction.claim, own, others[eighths(sums[rank], most)], rules)
    else:
        bidder, beyond = eighths(bidders, held.shape[0] - 1), eighths(sums[rank] - bidders, rest.shape[0] - 1)
        answer_value = paid_to_other(auction.claim, own, held[bidder], rest[beyond], rules)
    return answer(auction, rules) if answer_value >= best else chosen


def _expect_counts(
    seat: int, observation: Observation, trust: float, fits: Floats, before: Floats, weights: Floats, counts: Floats
) -> None:
    """Write the expected count of each digit of a seat, given its bids in this hand, into `counts`."""
    rules, standing = observation.rules, NO_CLAIM
    for rank in range(rules.symbols):
        counts[rank] = NOT_BID
    for place in range(observation.made):
        action = int(observation.moves[place, 1])
        if action >= 0:
            if observation.moves[place, 0] == seat:
                rank = action % rules.symbols
                if counts[rank] == NOT_BID:
                    for count in range(before.size):
                        weights[rank, count] = before[count]
                update(weights[rank], fits[standing + 1, action], trust)
                counts[rank] = mean(weights[rank])
            standing = action
    share_out(counts, rules)
