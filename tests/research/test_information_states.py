"""Information states are equal exactly where a seat has seen the same sequence of views."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.research.game_state import CHANCE, OVER, GameState
from liarspoker.research.spec import EnvironmentSpec
from tests.effort import one_in
from tests.research.playouts import specs

TWINS = 4
MOST = 300

Path = list[tuple[GameState, int, GameState]]
"""The steps of a game: a state, the decision made there, and the next state."""


def path(spec: EnvironmentSpec, chance: random.Random, like: list[int | None]) -> Path:
    """Return the steps of a game that repeats the decisions in `like` where possible, and is random elsewhere."""
    state = GameState.begin(spec)
    steps: Path = []
    for number in range(MOST):
        if state.player == OVER:
            break
        possible = [*(state.weights or state.legal.tolist())]
        wanted = like[number] if number < len(like) else None
        choice = chance.choice(possible) if wanted is None or wanted not in possible else wanted
        steps.append((state, choice, state := state.after(choice)))
    return steps


def almost_the_same(spec: EnvironmentSpec, seed: int) -> Iterator[Path]:
    """Yield a game, variants with one different chance outcome, and variants with another deal of about one seat."""
    chance = random.Random(seed)
    first = path(spec, chance, [])
    yield first
    played: list[int | None] = [choice for _, choice, _ in first]
    drawn = [number for number, (state, *_) in enumerate(first) if state.player == CHANCE]
    deal = next(number for number, (state, *_) in enumerate(first) if state.session.in_play)
    for _ in range(TWINS):
        number = chance.choice(drawn)
        other = chance.choice([*(first[number][0].weights or ())])
        yield path(spec, chance, [*played[:number], other, *played[number + 1 :]])
        seat = chance.randrange(spec.seats)
        start, end = (deal * after // spec.seats for after in (seat, seat + 1))
        yield path(spec, chance, [*played[:start], *[None] * (end - start), *played[end:]])


def seen_by(seat: int, steps: Path, numbers: dict[Any, int]) -> Iterator[tuple[str, Any]]:
    """Yield a seat's information state after every decision, with a key of everything that it has seen until then."""
    last, before = None, 0
    for state, choice, after in steps:
        if after.drawn:
            continue  # an incomplete deal isn't visible to anyone
        for session in (_at_the_end(state, choice, after), after.session):
            view = session.view(seat)
            if view != last:
                last, before = view, numbers.setdefault((before, view), len(numbers) + 1)
        yield after.information_state(seat), (before, after.named, after.challengers[:1])


def _at_the_end(state: GameState, choice: int, after: GameState) -> Any:
    """Return the session at the end of its round, where the next round is dealt at once; elsewhere as it was."""
    session, family = state.session, state.spec.rules
    if not session.in_play or after.session.rounds_played == session.rounds_played:
        return session
    return family.applied(session, (), family.action(session, choice)) if state.player == session.to_act else session


def check_information_states(spec: EnvironmentSpec, seed: int) -> None:
    """Check that two information states are equal if and only if the seat has seen the same views."""
    seen: list[dict[str, Any]] = [{} for _ in range(spec.seats)]
    information_states: list[dict[Any, str]] = [{} for _ in range(spec.seats)]
    numbers: list[dict[Any, int]] = [{} for _ in range(spec.seats)]
    for steps in almost_the_same(spec, seed):
        for seat in range(spec.seats):
            for information_state, views in seen_by(seat, steps, numbers[seat]):
                assert seen[seat].setdefault(information_state, views) == views
                assert information_states[seat].setdefault(views, information_state) == information_state


@one_in(16)
@given(specs(), st.integers(0, 1 << 20))
def test_information_states_are_equal_where_the_observed_history_is(spec: EnvironmentSpec, seed: int) -> None:
    check_information_states(spec, seed)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("reveal", ["full", "counts"])
def test_information_states_with_slips_are_equal_where_the_observed_history_is(rounds: int, reveal: str) -> None:
    spec = EnvironmentSpec.of("salomon-1986", 2, rounds=rounds, options={"reveal": reveal}, from_slips=True)
    for seed in range(3):
        check_information_states(spec, seed)
