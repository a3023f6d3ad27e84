"""What agents are called, what they see, and what an environment shows as text."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from liarspoker.research.blocks import bounds_of
from liarspoker.research.course import Course
from liarspoker.research.study import Study

Observation = dict[str, NDArray[Any]]

RENDER_MODES = ("human", "ansi")


def agents_of(study: Study) -> list[str]:
    """The agents, seat by seat: `player_0`, `player_1` and so on."""
    return [f"player_{seat}" for seat in range(study.seats)]


def action_space(study: Study, actions: int, seat: int) -> Discrete:
    """So many actions, numbered from 0."""
    return Discrete(actions, seed=seat)


def observation_space(study: Study, actions: int, seat: int) -> Dict:
    """`observation`, float32 `[features]`, and `action_mask`, int8 `[actions]`."""
    low, high = bounds_of(study.layout)
    return Dict(
        {"observation": Box(low, high, dtype=np.float32), "action_mask": Box(0, 1, (actions,), np.int8)}, seed=seat
    )


def observation_of(course: Course, seat: int, actions: int) -> Observation:
    """What a seat sees, and what it may do: nothing where another seat decides."""
    vector = np.zeros(course.study.features, np.float32)
    course.study.observe(course.session.view(seat), vector)
    mask = np.zeros(actions, np.int8)
    if course.player == seat:
        mask[course.legal] = 1
    return {"observation": vector, "action_mask": mask}


def text_of(course: Course) -> str:
    """The game as the player who is to act sees it, or after its end what player 0 sees."""
    study, seat = course.study, max(0, course.player)
    lines = [f"{study.row.title}, {study.seats} players, round {course.session.rounds_played + (not course.is_over)}"]
    lines += [f"  {line}" for line in course.account(seat).splitlines()]
    if course.is_over:
        won = ", ".join(f"{seat}: {units:+d}" for seat, units in enumerate(course.units))
        return "\n".join([*lines, f"over; units {won}"])
    return "\n".join([*lines, f"player {seat} is to act"])
