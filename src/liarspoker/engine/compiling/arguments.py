"""What a function reads of one of its arguments, a named tuple, as numba reads the function."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from numba.core import ir
from numba.core.compiler import run_frontend
from numba.core.errors import NumbaError

from liarspoker.engine.errors import CannotCompile

OTHERWISE = "[...]"
"""Stands for all that is read otherwise than by the name of a field: by its place, or by taking the tuple apart."""


def fields_read(function: FunctionType, argument: int = 0) -> frozenset[str]:
    """The names of the fields of an argument that a function, or one that it calls with it, reads.

    Args:
        function: plain Python that numba can read.
        argument: the place of the argument, from 0.

    Returns:
        The names; and `OTHERWISE` where anything else is done with the argument than to read its fields by name, to
        give it another name, or to hand it to a plain function by its place.

    Raises:
        CannotCompile: numba cannot read the function.

    >>> from liarspoker.games.digits.kernel_policies import Observation
    >>> def by_name(seen, data): return seen.stake
    >>> def by_place(seen, data): return seen[5]
    >>> sorted(fields_read(by_name)), sorted(fields_read(by_place))
    (['stake'], ['[...]'])
    """
    names: set[str] = set()
    waiting, reached = [(function, argument)], {(function, argument)}
    while waiting:
        fields, calls = _read(*waiting.pop())
        names |= fields
        waiting += calls - reached
        reached |= calls
    return frozenset(names)


def _read(function: FunctionType, argument: int) -> tuple[set[str], set[tuple[FunctionType, int]]]:
    """What one function reads of it, and to which functions it hands it on, at which place."""
    try:
        read = run_frontend(function)  # type: ignore[no-untyped-call]
    except NumbaError as fault:
        raise CannotCompile(f"{function.__module__}.{function.__qualname__}: numba cannot read it: {fault}") from fault
    body = [step for block in read.blocks.values() for step in block.body]
    steps: list[tuple[str, Any]] = [(step.target.name, step.value) for step in body if isinstance(step, ir.Assign)]
    known = {name: value.value for name, value in steps if isinstance(value, ir.Global)}
    named = _names_of(steps, argument)
    others = (step for step in body if not isinstance(step, ir.Assign | ir.Del))
    kept = any(variable.name in named for step in others for variable in step.list_vars())
    fields: set[str] = {OTHERWISE} if kept else set()
    calls: set[tuple[FunctionType, int]] = set()
    for target, value in steps:
        if not isinstance(value, ir.Expr) or target in named or named.isdisjoint(_used(value)):
            continue
        called = known.get(value.func.name) if value.op == "call" else None
        if value.op == "getattr":
            fields.add(value.attr)
        elif isinstance(called, FunctionType) and not value.kws and value.vararg is None:
            places = {place for place, variable in enumerate(value.args) if variable.name in named}
            parameters = [one.kind for one in inspect.signature(called).parameters.values()]
            plain = all(place < len(parameters) and parameters[place] is _PLAIN for place in places)
            calls |= {(called, place) for place in places} if plain else set()
            fields |= set() if plain else {OTHERWISE}
        else:
            fields.add(OTHERWISE)
    return fields, calls


def _used(value: Any) -> set[str]:
    """The names that an expression uses."""
    return {variable.name for variable in value.list_vars()}


_PLAIN = inspect.Parameter.POSITIONAL_OR_KEYWORD


def _names_of(steps: list[tuple[str, Any]], argument: int) -> set[str]:
    """All names under which the argument goes."""
    named = {name for name, value in steps if isinstance(value, ir.Arg) and value.index == argument}
    while more := {name for name, value in steps if named & set(_same_as(value))} - named:
        named |= more
    return named


def _same_as(value: Any) -> Iterator[str]:
    """The names whose value this may be."""
    if isinstance(value, ir.Var):
        yield value.name
    elif isinstance(value, ir.Expr) and value.op == "phi":
        yield from (one.name for one in value.incoming_values if isinstance(one, ir.Var))
    elif isinstance(value, ir.Expr) and value.op == "cast":
        yield value.value.name
