"""A family that brings nothing but its session is studied all the same."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from liarspoker.core import catalogue
from liarspoker.research.course import Course
from liarspoker.research.errors import CannotStudy
from liarspoker.research.family import StudyRules
from liarspoker.research.study import Study

SESSION_ALONE: StudyRules[Any, Any] = StudyRules()


def studied(game: str, seats: int, options: dict[str, object], rounds: int | None = 1) -> Study:
    loaded: Any = catalogue.load(game)
    start = loaded.session(seats, loaded.options(options))
    layout, size = SESSION_ALONE.layout(start, rounds), SESSION_ALONE.size(start)
    return Study(catalogue.row(game), start, rounds, 0, SESSION_ALONE, layout, size, start.anyone_challenges)


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
def test_a_session_alone_is_enough(game: str, options: dict[str, object]) -> None:
    study, chance = studied(game, 3, options), Random(4)
    for _ in range(3):
        course, seen = Course.begin(study), np.zeros(study.features, np.float32)
        while not course.is_over:
            course = course.dealt_by(chance.randrange)
            session: Any = course.session
            if not course.asked:
                numbered = [study.family.action(session, index) for index in course.legal.tolist()]
                own = {action for action in session.legal().actions if session.mover(action) == session.to_act}
                assert set(numbered) == own
            study.observe(session.view(session.to_act), seen)
            assert seen.any()
            index = chance.choice(course.legal.tolist()[-3:])
            assert course.text(index)
            course = course.after(index)
        assert course.session.round_result is not None
        assert sum(course.units) == 0


def test_a_seat_knows_the_same_exactly_where_its_view_is_the_same() -> None:
    study = studied("dollar-bill", 2, {"hand_size": 1, "symbols": 2})
    deals = [Course.begin(study).after(first).after(second) for first in range(2) for second in range(2)]
    assert len({course.account(0) for course in deals}) == 2
    assert len({(course.account(0), course.account(1)) for course in deals}) == 4
    assert deals[0].account(0) == deals[1].account(0)


def test_what_is_not_numbered_is_refused() -> None:
    study, chance = studied("thorin", 2, {}), Random(1)
    course = Course.begin(study).dealt_by(chance.randrange)
    taken = course.after(0).after(int(course.after(0).legal[-1]))
    with pytest.raises(CannotStudy, match="isn't numbered"):
        assert taken.legal.size
