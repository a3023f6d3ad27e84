"""Mixed policies: the probability of every action with every hand, in a public position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from liarspoker.engine.errors import CannotBelieve
from liarspoker.engine.memory import check_fits, in_short
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.solve.beliefs.positions import Position, column_of
from liarspoker.solve.hands import Floats, count_probabilities
from liarspoker.solve.strategy import Strategy
from liarspoker.solve.tree import ranks_of_bids


class Split(NamedTuple):
    """How a belief about a seat's hand splits by the seat's next action.

    Attributes:
        probabilities: float64 `[actions]`, the probability of each action.
        bids: float64 `[ladder_length, hand_size + 1]`, the joint probability of each bid and each count of its own
            digit; a row sums to the bid's probability.
        answered: float64 `[hands]`, the joint probability of the answer, a challenge or a count, and each hand; it sums
            to the answer's probability.
    """

    probabilities: Floats
    bids: Floats
    answered: Floats


class MixedPolicy(ABC):
    """Base class of policies that return the probability of every action with every hand.

    A policy may depend on the rules, the auction with its moves, and its seat's count of each digit.
    """

    @abstractmethod
    def matrix(self, position: Position) -> Floats:
        """Return the probability of each action with each hand: float64 `[hands, actions]`; rows sum to 1.

        Args:
            position: a position with a seat to act. The columns are those of
                :func:`~liarspoker.solve.beliefs.positions.column_of`; illegal actions have probability 0.

        Raises:
            CannotFit: the matrix needs more memory than is available.
        """

    def row(self, position: Position, hand: int) -> Floats:
        """Return the probability of each action with one hand: float64 `[actions]`.

        Args:
            position: a position with a seat to act.
            hand: the index of the hand.
        """
        row: Floats = self.matrix(position)[hand]
        return row

    def likelihoods(self, position: Position, action: int) -> Floats:
        """Return the probability of an action with each hand: float64 `[hands]`.

        Args:
            position: a position with a seat to act.
            action: a legal action.
        """
        column: Floats = self.matrix(position)[:, column_of(action, position.rules)]
        return column

    def split(self, position: Position, belief: Floats) -> Split:
        """Return how a belief about the hand of the seat to act splits by its action.

        Args:
            position: a position with a seat to act.
            belief: float64 `[hands]`, the probability of each hand.
        """
        hands, ranks = position.hands, ranks_of_bids(position.rules)
        joint = self.matrix(position) * belief[:, None]
        bids = np.zeros((ranks.size, position.rules.hand_size + 1))
        for claim in position.legal.claims:
            bids[claim] = np.bincount(hands.by_digit[ranks[claim]], joint[:, claim], bids.shape[1])
        return Split(joint.sum(axis=0), bids, joint[:, ranks.size :].sum(axis=1))

    def sketch(self, position: Position, belief: Floats) -> Split:
        """Return an estimate of the split, if it takes much less time, or else the split.

        Args:
            position: a position with a seat to act.
            belief: float64 `[hands]`, the probability of each hand.
        """
        return self.split(position, belief)


def zero_probabilities(position: Position) -> Floats:
    """Return a matrix of zeros for action probabilities: float64 `[hands, actions]`.

    Raises:
        CannotFit: it needs more memory than is available.
    """
    hands, actions = position.hands.size, ladder_length(position.rules) + 2
    check_fits(8 * hands * actions, f"the probabilities of {in_short(actions)} actions with {in_short(hands)} hands")
    return np.zeros((hands, actions))


@dataclass(frozen=True, slots=True)
class UniformPolicy(MixedPolicy):
    """Any legal action with equal probability, whatever the hand.

    >>> from liarspoker.engine.table import Table
    >>> position = Position.at(Table.of("slips", seats=2)).after(27)
    >>> UniformPolicy().likelihoods(position, 30)[:2] * 133  # 132 bids and a challenge
    array([1., 1.])
    """

    def matrix(self, position: Position) -> Floats:
        """Return the same row for every hand; see :class:`MixedPolicy`."""
        matrix = zero_probabilities(position)
        columns = position.columns
        matrix[:, columns] = 1 / columns.size
        return matrix

    def row(self, position: Position, hand: int) -> Floats:
        """Return the same row for every hand; see :class:`MixedPolicy`."""
        row, columns = np.zeros(ladder_length(position.rules) + 2), position.columns
        row[columns] = 1 / columns.size
        return row

    def likelihoods(self, position: Position, action: int) -> Floats:
        """Return the same probability for every hand; see :class:`MixedPolicy`."""
        return np.full(position.hands.size, 1 / len(position.legal.actions))

    def split(self, position: Position, belief: Floats) -> Split:
        """Split the belief into equal parts; see :class:`MixedPolicy`."""
        ranks, columns = ranks_of_bids(position.rules), position.columns
        probabilities = np.zeros(ranks.size + 2)
        probabilities[columns] = belief.sum() / columns.size
        counts = count_probabilities(position.hands, belief) / columns.size
        bids = np.zeros((ranks.size, counts.shape[1]))
        claims = columns[columns < ranks.size]
        bids[claims] = counts[ranks[claims]]
        return Split(probabilities, bids, belief * (len(position.legal.answers) / columns.size))


@dataclass(frozen=True, slots=True)
class TablePolicy(MixedPolicy):
    """A :class:`~liarspoker.solve.strategy.Strategy` of a small game, such as a solution, as a mixed policy.

    Attributes:
        strategy: a strategy for the table that is played; stakes and effects on later hands may differ.
    """

    strategy: Strategy

    def matrix(self, position: Position) -> Floats:
        """Return the numbers of the strategy's table; see :class:`MixedPolicy`.

        Raises:
            CannotBelieve: the strategy is for other rules than the position's.
        """
        rules, moves = position.rules, [action for _, action in position.moves]
        if rules != self.strategy.rules:
            raise CannotBelieve(f"the strategy is for {self.strategy.rules}, but the position's rules are {rules}")
        at = self.strategy.at(moves)
        matrix = zero_probabilities(position)
        matrix[:, [column_of(action, rules) for action in at.actions]] = self.strategy.probabilities_of(at).T
        return matrix


@dataclass(frozen=True, slots=True)
class BlendPolicy(MixedPolicy):
    """A mixture of policies, of which one is drawn at random for every action.

    In a mixture with :class:`UniformPolicy`, no legal action is impossible. So beliefs stay defined for human players,
    who sometimes act as no bot would.

    Attributes:
        parts: pairs of a weight and a policy; the weights are above 0 and sum to 1.

    Raises:
        CannotBelieve: the weights aren't valid.
    """

    parts: tuple[tuple[float, MixedPolicy], ...]

    def __post_init__(self) -> None:
        weights = [weight for weight, _ in self.parts]
        if not (weights and min(weights) > 0 and abs(sum(weights) - 1) <= 1e-9):
            raise CannotBelieve(f"blend: its weights are {weights}; they must be above 0 and sum to 1")

    def matrix(self, position: Position) -> Floats:
        """Return the weighted sum of the parts; see :class:`MixedPolicy`."""
        return np.sum([weight * part.matrix(position) for weight, part in self.parts], axis=0)  # type: ignore[no-any-return]

    def row(self, position: Position, hand: int) -> Floats:
        """Return the weighted sum of the parts; see :class:`MixedPolicy`."""
        return np.sum([weight * part.row(position, hand) for weight, part in self.parts], axis=0)  # type: ignore[no-any-return]

    def likelihoods(self, position: Position, action: int) -> Floats:
        """Return the weighted sum of the parts; see :class:`MixedPolicy`."""
        return np.sum([weight * part.likelihoods(position, action) for weight, part in self.parts], axis=0)  # type: ignore[no-any-return]

    def split(self, position: Position, belief: Floats) -> Split:
        """Return the weighted sum of the parts; see :class:`MixedPolicy`."""
        splits = [part.split(position, weight * belief) for weight, part in self.parts]
        return Split(*(np.sum(arrays, axis=0) for arrays in zip(*splits, strict=True)))
