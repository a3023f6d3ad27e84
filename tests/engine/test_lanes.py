"""In compiled code, the operations on lanes do the same as in Python."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba.core.errors import TypingError
from numpy.typing import NDArray

from liarspoker.engine.compiling import compiled
from liarspoker.engine.compiling.calls import INTRINSICS
from liarspoker.engine.lanes import (
    LANES,
    add_lanes,
    add_products,
    copy_lanes,
    fetch,
    fill_lanes,
    write_layer,
    write_rectified_layer,
    write_rectified_sum,
)

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


def layer(target: Any, rectified: Any, biases: Any, inputs: Any, weights: Any) -> None:
    write_layer(target, biases, inputs, weights)
    write_rectified_layer(rectified, biases, inputs, weights)


def total(target: Any, one: Any, other: Any) -> None:
    write_rectified_sum(target, one, other)


def load(numbers: Any, at: int) -> None:
    fetch(numbers, at)


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


@given(st.integers(0, 2**32), st.integers(0, 12), st.integers(0, 50), st.integers(0, 70))
def test_layers_are_the_same_in_compiled_code(seed: int, rows: int, inner: int, columns: int) -> None:
    chance = np.random.default_rng(seed)

    def some(*shape: int) -> NDArray[np.float32]:
        """Return integers, so that no sum is rounded."""
        return chance.integers(-100, 101, shape).astype(np.float32)

    biases, inputs, weights = some(columns), some(rows, inner), some(inner, columns)
    here, there = some(2, rows, columns), some(2, rows, columns)
    layer(here[0], here[1], biases, inputs, weights)
    compiled(layer)(there[0], there[1], biases, inputs, weights)
    assert (here == there).all()
    assert (here[1] >= 0).all()
    for row in range(rows):  # a vector is a matrix with one row
        compiled(layer)(there[0, 0], there[1, 0], biases, inputs[row], weights)
        assert (there[:, 0] == here[:, row]).all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 48), (5, 4), (6, 70)])
def test_a_product_and_its_sum_are_rounded_once_on_every_processor(shape: tuple[int, int]) -> None:
    """So the same seed gives the same hands everywhere. Rounded twice, the sum would be 0."""
    rows, columns = shape
    near_one, found = np.float32(1 + 2**-12), np.zeros((2, rows, columns), np.float32)
    biases, weights = np.full(columns, np.float32(-1 - 2**-11)), np.full((1, columns), near_one)
    compiled(layer)(found[0], found[1], biases, np.full((rows, 1), near_one), weights)
    assert (found == np.float32(2**-24)).all()


@given(NUMBERS, NUMBERS, st.integers(0, SIZE))
def test_sums_are_the_same_in_compiled_code(one: NDArray[np.float32], other: NDArray[np.float32], size: int) -> None:
    here, there = np.ones(SIZE, np.float32), np.ones(SIZE, np.float32)
    total(here[:size], one[:size], other[:size])
    compiled(total)(there[:size], one[:size], other[:size])
    assert here.tobytes() == there.tobytes()
    compiled(total)(one[:size], one[:size], other[:size])  # in place
    assert one[:size].tobytes() == here[:size].tobytes()


def test_loading_ahead_is_an_instruction() -> None:
    """It has no effect but on time, so the code itself is inspected."""
    compiled_fetch: Any = INTRINSICS[fetch]
    made: Any = numba.njit((numba.float32[::1], numba.int64))(lambda numbers, at: compiled_fetch(numbers, at))
    assert "call void @llvm.prefetch" in "".join(made.inspect_llvm().values())


def test_loading_ahead_changes_nothing_and_may_go_beyond_the_end() -> None:
    rows = np.ones((2, LANES), np.float32)
    for at in (0, 3, 2 * LANES, 1_000_000_000_000):
        compiled(load)(rows, at)
    assert (rows == 1).all()


@pytest.mark.parametrize("wrong", [np.zeros(SIZE), np.zeros(2 * SIZE, np.float32)[::2]])
def test_other_arrays_are_refused(wrong: NDArray[Any]) -> None:
    right = np.zeros(SIZE, np.float32)
    for target, one in ((wrong, right), (right, wrong)):
        with pytest.raises(TypingError, match="lanes are contiguous arrays of float32 numbers"):
            compiled(copy)(target, 0, one, 0, right, 0, np.float32(1))


def test_arrays_of_other_dimensions_are_refused() -> None:
    row, matrix = np.zeros(4, np.float32), np.zeros((4, 4), np.float32)
    for target, biases, inputs, weights in ((row,) * 4, (row, row, matrix, matrix), (matrix,) * 4):
        with pytest.raises(TypingError, match="the arrays of a layer have two dimensions"):
            compiled(layer)(target, target, biases, inputs, weights)
    with pytest.raises(TypingError, match="the arrays of a sum have one dimension"):
        compiled(total)(matrix, matrix, row)


def test_numbers_of_other_types_are_refused() -> None:
    with pytest.raises(TypingError, match="this is a float64"):
        compiled(fill)(np.zeros(SIZE, np.float32), 0, np.zeros(1), 0, np.zeros(1), 0, 1.0)
