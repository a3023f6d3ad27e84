"""What networks see of Queen Anne's games: alike in Python and compiled, with legal choices only."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.engine.compiling import compiled
from liarspoker.games.queen_annes.bots import bluffer, seen_in, workspace_for
from liarspoker.games.queen_annes.features import (
    ANSWERS,
    ITEMS,
    LOWEST,
    OF_HAND,
    OF_TABLE,
    write_features,
)
from liarspoker.games.queen_annes.heuristics import ladder_of
from liarspoker.games.queen_annes.kernel_network import INPUTS
from liarspoker.games.queen_annes.state import CHALLENGE
from tests.effort import one_in

GAMES = ("queen-annes", "queen-annes-indian", "queen-annes-stud")
CHANGES: tuple[dict[str, object], ...] = ({}, {"jokers": 2}, {"wild_ranks": "2"}, {"flush_order": "suit_first"})


def seen_by_python(view: Any) -> tuple[list[float], list[int], list[bool]]:
    features = [9.0] * (ITEMS * OF_HAND + OF_TABLE)
    actions, legal = [7] * (ITEMS + ANSWERS), [True] * (ITEMS + ANSWERS)
    write_features(seen_in(view), ladder_of(view.rules), workspace_for(view.rules), features, actions, legal)
    return features, actions, legal


def seen_by_compiled(view: Any) -> tuple[Any, Any, Any]:
    seen, (ladder, workspace) = seen_in(view), INPUTS.sources(view.rules)
    moves = np.array(seen.moves or [(0, 0)], np.int32)
    shared = (*seen.shared, *[0] * (10 - len(seen.shared)))
    arrays = seen._replace(shared=shared, requirements=ladder.requirements, moves=moves)
    features = np.full(ITEMS * OF_HAND + OF_TABLE, 9.0, np.float32)
    actions, legal = np.full(ITEMS + ANSWERS, 7), np.ones(ITEMS + ANSWERS, np.bool_)
    compiled(write_features)(arrays, ladder, workspace, features, actions, legal)
    return features, actions, legal


def views(game: str, seats: int, changes: dict[str, object], chance: Random, rounds: int) -> Any:
    """Yield the view of every seat to act, in play between Bluffers that sometimes name a random hand."""
    preset = catalogue.load(game)
    session: Any = preset.session(seats, preset.options(changes))
    for _ in range(rounds):
        if session.winner is not None:
            return
        session = session.deal(session.chance_spec().draw(chance.randrange))
        while session.to_act is not None:
            view = session.view(session.to_act)
            yield session, view
            legal = view.legal.actions
            action = chance.choice(legal[:60]) if chance.random() < 0.3 else bluffer(view, chance)
            session = session.apply(action)


@pytest.mark.parametrize("game", GAMES)
@one_in(5)
@given(seed=st.integers(0, 2**32 - 1), seats=st.integers(2, 5), changes=st.sampled_from(CHANGES))
def test_choices_are_legal_distinct_and_ascending(game: str, seed: int, seats: int, changes: dict[str, object]) -> None:
    for _session, view in views(game, seats, changes, Random(seed), 2):
        features, actions, legal = seen_by_python(view)
        claims = [action for action, possible in zip(actions[:ITEMS], legal[:ITEMS], strict=True) if possible]
        assert claims == sorted(set(claims))
        assert set(claims) <= set(view.legal.claims)
        assert set(view.legal.claims[:LOWEST]) <= set(claims)
        assert actions[ITEMS] == CHALLENGE
        assert legal[ITEMS] == (CHALLENGE in view.legal.actions)
        assert all(abs(number) <= 10 for number in features)
        assert features[-1] == 0.0
        for place, claim in enumerate(claims):
            assert features[place * OF_HAND] == 1.0
            for later in range(place + LOWEST, len(claims)):
                # Beyond the weakest hands, a stronger one is never more probable.
                if place >= LOWEST:
                    assert features[place * OF_HAND + 2] >= features[later * OF_HAND + 2] - 1e-9, claim


@pytest.mark.parametrize("game", GAMES)
def test_compiled_code_sees_what_python_sees(game: str) -> None:
    asked = 0
    for number, changes in enumerate(CHANGES):
        for _session, view in views(game, 2 + number, changes, Random(number), 3):
            expected, actions, legal = seen_by_python(view)
            features, compiled_actions, compiled_legal = seen_by_compiled(view)
            assert features == pytest.approx(expected, abs=1e-6)
            assert (compiled_actions.tolist(), compiled_legal.tolist()) == (actions, legal)
            asked += 1
    assert asked > 30
