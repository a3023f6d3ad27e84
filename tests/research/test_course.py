"""What holds in the course of any game, whatever the options and whoever plays."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import BadOption, BadSeats
from liarspoker.research.blocks import bounds_of
from liarspoker.research.course import CHANCE, OVER, Course
from liarspoker.research.errors import CannotStudy
from liarspoker.research.study import Study
from tests.effort import one_in
from tests.research.studies import courses, played, studies
from tests.tables.other_worlds import other_session

SEEDS = st.integers(0, 1 << 20)


@one_in(4)
@given(studies(), SEEDS, st.booleans())
def test_chance_sums_to_one_actions_are_those_of_the_rules_and_observations_stay_within_their_bounds(
    study: Study, seed: int, patient: bool
) -> None:
    low, high = bounds_of(study.layout)
    vector = np.zeros(study.features, np.float32)
    for course in courses(study, seed, patient):
        assert sum(probability for _, probability in course.outcomes()) == (course.player == CHANCE)
        assert all(0 <= outcome < study.most_outcomes for outcome, _ in course.outcomes())
        legal = course.legal.tolist()
        assert legal == sorted(set(legal))
        assert bool(legal) == (course.player >= 0)
        assert all(0 <= index < study.actions for index in legal)
        if course.player < 0:
            continue
        for seat in range(study.seats):
            study.observe(course.session.view(seat), vector)
            assert (low <= vector).all()
            assert (vector <= high).all()
        if course.asked or not course.session.in_play:
            continue
        actions = [study.family.action(course.session, index) for index in legal]
        mine = course.session.view(course.player).legal
        out_of_turn = course.session.out_of_turn_challenge(course.player)
        assert sorted(actions) == sorted({*mine.claims, *mine.answers} - {out_of_turn})
        for index, action in list(zip(legal, actions, strict=True))[:50]:
            assert study.family.index(course.session, action) == index


@one_in(4)
@given(studies(), SEEDS)
def test_a_game_ends_within_its_bounds_and_is_zero_sum(study: Study, seed: int) -> None:
    moves = 0
    course = Course.begin(study)
    for course in courses(study, seed, most=1 << 20):
        moves += course.player >= 0
    assert course.player == OVER
    assert not course.legal.size
    assert sum(course.units) == 0
    assert moves <= study.most_moves
    assert max(map(abs, course.units)) <= study.most_units


@one_in(4)
@given(studies(), SEEDS, st.booleans())
def test_what_a_seat_may_not_see_changes_nothing_that_it_is_told(study: Study, seed: int, patient: bool) -> None:
    chance = random.Random(seed)
    here, there = np.zeros((2, study.features), np.float32)
    for course in courses(study, seed, patient):
        if course.player < 0:
            continue
        for seat in range(study.seats):
            session = other_session(course.session, seat, chance, frozenset())
            study.observe(course.session.view(seat), here)
            study.observe(session.view(seat), there)
            assert (here == there).all()
            other = replace(course, session=session)
            assert course.account(seat) == other.account(seat)
            if seat == course.player:
                assert course.legal.tolist() == other.legal.tolist()


def test_what_a_seat_holds_does_change_what_it_is_told() -> None:
    study = Study.of("dollar-bill", 2, options={"hand_size": 1, "symbols": 2})
    begun = Course.begin(study)
    told = {begun.after(own).after(other).account(0) for own, other in product(range(2), repeat=2)}
    assert len(told) == 2


@pytest.mark.parametrize(("hand_size", "symbols", "seats"), [(2, 3, 2), (3, 2, 2), (1, 3, 3)])
def test_numbers_are_dealt_as_likely_as_all_strings_of_digits_make_them(
    hand_size: int, symbols: int, seats: int
) -> None:
    strings = Counter("".join(sorted(number)) for number in product("012"[:symbols], repeat=hand_size))
    dealt: Counter[tuple[str, ...]] = Counter()
    options: dict[str, object] = {"hand_size": hand_size, "symbols": symbols}
    waiting = [(Course.begin(Study.of("dollar-bill", seats, options=options)), Fraction(1))]
    total = symbols ** (hand_size * seats)
    while waiting:
        course, weight = waiting.pop()
        if course.player == CHANCE:
            waiting += [(course.after(one), weight * probability) for one, probability in course.outcomes()]
        else:
            dealt[course.session.round.numbers] += int(weight * total)
    assert dealt == {numbers: prod(strings[number] for number in numbers) for numbers in product(strings, repeat=seats)}


def test_cards_that_are_drawn_come_from_what_is_left_and_then_from_the_discards() -> None:
    study = Study.of("thorin", 3, options={"jokers": 2})
    shuffled = False
    for course in courses(study, seed=1, patient=True, most=600):
        if course.player != CHANCE or not course.session.in_play:
            continue
        stock, drawn = course.session.round.stock, len(course.drawn)
        again = drawn >= stock.left
        shuffled |= again
        assert course.weights is not None
        assert sum(course.weights.values()) == stock.left - drawn + (len(stock.thrown) if again else 0)
        assert not set(course.session.round.hand) - {52} & set(course.weights)
    assert shuffled


def test_where_anyone_may_challenge_all_others_are_asked() -> None:
    study = Study.of("queen-annes", 4, options={"who_may_challenge": "anyone"})
    course = Course.begin(study).dealt_by(random.Random(1).randrange).after(20)
    assert course.asked == (2, 3)
    assert course.legal.tolist() == [study.wait - 1, study.wait]
    waited = course.after(study.wait).after(study.wait)
    assert waited.player == waited.session.to_act == 1
    assert course.after(study.wait - 1).session.round_result.challenger == 2


def test_what_is_named_before_a_round_of_thorins_game_holds_in_it() -> None:
    study = Study.of("thorin", 2, options={"dealers_choice": True})
    begun = Course.begin(study)
    assert begun.player == 0
    named = begun.legal.tolist()[-1]
    assert begun.text(named) == "name jokers = 2, passes = 1, duplicate = any, or_better = words, take_top = true"
    assert begun.after(named).dealt_by(random.Random(1).randrange).session.round.rules.jokers == 2


def test_a_session_carries_its_stakes_and_a_match_goes_on_to_its_winner() -> None:
    assert played(Study.of("salomon-1986", 2, rounds=None), seed=1).session.rounds_played == 10
    match = played(Study.of("queen-annes", 3, rounds=None), seed=1)
    assert sorted(match.units) == [-1, -1, 2]
    assert match.units[match.session.winner] == 2


@pytest.mark.parametrize("game", ["slips", "thorin", "queen-annes"])
def test_a_game_is_refused_that_is_none(game: str) -> None:
    with pytest.raises(CannotStudy, match="rounds: 0"):
        Study.of(game, 2, rounds=0)
    with pytest.raises(CannotStudy, match="opener: 2"):
        Study.of(game, 2, opener=2)
    with pytest.raises(BadSeats):
        Study.of(game, 1)
    with pytest.raises(BadOption):
        Study.of(game, 2, options={"colour": "blue"})


def test_options_without_an_end_are_refused_with_the_remedy() -> None:
    with pytest.raises(CannotStudy, match="leave cap_level on"):
        Study.of("slips", 2, options={"cap_level": False})


def test_so_many_rounds_are_refused_that_no_observation_holds_their_stakes() -> None:
    compound: dict[str, object] = {"compound_carry": True}
    _, high = bounds_of(Study.of("salomon-1986", 2, rounds=20, options=compound).layout)
    assert np.isfinite(high).all()
    for rounds in (60, 400):
        with pytest.raises(CannotStudy, match=f"compound_carry = true: in {rounds} rounds .*; study fewer rounds, or"):
            Study.of("salomon-1986", 2, rounds=rounds, options=compound)


def test_neither_an_illegal_action_nor_an_impossible_card_is_played() -> None:
    course = Course.begin(Study.of("dollar-bill", 2))
    with pytest.raises(CannotStudy, match="chance"):
        course.after(9)
    with pytest.raises(CannotStudy, match="not legal"):
        course.dealt_by(random.Random(1).randrange).after(160)
