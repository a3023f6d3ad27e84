"""One policy for tests that plays in many ways, so that it is compiled once: its data say how.

A line-up of tests has two of them, even where both play alike: for as many policies there is one kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarspoker.engine.chance import Chance, below, chance_below_one
from liarspoker.engine.passed.choices import (
    answer_listed,
    answers_listed,
    claim_listed,
    claims_listed,
    discard_listed,
    discards_listed,
    is_answer,
)
from liarspoker.engine.passed.policies import Policy, uniform
from liarspoker.engine.passed.seen import Seen
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE
from liarspoker.games.thorin.course import DECLARE, DISCARDING

UNIFORM, LONG, CHEAT = range(3)


def puppet(seen: Seen, chance: Chance, data: Any) -> int:
    way: int = data[0][0]
    if way == LONG:
        return long(seen, chance)
    if way == CHEAT and seen.course.phase == DISCARDING:
        return CHALLENGE
    return uniform(seen, chance, data)


def long(seen: Seen, chance: Chance) -> int:
    """Declares little more than stands, takes and passes; now and then it declares the best of all."""
    if seen.course.phase == DECLARE:
        claims = claims_listed(seen)
        best = chance_below_one(chance) < 0.03
        return claim_listed(claims - 1 if best else below(chance, min(claims, 400)), seen)
    if seen.course.phase == DISCARDING:
        return discard_listed(below(chance, discards_listed(seen.hand)), seen.hand)
    if is_answer(PASS, seen) and chance_below_one(chance) < 0.3:
        return PASS
    if is_answer(TAKE, seen) and chance_below_one(chance) < 0.9:
        return TAKE
    return answer_listed(below(chance, answers_listed(seen)), seen)


def playing(way: int) -> Policy:
    """A puppet that plays this way."""
    return Policy(puppet, (np.array([way], np.int64),))
