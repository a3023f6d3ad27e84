"""Compiled twins of plain functions, each made once."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from time import perf_counter
from types import FunctionType
from typing import Any

import numba
from numba.core.errors import NumbaError
from numba.core.event import Listener, install_listener
from numba.core.types import unliteral

from liarspoker.engine.compiling.digest import digest, flags_of
from liarspoker.engine.compiling.place import folder_of
from liarspoker.engine.compiling.reading import Substitutes, reads
from liarspoker.engine.errors import CannotCompile

Twin = Any
"""numba's dispatcher of a clone: it can be called, and told to compile."""

_lock = RLock()
_twins: dict[str, Twin] = {}
_kernels: dict[str, Kernel] = {}


class Kernel:
    """A compiled function that is called from Python, kept on disk and run without the interpreter's lock.

    It is compiled when it is first called with arguments of new types; a line on standard error says so, and on a
    terminal how long it took. A later process with the same sources and versions takes it from the disk.

    Attributes:
        key: what it is kept under.
        name: the function's.
    """

    def __init__(self, function: FunctionType, substitutes: Substitutes) -> None:
        self.key = digest(function, substitutes)
        self.name = function.__name__
        self._folder = _kept_in(self.key)
        self._twin = _twin(function, substitutes, is_kernel=True, folder=self._folder)

    @property
    def is_kept(self) -> bool:
        """Whether machine code of it lies on the disk."""
        return self._folder is not None and any(self._folder.rglob("*.nbi"))

    def __call__(self, *arguments: Any) -> Any:
        """What the function answers; numba's error where it cannot be compiled for such arguments."""
        if not self._twin.signatures:
            with _lock:
                self._prepare(arguments)
        return self._twin(*arguments)

    def _prepare(self, arguments: tuple[Any, ...]) -> None:
        """Take the machine code for such arguments from the disk, or compile it."""
        types = tuple(map(numba.typeof, arguments))
        line, collects = _Line(self.name), gc.isenabled()
        gc.disable()  # compiling makes objects by the million and keeps most of them
        try:
            with install_listener("numba:compile", line):
                self._compile(types)
        finally:
            if collects:
                gc.enable()
        line.end()

    def _compile(self, types: tuple[Any, ...]) -> None:
        """The same; a full disk costs the next start time, and spoilt files cost this one, but neither ends it."""
        try:
            self._twin.compile(types)
        except NumbaError:
            raise
        except Exception:
            if self._folder is None:
                raise
            if self._twin.signatures:
                return  # it is compiled, and only could not be kept
            for path in self._folder.rglob("*.nb?"):
                path.unlink()
            self._twin.compile(types)


class _Line(Listener):
    """The line on standard error while numba compiles; what it finds on the disk and can use is no matter for one.

    Args:
        name: the kernel's.
    """

    def __init__(self, name: str) -> None:
        self._text = f"Compiling {name.replace('_', ' ')}, once; it is kept for the next time ..."
        self._begun: float | None = None

    def on_start(self, event: Any) -> None:
        """The kernel is compiled, or a function that it calls: the first of them begins the line."""
        if self._begun is None:
            self._begun = perf_counter()
            print(self._text, end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """One of them has been compiled."""

    def end(self) -> None:
        """All has been compiled: how long it took."""
        if self._begun is not None and sys.stderr.isatty():
            print(f"{self._text} {perf_counter() - self._begun:.1f} s", file=sys.stderr, flush=True)


def compiled(function: Callable[..., Any], substitutes: Substitutes | None = None) -> Kernel:
    """The kernel of a plain function; the same one for the same function.

    Args:
        function: plain Python on ints, floats, NamedTuples and arrays, that numba can read; so must be all functions
            that it calls. None of them needs to know of numba.
        substitutes: functions that stand in for others wherever those are called, such as a policy for the one that
            only says what a policy looks like.

    Returns:
        What can be called as the function can.

    Raises:
        CannotCompile: it is no plain function; or it, or one that it calls, reads what is neither a function nor a
            constant.
    """
    if not isinstance(function, FunctionType):
        raise CannotCompile(f"{function!r}: it is no plain function")
    given = substitutes or {}
    key = digest(function, given)
    with _lock:
        if key not in _kernels:
            _kernels[key] = Kernel(function, given)
        return _kernels[key]


def _twin(
    function: FunctionType, substitutes: Substitutes, *, is_kernel: bool = False, folder: Path | None = None
) -> Twin:
    """The compiled clone of a function, its globals bound to those of the functions that it calls.

    A clone is registered before its globals are bound, so that functions may call themselves.
    """
    key = f"{digest(function, substitutes)}{is_kernel}"
    if key not in _twins:
        bound = dict(function.__globals__)
        clone = FunctionType(function.__code__, bound, function.__name__, function.__defaults__)
        clone.__module__, clone.__qualname__ = function.__module__, function.__qualname__
        _twins[key] = _without_literals(_jitted(clone, flags_of(clone, is_kernel=is_kernel), folder))
        for name, called in reads(function, substitutes).calls.items():
            bound[name] = _twin(called, substitutes)
    return _twins[key]


def _without_literals(twin: Twin) -> Twin:
    """The dispatcher, made to compile a call such as `f(0)` as `f` of an int64, and not once more for the literal."""
    template_for = twin.get_call_template
    twin.get_call_template = lambda args, kws: template_for(tuple(map(unliteral, args)), kws)
    return twin


def _jitted(clone: FunctionType, flags: dict[str, Any], folder: Path | None) -> Twin:
    """Numba's dispatcher for a clone; what it compiles is kept in the folder, if there is one."""
    if folder is None:
        return numba.njit(clone, **flags)
    config: Any = numba.config
    before = config.CACHE_DIR
    try:
        config.CACHE_DIR = str(folder)  # read once, when the dispatcher is made
        twin = numba.njit(clone, cache=True, **flags)
    finally:
        config.CACHE_DIR = before
    # Where it may not write it would take another folder, with code that it has kept there for other rules.
    return twin if Path(twin.stats.cache_path).is_relative_to(folder) else numba.njit(clone, **flags)


def _kept_in(key: str) -> Path | None:
    """The folder for a key; `None` where none can be made, and nothing is kept."""
    try:
        return folder_of(key)
    except OSError:
        return None
