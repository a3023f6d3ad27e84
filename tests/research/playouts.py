"""Random environments of every game under every option, and random playouts of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.research.game_state import CHANCE, OVER, GameState
from liarspoker.research.spec import EnvironmentSpec

GAMES = [row.id for row in catalogue.games()]
FEW = {"hand_size": range(1, 4), "symbols": range(2, 5), "cap_level": (True,)}
"""Values of some options that keep a game short and finite."""


@st.composite
def specs(draw: st.DrawFn, games: tuple[str, ...] = tuple(GAMES)) -> EnvironmentSpec:
    """Draw any game with any finite options, for two to four players."""
    game: Any = catalogue.load(draw(st.sampled_from(games)))
    options = {info.name: draw(st.sampled_from(FEW.get(info.name, info.choices))) for info in game.option_infos}
    rounds = draw(st.sampled_from((1, 1, 2, None)))
    seats = draw(st.integers(2, 4))
    return EnvironmentSpec.of(
        game.preset.id, seats, rounds=rounds, options=options, opener=draw(st.integers(0, seats - 1))
    )


def states(spec: EnvironmentSpec, seed: int, patient: bool = False, most: int = 120) -> Iterator[GameState]:
    """Yield the states of one random game, first to last; `patient` players take the weakest possible action."""
    chance = random.Random(seed)
    state = GameState.begin(spec)
    for _ in range(most):
        yield state
        if state.player == OVER:
            return
        if state.player == CHANCE:
            outcomes, odds = zip(*state.outcomes(), strict=True)
            state = state.after(chance.choices(outcomes, odds)[0])
        else:
            legal = state.legal.tolist()
            state = state.after(_patient(state, legal) if patient else chance.choice(legal))


def _patient(state: GameState, legal: list[int]) -> int:
    """Return the weakest claim, or take the hand and discard all of it."""
    return legal[-1] if state.session.phase == "discard" else legal[0]


def played(spec: EnvironmentSpec, seed: int) -> GameState:
    """Return the last state of a random game."""
    *_, last = states(spec, seed, most=1 << 20)
    return last
