"""Run compiled code in several threads, report why it stopped early, and check arguments."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from liarspoker.engine.errors import CannotPlay, IllegalActions

Part = TypeVar("Part")
Arrays = TypeVar("Arrays", bound=tuple[Any, ...])

COMPLETED, ILLEGAL = range(2)

NO_ROW = -1
"""Returned in place of an index when all actions of a batch are legal."""


class EarlyStop(NamedTuple):
    """Why a compiled run stopped early.

    Attributes:
        kind: `COMPLETED` if it didn't, `ILLEGAL` if a policy chose an illegal action, or another reason of the caller.
        number: the number of the match or session.
        action: the last action that was chosen.
        refusal: why that action isn't legal.
    """

    kind: int
    number: int
    action: int
    refusal: int


Ending = tuple[int, int, int, int]
"""The fields of an `EarlyStop`, as a kernel returns them. To return a NamedTuple, numba calls into Python, which
crashes the process if Ctrl-C has been pressed in the meantime.
"""


def raise_if_illegal(trouble: EarlyStop) -> None:
    """Raise an error if a run was stopped by a policy's illegal action.

    Raises:
        IllegalActions: with the match, the action and the refusal code.
    """
    if trouble.kind == ILLEGAL:
        raise IllegalActions(trouble.number, trouble.action, trouble.refusal)


def run_in_threads(part: Callable[[int, int], Part], number: int, threads: int) -> list[Part]:
    """Split `range(number)` evenly among threads and return the results of `part(start, stop)`, in order."""
    if threads == 1:
        return [part(0, number)]
    cuts = [number * share // threads for share in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(part, cuts[:-1], cuts[1:]))


def raise_if_row_illegal(row: int, actions: NDArray[np.int64], refusals: NDArray[np.int32]) -> None:
    """Raise an error if an action of a batch isn't legal.

    Args:
        row: the index of the first illegal action, or `NO_ROW`.
        actions: int64 `[n]`.
        refusals: int32 `[n]`, the reasons.

    Raises:
        IllegalActions: with the index, the action and the code of the reason.
    """
    if row != NO_ROW:
        raise IllegalActions(row, int(actions[row]), int(refusals[row]))


def rows_of(arrays: Arrays, start: int, stop: int) -> Arrays:
    """Return rows `start` to `stop` of every array of a NamedTuple; empty arrays stay empty."""
    return type(arrays)(*(array[start:stop] if array.size else array for array in arrays))


def check_int(name: str, number: int) -> None:
    """Raise an error if an argument isn't an int, of Python or NumPy.

    Raises:
        CannotPlay: with the argument.
    """
    if not isinstance(number, int | np.integer):
        raise CannotPlay(f"{name}: {number!r}; it must be an int")


def check_range(name: str, number: int, least: int, most: int) -> None:
    """Raise an error if an argument isn't an int, of Python or NumPy, or is out of range.

    Raises:
        CannotPlay: with the argument and its range.
    """
    check_int(name, number)
    if not least <= number <= most:
        raise CannotPlay(f"{name}: {number}; it must be between {least} and {most}")


def output_array(out: NDArray[Any] | None, shape: tuple[int, ...], kind: type[np.generic]) -> Any:
    """Return `out` if it fits, or a new array if it is `None`.

    Raises:
        CannotPlay: `out` has another shape or dtype, or isn't contiguous.
    """
    if out is None:
        return np.zeros(shape, kind)
    if out.shape != shape or out.dtype != kind or not out.flags.c_contiguous:
        raise CannotPlay(f"out: {out.dtype} {list(out.shape)}; it must be {kind.__name__} {list(shape)}, contiguous")
    return out


def action_array(actions: ArrayLike, rows: int) -> NDArray[np.int64]:
    """Return actions as an array: int64 `[rows]`.

    Raises:
        CannotPlay: `actions` doesn't hold one int for each row.
    """
    given = np.asarray(actions)
    if given.shape != (rows,) or not np.issubdtype(given.dtype, np.integer):
        raise CannotPlay(f"actions: {given.dtype} {list(given.shape)}; they must be integers [{rows}]")
    return np.ascontiguousarray(given, np.int64)
