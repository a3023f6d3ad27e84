"""Properties of the state of any game, with any options and players."""

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
from liarspoker.research.errors import BadEnvironment
from liarspoker.research.game_state import CHANCE, OVER, GameState
from liarspoker.research.spec import EnvironmentSpec
from tests.effort import one_in
from tests.research.playouts import played, specs, states
from tests.tables.hidden_variants import vary_session

SEEDS = st.integers(0, 1 << 20)


@one_in(4)
@given(specs(), SEEDS, st.booleans())
def test_probabilities_sum_to_one_actions_agree_with_the_rules_and_observations_stay_within_bounds(
    spec: EnvironmentSpec, seed: int, patient: bool
) -> None:
    low, high = bounds_of(spec.layout)
    vector = np.zeros(spec.features, np.float32)
    for state in states(spec, seed, patient):
        assert sum(probability for _, probability in state.outcomes()) == (state.player == CHANCE)
        assert all(0 <= outcome < spec.most_outcomes for outcome, _ in state.outcomes())
        legal = state.legal.tolist()
        assert legal == sorted(set(legal))
        assert bool(legal) == (state.player >= 0)
        assert all(0 <= index < spec.actions for index in legal)
        if state.player < 0:
            continue
        for seat in range(spec.seats):
            spec.observe(state.session.view(seat), vector)
            assert (low <= vector).all()
            assert (vector <= high).all()
        if state.challengers or not state.session.in_play:
            continue
        actions = [spec.rules.action(state.session, index) for index in legal]
        mine = state.session.view(state.player).legal
        out_of_turn = state.session.out_of_turn_challenge(state.player)
        assert sorted(actions) == sorted({*mine.claims, *mine.answers} - {out_of_turn})
        for index, action in list(zip(legal, actions, strict=True))[:50]:
            assert spec.rules.index(state.session, action) == index


@one_in(4)
@given(specs(), SEEDS)
def test_a_game_ends_within_its_bounds_and_is_zero_sum(spec: EnvironmentSpec, seed: int) -> None:
    moves = 0
    state = GameState.begin(spec)
    for state in states(spec, seed, most=1 << 20):
        moves += state.player >= 0
    assert state.player == OVER
    assert not state.legal.size
    assert sum(state.units) == 0
    assert moves <= spec.most_moves
    assert max(map(abs, state.units)) <= spec.most_units


@one_in(4)
@given(specs(), SEEDS, st.booleans())
def test_hidden_information_does_not_change_what_a_seat_observes(
    spec: EnvironmentSpec, seed: int, patient: bool
) -> None:
    chance = random.Random(seed)
    here, there = np.zeros((2, spec.features), np.float32)
    for state in states(spec, seed, patient):
        if state.player < 0:
            continue
        for seat in range(spec.seats):
            session = vary_session(state.session, seat, chance, frozenset())
            spec.observe(state.session.view(seat), here)
            spec.observe(session.view(seat), there)
            assert (here == there).all()
            other = replace(state, session=session)
            assert state.information_state(seat) == other.information_state(seat)
            if seat == state.player:
                assert state.legal.tolist() == other.legal.tolist()


def test_a_seats_own_hand_changes_what_it_observes() -> None:
    spec = EnvironmentSpec.of("dollar-bill", 2, options={"hand_size": 1, "symbols": 2})
    begun = GameState.begin(spec)
    information_states = {
        begun.after(own).after(other).information_state(0) for own, other in product(range(2), repeat=2)
    }
    assert len(information_states) == 2


@pytest.mark.parametrize(("hand_size", "symbols", "seats"), [(2, 3, 2), (3, 2, 2), (1, 3, 3)])
def test_numbers_are_dealt_with_the_probabilities_of_random_digits(hand_size: int, symbols: int, seats: int) -> None:
    strings = Counter("".join(sorted(number)) for number in product("012"[:symbols], repeat=hand_size))
    dealt: Counter[tuple[str, ...]] = Counter()
    options: dict[str, object] = {"hand_size": hand_size, "symbols": symbols}
    waiting = [(GameState.begin(EnvironmentSpec.of("dollar-bill", seats, options=options)), Fraction(1))]
    total = symbols ** (hand_size * seats)
    while waiting:
        state, weight = waiting.pop()
        if state.player == CHANCE:
            waiting += [(state.after(one), weight * probability) for one, probability in state.outcomes()]
        else:
            dealt[state.session.round.numbers] += int(weight * total)
    assert dealt == {numbers: prod(strings[number] for number in numbers) for numbers in product(strings, repeat=seats)}


def test_cards_are_drawn_from_the_stock_and_then_from_the_discards() -> None:
    spec = EnvironmentSpec.of("thorin", 3, options={"jokers": 2})
    shuffled = False
    for state in states(spec, seed=1, patient=True, most=600):
        if state.player != CHANCE or not state.session.in_play:
            continue
        stock, drawn = state.session.round.stock, len(state.drawn)
        again = drawn >= stock.left
        shuffled |= again
        assert state.weights is not None
        assert sum(state.weights.values()) == stock.left - drawn + (len(stock.discards) if again else 0)
        assert not set(state.session.round.hand) - {52} & set(state.weights)
    assert shuffled


def test_all_other_seats_may_challenge_where_anyone_may() -> None:
    spec = EnvironmentSpec.of("queen-annes", 4, options={"who_may_challenge": "anyone"})
    state = GameState.begin(spec).dealt_by(random.Random(1).randrange).after(20)
    assert state.challengers == (2, 3)
    assert state.legal.tolist() == [spec.wait - 1, spec.wait]
    waited = state.after(spec.wait).after(spec.wait)
    assert waited.player == waited.session.to_act == 1
    assert state.after(spec.wait - 1).session.round_result.challenger == 2


def test_options_named_before_a_round_apply_in_it() -> None:
    spec = EnvironmentSpec.of("thorin", 2, options={"dealers_choice": True})
    begun = GameState.begin(spec)
    assert begun.player == 0
    named = begun.legal.tolist()[-1]
    assert begun.text(named) == "name jokers = 2, passes = 1, duplicate = any, or_better = words, take_top = true"
    assert begun.after(named).dealt_by(random.Random(1).randrange).session.round.rules.jokers == 2


def test_a_session_carries_its_stakes_and_a_match_continues_until_it_is_won() -> None:
    assert played(EnvironmentSpec.of("salomon-1986", 2, rounds=None), seed=1).session.rounds_played == 10
    match = played(EnvironmentSpec.of("queen-annes", 3, rounds=None), seed=1)
    assert sorted(match.units) == [-1, -1, 2]
    assert match.units[match.session.winner] == 2


@pytest.mark.parametrize("game", ["slips", "thorin", "queen-annes"])
def test_invalid_games_are_rejected(game: str) -> None:
    with pytest.raises(BadEnvironment, match="rounds: 0"):
        EnvironmentSpec.of(game, 2, rounds=0)
    with pytest.raises(BadEnvironment, match="opener: 2"):
        EnvironmentSpec.of(game, 2, opener=2)
    with pytest.raises(BadSeats):
        EnvironmentSpec.of(game, 1)
    with pytest.raises(BadOption):
        EnvironmentSpec.of(game, 2, options={"colour": "blue"})


def test_endless_options_are_rejected_with_the_remedy() -> None:
    with pytest.raises(BadEnvironment, match="leave cap_level on"):
        EnvironmentSpec.of("slips", 2, options={"cap_level": False})


def test_rounds_whose_stakes_exceed_the_observation_are_rejected() -> None:
    compound: dict[str, object] = {"compound_carry": True}
    _, high = bounds_of(EnvironmentSpec.of("salomon-1986", 2, rounds=20, options=compound).layout)
    assert np.isfinite(high).all()
    for rounds in (60, 400):
        with pytest.raises(
            BadEnvironment, match=f"compound_carry = true: in {rounds} rounds .*; play fewer rounds, or"
        ):
            EnvironmentSpec.of("salomon-1986", 2, rounds=rounds, options=compound)


def test_illegal_actions_and_impossible_cards_are_rejected() -> None:
    state = GameState.begin(EnvironmentSpec.of("dollar-bill", 2))
    with pytest.raises(BadEnvironment, match="chance"):
        state.after(9)
    with pytest.raises(BadEnvironment, match="legal now"):
        state.dealt_by(random.Random(1).randrange).after(160)
