"""The puzzles of the package, and how progress is counted."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.language import LANGUAGES, speaking
from liarspoker.puzzles import FIRST_RATING, Progress, of_the_day, puzzles

CLEAR = 0.1


def test_every_puzzle_is_a_legal_position_with_one_best_action() -> None:
    assert len(puzzles()) >= 100
    for puzzle in puzzles():
        session = puzzle.session()
        assert session.to_act == puzzle.seat
        view = session.view(puzzle.seat)
        assert view.number == puzzle.hand
        actions = [session.read(choice.action) for choice in puzzle.choices]
        assert [session.write(action) for action in actions] == [choice.action for choice in puzzle.choices]
        assert set(actions) <= set(session.legal().actions)
        assert len(set(actions)) == 4
        best = max(puzzle.choices, key=lambda choice: choice.mean)
        assert best.action == puzzle.best
        assert all(puzzle.worth(choice.action) >= CLEAR for choice in puzzle.choices if choice is not best)
        assert len(puzzle.beliefs) == len(puzzle.means) == puzzle.players
        for chances, mean in zip(puzzle.beliefs, puzzle.means, strict=True):
            assert mean >= sum(count * chance for count, chance in enumerate(chances)) - 0.01
        assert all(sum(chances) == pytest.approx(1, abs=1e-3) for chances in puzzle.beliefs)


def test_every_choice_is_explained_in_every_language() -> None:
    for puzzle in puzzles():
        for code in LANGUAGES:
            with speaking(code):
                assert all(puzzle.why(choice.action) for choice in puzzle.choices)


def test_bids_and_answers_are_the_best_about_equally_often() -> None:
    bids = sum(puzzle.best[0].isdigit() for puzzle in puzzles())
    assert 0.4 <= bids / len(puzzles()) <= 0.6


def test_all_puzzles_come_before_one_comes_again() -> None:
    progress, seen = Progress(), []
    for _ in puzzles():
        seen.append(progress.next.number)
        progress = progress.answered(progress.next, progress.next.best)
    assert sorted(seen) == [puzzle.number for puzzle in puzzles()]
    assert progress.right == progress.streak == progress.longest == len(puzzles())


def test_the_puzzle_of_the_day_is_another_one_every_day() -> None:
    days = [date(2026, 11, 27) + timedelta(days=day) for day in range(len(puzzles()))]
    assert len({of_the_day(day).number for day in days}) == len(puzzles())
    assert of_the_day(days[0]) is of_the_day(days[0])


def test_a_rating_rises_with_right_answers_and_more_with_hard_ones() -> None:
    easy, hard = (choose(puzzles(), key=lambda puzzle: puzzle.rating) for choose in (min, max))
    right = [Progress().answered(puzzle, puzzle.best).rating for puzzle in (easy, hard)]
    wrong = [
        Progress().answered(puzzle, next(one.action for one in puzzle.choices if one.action != puzzle.best)).rating
        for puzzle in (easy, hard)
    ]
    assert FIRST_RATING < right[0] < right[1]
    assert wrong[0] < wrong[1] < FIRST_RATING


def test_days_in_a_row() -> None:
    today = date(2026, 11, 27)
    progress = Progress()
    for days in (1, 2, 3):
        puzzle = of_the_day(today)
        progress = progress.answered(puzzle, puzzle.best, today)
        assert progress.days == days
        assert progress.answered(puzzle, puzzle.best, today) == progress, "the second try on a day changes nothing"
        today += timedelta(days=1)
    later = today + timedelta(days=1)
    assert progress.days_until(today) == 3
    assert progress.days_until(later) == 0
    assert progress.answered(of_the_day(later), "", later).days == 1
    assert (progress.place, progress.tried) == (0, 3), "the next puzzle still waits"


@given(st.builds(Progress, *[st.integers(0, 10**7)] * 8))
def test_progress_is_read_as_it_was_written(progress: Progress) -> None:
    assert Progress.read(str(progress)) == progress


@given(st.text(max_size=40))
def test_anything_else_is_a_beginning(text: str) -> None:
    assert isinstance(Progress.read(text), Progress)
    assert Progress.read("1.2.3") == Progress.read("") == Progress()
