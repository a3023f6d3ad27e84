"""What an action is worth to a player who looks one step ahead, with exact beliefs and the others' known policies.

After the action the others answer by their policies, in turn, as long as each of them challenges; then the bid is
counted. Where one of them bids instead, that bid is taken to be counted at once. So an action that ends the auction is
valued exactly, and every other one as though nobody bid twice.

A count pays by one digit, so what an action is worth is a sum over the digits of a number that depends on how often the
player holds that digit; so a small table tells it for all of his hands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.beliefs.counting import Count, count_into, new_room
from liarspoker.engine.beliefs.hands import Floats, count_chances, digit_chances
from liarspoker.engine.beliefs.kernels import kernel
from liarspoker.engine.beliefs.policies import Split
from liarspoker.engine.beliefs.positions import Position, ranks_of_bids
from liarspoker.engine.beliefs.posterior import Beliefs
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import OUTCOMES

SplitOf = Callable[[Beliefs], Split]
"""How the belief about the seat to act splits by what it does next."""


class Answers(NamedTuple):
    """What the others do as long as each of them answers, in their order.

    Attributes:
        seats: int64 `[steps]`, who is asked.
        bids: float64 `[steps, ladder_length, hand_size + 1]`, as in `Split`.
        answered: float64 `[steps, symbols, hand_size + 1]`, how likely the answer is together with each count of each
            digit. Of the last step only the final bid's row is needed, and filled.
    """

    seats: NDArray[np.int64]
    bids: Floats
    answered: Floats


def worth_of(beliefs: Beliefs, seat: int, actions: tuple[int, ...], split: SplitOf) -> Floats:
    """What each action is worth to the seat to act, float64 `[actions, symbols, hand_size + 1]`, in units at stake 1.

    Args:
        beliefs: about the others; what they tell of `seat` itself is not looked at.
        seat: the seat to act.
        actions: legal ones.
        split: how the others' hands split; usually of a memory.

    Returns:
        For each action and digit, the lowest first, and each count of it in the seat's own hand, a summand: what the
        action is worth with a hand is the sum over the digits.
    """
    rules = beliefs.position.rules
    counts = np.array([beliefs.counts(other) for other in range(rules.seats)])
    worth = np.zeros((len(actions), rules.symbols, rules.hand_size + 1))
    count = Count(np.zeros(rules.hand_size + 1), np.zeros((rules.hand_size + 1, len(OUTCOMES))))
    chances = np.zeros((rules.seats, rules.hand_size + 1))
    for action, table in zip(actions, worth, strict=True):
        later, answers = _answers(beliefs.given(beliefs.position.after(action), seat, beliefs.seats[seat]), seat, split)
        kernel(add_worth)(
            (seat, later.auction.claim, later.auction.bidder),
            answers,
            counts,
            ranks_of_bids(rules),
            rules,
            (new_room(rules), chances, count),
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
    ranks: NDArray[np.int64],
    rules: Rules,
    room: tuple[Floats, Floats, Count],
    worth: Floats,
) -> None:
    """Add what an action is worth to `worth`, `[symbols, hand_size + 1]`. For compiled code.

    Args:
        final: the seat that asks, the bid that is counted if all others answer, and the seat that made it.
        answers: what the others do.
        counts: float64 `[seats, symbols, hand_size + 1]`, how likely each count is in each hand now.
        ranks: int64 `[ladder_length]`, of the digit that each bid names.
        rules: the table's.
        room: of `new_room`, `[seats, hand_size + 1]`, and a `Count`.
        worth: where it is added.
    """
    seat, claim, bidder = final
    so_far = 1.0
    for step in range(answers.seats.size):
        for bid in range(ranks.size):
            likely = _sum(answers.bids[step, bid])
            if likely > 0.0:
                _put_counts(answers, step, ranks[bid], counts, room[1])
                for held in range(rules.hand_size + 1):
                    room[1][answers.seats[step], held] = answers.bids[step, bid, held] / likely
                _add_count(seat, bid, answers.seats[step], so_far * likely, ranks, rules, room, worth)
        so_far *= _sum(answers.answered[step, ranks[claim]])
        if so_far <= 0.0:
            return
    _put_counts(answers, answers.seats.size, ranks[claim], counts, room[1])
    _add_count(seat, claim, bidder, so_far, ranks, rules, room, worth)


def _put_counts(answers: Answers, steps: int, rank: int, counts: Floats, chances: Floats) -> None:
    """How likely each count of a digit is in each hand once the first `steps` have answered."""
    for other in range(chances.shape[0]):
        for held in range(chances.shape[1]):
            chances[other, held] = counts[other, rank, held]
    for step in range(steps):
        likely = _sum(answers.answered[step, rank])
        for held in range(chances.shape[1]):
            chances[answers.seats[step], held] = answers.answered[step, rank, held] / likely


def _add_count(
    seat: int,
    claim: int,
    bidder: int,
    likely: float,
    ranks: NDArray[np.int64],
    rules: Rules,
    room: tuple[Floats, Floats, Count],
    worth: Floats,
) -> None:
    """Add what a count pays that comes about with this chance."""
    work, chances, count = room
    for own in range(count.units.size):
        count.units[own] = 0.0
    count_into(seat, claim, bidder, chances, rules, work, count)
    for own in range(count.units.size):
        worth[ranks[claim], own] += likely * count.units[own]


def _sum(row: Floats) -> float:
    total = 0.0
    for place in range(row.size):
        total += row[place]
    return total
