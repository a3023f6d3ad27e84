"""How numba is told to compile; the key of what it has compiled changes with it.

Divisors are never 0 in the rules, so it need not look for them. Our own functions allocate nothing, so arrays need not
be counted: a round is three times as fast without that, and with everything inlined. Only a kernel is called from
Python, and none from C, so that no other function needs a wrapper: these took half of the time to compile.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

EVERYWHERE: dict[str, Any] = {"error_model": "numpy"}
KERNEL: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
"""Of a function that is called from Python: other threads run on meanwhile."""
CALLED: dict[str, Any] = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Of a function that a kernel calls."""

STAYS_CALLED = "NOT_INLINED"
"""The name under which a module lists functions that are long and called from many places: they stay functions."""

_OURS = __name__.partition(".")[0]


def flags_of(function: FunctionType, *, is_kernel: bool) -> dict[str, Any]:
    """Numba's options for a function, and whether it counts the references to arrays."""
    counts = function.__module__.partition(".")[0] != _OURS
    inlined = function.__name__ not in function.__globals__.get(STAYS_CALLED, ())
    return {**EVERYWHERE, **(KERNEL if is_kernel else CALLED | {"forceinline": inlined}), "_nrt": counts}
