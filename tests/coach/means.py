"""Means with their intervals, computed from the samples."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest


def mean_of(samples: list[tuple[int, int]]) -> Any:
    """Return the mean of sums over samples of several values, as a ratio, and half its interval."""
    number = sum(length for _, length in samples)
    if not number:
        return {"mean": None, "half_width": None}
    mean = sum(units for units, _ in samples) / number
    scatter = sum((units - mean * length) ** 2 for units, length in samples)
    if len(samples) < 2 or scatter < 1e-9:
        return {"mean": pytest.approx(mean), "half_width": None}
    half = 1.96 * sqrt(scatter * len(samples) / (len(samples) - 1)) / number
    return {"mean": pytest.approx(mean), "half_width": pytest.approx(half)}
