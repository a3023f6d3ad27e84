"""The value of an action to a player who looks one step ahead, with exact beliefs and the others' known policies.

After the action the others answer by their policies, in turn, as long as each of them challenges; then the bid is
counted. Where one of them bids instead, that bid is taken to be counted at once. So an action that ends the auction is
valued exactly, and every other one as if nobody bid twice.

A count pays by one digit, so the value of an action is a sum over the digits of a number that depends on the player's
count of that digit; a small table holds it for all of their hands.
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
from liarspoker.solve.hands import Floats, count_chances, digit_chances, kernel
from liarspoker.solve.payoffs import expect, new_buffer, payoff_table
from liarspoker.solve.tree import Ints, ranks_of_bids

SplitOf = Callable[[Beliefs], Split]
"""How the belief about the seat to act splits by what it does next."""


class Answers(NamedTuple):
    """What the others do as long as each of them answers, in their order.

    Attributes:
        seats: int64 `[steps]`, who is asked.
        bids: float64 `[steps, ladder_length, hand_size + 1]`, as in `Split`.
        answered: float64 `[steps, symbols, hand_size + 1]`, the joint probability of the answer and each count
            of each digit. Of the last step only the final bid's row is needed, and filled.
    """

    seats: Ints
    bids: Floats
    answered: Floats


def worth_of(beliefs: Beliefs, seat: int, actions: tuple[int, ...], split: SplitOf) -> Floats:
    """Return the value of each action to the seat to act in units at stake 1: float64 `[actions, symbols, counts]`.

    Args:
        beliefs: about the others; those about `seat` itself aren't read.
        seat: the seat to act.
        actions: legal ones.
        split: how the others' hands split; usually from a cache.

    Returns:
        For each action and digit, the lowest first, and each count of it in the seat's own hand, a summand: the
        value of the action with a hand is the sum over the digits.
    """
    rules = beliefs.position.rules
    counts = np.array([beliefs.counts(other) for other in range(rules.seats)])
    worth = np.zeros((len(actions), rules.symbols, rules.hand_size + 1))
    buffers = new_buffer(rules), np.zeros((rules.seats, rules.hand_size + 1)), np.zeros(rules.hand_size + 1)
    for action, table in zip(actions, worth, strict=True):
        later, answers = _answers(beliefs.given(beliefs.position.after(action), seat, beliefs.seats[seat]), seat, split)
        kernel(add_worth)(
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
    """The position once all others have answered, or `seat` itself would count, and what they do until then."""
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
            answered[step] = count_chances(hands, found.answered)
        else:
            answered[step, rank] = digit_chances(hands, found.answered, rank)
    bids = np.array([found.bids for _, found in steps]).reshape(len(steps), ladder_length(rules), rules.hand_size + 1)
    return position, Answers(np.array([other for other, _ in steps], np.int64), bids, answered)


def add_worth(
    final: tuple[int, int, int],
    answers: Answers,
    counts: Floats,
    ranks: Ints,
    payoffs: Floats,
    buffers: tuple[Floats, Floats, Floats],
    worth: Floats,
) -> None:
    """Add what an action is worth to `worth`, `[symbols, hand_size + 1]`. For compiled code.

    Args:
        final: the seat that asks, the bid that is counted if all others answer, and the seat that made it.
        answers: what the others do.
        counts: float64 `[seats, symbols, hand_size + 1]`, the probability of each count in each hand now.
        ranks: int64 `[ladder_length]`, of the digit that each bid names.
        payoffs: from `payoff_table`.
        buffers: of `new_buffer`, float64 `[seats, hand_size + 1]` and `[hand_size + 1]`.
        worth: where it is added.
    """
    seat, claim, bidder = final
    buffer, chances, expected = buffers
    so_far, steps = 1.0, answers.seats.size
    for step in range(steps + 1):  # after the last one, what comes about if all have answered
        for bid in range(ranks.size):
            likely = 1.0 if bid == claim else 0.0
            if step < steps:
                likely = _sum(answers.bids[step, bid])
            if likely <= 0.0:
                continue
            _put_counts(answers, step, ranks[bid], counts, chances)
            if step < steps:
                for held in range(counts.shape[2]):
                    chances[answers.seats[step], held] = answers.bids[step, bid, held] / likely
            expect(seat, answers.seats[step] if step < steps else bidder, chances, payoffs[bid], buffer, expected)
            for own in range(expected.size):
                worth[ranks[bid], own] += so_far * likely * expected[own]
        if step < steps:
            so_far *= _sum(answers.answered[step, ranks[claim]])
        if so_far <= 0.0:
            return


def _put_counts(answers: Answers, steps: int, rank: int, counts: Floats, chances: Floats) -> None:
    """The probability of each count of a digit in each hand once the first `steps` have answered."""
    for other in range(chances.shape[0]):
        for held in range(chances.shape[1]):
            chances[other, held] = counts[other, rank, held]
    for step in range(steps):
        likely = _sum(answers.answered[step, rank])
        for held in range(chances.shape[1]):
            chances[answers.seats[step], held] = answers.answered[step, rank, held] / likely


def _sum(row: Floats) -> float:
    total = 0.0
    for place in range(row.size):
        total += row[place]
    return total
