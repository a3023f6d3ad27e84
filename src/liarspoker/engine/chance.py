"""Random numbers for compiled code: every round has streams of its own, whoever plays it and whenever.

A stream is an array of one number, its state. It is the generator SplitMix64 (Steele, Lea and Flood, 2014): the state
goes up by a constant, and what is drawn is the state, mixed. Where a stream begins is mixed from the seed, the number
of the round and the stream's own number, so the rounds can be played in any order, in any batches, by any threads.

All functions but `seed_of` are for compiled code alone: they count on 64 bits that wrap around.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

Chance = NDArray[np.uint64]
"""A stream of chance: an array of one number."""

DEALS = 0
"""The stream from which a round is dealt."""

CHOICES = 1
"""The stream from which its players draw what they leave to chance."""

BITS = 58
"""Bits in what `drawn` answers, so that times ten it is still below 62 bits."""

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
    """A seed, any whole number however great or small, as 64 bits.

    >>> seed_of(1) != seed_of(-1)
    np.True_
    """
    return np.uint64(int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8], "big"))


def _mixed(state: Any) -> Any:
    """64 bits, each of which depends on all of `state`."""
    state = (state ^ (state >> _BY_30)) * _FIRST
    state = (state ^ (state >> _BY_27)) * _SECOND
    return state ^ (state >> _BY_31)


def begin(chance: Chance, seed: Any, number: int, stream: int) -> None:
    """Set `chance` to the beginning of a stream.

    Args:
        chance: the state to be set.
        seed: from `seed_of`.
        number: of the round, 0 or more.
        stream: `DEALS` or `CHOICES`.
    """
    place = np.uint64(number) * _TWO + (_ONE if stream == CHOICES else np.uint64(0))
    chance[0] = _mixed(_mixed(seed + _STEP) + _mixed(place * _STEP))


def drawn(chance: Chance) -> int:
    """The next `BITS` random bits of the stream, as an int of 0 or more."""
    state = chance[0] + _STEP
    chance[0] = state
    return np.int64(_mixed(state) >> _BY_6)  # type: ignore[return-value]  # compiled, an int is one of 64 bits


def below(chance: Chance, n: int) -> int:
    """A uniform int from 0 to n - 1, exactly (Lemire's method); `n` is 1 to 2**30.

    Of a product of 32 random bits with n the high part is the answer, unless the low part is among the few that would
    make some answers likelier than others.
    """
    product = (drawn(chance) >> BITS - 32) * n
    low = product & 0xFFFFFFFF
    if low < n:
        few = (1 << 32) % n
        while low < few:
            product = (drawn(chance) >> BITS - 32) * n
            low = product & 0xFFFFFFFF
    return product >> 32


def chance_below_one(chance: Chance) -> float:
    """A uniform float from 0 to just below 1."""
    return float(drawn(chance) >> BITS - 53) * 2.0**-53
