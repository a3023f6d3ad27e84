"""Arrays that a caller hands in, held against what they should be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from liarspoker.engine.errors import CannotPlay


def room(out: NDArray[Any] | None, shape: tuple[int, ...], kind: type[np.generic]) -> Any:
    """`out` if it fits, or a new array.

    Raises:
        CannotPlay: `out` has another shape or kind, or is not contiguous.
    """
    if out is None:
        return np.zeros(shape, kind)
    if out.shape != shape or out.dtype != kind or not out.flags.c_contiguous:
        raise CannotPlay(f"out: {out.dtype} {list(out.shape)}; it should be {kind.__name__} {list(shape)}, contiguous")
    return out


def one_a_row(actions: ArrayLike, rows: int) -> NDArray[np.int64]:
    """Actions, int64 `[rows]`.

    Raises:
        CannotPlay: not one whole number a row.
    """
    given = np.asarray(actions)
    if given.shape != (rows,) or not np.issubdtype(given.dtype, np.integer):
        raise CannotPlay(f"actions: {given.dtype} {list(given.shape)}; they are whole numbers [{rows}]")
    return np.ascontiguousarray(given, np.int64)
