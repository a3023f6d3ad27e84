"""The regret minimization algorithms of the solver, as the parameters of each iteration.

All of them play each action in proportion to its positive regret (regret matching), update the players alternately, and
give later strategies more weight in the average. They differ in how they discount regrets:

* CFR+ (Tammelin, 2014) resets negative regrets to zero.
* DCFR (Brown and Sandholm, 2019) multiplies positive regrets by t^a / (t^a + 1), and halves negative ones. Here a is 2,
  and iteration t has the weight t^3. In their paper a is 1.5, and the weight t^2: that takes fewer iterations for most
  small games, and more for the largest.
* Predictive CFR+ (Farina, Kroer and Sandholm, 2021) is CFR+ that counts the last regret twice, as a prediction of the
  next one.

An iteration skips positions that the other player reaches too rarely to matter yet; with more players, the next one.
From iteration 316 on, that limit falls with the square of the iteration. So all skipped regrets together are bounded,
and the average still converges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from liarspoker.engine.errors import CannotSolve
from liarspoker.solve.buffers import Step

_SCALE = 100
"""The iteration whose strategy has weight 1. Another value changes only the scale of the sums."""

_RARE = 5e-6
"""The reach up to which positions are skipped in the first iterations. With 2e-5, three digits of three with rebids
aren't at an exploitability of 1e-3 after 400 iterations."""

_RARE_LATER = 0.5
"""The same later on, times the square of the iteration."""

_DENORMAL = 1e-15
"""A smaller reach always counts as zero: denormal numbers slow the processor down and don't matter."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A regret minimization algorithm.

    Attributes:
        name: its name on the command line and in a strategy's record.
        averaging: iteration t has weight t to this power in the average strategy.
        gains: positive regrets are multiplied by t^gains / (t^gains + 1) after iteration t; `None` doesn't discount
            them.
        losses: negative regrets are multiplied by this; 0 resets them.
        guess: the weight of the prediction that the last regret will recur, from 0 (no prediction) to 1.
    """

    name: str
    averaging: float
    gains: float | None = None
    losses: float = 0.0
    guess: float = 0.0

    @property
    def predicts(self) -> bool:
        """Whether predictions are stored in addition to the regrets."""
        return self.guess > 0

    def step(self, iteration: int) -> Step:
        """Return the parameters of an iteration.

        Args:
            iteration: its number, from 1.
        """
        grown = 1.0 if self.gains is None else iteration**self.gains / (iteration**self.gains + 1)
        weight = (iteration / _SCALE) ** self.averaging
        rare = max(_DENORMAL, min(_RARE, _RARE_LATER / iteration**2))
        return Step(*map(np.float32, (weight, grown, self.losses, self.guess, rare)))


EVALUATION = Step(*map(np.float32, (0.0, 1.0, 1.0, 0.0, _DENORMAL)))
"""The parameters of an evaluation, which changes nothing, and skips only what is never reached."""


ALGORITHMS = (
    Algorithm("dcfr", averaging=3, gains=2, losses=0.5),
    Algorithm("cfr+", averaging=2),
    Algorithm("pcfr+", averaging=5, guess=1.0),
)
"""The algorithms that :func:`algorithm` can return."""

DEFAULT = ALGORITHMS[0].name
"""The best algorithm for the largest games; see the measurements in docs/explanation/solver.md."""


def algorithm(name: str) -> Algorithm:
    """Return the algorithm of this name.

    Raises:
        CannotSolve: there is no such algorithm; the message lists the available ones.
    """
    for known in ALGORITHMS:
        if known.name == name:
            return known
    raise CannotSolve(f"there is no algorithm {name!r}; choose from {', '.join(known.name for known in ALGORITHMS)}")
