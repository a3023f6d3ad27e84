"""Every seat's exact chances of hands after each public action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from liarspoker.engine.beliefs.counting import Count, count_standing
from liarspoker.engine.beliefs.hands import Floats, Hands, count_chances, digit_chances
from liarspoker.engine.beliefs.policies import MixedPolicy, hands_at
from liarspoker.engine.beliefs.positions import Position, ranks_of_bids
from liarspoker.engine.errors import CannotBelieve, NeverPlayed
from liarspoker.engine.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What everybody can know of every hand, given the policies of the seats. Made by `at`, and by `after`.

    The hands are dealt independently and every action is public, so after any actions they are still independent: the
    chance of all hands together is the product of the seats' own.

    Attributes:
        position: what has been played.
        policies: one for each seat; `None` for a seat whose actions tell nothing.
        seats: for each seat float64 `[hands]`, the chance of each of its hands; they sum to 1. Do not write to them.

    >>> from liarspoker.games.digits.bots.weighing import weighing
    >>> from liarspoker.engine.beliefs.weighing import Weighed
    >>> table = Table.of("dollar-bill", seats=3)
    >>> beliefs = Beliefs.at(table, [Weighed(weighing("bluffer"))])
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
        """What is known once the hands are dealt: how likely a hand is to be dealt.

        Args:
            table: what is played; a single hand at stake 1.
            policies: one for each seat; the last one is of all who are left.
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
        return cls(position, given, (hands_at(position).prior,) * seats)

    @property
    def hands(self) -> Hands:
        """All hands, in the order of the chances."""
        return hands_at(self.position)

    def after(self, action: int, surprise: Literal["refuse", "keep"] = "refuse") -> Beliefs:
        """What is known once the seat to act has played `action`: Bayes' rule with its policy.

        Args:
            action: a legal one, as `Table` tells.
            surprise: what to do about an action that the policy plays with no hand that the seat may hold, after which
                there is no belief: `refuse`, or `keep` what was known before, as if it told nothing.

        Raises:
            IllegalAction: the rules refuse it.
            NeverPlayed: the policy never plays it, and `surprise` is `refuse`.
            CannotBelieve: the policy reads more than it may.
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
        """The same with another position, and other chances of one seat's hands."""
        return Beliefs(position, self.policies, (*self.seats[:seat], belief, *self.seats[seat + 1 :]))

    def counts(self, seat: int) -> Floats:
        """How likely each count of each digit is in a seat's hand, float64 `[symbols, hand_size + 1]`.

        The digits stand in the order of the game, the lowest first: where zeros are high, 1 is in the first row and the
        ten in the last.

        Raises:
            CannotBelieve: there is no such seat.
        """
        self._check(seat)
        return count_chances(self.hands, self.seats[seat])

    def count(self, seat: int) -> Count:
        """What a seat can expect if the standing bid is counted now, for each number of its digit that it may hold.

        Args:
            seat: who asks; it knows its own hand, and of the others what the beliefs tell.

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
        """What a seat wins on average if the standing bid is counted now, with each of its hands: float64 `[hands]`.

        Raises:
            CannotBelieve: there is no such seat, or no bid yet.
        """
        units = self.count(seat).units
        by_hand: Floats = units[self.hands.by_digit[ranks_of_bids(self.position.rules)[self.position.auction.claim]]]
        return by_hand

    def _check(self, seat: int) -> None:
        """Refuse a seat that is none."""
        if not 0 <= seat < len(self.seats):
            raise CannotBelieve(f"seat: {seat} is none of 0 to {len(self.seats) - 1}")
