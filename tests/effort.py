"""How much of the same a run does: `make test` a sample of every law, `make check` less, and `make soak` far more."""

from __future__ import annotations

import os
from typing import TypeVar

from hypothesis import settings

Amount = TypeVar("Amount")

PROFILE = os.environ.get("HYPOTHESIS_PROFILE") or "default"


def effort(default: Amount, *, quick: Amount, soak: Amount) -> Amount:
    """Return the amount for this run's profile."""
    return {"quick": quick, "soak": soak}.get(PROFILE, default)


def one_in(divisor: int) -> settings:
    """Return settings for a law with slow examples: one in `divisor` of the usual number, but at least three."""
    return settings(max_examples=max(3, settings().max_examples // divisor))
