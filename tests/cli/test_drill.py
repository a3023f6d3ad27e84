"""`liarspoker drill`: puzzles in the terminal."""

from __future__ import annotations

import io

import pytest

from liarspoker.puzzles import Progress, puzzles
from tests.cli.conftest import Run


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_letter_or_the_action_itself_is_an_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Progress().next
    letter = "abcd"[[choice.action for choice in puzzle.choices].index(puzzle.best)]
    for answer in (letter, puzzle.best, letter.upper()):
        typed(monkeypatch, "nonsense", answer, "q")
        out = run("drill").out
        assert "Type a letter from a to d, or q to stop." in out
        assert "Right." in out
        assert puzzle.hand in out
        assert "1 of 1 right." in out
        assert out.count("Puzzle ") == 2
    wrong = next(choice.action for choice in puzzle.choices if choice.action != puzzle.best)
    typed(monkeypatch, wrong)
    out = run("drill").out
    assert "Not the best." in out
    assert "0 of 1 right." in out


def test_one_puzzle_and_that_of_the_day(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "a")
    assert run("drill --puzzle 5").out.startswith("Puzzle 5: ")
    typed(monkeypatch, "a")
    assert run("drill --today").out.count("Standing bid: ") == 1
    sheet = run("drill --sheet 4").out
    assert sheet.startswith("Cheat sheet for 4 players")
    assert "units per hand against Champion" in sheet
    assert f"there are {len(puzzles())} puzzles" in run("drill --puzzle 9999", code=2).err


def test_a_lesson_is_a_hand_or_a_question(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "4x6")
    out = run("drill --lesson 1").out
    assert out.startswith("Lesson 1 of 12: Count what you hold")
    assert "Right." in out
    for answer, said in (("c", "Right."), ("A", "Not quite.")):
        typed(monkeypatch, "z", answer)
        out = run("drill --lesson 11").out
        assert "Type a letter from a to c, or q to stop." in out
        assert said in out
    typed(monkeypatch)
    assert "Right." not in run("drill --lesson 5").out
