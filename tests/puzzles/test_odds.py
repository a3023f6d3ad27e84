"""Questions about the odds: their choices, and how an estimate is scored."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from liarspoker.language import LANGUAGES, speaking
from liarspoker.odds.counts import at_least
from liarspoker.puzzles.odds import MOST_QUESTIONS, PLAYERS, drawn_number, odds_question

numbers = st.integers(1, MOST_QUESTIONS)
percentages = st.fractions(0, 100)


@given(number=numbers)
def test_a_question_has_one_right_choice_of_four(number: int) -> None:
    question = odds_question(number)
    assert question == odds_question(number)
    assert question.players in PLAYERS
    assert question.own + question.need == question.level
    assert question.probability == at_least(8 * (question.players - 1), question.level - question.own)
    assert len(set(question.choices)) == 4
    assert list(question.choices) == sorted(question.choices, reverse=True)
    assert question.choices[question.right] == round(100 * question.probability)
    assert sum(map(question.is_right, range(4))) == 1
    assert not question.is_right(None)
    for code in LANGUAGES:
        with speaking(code):
            assert str(question.level) in question.bid
            assert str(question.unseen) in question.why


@given(number=numbers, low=percentages, high=percentages, share=st.fractions(0, 1))
def test_an_estimate_counts_as_the_nearest_choice(number: int, low: Fraction, high: Fraction, share: Fraction) -> None:
    question = odds_question(number)
    for index, choice in enumerate(question.choices):
        assert question.choice_of(Fraction(choice)) == index, "a choice counts as itself, as on the web"
    chosen = question.choices[question.choice_of(low)]
    assert all(abs(chosen - low) <= abs(other - low) for other in question.choices)
    low, high = sorted((low, high))
    if question.choice_of(low) == question.choice_of(high):
        assert question.choice_of(low + share * (high - low)) == question.choice_of(low)


@given(number=numbers)
def test_between_two_choices_an_estimate_counts_as_the_right_one(number: int) -> None:
    question = odds_question(number)
    right = question.choices[question.right]
    for other in question.choices:
        is_neighbour = not any(min(right, other) < one < max(right, other) for one in question.choices)
        if is_neighbour:
            assert question.choice_of(Fraction(right + other, 2)) == question.right
            assert question.choice_of(right + Fraction(other - right) * Fraction(51, 100)) != question.right or (
                other == right
            )


def test_drawn_numbers_are_numbers_of_questions() -> None:
    drawn = {drawn_number() for _ in range(200)}
    assert len(drawn) > 100
    assert min(drawn) >= 1
    assert max(drawn) <= MOST_QUESTIONS
