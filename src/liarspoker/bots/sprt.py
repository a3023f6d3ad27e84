"""A sequential probability ratio test of what a bot wins, on blocks of duplicate deals.

It decides between two hypotheses: that the bot wins `h0` per hand, or `h1`. After each part of a contest, the
logarithm of the generalized likelihood ratio of the two is computed as if the winnings in a block were normally
distributed with the variance that was observed. As soon as it leaves the interval between two bounds, the test ends.
If the bot wins `h0` or less, `h1` is accepted with probability `alpha` at most; if it wins `h1` or more, `h0` is
accepted with probability `beta` at most, both up to the normal approximation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Literal

from liarspoker.bots.duplicate import Estimate

LEAST = 100
"""The number of blocks before the first decision, since the approximation needs some."""

Hypothesis = Literal["h0", "h1"]


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test.

    Attributes:
        h0: what the bot wins per hand by the first hypothesis, in units; in a game with a winner, the share of the
            matches that it wins above its fair share.
        h1: the same by the second hypothesis; higher than `h0`.
        alpha: the probability to accept `h1` if `h0` is true, above 0 and below 0.5.
        beta: the probability to accept `h0` if `h1` is true, above 0 and below 0.5.

    >>> [round(bound, 3) for bound in Sprt(0.0, 0.05).bounds]
    [-2.944, 2.944]
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `h0` and `h1` are accepted (Wald 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, estimate: Estimate) -> float | None:
        """Return the log-likelihood ratio of `h1` to `h0`; `None` if the variance can't be estimated."""
        if estimate.variance is None:
            return None
        return (self.h1 - self.h0) * (2 * estimate.mean - self.h0 - self.h1) / (2 * estimate.variance)

    def accepted(self, estimate: Estimate) -> Hypothesis | None:
        """Return the accepted hypothesis; `None` if the test goes on."""
        ratio = self.log_likelihood_ratio(estimate)
        if ratio is None or estimate.blocks < LEAST:
            return None
        low, high = self.bounds
        return "h0" if ratio <= low else "h1" if ratio >= high else None
