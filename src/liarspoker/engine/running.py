"""A long run cut into parts, what may end it early, and arguments held within their ranges."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from liarspoker.engine.errors import CannotPlay, IllegalActions

Part = TypeVar("Part")
Arrays = TypeVar("Arrays", bound=tuple[Any, ...])

FINE, ILLEGAL = range(2)

NO_ROW = -1
"""Where a batch has no row that would be refused."""


class Trouble(NamedTuple):
    """Why a compiled run has ended early.

    Attributes:
        kind: `FINE` if it has not, `ILLEGAL` where a policy chose what the rules refuse, or what else a game knows.
        number: of the match, or session.
        action: what was chosen last.
        refusal: why the rules refuse it.
    """

    kind: int
    number: int
    action: int
    refusal: int


Ending = tuple[int, int, int, int]
"""A `Trouble`, field by field, as a kernel answers it. To answer a NamedTuple numba would call Python, and where Ctrl-C
has been pressed in the meantime that ends the process with a fault."""


def refuse(trouble: Trouble) -> None:
    """Say which policy's action has ended a run, if one has.

    Raises:
        IllegalActions: naming the match, the action and the refusal's code.
    """
    if trouble.kind == ILLEGAL:
        raise IllegalActions(trouble.number, trouble.action, trouble.refusal)


def in_parts(part: Callable[[int, int], Part], number: int, threads: int) -> list[Part]:
    """What comes of `part(start, stop)` when `number` things are done by so many threads, as even shares in order."""
    if threads == 1:
        return [part(0, number)]
    cuts = [number * share // threads for share in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(part, cuts[:-1], cuts[1:]))


def refuse_row(row: int, actions: NDArray[np.int64], refusals: NDArray[np.int32]) -> None:
    """Refuse the actions of a batch if that of one row is refused.

    Args:
        row: the first that is refused, or `NO_ROW`.
        actions: `[n]`.
        refusals: `[n]`, why.

    Raises:
        IllegalActions: naming the row, its action and the refusal's code.
    """
    if row != NO_ROW:
        raise IllegalActions(row, int(actions[row]), int(refusals[row]))


def share_of(arrays: Arrays, start: int, stop: int) -> Arrays:
    """Rows `start` to `stop` of every array of a NamedTuple; what is empty stays so."""
    return type(arrays)(*(array[start:stop] if array.size else array for array in arrays))


def check_range(name: str, number: int, least: int, most: int) -> None:
    """Refuse an argument that is out of its range.

    Raises:
        CannotPlay: naming the argument and the range.
    """
    if not least <= number <= most:
        raise CannotPlay(f"{name}: {number}; it is {least} to {most}")


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
