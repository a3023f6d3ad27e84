"""Observations as vectors of numbers: named blocks, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
"""A float32 array."""


class Block(NamedTuple):
    """Consecutive numbers of an observation that belong together.

    Attributes:
        name: the block's name.
        shape: its shape, in C order.
        low: the lower bound of the numbers.
        high: the upper bound of the numbers.
        meaning: a description for people.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str

    @property
    def size(self) -> int:
        """The number of entries."""
        return prod(self.shape)


def size_of(blocks: Sequence[Block]) -> int:
    """Return the number of entries of all blocks."""
    return sum(block.size for block in blocks)


def named_parts(vector: Vector, blocks: Sequence[Block]) -> dict[str, Vector]:
    """Return the blocks of a vector by name, in their shapes. They are views: writing to them writes to the vector.

    >>> vector = np.zeros(5, np.float32)
    >>> named_parts(vector, [Block("a", (1,), 0, 1, ""), Block("b", (2, 2), 0, 1, "")])["b"][1, 0] = 1
    >>> vector
    array([0., 0., 0., 1., 0.], dtype=float32)
    """
    parts, start = {}, 0
    for block in blocks:
        parts[block.name] = vector[start : start + block.size].reshape(block.shape)
        start += block.size
    return parts


def bounds_of(blocks: Sequence[Block]) -> tuple[Vector, Vector]:
    """Return the lower and the upper bound of every number of a vector: float32 `[features]` each."""
    low = [np.full(block.size, block.low, np.float32) for block in blocks]
    high = [np.full(block.size, block.high, np.float32) for block in blocks]
    return np.concatenate(low), np.concatenate(high)
