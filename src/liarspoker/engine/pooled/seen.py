"""What a policy is shown: all that its seat may know of the round in play, and nothing else."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.games.queen_annes.course import Course, Ground
from liarspoker.games.queen_annes.options import PooledRules


class Seen(NamedTuple):
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

    rules: PooledRules
    ground: Ground
    course: Course
    seat: int
    known: int
    dealt: int
    wants: NDArray[np.int64]
    made: int
    moves: NDArray[np.int32]
