"""What a policy is shown: all that its seat may know of the round in play, and nothing else."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.games.thorin.course import Course
from liarspoker.games.thorin.listed import Ladder
from liarspoker.games.thorin.options import PassedRules


class Seen(NamedTuple):
    """What the seat to act may know. Arrays in it must not be written to.

    Attributes:
        rules: the table's.
        ladder: its claims.
        worths: what hands are worth, for `liarspoker.engine.passed.worth.worth`.
        alive: mask of the living seats.
        course: where the round stands; `course.to_act` is the seat that is asked.
        hand: the hand that goes around, as a mask of `liarspoker.core.cards.deck.mask_of`, while the seat has it; else
            0.
        had: the hand as it was when the seat last declared, in this round; 0 if it has not.
        stock: how many cards are in the stock.
        discards: how many lie with the discards.
        made: how many actions were played in this round so far.
        moves: int64 `[many, 2]`, the first `made` of them filled: seat and action; discards are face down.
    """

    rules: PassedRules
    ladder: Ladder
    worths: NDArray[np.int64]
    alive: int
    course: Course
    hand: int
    had: int
    stock: int
    discards: int
    made: int
    moves: NDArray[np.int64]
