"""`liarspoker drill`: puzzles in the terminal."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from liarspoker.cli.drill import _explain, print_answer
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.games.digits.page.drill import odds_drill
from liarspoker.language import LANGUAGES, speaking
from liarspoker.odds.bars import bars_as_text, count_bars
from liarspoker.odds.counts import at_least
from liarspoker.odds.figures import percent, rounded
from liarspoker.puzzles import Progress, puzzles
from liarspoker.puzzles.odds import odds_question
from liarspoker.records.words import digit_name
from tests.cli.conftest import Run


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_number_or_letter_or_the_action_itself_is_an_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Progress().next
    place = [choice.action for choice in puzzle.choices].index(puzzle.best)
    letter = "abcd"[place]
    for answer in (str(place + 1), letter, puzzle.best, letter.upper()):
        typed(monkeypatch, "nonsense", answer, "q")
        out = run("drill").out
        assert "Type a number from 1 to 4 or the action itself, or q to stop." in out
        assert "Right." in out
        assert puzzle.hand in out
        assert "1 of 1 right." in out
        assert out.count("Puzzle ") == 2
    wrong = next(choice.action for choice in puzzle.choices if choice.action != puzzle.best)
    typed(monkeypatch, wrong)
    out = run("drill").out
    assert "Not the best." in out
    assert "0 of 1 right." in out


def test_c_is_a_challenge_as_at_the_table(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = next(
        one for one in puzzles() if one.best == "challenge" and [two.action for two in one.choices][2:3] != [one.best]
    )
    for answer in ("c", "C", "ch", "liar", "challenge"):
        typed(monkeypatch, answer)
        assert "Right." in run(f"drill --puzzle {puzzle.number + 1}").out


def test_one_puzzle_and_that_of_the_day(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "a")
    assert run("drill --puzzle 5").out.startswith("Puzzle 5: ")
    typed(monkeypatch, "a")
    assert run("drill --today").out.count("Standing bid: ") == 1
    sheet = run("drill --sheet 4").out
    assert sheet.startswith("Cheat sheet for 4 players: Salomon's Liars Poker of 1986\n")
    assert "units per hand against Champion" in sheet
    assert sheet.endswith("  Units per hand at stake 1, with 95% intervals.\n")
    assert f"there are {len(puzzles())} puzzles" in run("drill --puzzle 9999", code=2).err


def test_a_mean_of_zero_has_no_sign(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = puzzles()[0]
    choices = tuple(
        replace(one, mean=mean) for one, mean in zip(puzzle.choices, (-0.002, -0.5, 0.5, 12.0), strict=True)
    )
    _explain(replace(puzzle, choices=choices), puzzle.best)
    means = [line.split()[1] for line in capsys.readouterr().out.splitlines() if "±" in line]
    assert means == ["+12.00", "+0.50", "0.00", "-0.50"]


def test_a_lesson_is_a_hand_or_a_question(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "4x6")
    out = run("drill --lesson 1").out
    assert out.startswith("Lesson 1 of 12: Count what you hold")
    assert "Right." in out
    for answer, said in (("3", "Right."), ("c", "Right."), ("A", "Not quite.")):
        typed(monkeypatch, "z", answer)
        out = run("drill --lesson 11").out
        assert "Type a number from 1 to 3, or q to stop." in out
        assert said in out
    typed(monkeypatch)
    assert "Right." not in run("drill --lesson 5").out


def asked(out: str) -> tuple[Fraction, str, str]:
    """Return the probability of the first question in an output, its distribution, and what follows the prompt."""
    question = re.match(r"Odds drill: (\d) players\nYour number is (\d{8})\.\nThe bid: (\d+) (\w+)\.", out)
    assert question is not None
    players, hand, level, name = question.groups()
    [digit] = {one for one in range(10) if name == digit_name(one, int(level), packed(DigitOptions(), int(players)))}
    unseen, need = 8 * (int(players) - 1), int(level) - hand.count(str(digit))
    _question, answer, *_rest = out.split("> ")
    return at_least(unseen, need), "\n".join(bars_as_text(count_bars(need, unseen)[0])), answer


def test_odds_are_asked_until_the_user_stops(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    rights = 0
    for guess, shown in (("50", "50"), ("7%", "7"), ("33,3 %", "33.3"), ("100", "100"), ("0", "0")):
        typed(monkeypatch, guess, "q")
        out = run("drill --odds").out
        probability, bars, answer = asked(out)
        assert percent(probability) in answer
        off = Fraction(shown) - 100 * probability
        assert f"You were {rounded(abs(off), 1)} points too {'high' if off > 0 else 'low'}." in answer
        assert bars in answer
        assert f" of 1 right, {rounded(abs(off), 1)} points off on average." in answer
        is_right = answer.startswith("Right.\n")
        assert f"{int(is_right)} of 1 right" in answer
        assert out.count("Odds drill: ") == 2
        assert max(map(len, out.splitlines())) <= 78
        rights += is_right
    assert rights < 5


def test_every_choice_of_the_web_is_scored_in_the_terminal_as_on_the_web(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(1, 40):
        question = odds_question(number)
        for index, choice in enumerate(question.choices):
            print_answer(question, Fraction(choice))
            out = capsys.readouterr().out
            assert out.startswith("Right.\n" if odds_drill(number, index).is_right else "Not quite.\n")
            assert f"your answer is nearest to {choice}%." in " ".join(out.split())
            assert max(map(len, out.splitlines())) <= 78


def test_what_is_not_a_percentage_is_asked_for_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "x", "", "-1", "100.1", "1e1", "٣", "50.", "%", "a", "quit")
    out = run("drill --odds").out
    assert out.count("Type a percentage from 0 to 100, or q to stop.") == 9
    assert " right, " not in out
    typed(monkeypatch, "12", "88")
    out = run("drill --odds").out
    assert " of 2 right, " in out
    assert out.count("Odds drill: ") == 3, "the end of the input ends the drill"
    assert "not allowed with argument" in run("drill --odds --today", code=2).err


def test_a_guess_that_is_as_good_as_exact_is_not_called_too_high(capsys: pytest.CaptureFixture[str]) -> None:
    question = odds_question(1)
    for off in (Fraction(0), Fraction(1, 30), Fraction(-1, 30)):
        print_answer(question, 100 * question.probability + off)
        assert "You were less than 0.1 points off." in capsys.readouterr().out
    print_answer(question, 100 * question.probability + Fraction(1, 10))
    assert "You were 0.1 points too high." in capsys.readouterr().out


def test_the_help_fits_on_a_screen_in_every_language(run: Run) -> None:
    for code in LANGUAGES:
        with speaking(code):
            lines = run("drill --help").out.splitlines()
        assert len(lines) <= 40
        assert max(map(len, lines)) <= 80
