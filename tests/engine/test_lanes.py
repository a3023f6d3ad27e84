"""In compiled code, the operations on lanes do the same as in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from liarspoker.engine.compiling import compiled
from liarspoker.engine.lanes import LANES, add_lanes, add_products, copy_lanes, fetch, fill_lanes

SIZE = 3 * LANES
NUMBERS = arrays(np.float32, SIZE, elements=st.floats(-1e6, 1e6, width=32))
PLACES = st.integers(0, SIZE - LANES)


def fill(target: Any, at: int, one: Any, start: int, other: Any, begin: int, factor: Any) -> None:
    fill_lanes(target, at, factor)


def copy(target: Any, at: int, one: Any, start: int, other: Any, begin: int, factor: Any) -> None:
    copy_lanes(target, at, one, start)


def add(target: Any, at: int, one: Any, start: int, other: Any, begin: int, factor: Any) -> None:
    add_lanes(target, at, one, start, factor)


def multiply(target: Any, at: int, one: Any, start: int, other: Any, begin: int, factor: Any) -> None:
    add_products(target, at, one, start, other, begin)


def load(rows: Any, row: int, column: int) -> None:
    fetch(rows, row, column)


@given(NUMBERS, PLACES, NUMBERS, PLACES, NUMBERS, PLACES, st.floats(-1e3, 1e3, width=32))
def test_lanes_are_the_same_in_compiled_code(
    target: NDArray[np.float32],
    at: int,
    one: NDArray[np.float32],
    start: int,
    other: NDArray[np.float32],
    begin: int,
    factor: float,
) -> None:
    for operation in (fill, copy, add, multiply):
        here, there = target.copy(), target.copy()
        operation(here, at, one, start, other, begin, np.float32(factor))
        compiled(operation)(there, at, one, start, other, begin, np.float32(factor))
        assert here.tobytes() == there.tobytes(), operation.__name__


def test_loading_ahead_changes_nothing_and_may_go_beyond_the_end() -> None:
    rows = np.ones((2, LANES), np.float32)
    for row in (0, 1, 2, 1_000_000_000):
        compiled(load)(rows, row, 3)
    assert (rows == 1).all()
