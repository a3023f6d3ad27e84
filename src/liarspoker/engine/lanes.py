"""Operations on eight numbers side by side: a loop in Python, and a few vector instructions in compiled code.

numba unrolls a loop over eight numbers, and doesn't vectorize it. Positions aren't checked in compiled code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LANES = 8
"""The number of numbers side by side."""

LINE = 16
"""The number of numbers that a processor loads at once, 64 bytes."""

Floats = NDArray[np.float32]
"""A contiguous float32 array `[numbers]`."""


def fill_lanes(target: Floats, at: int, number: Any) -> None:
    """Set the lanes that begin at `at` to a float32 number."""
    for lane in range(LANES):
        target[at + lane] = number


def copy_lanes(target: Floats, at: int, source: Floats, start: int) -> None:
    """Set the lanes that begin at `at` to the lanes of `source` that begin at `start`."""
    for lane in range(LANES):
        target[at + lane] = source[start + lane]


def add_lanes(target: Floats, at: int, source: Floats, start: int, factor: Any) -> None:
    """Add the lanes of `source` that begin at `start`, times a float32 factor, to those that begin at `at`."""
    for lane in range(LANES):
        target[at + lane] += source[start + lane] * factor


def add_products(target: Floats, at: int, source: Floats, start: int, other: Floats, begin: int) -> None:
    """Add the products of the lanes of `source` and of `other` to the lanes that begin at `at`."""
    for lane in range(LANES):
        target[at + lane] += source[start + lane] * other[begin + lane]


def fetch(array: Any, row: int, column: int) -> None:
    """Make the processor load the memory around a number of a contiguous array `[rows, columns]`.

    Nothing happens if the array ends before it.
    """
