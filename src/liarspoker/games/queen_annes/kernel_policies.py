"""What a policy may know at one of Queen Anne's games, which claims it has, and uniform play."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import Chance, below
from liarspoker.games.queen_annes.course import CHALLENGE, RESPOND, Course, Ground
from liarspoker.games.queen_annes.ladder import ladder_length
from liarspoker.games.queen_annes.options import QueenAnnesRules


class Observation(NamedTuple):
    """What a seat may know. Arrays in it must not be written to.

    Attributes:
        rules: the table's.
        ground: opener, living seats and losses.
        course: where the round stands; `course.to_act` is the seat whose turn it is.
        seat: the seat that is asked; where it is not the seat to act, whether it challenges.
        known: the cards in the pool that it sees, as a mask of `liarspoker.core.cards.deck.mask_of`.
        dealt: how many cards are in the pool, seen or not.
        wants: int64 `[claims]`, what each claim needs, for `liarspoker.games.queen_annes.pool.missing`.
        made: how many actions were played in this round so far.
        moves: int32 `[many, 2]`, the first `made` of them filled: seat and action.
    """

    rules: QueenAnnesRules
    ground: Ground
    course: Course
    seat: int
    known: int
    dealt: int
    wants: NDArray[np.int64]
    made: int
    moves: NDArray[np.int32]


def uniform(seen: Observation, chance: Chance, data: Any) -> int:
    """Any legal action, each as likely as every other."""
    claim = seen.course.claim + 1 + below(chance, legal_claims(seen) + (1 if seen.course.phase == RESPOND else 0))
    return claim if claim < ladder_length(seen.rules) else CHALLENGE


def legal_claims(seen: Observation) -> int:
    """How many claims are legal: those from `seen.course.claim + 1` to the top of the ladder."""
    return ladder_length(seen.rules) - seen.course.claim - 1
