"""What policies win from each other, by the engine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import LiarsPokerError
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.research import cluster
from liarspoker.research.errors import CannotStudy
from liarspoker.research.evaluation import gains, interval
from tests.engine.puppets import MODEST, UNIFORM, playing


def test_gains_are_the_means_of_what_is_played_and_who_challenges_beats_chance() -> None:
    table = Table.of("dollar-bill", seats=3)
    policies = [playing(UNIFORM), playing(MODEST)]
    won = gains(table, policies, hands=3_000, seed=7)
    for row, column in ((0, 1), (1, 0)):
        rounds = play(table, 3_000, 7, [policies[row], policies[column]], rotate=True)
        mine = rounds.scores[np.arange(3_000), np.arange(3_000) % 3]
        assert won.mean[row, column] == pytest.approx(mine.mean())
        assert won.half[row, column] == pytest.approx(1.96 * mine.std(ddof=1) / np.sqrt(3_000))
    assert (np.diag(won.mean) == 0).all()
    assert won.mean[1, 0] - won.half[1, 0] > 0 > won.mean[0, 1] + won.half[0, 1]
    again = gains(table, policies, hands=3_000, seed=7, jobs=2)
    assert (again.mean == won.mean).all()


def test_there_must_be_two_of_each() -> None:
    table = Table.of("dollar-bill", seats=2)
    with pytest.raises(CannotStudy, match="1 policies and 10 hands"):
        gains(table, ["uniform"], hands=10, seed=1)


@given(each=st.integers(-(10**9), 10**9), hands=st.integers(2, 10**9))
def test_where_all_hands_but_one_are_alike_the_interval_is_narrow_and_a_number(each: int, hands: int) -> None:
    mean, half = interval(each * hands + 1, each**2 * (hands - 1) + (each + 1) ** 2, hands)
    assert mean == pytest.approx(each + 1 / hands)
    assert half == pytest.approx(1.96 / hands)


def test_without_ray_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(LiarsPokerError, match=r"pip install 'liarspoker\[ray\]'"):
        cluster.join(cluster.LOCAL)
