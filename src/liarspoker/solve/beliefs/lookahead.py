"""The value of an action to a player who looks one step ahead, with exact beliefs and known policies of the others.

After the action, the others respond by their policies, in turn, as long as each of them challenges; then the bid is
counted. If one of them bids instead, that bid is assumed to be counted at once. So an action that ends the auction is
valued exactly, and every other one as if nobody bid twice.

A count pays by one digit. So the value of an action is a sum over the digits, whose summands depend only on the
player's count of each digit; a small table holds it for all of their hands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.solve.beliefs.policies import Split
from liarspoker.solve.beliefs.positions import Position
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import Floats, count_probabilities, digit_probabilities, kernel
from liarspoker.solve.payoffs import expect, new_buffer, payoff_table
from liarspoker.solve.tree import Ints, ranks_of_bids

SplitOf = Callable[[Beliefs], Split]
"""Returns how the belief about the seat to act splits by its next action."""


class Answers(NamedTuple):
    """What the others do as long as each of them answers, in order.

    Attributes:
        seats: int64 `[steps]`, the seat to act.
        bids: float64 `[steps, ladder_length, hand_size + 1]`, as in :class:`~liarspoker.solve.beliefs.policies.Split`.
        answered: float64 `[steps, symbols, hand_size + 1]`, the joint probability of the answer and each count of each
            digit. In the last step, only the row of the final bid's digit is filled.
    """

    seats: Ints
    bids: Floats
    answered: Floats


def action_values(beliefs: Beliefs, seat: int, actions: tuple[int, ...], split: SplitOf) -> Floats:
    """Return the value of each action to the seat to act in units at stake 1: float64 `[actions, symbols, counts]`.

    Args:
        beliefs: beliefs about the others; those about `seat` itself aren't read.
        seat: the seat to act.
        actions: legal actions.
        split: returns how the others' hands split, usually from a cache.

    Returns:
        A summand for each action, each digit (the lowest first) and each count of it in the seat's own hand. The value
        of an action with a hand is the sum over the digits.
    """
    rules = beliefs.position.rules
    counts = np.array([beliefs.counts(other) for other in range(rules.seats)])
    worth = np.zeros((len(actions), rules.symbols, rules.hand_size + 1))
    buffers = new_buffer(rules), np.zeros((rules.seats, rules.hand_size + 1)), np.zeros(rules.hand_size + 1)
    for action, table in zip(actions, worth, strict=True):
        later, answers = _answers(beliefs.given(beliefs.position.after(action), seat, beliefs.seats[seat]), seat, split)
        kernel(add_values)(
            (seat, later.auction.claim, later.auction.bidder),
            answers,
            counts,
            ranks_of_bids(rules),
            payoff_table(rules),
            buffers,
            table,
        )
    return worth


def _answers(beliefs: Beliefs, seat: int, split: SplitOf) -> tuple[Position, Answers]:
    """Return the position once all others have answered or `seat` itself would count, and what they do until then."""
    position, steps = beliefs.position, []
    rules, hands = position.rules, beliefs.hands
    while not position.is_over and position.to_act != seat:
        steps.append((position.to_act, split(beliefs)))
        position = position.after(COUNT if position.auction.phase == DECIDE else CHALLENGE)
        beliefs = beliefs.given(position, seat, beliefs.seats[seat])
    shape = (len(steps), rules.symbols, rules.hand_size + 1)
    answered, rank = np.zeros(shape), ranks_of_bids(rules)[position.auction.claim]
    for step, (_, found) in enumerate(steps):
        if step + 1 < len(steps):
            answered[step] = count_probabilities(hands, found.answered)
        else:
            answered[step, rank] = digit_probabilities(hands, found.answered, rank)
    bids = np.array([found.bids for _, found in steps]).reshape(len(steps), ladder_length(rules), rules.hand_size + 1)
    return position, Answers(np.array([other for other, _ in steps], np.int64), bids, answered)


def add_values(
    final: tuple[int, int, int],
    answers: Answers,
    counts: Floats,
    ranks: Ints,
    payoffs: Floats,
    buffers: tuple[Floats, Floats, Floats],
    worth: Floats,
) -> None:
    """Add the value of an action to `worth`, `[symbols, hand_size + 1]`. For compiled code.

    Args:
        final: the player's seat, the bid that is counted if all others answer, and the seat that made it.
        answers: what the others do.
        counts: float64 `[seats, symbols, hand_size + 1]`, the probability of each count in each hand now.
        ranks: int64 `[ladder_length]`, the rank of each bid's digit.
        payoffs: from :func:`~liarspoker.solve.payoffs.payoff_table`.
        buffers: from `new_buffer`, float64 `[seats, hand_size + 1]` and `[hand_size + 1]`.
        worth: the result is added to it.
    """
    seat, claim, bidder = final
    buffer, probabilities, expected = buffers
    so_far, steps = 1.0, answers.seats.size
    for step in range(steps + 1):  # the extra step is the case in which all have answered
        for bid in range(ranks.size):
            likely = 1.0 if bid == claim else 0.0
            if step < steps:
                likely = _sum(answers.bids[step, bid])
            if likely <= 0.0:
                continue
            _put_counts(answers, step, ranks[bid], counts, probabilities)
            if step < steps:
                for held in range(counts.shape[2]):
                    probabilities[answers.seats[step], held] = answers.bids[step, bid, held] / likely
            expect(seat, answers.seats[step] if step < steps else bidder, probabilities, payoffs[bid], buffer, expected)
            for own in range(expected.size):
                worth[ranks[bid], own] += so_far * likely * expected[own]
        if step < steps:
            so_far *= _sum(answers.answered[step, ranks[claim]])
        if so_far <= 0.0:
            return


def _put_counts(answers: Answers, steps: int, rank: int, counts: Floats, probabilities: Floats) -> None:
    """Write the probability of each count of a digit in each hand after the first `steps` answers."""
    for other in range(probabilities.shape[0]):
        for held in range(probabilities.shape[1]):
            probabilities[other, held] = counts[other, rank, held]
    for step in range(steps):
        likely = _sum(answers.answered[step, rank])
        for held in range(probabilities.shape[1]):
            probabilities[answers.seats[step], held] = answers.answered[step, rank, held] / likely


def _sum(row: Floats) -> float:
    total = 0.0
    for place in range(row.size):
        total += row[place]
    return total
