"""Operations on numbers side by side: plain Python and NumPy here, and vector instructions in compiled code.

As numba uses LLVM, it unrolls a loop over eight numbers, and doesn't vectorize it; and it stores the sums of a matrix
product after each step. Arrays are contiguous, of float32 numbers. Lanes of the same array mustn't overlap, unless they
are the same. Positions and sizes aren't checked in compiled code. Results are the same on every processor.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LANES = 8
"""How many numbers are processed together."""

LINE = 16
"""How many numbers a processor loads at once, 64 bytes."""

Lanes = NDArray[np.float32]
"""A contiguous float32 array."""


def fill_lanes(target: Lanes, at: int, number: np.float32) -> None:
    """Set the lanes that begin at `at` to a number."""
    for lane in range(LANES):
        target[at + lane] = number


def copy_lanes(target: Lanes, at: int, source: Lanes, start: int) -> None:
    """Set the lanes that begin at `at` to the lanes of `source` that begin at `start`."""
    for lane in range(LANES):
        target[at + lane] = source[start + lane]


def add_lanes(target: Lanes, at: int, source: Lanes, start: int, factor: np.float32) -> None:
    """Add the lanes of `source` that begin at `start`, times a factor, to those of `target` at `at`."""
    for lane in range(LANES):
        target[at + lane] += source[start + lane] * factor


def add_products(target: Lanes, at: int, source: Lanes, start: int, other: Lanes, begin: int) -> None:
    """Add the products of the lanes of `source` at `start` and of `other` at `begin` to those of `target` at `at`."""
    for lane in range(LANES):
        target[at + lane] += source[start + lane] * other[begin + lane]


def fetch(array: Lanes, at: int) -> None:
    """Make the processor load the memory around a number, by its place in the flattened array.

    Nothing happens if the array ends before it.
    """


def write_layer(target: Lanes, biases: Lanes, inputs: Lanes, weights: Lanes) -> None:
    """Set a matrix to biases, in every row, plus the product of inputs and weights.

    Vectors may take the place of matrices with one row. Compiled code rounds a product and its sum once, where NumPy
    may round twice.

    Args:
        target: `[rows, columns]`; no other array may be in its memory.
        biases: `[columns]`.
        inputs: `[rows, inner]`.
        weights: `[inner, columns]`.
    """
    target[...] = biases + inputs @ weights


def write_rectified_layer(target: Lanes, biases: Lanes, inputs: Lanes, weights: Lanes) -> None:
    """Do the same, with 0 in place of negative numbers."""
    np.maximum(biases + inputs @ weights, np.float32(0.0), out=target)


def write_rectified_sum(target: Lanes, one: Lanes, other: Lanes) -> None:
    """Set a vector to the sum of two, with 0 in place of negative numbers. It may be one of them."""
    np.maximum(one + other, np.float32(0.0), out=target)
