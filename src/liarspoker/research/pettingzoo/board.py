"""What the two kinds of environment share: spaces, chance, the game in play, and showing it."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from numpy.typing import NDArray

from liarspoker.research.blocks import bounds_of
from liarspoker.research.course import Course
from liarspoker.research.study import Study

Observation = dict[str, NDArray[np.float32] | NDArray[np.int8]]

RENDER_MODES = ("human", "ansi")


class Board:
    """A game in play.

    Args:
        study: what is played.
        actions: how many actions an agent has.
        render_mode: `human` prints after every step, `ansi` answers text, `None` shows nothing.

    Attributes:
        study: what is played.
        course: where the game stands. It knows what everybody holds, so show it to no agent.
        possible_agents: the agents, seat by seat: `player_0`, `player_1` and so on.
    """

    course: Course

    def __init__(self, study: Study, actions: int, render_mode: str | None) -> None:
        self.study = study
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(study.seats)]
        self._size = actions
        self._actions = {agent: Discrete(actions) for agent in self.possible_agents}
        self._observations = {agent: _space(study, actions) for agent in self.possible_agents}
        self._chance: np.random.Generator | None = None

    def action_space(self, agent: str) -> Discrete:
        """Every action of the game; `action_mask` tells which are legal."""
        return self._actions[agent]

    def observation_space(self, agent: str) -> Dict:
        """`observation`, float32 `[features]`, and `action_mask`, int8 `[actions]`."""
        return self._observations[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent may know, and what it may do: nothing while it is another's turn."""
        seat = self.possible_agents.index(agent)
        vector = np.zeros(self.study.features, np.float32)
        self.study.observe(self.course.session.view(seat), vector)
        mask = np.zeros(self._size, np.int8)
        if self.course.player == seat:
            mask[self.course.legal] = 1
        return {"observation": vector, "action_mask": mask}

    def render(self) -> str | None:
        """The game as the player who is to act sees it; printed in the mode `human`."""
        if self.render_mode == "human":
            print(self._text())
        return self._text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def _seed(self, seed: int | None) -> None:
        """Take chance from a seed; without one, go on with what there is."""
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)

    def _begin(self) -> None:
        """Deal a new game."""
        self.course = Course.begin(self.study).dealt_by(self._below)

    def _play(self, action: int) -> None:
        """Play a legal action, and all that chance decides after it."""
        self.course = self.course.after(action).dealt_by(self._below)

    def _below(self, n: int) -> int:
        assert self._chance is not None
        return int(self._chance.integers(n))

    def _text(self) -> str:
        course, study = self.course, self.study
        number = course.session.rounds_played + (not course.is_over)
        told = course.account(max(0, course.player)).splitlines()
        lines = [f"{study.row.title}, {study.seats} players, round {number}", *(f"  {line}" for line in told)]
        if course.is_over:
            won = ", ".join(f"player {seat} {units:+d}" for seat, units in enumerate(course.units))
            return "\n".join([*lines, f"It is over: {won}."])
        return "\n".join([*lines, f"Player {course.player} is to act."])


def _space(study: Study, actions: int) -> Dict:
    low, high = bounds_of(study.layout)
    return Dict({"observation": Box(low, high, dtype=np.float32), "action_mask": Box(0, 1, (actions,), np.int8)})
