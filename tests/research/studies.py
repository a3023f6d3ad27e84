"""Studies of every game under every option, and courses through them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.research.course import CHANCE, OVER, Course
from liarspoker.research.study import Study

GAMES = [row.id for row in catalogue.games()]
FEW = {"hand_size": range(1, 4), "symbols": range(2, 5), "cap_level": (True,)}
"""Of these options, values that keep a course short and to its end."""


@st.composite
def studies(draw: st.DrawFn, games: tuple[str, ...] = tuple(GAMES)) -> Study:
    """Any game with any options that have an end, for two to four players."""
    game: Any = catalogue.load(draw(st.sampled_from(games)))
    options = {info.name: draw(st.sampled_from(FEW.get(info.name, info.choices))) for info in game.option_infos}
    rounds = draw(st.sampled_from((1, 1, 2, None)))
    seats = draw(st.integers(2, 4))
    return Study.of(game.row.id, seats, rounds=rounds, options=options, opener=draw(st.integers(0, seats - 1)))


def courses(study: Study, seed: int, patient: bool = False, most: int = 120) -> Iterator[Course]:
    """The courses of one game that is played by chance, first to last; `patient` players say as little as they can."""
    chance = random.Random(seed)
    course = Course.begin(study)
    for _ in range(most):
        yield course
        if course.player == OVER:
            return
        if course.player == CHANCE:
            outcomes, odds = zip(*course.outcomes(), strict=True)
            course = course.after(chance.choices(outcomes, odds)[0])
        else:
            legal = course.legal.tolist()
            course = course.after(_patient(course, legal) if patient else chance.choice(legal))


def _patient(course: Course, legal: list[int]) -> int:
    """The weakest claim, or to take the hand, and to throw all of it."""
    return legal[-1] if course.session.phase == "discard" else legal[0]


def played(study: Study, seed: int) -> Course:
    """A whole game, played by chance."""
    *_, last = courses(study, seed, most=1 << 20)
    return last
