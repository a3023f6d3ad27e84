"""Beliefs agree with the enumeration of all deals."""

from __future__ import annotations

from collections import defaultdict
from math import nan
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarspoker.core.errors import IllegalAction
from liarspoker.engine.errors import CannotBelieve, CannotPlay, NeverPlayed
from liarspoker.engine.lineup import Policy
from liarspoker.engine.table import Table
from liarspoker.games.digits.kernel_policies import uniform
from liarspoker.games.digits.settlement import payoff, settle
from liarspoker.solve.beliefs.policies import BlendPolicy, UniformPolicy
from liarspoker.solve.beliefs.positions import Position, column_of
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import index_of
from liarspoker.solve.tree import ranks_of_bids
from tests.effort import effort
from tests.solve.beliefs.playing import Whims, deals, small_steps, small_tables

Deal = tuple[tuple[int, ...], ...]


def enumerated(table: Table, policies: list[Whims], actions: list[int]) -> dict[Deal, float]:
    """Return the probability of each deal after these actions, by Bayes' rule for all hands together."""
    weights: dict[Deal, float] = defaultdict(float)
    for deal in deals(table.rules):
        weights[deal] += 1.0
    position = Position.at(table)
    for action in actions:
        seat, matrix = position.to_act, policies[position.to_act].matrix(position)
        for deal in weights:
            weights[deal] *= float(matrix[index_of(deal[seat]), column_of(action, table.rules)])
        position = position.after(action)
    total = sum(weights.values())
    return {deal: weight / total for deal, weight in weights.items()}


def played(table: Table, policies: list[Whims], chance: Random) -> tuple[Beliefs, list[int]]:
    """Return beliefs after some possible actions."""
    beliefs, actions = Beliefs.at(table, policies), list[int]()
    for _ in range(chance.randrange(7)):
        seat, position = beliefs.position.to_act, beliefs.position
        chances = policies[seat].split(position, beliefs.seats[seat]).probabilities
        likely = [action for action in small_steps(position) if chances[column_of(action, table.rules)] > 1e-9]
        if not likely or position.after(likely[0]).is_over:
            break
        action = chance.choice(likely)
        beliefs = beliefs.after(action)
        actions.append(action)
        if beliefs.position.is_over:
            break
    return beliefs, actions


@settings(max_examples=effort(12, quick=8, soak=1000))
@given(table=small_tables(), seed=st.integers(0, 2**32))
def test_every_seats_beliefs_agree_with_enumerated_deals(table: Table, seed: int) -> None:
    policies = [Whims(seed + seat) for seat in range(table.rules.seats)]
    beliefs, actions = played(table, policies, Random(seed))
    found = [np.zeros(beliefs.hands.size) for _ in range(table.rules.seats)]
    for deal, likely in enumerated(table, policies, actions).items():
        together = np.prod([mine[index_of(counts)] for mine, counts in zip(beliefs.seats, deal, strict=True)])
        assert likely == pytest.approx(together, abs=1e-12)
        for seat, counts in enumerate(deal):
            found[seat][index_of(counts)] += likely
    for mine, counted in zip(beliefs.seats, found, strict=True):
        assert np.abs(mine - counted).max() < 1e-12


@settings(max_examples=effort(10, quick=8, soak=1000))
@given(table=small_tables(), seed=st.integers(0, 2**32))
def test_the_expected_payoff_of_a_count_is_the_mean_over_all_deals(table: Table, seed: int) -> None:
    rules = table.rules
    policies = [Whims(seed + seat, never=0.0) for seat in range(rules.seats)]
    beliefs, actions = played(table, policies, Random(seed))
    auction = beliefs.position.auction
    if auction.bidder < 0:
        return
    rank, likely = ranks_of_bids(rules)[auction.claim], enumerated(table, policies, actions)
    for seat in range(rules.seats):
        weights: dict[tuple[int, ...], float] = defaultdict(float)
        units: dict[tuple[int, ...], float] = defaultdict(float)
        outcomes: dict[tuple[tuple[int, ...], int], float] = defaultdict(float)
        for deal, weight in likely.items():
            settlement = settle(auction.claim, deal[auction.bidder][rank], sum(hand[rank] for hand in deal), rules)
            own = deal[seat]
            weights[own] += weight
            units[own] += weight * payoff(seat, auction.bidder, settlement, 1, rules)
            outcomes[own, settlement.outcome] += weight
        count, by_hand = beliefs.count(seat), beliefs.count_by_hand(seat)
        for own, weight in weights.items():
            assert count.units[own[rank]] == pytest.approx(units[own] / weight, abs=1e-12)
            assert by_hand[index_of(own)] == count.units[own[rank]]
            for outcome in range(4):
                assert count.outcomes[own[rank], outcome] == pytest.approx(outcomes[own, outcome] / weight, abs=1e-12)


def test_an_action_that_is_never_played_is_rejected_or_ignored() -> None:
    table = Table.of("dollar-bill", seats=2, options={"hand_size": 2, "symbols": 2})
    beliefs = Beliefs.at(table, [Never(), UniformPolicy()])
    with pytest.raises(NeverPlayed, match=r"seat 0, action 3: .*keep"):
        beliefs.after(3)
    with pytest.raises(NeverPlayed):
        beliefs.after(3, surprise="kept")  # type: ignore[arg-type]
    kept = beliefs.after(3, surprise="keep")
    assert kept.seats[0] is beliefs.seats[0]
    assert kept.position.auction.claim == 3
    blended = Beliefs.at(table, [BlendPolicy(((0.9, Never()), (0.1, UniformPolicy())))])
    assert np.abs(blended.after(3).seats[0] - blended.seats[0]).max() < 1e-15


def test_a_seat_without_a_policy_reveals_nothing() -> None:
    table = Table.of("dollar-bill", seats=2, options={"hand_size": 2, "symbols": 2})
    beliefs = Beliefs.at(table, [None, Whims(1)], opener=1)
    later = beliefs.after(0).after(3)
    assert later.seats[0] is beliefs.seats[0]
    assert np.abs(later.seats[1] - beliefs.seats[1]).max() > 0.01


def test_undefined_beliefs_are_rejected() -> None:
    table = Table.of("dollar-bill", seats=2)
    for policies in ([], [UniformPolicy()] * 3):
        with pytest.raises(CannotBelieve, match="for 2 seats"):
            Beliefs.at(table, policies)
    with pytest.raises(CannotBelieve, match="opener: 2"):
        Beliefs.at(table, [UniformPolicy()], opener=2)
    with pytest.raises(CannotBelieve, match="no bid yet"):
        Beliefs.at(table, [UniformPolicy()]).count(0)
    with pytest.raises(IllegalAction):
        Beliefs.at(table, [UniformPolicy()]).after(-1)
    begun = Beliefs.at(table, [UniformPolicy()]).after(0)
    for seat in (-1, 2):
        for ask in (begun.count, begun.counts, begun.count_by_hand):
            with pytest.raises(CannotBelieve, match=f"seat: {seat}; it must be between 0 and 1"):
                ask(seat)
    with pytest.raises(CannotPlay, match="cap_level = false"):
        Beliefs.at(Table.of("dollar-bill", seats=2, options={"cap_level": False}), [UniformPolicy()])
    with pytest.raises(CannotPlay, match="thorin isn't a digit game"):
        Beliefs.at(Table.of("thorin", seats=2), [UniformPolicy()])
    for policy in ("uniform", Policy(uniform)):
        with pytest.raises(CannotBelieve, match="isn't a mixed policy"):
            Beliefs.at(table, [policy])  # type: ignore[list-item]
    for weights in ((0.5, 0.4), (1.5, -0.5), (), (nan,), (0.5, nan)):
        with pytest.raises(CannotBelieve, match="blend"):
            BlendPolicy(tuple((weight, UniformPolicy()) for weight in weights))


class Never(Whims):
    """A policy that opens with the weakest bid, whatever it holds."""

    def __init__(self) -> None:
        super().__init__(0)

    def matrix(self, position: Position) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        matrix = super().matrix(position) * 0.0
        matrix[:, position.columns[0]] = 1.0
        return matrix
