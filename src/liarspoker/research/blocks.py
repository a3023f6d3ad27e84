"""Observations as rows of numbers: named blocks, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Block(NamedTuple):
    """Some numbers of an observation that belong together.

    Attributes:
        name: what the block is called.
        shape: how the numbers are arranged, the last axis fastest.
        low: none of them is below.
        high: none of them is above.
        meaning: what they tell, for people.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers."""
        return prod(self.shape)


def size_of(blocks: Sequence[Block]) -> int:
    """How many numbers all blocks have together."""
    return sum(block.size for block in blocks)


def named_parts(vector: Vector, blocks: Sequence[Block]) -> dict[str, Vector]:
    """The blocks of a vector by name, in their shapes; who writes into them writes into the vector.

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
    """The least and the greatest value of every number of a vector."""
    low = [np.full(block.size, block.low, np.float32) for block in blocks]
    high = [np.full(block.size, block.high, np.float32) for block in blocks]
    return np.concatenate(low), np.concatenate(high)
