"""Options for compiling functions, and a cache key that changes with everything that the machine code is made from.

numba has a cache of its own, but it checks only the file of the outermost function: a change of a rule in another file,
or of a constant, would go unnoticed. This key covers the byte code of every function that is reached, and of those that
generate code themselves, every constant that one of them reads, the compiler flags of each, and the versions of Python,
numba, LLVM and NumPy. It is computed from the functions in memory, which are what is compiled, and not from files,
which may have changed since.
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

from liarspoker.engine.compiling import calls, lanes
from liarspoker.engine.compiling.compiler import PartCompiler
from liarspoker.engine.compiling.dependencies import Dependencies, Substitutes, dependencies_of

VERSIONS = (sys.version, numba.__version__, version("llvmlite"), np.__version__)


def digest(function: FunctionType, substitutes: Substitutes) -> str:
    """Return the cache key of a function and of everything that it reaches: 32 hexadecimal digits.

    Args:
        function: the function to compile.
        substitutes: replacements for functions that it calls.

    Raises:
        CannotCompile: something that it reaches can't be compiled.
    """
    numbers: dict[FunctionType, int] = {}
    parts: list[Any] = [VERSIONS, EVERYWHERE, KERNEL, ENTRY, CALLED, PART, *_emitting()]
    for reached, found in _reached(function, substitutes, numbers):
        parts += (reached.__module__, reached.__qualname__, reached.__defaults__, _code(reached.__code__))
        parts += (_is_ours(reached), _is_inlined(reached), reached is function)
        parts += ((name, _constant(constant)) for name, constant in found.constants.items())
        parts += ((name, numbers[called]) for name, called in found.calls.items())
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


@cache
def _emitting() -> tuple[str, ...]:
    """Return what the modules that generate code consist of, and what is compiled in place of what."""
    found = []
    for module in (calls, lanes):
        classes = [thing for thing in vars(module).values() if isinstance(thing, type) and _is_ours(thing)]
        for name, thing in [pair for place in (module, *classes) for pair in vars(place).items()]:
            if isinstance(thing, FunctionType) and _is_ours(thing):
                found.append(f"{thing.__qualname__} {_code(thing.__code__)} {thing.__defaults__!r}")
            elif isinstance(thing, int | str | tuple) and name.strip("_").isupper():
                found.append(f"{name} {thing!r}")
    made = (f"{function.__qualname__} {_code(made._defn.__code__)}" for function, made in calls.INTRINSICS.items())
    return *found, *made


def _reached(
    function: FunctionType, substitutes: Substitutes, numbers: dict[FunctionType, int]
) -> Iterator[tuple[FunctionType, Dependencies]]:
    """Yield every function that is reached, once each; the functions it calls are numbered before it is yielded."""
    numbers[function] = 0
    waiting = [function]
    while waiting:
        reached = waiting.pop()
        found = dependencies_of(reached, substitutes)
        for called in found.calls.values():
            if called not in numbers:
                numbers[called] = len(numbers)
                waiting.append(called)
        yield reached, found


@cache
def _code(code: CodeType) -> str:
    """Return a hash of what byte code does, without file names and line numbers."""
    constants = tuple(_code(value) if isinstance(value, CodeType) else _constant(value) for value in code.co_consts)
    shape = (code.co_argcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return hashlib.sha256(repr((code.co_code, constants, names, shape)).encode()).hexdigest()


def _constant(value: Any) -> Any:
    """Return a stand-in for a constant; different constants, such as 1, 1.0 and `True`, have a different `repr`."""
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


# Divisors are never 0 in the rules, so numba needn't check for that. This package's functions don't allocate memory, so
# they needn't count references to arrays: without counting, and with everything inlined, a round is three times as
# fast. Only kernels are called from Python, and only entries by their address, as functions of C are; wrappers for the
# others would double the compile time.
EVERYWHERE: dict[str, Any] = {"error_model": "numpy"}
KERNEL: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
"""Flags of a function that is called from Python; other threads run while it does."""
ENTRY: dict[str, Any] = {"no_cpython_wrapper": True}
"""Flags of a function that is called by its address."""
CALLED: dict[str, Any] = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Flags of a function that is called from compiled code only."""
PART: dict[str, Any] = {"pipeline_class": PartCompiler}
"""Further flags of this package's functions. A policy from outside may need what functions called from Python need."""

STAYS_CALLED = "NOT_INLINED"
"""The name under which a module lists long functions that are called in many places and so aren't inlined."""

_OURS = __name__.partition(".")[0]


def flags_of(function: FunctionType, role: dict[str, Any]) -> dict[str, Any]:
    """Return numba's options for a function, including whether it counts references to arrays.

    Args:
        function: the function.
        role: `KERNEL`, `ENTRY` or `CALLED`.
    """
    is_ours = _is_ours(function)
    flags = EVERYWHERE | {"_nrt": not is_ours} | role
    return flags | {"forceinline": _is_inlined(function)} | (PART if is_ours else {}) if role is CALLED else flags


def _is_ours(thing: FunctionType | type) -> bool:
    return thing.__module__.partition(".")[0] == _OURS


def _is_inlined(function: FunctionType) -> bool:
    return function.__name__ not in function.__globals__.get(STAYS_CALLED, ())
