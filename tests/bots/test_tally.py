"""No sample is so one-sided that its interval claims certainty."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots.tally import Tally, WinTally


def wins(won: int, games: int) -> WinTally:
    return WinTally(games, games, games, (won, games - won))


@given(games=st.integers(1, 10**9), share=st.floats(0, 1))
def test_an_interval_holds_the_share_and_has_a_width(games: int, share: float) -> None:
    tally = wins(round(share * games), games)
    low, high = tally.win_interval(0) or (0, 0)
    rate, half = tally.win_rate(0)
    assert half is not None
    assert 0 <= low <= rate + 1e-12
    assert rate - 1e-12 <= high <= 1
    assert high - low > 0
    assert half >= (high - low) / 2 - 1e-12


def test_a_player_who_won_every_game_may_yet_lose_one() -> None:
    rate, half = wins(10, 10).win_rate(0)
    assert rate == 1
    assert half == pytest.approx(0.2775, abs=1e-4)
    assert wins(10, 10).win_rate(1)[1] == pytest.approx(half)


def test_before_the_first_game_there_is_nothing_to_tell() -> None:
    assert WinTally.empty(2).figures()["win_interval"] == [None, None]


def test_samples_that_are_all_alike_tell_no_interval() -> None:
    tally = Tally.empty(2)
    for _ in range(3):
        tally = tally.with_sample((1, -1), (0, 1, 0, 0), decisions=3)
    assert tally.units_a_hand(0) == (1, None)
