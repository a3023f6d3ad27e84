"""A family that provides only its session works in research environments."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from liarspoker.core import catalogue
from liarspoker.research.errors import BadEnvironment
from liarspoker.research.game_state import GameState
from liarspoker.research.rules import EnvironmentRules
from liarspoker.research.spec import EnvironmentSpec

SESSION_ALONE: EnvironmentRules[Any, Any] = EnvironmentRules()


def spec_of(game: str, seats: int, options: dict[str, object], rounds: int | None = 1) -> EnvironmentSpec:
    loaded: Any = catalogue.load(game)
    start = loaded.session(seats, loaded.options(options))
    layout, size = SESSION_ALONE.layout(start, rounds), SESSION_ALONE.size(start)
    return EnvironmentSpec(
        catalogue.preset(game), start, rounds, 0, SESSION_ALONE, layout, size, start.anyone_challenges
    )


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("dollar-bill", {"hand_size": 3, "symbols": 3}),
        ("dollar-bill", {"hand_size": 2, "symbols": 2, "loose_order": True}),
        ("slips", {}),
        ("queen-annes", {"who_may_challenge": "anyone"}),
        ("queen-annes-stud", {"jokers": 1}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_session_is_enough_for_an_environment(game: str, options: dict[str, object]) -> None:
    spec, chance = spec_of(game, 3, options), Random(4)
    for _ in range(3):
        state, seen = GameState.begin(spec), np.zeros(spec.features, np.float32)
        while not state.is_over:
            state = state.dealt_by(chance.randrange)
            session: Any = state.session
            if not state.challengers:
                numbered = [spec.rules.action(session, index) for index in state.legal.tolist()]
                own = {action for action in session.legal().actions if session.mover(action) == session.to_act}
                assert set(numbered) == own
            spec.observe(session.view(session.to_act), seen)
            assert seen.any()
            index = chance.choice(state.legal.tolist()[-3:])
            assert state.text(index)
            state = state.after(index)
        assert state.session.round_result is not None
        assert sum(state.units) == 0


def test_information_states_are_equal_exactly_where_views_are_equal() -> None:
    spec = spec_of("dollar-bill", 2, {"hand_size": 1, "symbols": 2})
    deals = [GameState.begin(spec).after(first).after(second) for first in range(2) for second in range(2)]
    assert len({state.information_state(0) for state in deals}) == 2
    assert len({(state.information_state(0), state.information_state(1)) for state in deals}) == 4
    assert deals[0].information_state(0) == deals[1].information_state(0)


def test_actions_without_a_number_are_rejected() -> None:
    spec, chance = spec_of("thorin", 2, {}), Random(1)
    state = GameState.begin(spec).dealt_by(chance.randrange)
    taken = state.after(0).after(int(state.after(0).legal[-1]))
    with pytest.raises(BadEnvironment, match="it has no number"):
        assert taken.legal.size
