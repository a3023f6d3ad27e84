"""Puzzles and their making."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.coach.puzzles import appraised, main, puzzle, with_lessons
from liarspoker.puzzles import puzzles, stored
from liarspoker.puzzles.lessons import LESSONS

SEED, NUMBER = 1_000_012, 1
"""The seed of a puzzle of the package, and its number there."""


def test_a_puzzle_is_made_again_from_its_seed() -> None:
    made, shipped = puzzle(SEED), puzzles()[NUMBER]
    assert made is not None
    assert (made["hand"], tuple(made["actions"])) == (shipped.hand, shipped.actions)
    assert (made["best"], made["rating"], made["digit"]) == (shipped.best, shipped.rating, shipped.digit)
    assert [one["action"] for one in made["choices"]] == [one.action for one in shipped.choices]
    means = [one.mean for one in shipped.choices]
    assert [one["mean"] for one in made["choices"]] == pytest.approx(means, abs=0.02)
    assert puzzle(SEED + 1) is None


@pytest.mark.slow
def test_the_command_writes_puzzles(tmp_path: Path) -> None:
    main(["--count", "2", "--seed", "3", "-o", str(tmp_path / "some.json")])
    rows = json.loads((tmp_path / "some.json").read_text())
    assert len(rows) == 2
    assert sorted(row["best"][0].isdigit() for row in rows) == [False, True]


@pytest.mark.parametrize("count", [160, 60, 2])
def test_puzzles_of_lessons_replace_others_and_do_not_come_twice(count: int) -> None:
    before, places = stored(), {one.puzzle for one in LESSONS if one.puzzle is not None}
    more = [one | {"hand": one["hand"][::-1], "number": number} for number, one in enumerate(before)]
    made = [before[min(places)], *more]  # a puzzle of a lesson may be made again
    after = with_lessons(iter(made), count)
    assert len(after) == count
    assert all((after[number] == before[number]) == (number in places) for number in range(count))
    assert [one["number"] for one in after if "number" in one] == [at for at in range(count) if at not in places]


@pytest.mark.parametrize("number", [one.puzzle for one in LESSONS if one.puzzle is not None])
def test_the_best_choice_of_a_lesson_is_the_champions_too(number: int) -> None:
    lesson = puzzles()[number]
    session = lesson.session()
    found, _, _ = appraised(session, session.read(lesson.best), number)
    worth = {session.write(value.action): value.mean for value in found.values}
    choices = [one.action for one in lesson.choices if one.action in worth]
    assert max(choices, key=worth.__getitem__) == lesson.best
