"""The twelve lessons: their positions, their figures, and that they can be shown in every language."""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb

import pytest

from liarspoker.core import catalogue
from liarspoker.games.digits.ladder import claim_of
from liarspoker.games.digits.options import packed
from liarspoker.games.digits.settlement import bid_multiplier, settle
from liarspoker.language import LANGUAGES, speaking
from liarspoker.odds.answers import answer
from liarspoker.puzzles.lessons import LESSONS, Lesson


def lesson(title: str) -> Lesson:
    return next(one for one in LESSONS if one.title == title)


def test_every_lesson_is_said_in_every_language() -> None:
    assert len(LESSONS) == 12
    for one in LESSONS:
        assert (one.position is None) == bool(one.question)
        for code in LANGUAGES:
            with speaking(code):
                texts = [one.say(text) for text in (one.title, one.idea, one.question, one.why, *one.choices) if text]
                assert all("{" not in text for text in texts), code
                assert len(set(map(one.say, one.choices))) == len(one.choices)


@pytest.mark.parametrize("one", [one for one in LESSONS if one.position], ids=lambda one: one.title)
def test_a_hand_fits_what_its_lesson_says(one: Lesson) -> None:
    puzzle = one.position
    assert puzzle is not None
    hand = puzzle.session().round
    assert hand is not None
    needs = dict(zip(("one", "two", "three", "four", "five", "six", "seven"), range(1, 8), strict=True))
    assert all(asked["need"] == needs[name] for name, asked in one.figures.items()), (
        "figures are named by what they need"
    )
    others = {str(asked["others"]) for asked in one.figures.values()}
    assert others <= {str(puzzle.players - 1)}, "the figures are about as many others as there are"


def test_the_facts_about_hands() -> None:
    def held(title: str, digit: str) -> int:
        puzzle = lesson(title).position
        assert puzzle is not None
        return puzzle.hand.count(digit)

    assert held("Count what you hold", "6") == 3
    assert held("How fast the odds fall", "5") == 1
    assert held("n + 3", "8") == 2
    assert held("When to bid again", "9") == 3
    assert held("A cheap bluff", "8") == 2
    assert held("A cheap bluff", "4") == 0
    assert held("Whom to believe", "1") == 1
    assert held("The last seat", "3") == 0
    assert held("Two players", "9") == 3
    assert held("Five players", "1") == 1
    for title, best in (
        ("n + 3", "6x8"),
        ("When to bid again", "3x9"),
        ("A cheap bluff", "3x4"),
        ("Two players", "3x9"),
    ):
        puzzle = lesson(title).position
        assert puzzle is not None
        assert puzzle.best == best


def test_what_high_bids_and_the_skunk_pay() -> None:
    options = catalogue.load("salomon-1986").options({})
    three, four = packed(options, seats=3), packed(options, seats=4)
    assert [bid_multiplier(claim_of(level, 0, three), three) for level in (5, 6, 7, 8)] == [1, 2, 2, 3]
    assert settle(claim_of(4, 5, four), 0, 0, four).multiplier == 2
    assert settle(claim_of(4, 5, three), 0, 0, three).multiplier == 0


def test_the_answers_to_the_questions_about_cards() -> None:
    draw, pool = lesson("How many cards to draw"), lesson("The pool")
    chances = [answer(draw.figures[name]).value for name in ("one", "two", "three")]
    assert chances == sorted(chances)
    assert draw.best == 2
    unseen, drawn = 47, 10
    none_of_two = Fraction(comb(unseen - 2, drawn), comb(unseen, drawn))
    assert answer(pool.figures["three"]).value == 1 - none_of_two
    assert pool.choices[pool.best] == "{three}"
    assert re.search(r"\d%", pool.say(pool.choices[pool.best]))
