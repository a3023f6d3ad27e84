"""Head-to-head results of policies, played by the engine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import LiarsPokerError
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.research import cluster
from liarspoker.research.errors import BadEnvironment
from liarspoker.research.evaluation import head_to_head, interval
from tests.engine.scripted_policies import MODEST, UNIFORM, playing


def test_head_to_head_results_are_the_means_of_rollouts_and_challenging_beats_random_play() -> None:
    table = Table.of("dollar-bill", seats=3)
    policies = [playing(UNIFORM), playing(MODEST)]
    won = head_to_head(table, policies, hands=3_000, seed=7)
    for row, column in ((0, 1), (1, 0)):
        rounds = play(table, 3_000, 7, [policies[row], policies[column]], rotate=True)
        mine = rounds.scores[np.arange(3_000), np.arange(3_000) % 3]
        assert won.mean[row, column] == pytest.approx(mine.mean())
        assert won.half[row, column] == pytest.approx(1.96 * mine.std(ddof=1) / np.sqrt(3_000))
    assert (np.diag(won.mean) == 0).all()
    assert won.mean[1, 0] - won.half[1, 0] > 0 > won.mean[0, 1] + won.half[0, 1]
    again = head_to_head(table, policies, hands=3_000, seed=7, jobs=2)
    assert (again.mean == won.mean).all()


def test_at_least_two_policies_and_two_hands_are_needed() -> None:
    table = Table.of("dollar-bill", seats=2)
    with pytest.raises(BadEnvironment, match="1 policies and 10 hands"):
        head_to_head(table, ["uniform"], hands=10, seed=1)


@given(each=st.integers(-(10**9), 10**9), hands=st.integers(2, 10**9))
def test_the_interval_is_finite_where_all_hands_but_one_are_alike(each: int, hands: int) -> None:
    mean, half = interval(each * hands + 1, each**2 * (hands - 1) + (each + 1) ** 2, hands)
    assert mean == pytest.approx(each + 1 / hands)
    assert half == pytest.approx(1.96 / hands)


def test_an_error_says_that_ray_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(LiarsPokerError, match="the extra ray, which is not installed"):
        cluster.join(cluster.LOCAL)
