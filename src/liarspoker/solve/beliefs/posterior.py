"""Exact posterior probabilities of every hand of every seat after each public action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from liarspoker.engine.errors import CannotBelieve, NeverPlayed
from liarspoker.engine.table import Table
from liarspoker.solve.beliefs.policies import MixedPolicy
from liarspoker.solve.beliefs.positions import Position
from liarspoker.solve.hands import Floats, Hands, count_probabilities, digit_probabilities
from liarspoker.solve.payoffs import Count, count_standing
from liarspoker.solve.tree import action_number, ranks_of_bids


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """Exact posterior beliefs about every seat's hand, given the policies of the seats.

    Create them with :meth:`at`, and update them with :meth:`after`. The hands are dealt independently and every action
    is public, so the hands stay independent after any actions: the joint probability is the product over the seats.

    Attributes:
        position: the public position.
        policies: the policy of each seat; `None` for a seat whose actions reveal nothing.
        seats: for each seat float64 `[hands]`, the probability of each of its hands; don't write to it.

    >>> from liarspoker.solve.beliefs.bot_policy import bot_policy
    >>> table = Table.of("dollar-bill", seats=3)
    >>> beliefs = Beliefs.at(table, [bot_policy("bluffer")]).after("3x8")
    >>> round(float(beliefs.counts(0)[8] @ range(9)), 2), round(float(beliefs.counts(1)[8] @ range(9)), 2)
    (2.92, 0.8)
    >>> round(float(beliefs.count(1).outcomes[0, 0]), 2)  # that it fails, for a neighbor without an eight
    0.04
    """

    position: Position
    policies: tuple[MixedPolicy | None, ...]
    seats: tuple[Floats, ...]

    @classmethod
    def at(cls, table: Table, policies: Sequence[MixedPolicy | None], opener: int = 0) -> Beliefs:
        """Return the beliefs once the hands are dealt: the prior probability of each hand.

        Args:
            table: the table; a single hand at stake 1 is played.
            policies: the policy of each seat; the last one also plays for all remaining seats.
            opener: the seat that bids first.

        Raises:
            CannotPlay: it isn't a digit game, or the ladder has no top.
            CannotBelieve: there is no policy, there are more policies than seats, one isn't a mixed policy, or `opener`
                isn't a seat.
        """
        seats = table.rules.seats
        if not 1 <= len(policies) <= seats:
            raise CannotBelieve(
                f"policies: {len(policies)} for {seats} seats; there must be at least one, and at most one per seat"
            )
        for policy in policies:
            if policy is not None and not isinstance(policy, MixedPolicy):
                raise CannotBelieve(f"policies: {policy!r} isn't a mixed policy, such as bot_policy('bluffer')")
        if not 0 <= opener < seats:
            raise CannotBelieve(f"opener: {opener}; it must be between 0 and {seats - 1}")
        position = Position.at(table, opener)
        given = (*policies, *[policies[-1]] * (seats - len(policies)))
        return cls(position, given, (position.hands.prior,) * seats)

    @property
    def hands(self) -> Hands:
        """All hands, in the order of the arrays in `seats`."""
        return self.position.hands

    def after(self, action: int | str, surprise: Literal["refuse", "keep"] = "refuse") -> Beliefs:
        """Return the beliefs after the seat to act has played `action`, by Bayes' rule with that seat's policy.

        Args:
            action: a legal action: its number as in :class:`~liarspoker.engine.table.Table`, or text such as `3x8`.
            surprise: what to do if the policy never plays the action with any hand that the seat may hold, so that the
                posterior is undefined: `refuse` to update, or `keep` the previous beliefs.

        Raises:
            IllegalAction: the action isn't legal, or the text can't be read.
            NeverPlayed: the policy never plays the action, and `surprise` is `refuse`.
            CannotBelieve: the policy reads what isn't public, or doesn't return probabilities.
        """
        action = action_number(action, self.position.rules)
        seat, later = self.position.to_act, self.position.after(action)
        policy = self.policies[seat]
        if policy is None:
            return Beliefs(later, self.policies, self.seats)
        weights = policy.likelihoods(self.position, action) * self.seats[seat]
        total = float(weights.sum())
        if total <= 0.0:
            if surprise == "keep":
                return Beliefs(later, self.policies, self.seats)
            raise NeverPlayed(seat, action)
        return self.given(later, seat, weights / total)

    def given(self, position: Position, seat: int, belief: Floats) -> Beliefs:
        """Return these beliefs with another position, and with other probabilities of one seat's hands."""
        return Beliefs(position, self.policies, (*self.seats[:seat], belief, *self.seats[seat + 1 :]))

    def counts(self, seat: int) -> Floats:
        """Return the probability of each count of each digit in a seat's hand: float64 `[symbols, hand_size + 1]`.

        The digits are in the order of the game, the lowest first: if zeros are high, 1 is in the first row and 0 (the
        ten) in the last.

        Raises:
            CannotBelieve: `seat` is out of range.
        """
        self._check(seat)
        return count_probabilities(self.hands, self.seats[seat])

    def count(self, seat: int) -> Count:
        """Return a seat's expected payoff and outcome probabilities if the standing bid is counted now.

        Args:
            seat: the seat; it knows its own hand, and has these beliefs about the others.

        Returns:
            A :class:`~liarspoker.solve.payoffs.Count`, by how many of the bid's digit the seat holds.

        Raises:
            CannotBelieve: `seat` is out of range, or there is no bid yet.
        """
        self._check(seat)
        auction, rules = self.position.auction, self.position.rules
        if auction.bidder < 0:
            raise CannotBelieve("count: there is no bid yet")
        rank = ranks_of_bids(rules)[auction.claim]
        probabilities = np.array([digit_probabilities(self.hands, belief, rank) for belief in self.seats])
        return count_standing(rules, seat, auction.claim, auction.bidder, probabilities)

    def count_by_hand(self, seat: int) -> Floats:
        """Return a seat's expected payoff for each of its hands if the standing bid is counted now: float64 `[hands]`.

        Raises:
            CannotBelieve: `seat` is out of range, or there is no bid yet.
        """
        units = self.count(seat).units
        by_hand: Floats = units[self.hands.by_digit[ranks_of_bids(self.position.rules)[self.position.auction.claim]]]
        return by_hand

    def _check(self, seat: int) -> None:
        """Reject a seat that doesn't exist."""
        if not 0 <= seat < len(self.seats):
            raise CannotBelieve(f"seat: {seat}; it must be between 0 and {len(self.seats) - 1}")
