"""The amount of testing by profile: samples in `make test`, fewer in `make check`, many more in `make soak`."""

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
    """Return settings for a test with slow examples: a `divisor`-th of the usual number, but at least three."""
    return settings(max_examples=max(3, settings().max_examples // divisor))
