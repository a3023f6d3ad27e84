"""The ways to minimize regret that the solver knows, as the numbers of each iteration.

All of them play each action in proportion to its positive regret, update the players one after the other, and weight
later strategies more in the average. They differ in what they forget:

* CFR+ (Tammelin, 2014) forgets negative regrets at once.
* DCFR (Brown and Sandholm, 2019) multiplies regrets by t^a / (t^a + 1), a = 1.5, and halves the negative ones.
* Predictive CFR+ (Farina, Kroer and Sandholm, 2021) is CFR+ that counts the last regret twice, as a guess of the next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from liarspoker.engine.errors import CannotSolve
from liarspoker.solve.buffers import Step

_SCALE = 100
"""The iteration whose strategy has the weight 1; another one changes nothing but the size of the sums."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One way to minimize regret.

    Attributes:
        name: on the command line and in a strategy's record.
        averaging: iteration t has the weight t to this power in the average.
        gains: positive regrets are multiplied by t^gains / (t^gains + 1) after iteration t; `None` keeps them.
        losses: negative ones are multiplied by this; 0 forgets them.
        guess: how much of the last regret is expected once more, from 0 (nothing is predicted) to 1.
    """

    name: str
    averaging: float
    gains: float | None = None
    losses: float = 0.0
    guess: float = 0.0

    @property
    def predicts(self) -> bool:
        """Whether a prediction is stored beside the regrets."""
        return self.guess > 0

    def step(self, iteration: int) -> Step:
        """Return what iteration number `iteration`, from 1 on, does."""
        grown = 1.0 if self.gains is None else iteration**self.gains / (iteration**self.gains + 1)
        weight = (iteration / _SCALE) ** self.averaging
        return Step(np.float32(weight), np.float32(grown), np.float32(self.losses), np.float32(self.guess))


ALGORITHMS = (
    Algorithm("cfr+", averaging=2),
    Algorithm("pcfr+", averaging=5, guess=1.0),
    Algorithm("dcfr", averaging=2, gains=1.5, losses=0.5),
)

DEFAULT = ALGORITHMS[0].name
"""The fastest one; docs/explanation/solver.md has the measurements."""


def algorithm(name: str) -> Algorithm:
    """Return the algorithm of this name.

    Raises:
        CannotSolve: there is none; the message lists those that exist.
    """
    for known in ALGORITHMS:
        if known.name == name:
            return known
    raise CannotSolve(f"there is no algorithm {name!r}; there are {', '.join(known.name for known in ALGORITHMS)}")
