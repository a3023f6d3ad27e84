"""One policy for tests that plays in many ways, so that it is compiled once: its data say how.

A line-up of tests has two of them, even where both play alike: for as many policies there is one kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarspoker.engine.chance import Chance, below, chance_below_one
from liarspoker.engine.pooled.policies import Policy, legal_claims, uniform
from liarspoker.engine.pooled.seen import Seen
from liarspoker.games.queen_annes.course import CHALLENGE, OPEN

UNIFORM, HASTY, CHEAT = range(3)


def puppet(seen: Seen, chance: Chance, data: Any) -> int:
    way: int = data[0][0]
    if way == HASTY:
        return hasty(seen, chance)
    if way == CHEAT and seen.made == 1:
        return seen.course.claim
    return uniform(seen, chance, data)


def hasty(seen: Seen, chance: Chance) -> int:
    """Challenges early, now and then out of turn, and names little more than what stands, so that much of it exists."""
    claims = legal_claims(seen)
    if seen.seat != seen.course.to_act:
        return CHALLENGE if chance_below_one(chance) < 0.1 else 0
    if claims == 0 or (seen.course.phase != OPEN and chance_below_one(chance) < 0.3):
        return CHALLENGE
    some = claims if chance_below_one(chance) < 0.1 else min(claims, 20)
    return seen.course.claim + 1 + below(chance, some)


def playing(way: int) -> Policy:
    """A puppet that plays this way."""
    return Policy(puppet, (np.array([way], np.int64),), shouts=way == HASTY)
