"""The rule functions compiled as they stand: cloned, with the rules that they call bound to compiled clones."""

from __future__ import annotations

import dis
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numba

RULES = "liarspoker.rules.digits."


def functions_of(module: ModuleType) -> dict[str, FunctionType]:
    """The functions that a module of the rules defines itself, by name."""
    return {
        name: thing
        for name, thing in vars(module).items()
        if isinstance(thing, FunctionType) and thing.__module__ == module.__name__
    }


def globals_read(function: FunctionType) -> set[str]:
    """The globals that a function reads; not its attributes, for `rules.next_opener` is no call of `next_opener`."""
    return {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}


class Compiler:
    """Compiles rule functions, each once, and those that they call before them."""

    def __init__(self) -> None:
        self._done: dict[FunctionType, Callable[..., Any]] = {}

    def __call__(self, function: FunctionType) -> Callable[..., Any]:
        """The compiled twin of `function`, whose own globals stay as they are."""
        if function not in self._done:
            bound = dict(function.__globals__)
            for name in globals_read(function):
                called = bound.get(name)
                if isinstance(called, FunctionType) and called.__module__.startswith(RULES):
                    bound[name] = self(called)
            clone = FunctionType(function.__code__, bound, function.__name__, function.__defaults__)
            clone.__module__, clone.__qualname__ = function.__module__, function.__qualname__
            self._done[function] = numba.njit(clone)
        return self._done[function]
