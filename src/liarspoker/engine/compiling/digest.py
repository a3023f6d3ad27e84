"""How numba is told to compile, and a key for machine code, which changes with all that the code is made from.

numba keeps compiled functions on disk too, but looks only at the file in which the outermost one stands: an edited
rule in another file, or a changed constant, would go unnoticed. This key is made of the byte code of every function
that is reached, of every constant that one of them reads, of the flags that each is compiled with, and of the versions
of Python, numba, LLVM and NumPy. It is taken from the functions in memory, which are what is compiled, and not from
files that may have changed since.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

from liarspoker.engine.compiling.parts import PartCompiler
from liarspoker.engine.compiling.reading import Reads, Substitutes, reads

VERSIONS = (sys.version, numba.__version__, version("llvmlite"), np.__version__)


def digest(function: FunctionType, substitutes: Substitutes) -> str:
    """The key of `function` and of all that it reaches, 32 hexadecimal digits.

    Args:
        function: what is to be compiled.
        substitutes: functions that stand in for others.

    Raises:
        CannotCompile: something it reaches cannot be compiled.
    """
    numbers: dict[FunctionType, int] = {}
    parts: list[Any] = [VERSIONS, EVERYWHERE, KERNEL, CALLED, PART]
    for reached, found in _reached(function, substitutes, numbers):
        parts += (reached.__module__, reached.__qualname__, reached.__defaults__, _code(reached.__code__))
        parts += (_is_ours(reached), _is_inlined(reached), reached is function)
        parts += ((name, _constant(constant)) for name, constant in found.constants.items())
        parts += ((name, numbers[called]) for name, called in found.calls.items())
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def _reached(
    function: FunctionType, substitutes: Substitutes, numbers: dict[FunctionType, int]
) -> Iterator[tuple[FunctionType, Reads]]:
    """Every function that is reached, each once, those it calls numbered before it is answered."""
    numbers[function] = 0
    waiting = [function]
    while waiting:
        reached = waiting.pop()
        found = reads(reached, substitutes)
        for called in found.calls.values():
            if called not in numbers:
                numbers[called] = len(numbers)
                waiting.append(called)
        yield reached, found


@cache
def _code(code: CodeType) -> str:
    """What byte code does, without the file and the lines where it was written; code never changes."""
    constants = tuple(_code(value) if isinstance(value, CodeType) else _constant(value) for value in code.co_consts)
    shape = (code.co_argcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return hashlib.sha256(repr((code.co_code, constants, names, shape)).encode()).hexdigest()


def _constant(value: Any) -> Any:
    """What stands for a constant, so that different ones have a different `repr`: 1, 1.0 and `True` do."""
    if isinstance(value, ModuleType):
        return ("module", value.__name__)
    if isinstance(value, type):
        return ("type", value.__module__, value.__qualname__, getattr(value, "_fields", ()))
    if isinstance(value, np.ndarray):
        return ("array", value.dtype.str, value.shape, hashlib.sha256(value.tobytes()).hexdigest())
    if isinstance(value, tuple):
        return ("tuple", *map(_constant, value))
    if isinstance(value, frozenset):
        return ("frozenset", *sorted(map(repr, value)))
    return value


# Divisors are never 0 in the rules, so numba need not look for them. Our own functions allocate nothing, so arrays need
# not be counted: a round is three times as fast without that, and with everything inlined. Only a kernel is called from
# Python, and none from C, so that no other function needs a wrapper: these took half of the time to compile.
EVERYWHERE: dict[str, Any] = {"error_model": "numpy"}
KERNEL: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
"""Of a function that is called from Python: other threads run on meanwhile."""
CALLED: dict[str, Any] = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Of a function that a kernel calls."""
PART: dict[str, Any] = {"pipeline_class": PartCompiler}
"""Of one of ours: a policy from outside may need what Python functions need."""

STAYS_CALLED = "NOT_INLINED"
"""The name under which a module lists functions that are long and called from many places: they stay functions."""

_OURS = __name__.partition(".")[0]


def flags_of(function: FunctionType, *, is_kernel: bool) -> dict[str, Any]:
    """Numba's options for a function, and whether it counts the references to arrays."""
    is_ours = _is_ours(function)
    flags = EVERYWHERE | {"_nrt": not is_ours}
    if is_kernel:
        return flags | KERNEL
    return flags | CALLED | {"forceinline": _is_inlined(function)} | (PART if is_ours else {})


def _is_ours(function: FunctionType) -> bool:
    return function.__module__.partition(".")[0] == _OURS


def _is_inlined(function: FunctionType) -> bool:
    return function.__name__ not in function.__globals__.get(STAYS_CALLED, ())
