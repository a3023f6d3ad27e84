"""Operations on eight numbers side by side: loops in Python, and an instruction or two in compiled code.

numba unrolls loops over so few numbers, and doesn't vectorize them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LANES = 8
"""The number of numbers side by side."""

Floats = NDArray[np.float32]
"""A contiguous float32 array `[numbers]`."""


def fill_lanes(target: Floats, at: int, number: Any) -> None:
    """Set the lanes that begin at `at` to a float32 number."""
    for lane in range(LANES):
        target[at + lane] = number


def copy_lanes(target: Floats, at: int, source: Floats, start: int) -> None:
    """Set them to the lanes of `source` that begin at `start`."""
    for lane in range(LANES):
        target[at + lane] = source[start + lane]


def add_lanes(target: Floats, at: int, source: Floats, start: int, factor: Any) -> None:
    """Add the lanes of `source`, times a float32 factor."""
    for lane in range(LANES):
        target[at + lane] += source[start + lane] * factor


def add_products(target: Floats, at: int, source: Floats, start: int, other: Floats, begin: int) -> None:
    """Add the products of the lanes of `source` and of `other`."""
    for lane in range(LANES):
        target[at + lane] += source[start + lane] * other[begin + lane]


def add_four(
    target: Floats,
    at: int,
    first: Floats,
    start: int,
    second: Floats,
    begin: int,
    third: Floats,
    base: int,
    fourth: Floats,
    top: int,
    one: Any,
    two: Any,
    three: Any,
    four: Any,
) -> None:
    """Add the lanes of four arrays, times a float32 factor each."""
    for lane in range(LANES):
        target[at + lane] += (one * first[start + lane] + two * second[begin + lane]) + (
            three * third[base + lane] + four * fourth[top + lane]
        )
