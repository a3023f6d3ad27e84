"""The exact probability of every hand of every seat after each public action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from liarspoker.engine.errors import CannotBelieve, NeverPlayed
from liarspoker.engine.table import Table
from liarspoker.solve.beliefs.policies import MixedPolicy
from liarspoker.solve.beliefs.positions import Position
from liarspoker.solve.hands import Floats, Hands, count_chances, digit_chances
from liarspoker.solve.payoffs import Count, count_standing
from liarspoker.solve.tree import ranks_of_bids


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What can be known of every hand, given the policies of the seats; from `at`, or from `after`.

    The hands are dealt independently and every action is public, so after any actions they are still independent: the
    joint probability is the product of the seats' own.

    Attributes:
        position: what has been played.
        policies: one for each seat; `None` for a seat whose actions reveal nothing.
        seats: for each seat float64 `[hands]`, the probability of each of its hands; not to be written to.

    >>> from liarspoker.games.digits.weighing import weighing
    >>> from liarspoker.solve.beliefs.bot_policy import BotPolicy
    >>> table = Table.of("dollar-bill", seats=3)
    >>> beliefs = Beliefs.at(table, [BotPolicy(weighing("bluffer"))])
    >>> beliefs = beliefs.after(28)  # three eights
    >>> round(float(beliefs.counts(0)[8] @ range(9)), 2), round(float(beliefs.counts(1)[8] @ range(9)), 2)
    (2.92, 0.8)
    >>> round(float(beliefs.count(1).outcomes[0, 0]), 2)  # that it fails, to a neighbour without an eight
    0.04
    """

    position: Position
    policies: tuple[MixedPolicy | None, ...]
    seats: tuple[Floats, ...]

    @classmethod
    def at(cls, table: Table, policies: Sequence[MixedPolicy | None], opener: int = 0) -> Beliefs:
        """Return what is known once the hands are dealt: the prior probability of each hand.

        Args:
            table: what is played; a single hand at stake 1.
            policies: one for each seat; the last one is for all who are left.
            opener: the seat that bids first.

        Raises:
            CannotPlay: the ladder has no top.
            CannotBelieve: no policy, more policies than seats, or no such opener.
        """
        seats = table.rules.seats
        if not 1 <= len(policies) <= seats:
            raise CannotBelieve(f"policies: {len(policies)} for {seats} seats")
        if not 0 <= opener < seats:
            raise CannotBelieve(f"opener: {opener} is none of 0 to {seats - 1}")
        position = Position.at(table, opener)
        given = (*policies, *[policies[-1]] * (seats - len(policies)))
        return cls(position, given, (position.hands.prior,) * seats)

    @property
    def hands(self) -> Hands:
        """All hands, in the order of the probabilities."""
        return self.position.hands

    def after(self, action: int, surprise: Literal["refuse", "keep"] = "refuse") -> Beliefs:
        """Return what is known once the seat to act has played `action`: Bayes' rule with its policy.

        Args:
            action: a legal one, numbered as in `Table`.
            surprise: what to do about an action that the policy plays with no hand that the seat may hold, after which
                there is no belief: `refuse`, or `keep` what was known before.

        Raises:
            IllegalAction: the rules refuse it.
            NeverPlayed: the policy never plays it, and `surprise` is `refuse`.
            CannotBelieve: the policy reads what isn't public or returns no probabilities.
        """
        seat, later = self.position.to_act, self.position.after(action)
        policy = self.policies[seat]
        if policy is None:
            return Beliefs(later, self.policies, self.seats)
        weights = policy.likelihoods(self.position, action) * self.seats[seat]
        total = float(weights.sum())
        if total <= 0.0:
            if surprise == "refuse":
                raise NeverPlayed(seat, action)
            return Beliefs(later, self.policies, self.seats)
        return self.given(later, seat, weights / total)

    def given(self, position: Position, seat: int, belief: Floats) -> Beliefs:
        """Return the same with another position, and other probabilities of one seat's hands."""
        return Beliefs(position, self.policies, (*self.seats[:seat], belief, *self.seats[seat + 1 :]))

    def counts(self, seat: int) -> Floats:
        """Return the probability of each count of each digit in a seat's hand: float64 `[symbols, hand_size + 1]`.

        The digits are in the order of the game, the lowest first: where zeros are high, 1 is in the first row and the
        ten in the last.

        Raises:
            CannotBelieve: there is no such seat.
        """
        self._check(seat)
        return count_chances(self.hands, self.seats[seat])

    def count(self, seat: int) -> Count:
        """Return what a seat can expect if the standing bid is counted now, by how many of its digit it holds.

        Args:
            seat: who asks; it knows its own hand, and of the others these beliefs.

        Raises:
            CannotBelieve: there is no such seat, or no bid yet.
        """
        self._check(seat)
        auction, rules = self.position.auction, self.position.rules
        if auction.bidder < 0:
            raise CannotBelieve("count: there is no bid yet")
        rank = ranks_of_bids(rules)[auction.claim]
        chances = np.array([digit_chances(self.hands, belief, rank) for belief in self.seats])
        return count_standing(rules, seat, auction.claim, auction.bidder, chances)

    def count_by_hand(self, seat: int) -> Floats:
        """Return a seat's expected payoff if the standing bid is counted now, by hand: float64 `[hands]`.

        Raises:
            CannotBelieve: there is no such seat, or no bid yet.
        """
        units = self.count(seat).units
        by_hand: Floats = units[self.hands.by_digit[ranks_of_bids(self.position.rules)[self.position.auction.claim]]]
        return by_hand

    def _check(self, seat: int) -> None:
        """Reject a seat that doesn't exist."""
        if not 0 <= seat < len(self.seats):
            raise CannotBelieve(f"seat: {seat} is none of 0 to {len(self.seats) - 1}")
