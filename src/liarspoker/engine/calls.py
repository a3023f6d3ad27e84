"""Policies that compiled code calls by the addresses of their machine code and of their data."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import CannotCompile

Thing = TypeVar("Thing")


class Calls(NamedTuple):
    """The policies of a line-up, as compiled code calls them.

    Attributes:
        codes: int64 `[policies]`, the addresses of their machine code.
        data: int64 `[policies]`, the addresses of their data.
        example: an observation of the type for which they are compiled.
    """

    codes: NDArray[np.int64]
    data: NDArray[np.int64]
    example: Any


def call(code: int, data: int, observation: Any, chance: Any, example: Any) -> int:
    """Return the action of the policy at these addresses. For compiled code only; see `liarspoker.engine.compiling`."""
    raise NotImplementedError


def plain(thing: Thing) -> Thing:
    """Return an observation or a policy's data with every number as an int or a float, so that each takes eight bytes.

    Raises:
        CannotCompile: it contains something other than numbers, arrays and tuples of these.

    >>> plain((np.int8(3), True, (np.float32(0.5),)))
    (3, 1, (0.5,))
    """
    found: Any
    if isinstance(thing, tuple):
        parts = [plain(part) for part in thing]
        found = type(thing)(*parts) if hasattr(thing, "_fields") else tuple(parts)
    elif isinstance(thing, np.ndarray):
        found = thing
    elif isinstance(thing, bool | int | np.bool_ | np.integer):
        found = int(thing)
    elif isinstance(thing, float | np.floating):
        found = float(thing)
    else:
        raise CannotCompile(
            f"a policy's data: a {type(thing).__name__}; it must be a number, an array, or a tuple of these"
        )
    return found  # type: ignore[no-any-return]
