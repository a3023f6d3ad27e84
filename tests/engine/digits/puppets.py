"""One policy for tests that plays in many ways, so that it is compiled once: its data say how."""

from __future__ import annotations

from typing import Any

import numpy as np

from liarspoker.engine.chance import Chance
from liarspoker.engine.digits.policies import Policy, uniform
from liarspoker.engine.digits.seen import Seen
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE, OPEN
from tests.engine.digits.hasty import hasty

UNIFORM, HASTY, OPENER, MODEST, BRAGGART, TOP_BID, CHEAT = range(7)


def puppet(seen: Seen, chance: Chance, data: Any) -> int:
    way: int = data[0][0]
    claim: int = data[0][1]
    phase = seen.auction.phase
    if way == HASTY:
        return hasty(seen, chance, data)
    if way == OPENER and phase == OPEN:
        return claim
    if way == MODEST:  # opens with its bid, raises an opening of 3 by one, and challenges all else
        if phase == OPEN:
            return claim
        return seen.auction.claim + 1 if seen.made == 1 and seen.auction.claim == 3 else CHALLENGE
    if way == BRAGGART:
        return seen.auction.claim + 1
    if way == TOP_BID:
        return claim if phase == OPEN else COUNT if phase == DECIDE else CHALLENGE
    if way == CHEAT and seen.made == 1:
        return COUNT
    return uniform(seen, chance, data)


def playing(way: int, claim: int = 0) -> Policy:
    """A puppet that plays this way."""
    return Policy(puppet, (np.array([way, claim], np.int64),))
