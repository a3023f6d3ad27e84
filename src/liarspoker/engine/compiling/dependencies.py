"""What a function reads from its module: the functions it calls, and the constants it depends on."""

from __future__ import annotations

import dis
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from liarspoker.engine.errors import CannotCompile

Substitutes = Mapping[FunctionType, FunctionType]
"""Replacements for functions, wherever those are called."""

OPEN_MODULES = ("numpy", "math")
"""Modules that a function may use freely: their versions are part of the cache key."""

_SCALARS = (bool, int, float, str, bytes, np.generic, np.ndarray, type(None))


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What a function reads from its module.

    Attributes:
        calls: plain functions, by the name under which they are called.
        constants: everything else that isn't a built-in, by name.
    """

    calls: dict[str, FunctionType]
    constants: dict[str, Any]


def dependencies_of(function: FunctionType, substitutes: Substitutes) -> Dependencies:
    """Return what `function` reads, with the substitutes in place.

    Raises:
        CannotCompile: it reads variables of an enclosing function, or something that is neither a function nor a
            constant.
    """
    if function.__closure__:
        raise CannotCompile(f"{_name(function)}: it reads variables of an enclosing function; pass them as arguments")
    calls: dict[str, FunctionType] = {}
    constants: dict[str, Any] = {}
    for name in sorted(_globals_named(function.__code__)):
        if name not in function.__globals__:
            continue  # a built-in
        thing = function.__globals__[name]
        if isinstance(thing, FunctionType):
            calls[name] = substitutes.get(thing, thing)
        elif _is_constant(thing):
            constants[name] = thing
        else:
            raise CannotCompile(f"{_name(function)}: {name} is neither a function nor a constant, but a {type(thing)}")
    return Dependencies(calls, constants)


@cache
def _globals_named(code: CodeType) -> frozenset[str]:
    """Return the names of the globals that code reads.

    Attributes don't count: `rules.next_opener` isn't a call of `next_opener`.
    """
    return frozenset(
        step.argval
        for part in code_parts(code)
        for step in dis.get_instructions(part)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    )


def code_parts(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code and all code nested in it, such as that of comprehensions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from code_parts(constant)


def _is_constant(thing: Any) -> bool:
    if isinstance(thing, ModuleType):
        return thing.__name__ in OPEN_MODULES
    if isinstance(thing, tuple):
        return all(map(_is_constant, thing))
    if isinstance(thing, type):
        return hasattr(thing, "_fields") or issubclass(thing, np.generic)
    return isinstance(thing, _SCALARS)


def _name(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"
