"""The verdicts on decisions, and the losses from which they are given."""

from __future__ import annotations

BEST, FINE, INACCURACY, MISTAKE, BLUNDER = VERDICTS = ("best", "fine", "inaccuracy", "mistake", "blunder")
"""The verdicts, from the best to the worst."""

BAD = (INACCURACY, MISTAKE, BLUNDER)
"""The verdicts that find fault."""

THRESHOLDS = {INACCURACY: 0.1, MISTAKE: 0.25, BLUNDER: 0.6}
"""The smallest certain loss of each verdict that finds fault, in units per hand at stake 1."""


def verdict_of(loss: float, half_width: float, thresholds: dict[str, float] = THRESHOLDS) -> str:
    """Return the verdict by the loss that is certain, the lower end of its interval: playouts accuse nobody by chance.

    Args:
        loss: how much the decision is worth less than the best one, in units per hand at stake 1.
        half_width: half the width of the loss's interval.
        thresholds: the smallest certain loss of each verdict that finds fault, in ascending order.

    >>> verdict_of(0.0, 0.1), verdict_of(0.3, 0.25), verdict_of(0.3, 0.04), verdict_of(2.0, 0.5)
    ('best', 'fine', 'mistake', 'blunder')
    """
    if loss == 0.0:
        return BEST
    return next((name for name, least in reversed(thresholds.items()) if loss - half_width >= least), FINE)
