"""A key for machine code: it changes with anything that the code was made from, and with nothing else.

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
from importlib.metadata import version
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

from liarspoker.engine.compiling.flags import flags_of
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
    sums = hashlib.sha256(repr(VERSIONS).encode())
    numbers: dict[FunctionType, int] = {}
    for reached, found in _reached(function, substitutes, numbers):
        sums.update(repr((reached.__module__, reached.__qualname__, reached.__defaults__)).encode())
        sums.update(repr(_code(reached.__code__)).encode())
        sums.update(repr(sorted(flags_of(reached, is_kernel=reached is function).items())).encode())
        for name, constant in found.constants.items():
            sums.update(repr((name, _constant(constant))).encode())
        for name, called in found.calls.items():
            sums.update(repr((name, numbers[called])).encode())
    return sums.hexdigest()[:32]


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


def _code(code: CodeType) -> tuple[Any, ...]:
    """What byte code does, without the file and the lines where it was written."""
    constants = tuple(_code(value) if isinstance(value, CodeType) else _constant(value) for value in code.co_consts)
    shape = (code.co_argcount, code.co_kwonlyargcount, code.co_flags)
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, shape)


def _constant(value: Any) -> tuple[Any, ...]:
    """A constant, so that different ones look different: 1, 1.0 and `True` do."""
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
    return (type(value).__name__, repr(value))
