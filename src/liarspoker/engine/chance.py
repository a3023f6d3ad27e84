"""Random numbers for compiled code. Every match has its own streams, so results don't depend on who plays it or when.

A stream is an array that holds one number, its state. The generator is SplitMix64 (Steele, Lea and Flood, 2014): each
step adds a constant to the state, and the output is a hash of the state. The initial state is hashed from the seed, the
number of the match and the number of the stream. So matches can be played in any order, in any batch and by any thread.

All functions except :func:`seed_of` are for compiled code only: they rely on 64-bit integers that wrap around.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.running import check_int

Chance = NDArray[np.uint64]
"""A random stream: uint64 `[1]`, its state."""

DEALS = 0
"""The stream from which a match is dealt."""

CHOICES = 1
"""The stream from which the players of a match draw their random numbers."""

BITS = 58
"""The number of bits that :func:`drawn` returns. Ten times such a number is still less than 2**62."""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_BY_30 = np.uint64(30)
_BY_27 = np.uint64(27)
_BY_31 = np.uint64(31)
_BY_6 = np.uint64(6)
_TWO = np.uint64(2)
_ONE = np.uint64(1)


def seed_of(seed: int) -> np.uint64:
    """Hash a seed, any int, to 64 bits.

    Raises:
        CannotPlay: the seed isn't an int.

    >>> seed_of(1) != seed_of(-1)
    np.True_
    """
    check_int("seed", seed)
    return np.uint64(int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8], "big"))


def _mixed(state: Any) -> Any:
    """Return a 64-bit hash of `state`; every bit of the result depends on all bits of `state`."""
    state = (state ^ (state >> _BY_30)) * _FIRST
    state = (state ^ (state >> _BY_27)) * _SECOND
    return state ^ (state >> _BY_31)


def begin(chance: Chance, seed: Any, number: int, stream: int) -> None:
    """Set a stream to its beginning.

    Args:
        chance: the state to set.
        seed: from :func:`seed_of`.
        number: the number of the match, 0 or more.
        stream: `DEALS` or `CHOICES`.
    """
    place = np.uint64(number) * _TWO + (_ONE if stream == CHOICES else np.uint64(0))
    chance[0] = _mixed(_mixed(seed + _STEP) + _mixed(place * _STEP))


def drawn(chance: Chance) -> int:
    """Return the next :data:`BITS` random bits of the stream, as an int of 0 or more."""
    state = chance[0] + _STEP
    chance[0] = state
    return np.int64(_mixed(state) >> _BY_6)  # type: ignore[return-value]  # compiled, an int is one of 64 bits


def below(chance: Chance, n: int) -> int:
    """Return a uniform random int from 0 to n - 1, without bias (Lemire's method); `n` must be between 1 and 2**30.

    The result is the high half of the product of 32 random bits and `n`. The product is rejected if its low half is
    among the few values that would make some results more likely than others.
    """
    product = (drawn(chance) >> BITS - 32) * n
    low = product & 0xFFFFFFFF
    if low < n:
        few = (1 << 32) % n
        while low < few:
            product = (drawn(chance) >> BITS - 32) * n
            low = product & 0xFFFFFFFF
    return product >> 32


def random_float(chance: Chance) -> float:
    """Return a uniform random float from 0 (included) to 1 (excluded)."""
    return float(drawn(chance) >> BITS - 53) * 2.0**-53
