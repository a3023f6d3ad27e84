"""Sums over reviewed decisions: their laws, and the weeks in which hands count."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.coach.verdicts import BAD
from liarspoker.core import catalogue
from liarspoker.language import LANGUAGES, speaking
from liarspoker.server.reviews import JudgedDecision
from liarspoker.web.view_models.accuracy import (
    NOTHING,
    Accuracy,
    ReviewedHand,
    Week,
    accuracy_of,
    by_game_and_week,
)

VERDICTS = ("best", "fine", "inaccuracy", "mistake", "blunder")
GAMES = tuple(row.id for row in catalogue.games())

losses = st.integers(0, 256).map(lambda sixty_fourths: sixty_fourths / 64)  # their sums are exact
decisions = st.lists(st.builds(JudgedDecision, st.integers(0, 3), st.sampled_from(VERDICTS), losses), max_size=12)
times = st.floats(0, 4e9)
hands = st.builds(ReviewedHand, st.sampled_from(GAMES), times, decisions.map(lambda found: accuracy_of(found, 0)))


@given(found=decisions, seat=st.integers(0, 3))
def test_only_the_own_decisions_count(found: list[JudgedDecision], seat: int) -> None:
    accuracy = accuracy_of(found, seat)
    others = [one if one.seat == seat else one._replace(verdict="blunder", loss=9.0) for one in found]
    assert accuracy == accuracy_of(others, seat) == accuracy_of([one for one in found if one.seat == seat], seat)
    assert accuracy.decisions == sum(one.seat == seat for one in found)
    assert accuracy.hands == (accuracy.decisions > 0)
    assert accuracy.good + sum(one.seat == seat and one.verdict in BAD for one in found) == accuracy.decisions
    assert accuracy.loss == sum(one.loss for one in found if one.seat == seat and one.verdict in BAD)


@given(found=decisions)
def test_the_interval_is_around_the_share(found: list[JudgedDecision]) -> None:
    rate = accuracy_of(found, 0).rate
    if rate.interval is None:
        assert not rate.whole
    else:
        low, high = rate.interval
        assert 0 <= low <= rate.share <= high <= 1 + 1e-9
        assert high - low > 0


@given(found=st.lists(hands, max_size=20), data=st.data())
def test_games_and_weeks_have_all_hands_in_any_order(found: list[ReviewedHand], data: st.DataObject) -> None:
    games = by_game_and_week(found)
    assert games == by_game_and_week(data.draw(st.permutations(found)))
    assert sum((one.total for one in games), NOTHING) == sum((hand.accuracy for hand in found), NOTHING)
    assert [one.game.id for one in games] == [game for game in GAMES if any(one.game.id == game for one in games)]
    for one in games:
        assert sum((accuracy for _week, accuracy in one.weeks), NOTHING) == one.total
        assert [week for week, _accuracy in one.weeks] == sorted({week for week, _accuracy in one.weeks}, reverse=True)
        for week, accuracy in one.weeks:
            same = [hand for hand in found if hand.game == one.game.id and Week.of(hand.at) == week]
            assert accuracy == sum((hand.accuracy for hand in same), NOTHING)
            assert accuracy.decisions > 0


@given(at=times)
def test_a_time_is_in_the_week_that_begins_on_the_monday_before(at: float) -> None:
    week = Week.of(at)
    monday = date.fromisoformat(week.monday)
    assert monday.weekday() == 0
    assert monday <= datetime.fromtimestamp(at, UTC).date() < monday + timedelta(days=7)
    assert Week.of(at + 7 * 86_400) > week
    assert str(week) == monday.strftime("%G-W%V")


@pytest.mark.parametrize(
    ("day", "week"), [("2026-12-31", "2026-W53"), ("2027-01-03", "2026-W53"), ("2027-01-04", "2027-W01")]
)
def test_days_around_the_new_year_count_in_the_week_of_its_thursday(day: str, week: str) -> None:
    assert str(Week.of(datetime.fromisoformat(f"{day}T23:59:59+00:00").timestamp())) == week


def test_the_loss_per_hand_has_a_sign_unless_it_is_nothing() -> None:
    assert [
        Accuracy(hands, 9, 3, loss).loss_per_hand for hands, loss in ((0, 0.0), (4, 0.0), (300, 1.0), (4, 3.0))
    ] == [
        "0.00",
        "0.00",
        "0.00",
        "−0.75",
    ]
    for code in LANGUAGES:
        with speaking(code):
            assert Accuracy(1, 1, 0, 0.5).loss_per_hand == ("−0.50" if code == "en" else "−0,50")
