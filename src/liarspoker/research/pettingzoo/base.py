"""What both kinds of environment share: spaces, random numbers, the game in play, and rendering."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from numpy.typing import NDArray

from liarspoker.research.blocks import bounds_of
from liarspoker.research.errors import BadEnvironment
from liarspoker.research.game_state import GameState
from liarspoker.research.spec import EnvironmentSpec

Observation = dict[str, NDArray[np.float32] | NDArray[np.int8]]
"""An agent's observation: `observation`, float32 `[features]`, and `action_mask`, int8 `[actions]`."""

RENDER_MODES = ("human", "ansi")
"""The render modes: print after every step, or return text."""


class BaseEnvironment:
    """A game in play.

    Args:
        spec: the game.
        actions: the number of actions of an agent.
        render_mode: `human` prints after every step, `ansi` returns text, `None` renders nothing.

    Raises:
        BadEnvironment: there is no such render mode.

    Attributes:
        spec: the game.
        game_state: the current state. It contains all hands, so don't show it to agents.
        possible_agents: the agents, seat by seat: `player_0`, `player_1` and so on.
    """

    game_state: GameState

    def __init__(self, spec: EnvironmentSpec, actions: int, render_mode: str | None) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadEnvironment(f"render_mode: {render_mode}; it must be {', '.join(RENDER_MODES)} or None")
        self.spec = spec
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(spec.seats)]
        self._size = actions
        self._actions = {agent: Discrete(actions) for agent in self.possible_agents}
        self._observations = {agent: _space(spec, actions) for agent in self.possible_agents}
        self._chance: np.random.Generator | None = None

    def action_space(self, agent: str) -> Discrete:
        """Return all actions of the game; `action_mask` says which are legal."""
        return self._actions[agent]

    def observation_space(self, agent: str) -> Dict:
        """Return the space of `observation`, float32 `[features]`, and `action_mask`, int8 `[actions]`."""
        return self._observations[agent]

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know, and its action mask, which is all 0 when it isn't the agent's turn."""
        seat = self.possible_agents.index(agent)
        vector = np.zeros(self.spec.features, np.float32)
        self.spec.observe(self.game_state.session.view(seat), vector)
        mask = np.zeros(self._size, np.int8)
        if self.game_state.player == seat:
            mask[self.game_state.legal] = 1
        return {"observation": vector, "action_mask": mask}

    def render(self) -> str | None:
        """Return the game as seen by the player to act (mode `ansi`), or print it (mode `human`)."""
        if self.render_mode == "human":
            print(self._text())
        return self._text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _seed(self, seed: int | None) -> None:
        """Seed the random numbers; without a seed, continue the current stream."""
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)

    def _begin(self) -> None:
        """Deal a new game."""
        self.game_state = GameState.begin(self.spec).dealt_by(self._below)

    def _play(self, action: int) -> None:
        """Play a legal action, and draw all chance outcomes that follow."""
        self.game_state = self.game_state.after(action).dealt_by(self._below)

    def _below(self, n: int) -> int:
        assert self._chance is not None
        return int(self._chance.integers(n))

    def _text(self) -> str:
        state, spec = self.game_state, self.spec
        number = state.session.rounds_played + (not state.is_over)
        information_state = state.information_state(max(0, state.player)).splitlines()
        lines = [
            f"{spec.row.title}, {spec.seats} players, round {number}",
            *(f"  {line}" for line in information_state),
        ]
        if state.is_over:
            won = ", ".join(f"player {seat} {units:+d}" for seat, units in enumerate(state.units))
            return "\n".join([*lines, f"The game is over: {won}."])
        return "\n".join([*lines, f"Player {state.player} is to act."])


def _space(spec: EnvironmentSpec, actions: int) -> Dict:
    low, high = bounds_of(spec.layout)
    return Dict({"observation": Box(low, high, dtype=np.float32), "action_mask": Box(0, 1, (actions,), np.int8)})
