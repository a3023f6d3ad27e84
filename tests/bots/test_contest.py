"""Contests: the same seed gives the same hands, seats are fair, and totals are exact."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots.contest import CHUNK, BadContest, BadLineup, Contest, play_chunk, totals
from liarspoker.bots.rating import rate_bot
from liarspoker.bots.tally import Tally, WinTally
from liarspoker.core.errors import BadOption, BadSeats, UnknownGame
from liarspoker.games.digits.result import DigitView
from tests.bots import sample_bots
from tests.bots.tables import PRESETS

WATCHER = "tests.bots.sample_bots:watcher"
CHEAT = "tests.bots.sample_bots:cheat"
UNITS = st.lists(st.integers(-50, 50), min_size=2, max_size=40)


def total(contest: Contest, jobs: int = 1) -> Tally:
    *_, last = totals(contest, jobs)
    assert isinstance(last, Tally)
    return last


def watched(contest: Contest) -> list[DigitView]:
    """Return the views of the watchers of a line-up each time they opened."""
    sample_bots.openings.clear()
    total(contest)
    return list(sample_bots.openings)


@pytest.mark.parametrize("sessions", [False, True], ids=["hands", "sessions"])
def test_two_processes_have_the_same_totals_as_one(sessions: bool) -> None:
    contest = Contest("slips", ("beginner", "uniform"), 2 * CHUNK + 7, 5, sessions=sessions)
    assert total(contest, jobs=2) == total(contest, jobs=1)


@pytest.mark.parametrize("game", PRESETS)
def test_every_hand_is_played_once_and_totals_are_zero_sum(game: str) -> None:
    for sessions in (False, True):
        tally = total(Contest(game, ("bluffer", "beginner", "uniform"), 123, 1, sessions=sessions))
        assert (sum(tally.won), tally.hands, sum(tally.outcomes)) == (0, 123, 123)
        assert (tally.samples, tally.lengths) == ((13, 12 * 100 + 9) if sessions else (123, 123))


def test_the_same_seed_repeats_a_contest_and_another_does_not() -> None:
    contest = Contest("dollar-bill", ("beginner", "uniform"), 200, 1)
    assert total(contest) == total(contest) != total(replace(contest, seed=2))


def test_the_totals_grow_chunk_by_chunk() -> None:
    contest = Contest("dollar-bill", ("beginner", "beginner"), 2 * CHUNK + 1, 1)
    grown = [tally.hands for tally in totals(contest, 1) if isinstance(tally, Tally)]
    assert grown == [CHUNK, 2 * CHUNK, 2 * CHUNK + 1]
    last = play_chunk(contest, 2)
    assert isinstance(last, Tally)
    assert last.hands == 1


def test_all_players_open_equally_often() -> None:
    for player in range(3):
        lineup = tuple(WATCHER if player == other else "beginner" for other in range(3))
        assert len(watched(Contest("slips", lineup, 30, 1))) == 10


def test_other_bots_get_the_same_deals() -> None:
    quiet = watched(Contest("slips", (WATCHER, "beginner"), 50, 1))
    noisy = watched(Contest("slips", ("tests.bots.sample_bots:drawing_watcher", "uniform"), 50, 1))
    assert [view.number for view in quiet] == [view.number for view in noisy]
    assert len({view.number for view in quiet}) == 25


def test_single_hands_have_stake_one_and_sessions_carry_stake_and_opener() -> None:
    contest = Contest("slips", (WATCHER, WATCHER), 60, 1)
    alone = [view.terms for view in watched(contest)]
    assert {(terms.hand, terms.stake, terms.opener) for terms in alone if terms} == {(0, 1, 0)}
    carried = [view.terms for view in watched(replace(contest, sessions=True))]
    assert {terms.hand for terms in carried if terms} == set(range(10))
    assert {terms.stake for terms in carried if terms} > {1, 2}


def test_slips_or_bills_are_dealt_as_requested() -> None:
    contest = Contest("slips", (WATCHER, WATCHER), 20, 1)
    for sessions, from_slips, rows in [(False, None, 0), (False, True, 15), (True, None, 15), (True, False, 0)]:
        views = watched(replace(contest, sessions=sessions, from_slips=from_slips))
        assert {len(view.slip) for view in views} == {rows}


def test_a_bot_that_breaks_the_rules_is_named_even_in_another_process() -> None:
    with pytest.raises(BadLineup, match="cheat played an illegal action: -2: wrong-phase"):
        total(Contest("slips", (CHEAT, "uniform"), 3, 1))
    with pytest.raises(BadLineup, match="cheat played"):
        total(Contest("slips", (CHEAT, "uniform"), 2 * CHUNK, 1), jobs=2)


@pytest.mark.parametrize(
    ("contest", "error"),
    [
        (Contest("bridge", ("uniform", "uniform"), 1, 1), UnknownGame),
        (Contest("slips", ("uniform",) * 17, 1, 1), BadSeats),
        (Contest("slips", ("uniform", "uniform"), 1, 1, (("sixes", 3),)), BadOption),
        (Contest("dollar-bill", ("uniform", "uniform"), 1, 1, from_slips=True), BadOption),
    ],
    ids=["game", "seats", "option", "slips"],
)
def test_invalid_contests_are_rejected(contest: Contest, error: type[Exception]) -> None:
    with pytest.raises(error):
        total(contest)


@pytest.mark.parametrize(
    "change", [{"hands": 0}, {"hands": -1}, {"hands": 2.5}, {"hands": "9"}, {"seed": None}, {"seed": "1"}], ids=str
)
def test_numbers_of_a_contest_are_checked(change: dict[str, Any]) -> None:
    with pytest.raises(BadContest, match=next(iter(change))):
        replace(Contest("slips", ("beginner", "uniform"), 9, 1), **change)
    with pytest.raises(BadContest, match=next(iter(change))):
        rate_bot("beginner", "slips", ["uniform"], **change)


def test_numbers_of_numpy_play_the_same_contest() -> None:
    contest = Contest("slips", ("beginner", "uniform"), 9, 1)
    same: dict[str, Any] = {"hands": np.int64(9), "seed": np.int64(1)}
    assert total(replace(contest, **same)) == total(contest)


# ------------------------------------------------------------------------------------------------ the tallies


def tally_of(units: list[int], length: int = 1) -> Tally:
    tally = Tally.empty(2)
    for won in units:
        tally = tally.with_sample((won, -won), (0, length, 0, 0), decisions=3)
    return tally


@given(units=UNITS, length=st.sampled_from([1, 10]), cut=st.integers(0, 40))
def test_the_interval_is_the_textbook_formula_and_tallies_add_up(units: list[int], length: int, cut: int) -> None:
    average, half = tally_of(units, length).units_per_hand(0)
    assert average == pytest.approx(mean(units) / length)
    assert (half or 0) == pytest.approx(1.96 * stdev(units) / sqrt(len(units)) / length)
    assert (half is None) == (len(set(units)) == 1)
    left, right = tally_of(units[:cut]), tally_of(units[cut:])
    assert left + right == right + left == tally_of(units)


def test_there_is_no_interval_for_one_sample_or_equal_samples() -> None:
    assert [tally_of(units).units_per_hand(0) for units in ([3], [1, 1, 1], [])] == [(3, None), (1, None), (0, None)]
    assert WinTally.empty(2).report_fields()["win_interval"] == [None, None]


@given(games=st.integers(1, 10**9), share=st.floats(0, 1))
def test_a_win_interval_always_has_a_positive_width(games: int, share: float) -> None:
    won = round(share * games)
    tally = WinTally(games, games, games, (won, games - won))
    low, high = tally.win_interval(0) or (0, 0)
    rate, half = tally.win_rate(0)
    assert half is not None
    assert 0 <= low <= rate + 1e-12
    assert rate - 1e-12 <= high <= 1
    assert high - low > 0
    assert half >= (high - low) / 2 - 1e-12


def test_a_player_who_won_every_match_may_still_lose_one() -> None:
    rates = [WinTally(10, 10, 10, (10, 0)).win_rate(player) for player in (0, 1)]
    assert [rate for rate, _ in rates] == [1, 0]
    assert [half for _, half in rates] == pytest.approx([0.2775, 0.2775], abs=1e-4)
