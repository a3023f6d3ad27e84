"""Compiled clones of plain functions, each made once."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from time import perf_counter
from types import FunctionType
from typing import Any

import numba
from numba.core.errors import NumbaError
from numba.core.event import Listener, install_listener
from numba.core.types import unliteral

from liarspoker.engine.compiling.cache import folder_of
from liarspoker.engine.compiling.dependencies import Substitutes, dependencies_of
from liarspoker.engine.compiling.digest import digest, flags_of
from liarspoker.engine.errors import CannotCompile

Twin = Any
"""numba's dispatcher of a clone; it can be called, and asked to compile."""

_lock = RLock()
_twins: dict[str, Twin] = {}
_kernels: dict[str, Kernel] = {}


class Kernel:
    """A compiled function that is called from Python. It is cached on disk and releases the GIL while it runs.

    It is compiled when it is first called with arguments of new types. A line on standard error then says so; on a
    terminal, it also shows the time taken. A later process with the same sources and versions loads the machine code
    from disk.

    Attributes:
        key: the cache key.
        name: the function's name.
    """

    def __init__(self, function: FunctionType, substitutes: Substitutes) -> None:
        self.key = digest(function, substitutes)
        self.name = function.__name__
        self._folder = _cache_folder_for(self.key)
        self._twin = _twin(function, substitutes, is_kernel=True, folder=self._folder)

    @property
    def lacks_code(self) -> bool:
        """Whether there is no machine code yet, and that of another process could be loaded."""
        return not self._twin.signatures and self._twin.stats.cache_path is not None and not self.is_cached

    @property
    def is_cached(self) -> bool:
        """Whether its machine code is cached on disk."""
        return self._folder is not None and any(self._folder.rglob("*.nbi"))

    def __call__(self, *arguments: Any) -> Any:
        """Return the result of the function; raises numba's error if it can't be compiled for these arguments."""
        if not self._twin.signatures:
            with _lock:
                self._prepare(arguments)
        return self._twin(*arguments)

    def _prepare(self, arguments: tuple[Any, ...]) -> None:
        """Load the machine code for arguments of these types from disk, or compile it."""
        types = tuple(map(numba.typeof, arguments))
        line, collects = _ProgressLine(self.name), gc.isenabled()
        gc.disable()  # compiling creates millions of objects, and most of them stay
        try:
            with self._alone(), install_listener("numba:compile", line):
                self._compile(types)
        finally:
            if collects:
                gc.enable()
        line.end()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one process at a time compile a function, so that the others can load the result."""
        if self._folder is None or self.is_cached:
            yield
            return
        from filelock import FileLock

        lock = FileLock(self._folder / "lock")
        with suppress(OSError, NotImplementedError):  # without a lock, it only takes longer
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def _compile(self, types: tuple[Any, ...]) -> None:
        """Load or compile the machine code. A full disk or damaged cache files cost time, but don't raise an error."""
        try:
            self._twin.compile(types)
        except NumbaError:
            raise
        except Exception:
            if self._folder is None:
                raise
            if self._twin.signatures:
                return  # it is compiled, but couldn't be cached
            for path in self._folder.rglob("*.nb?"):
                path.unlink()
            self._twin.compile(types)


class _ProgressLine(Listener):
    """The progress line on standard error while numba compiles. Loading from the cache prints no line.

    Args:
        name: the kernel's name.
    """

    def __init__(self, name: str) -> None:
        self._text = f"Compiling {name.replace('_', ' ')}; the result is cached for the next start ..."
        self._begun: float | None = None

    def on_start(self, event: Any) -> None:
        """Start the line when numba begins to compile the first function."""
        if self._begun is None:
            self._begun = perf_counter()
            print(self._text, end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """Do nothing when a function has been compiled."""

    def end(self) -> None:
        """Complete the line with the time taken."""
        if self._begun is not None and sys.stderr.isatty():
            print(f"{self._text} {perf_counter() - self._begun:.1f} s", file=sys.stderr, flush=True)


def compiled(function: Callable[..., Any], substitutes: Substitutes | None = None) -> Kernel:
    """Return the kernel of a plain function; the same kernel for the same function.

    Args:
        function: plain Python that numba can compile, on ints, floats, NamedTuples and arrays. The same holds for all
            functions that it calls. They needn't import numba.
        substitutes: replacements for functions wherever they are called, such as a policy in place of a stub.

    Returns:
        A kernel that can be called like the function.

    Raises:
        CannotCompile: it isn't a plain function, or it, or a function that it calls, reads something that is neither a
            function nor a constant.
    """
    if not isinstance(function, FunctionType):
        raise CannotCompile(f"{function!r}: it isn't a plain function")
    given = substitutes or {}
    key = digest(function, given)
    with _lock:
        if key not in _kernels:
            _kernels[key] = Kernel(function, given)
        return _kernels[key]


def _twin(
    function: FunctionType, substitutes: Substitutes, *, is_kernel: bool = False, folder: Path | None = None
) -> Twin:
    """Return the compiled clone of a function, with its globals bound to clones of the functions that it calls.

    A clone is registered before its globals are bound, so that functions may be recursive.
    """
    key = f"{digest(function, substitutes)}{is_kernel}"
    if key not in _twins:
        bound = dict(function.__globals__)
        clone = FunctionType(function.__code__, bound, function.__name__, function.__defaults__)
        clone.__module__, clone.__qualname__ = function.__module__, function.__qualname__
        _twins[key] = _without_literals(_jitted(clone, flags_of(clone, is_kernel=is_kernel), folder))
        for name, called in dependencies_of(function, substitutes).calls.items():
            bound[name] = _twin(called, substitutes)
    return _twins[key]


def _without_literals(twin: Twin) -> Twin:
    """Make a dispatcher compile a call such as `f(0)` as `f` of an int64, and not separately for the literal."""
    template_for = twin.get_call_template
    twin.get_call_template = lambda args, kws: template_for(tuple(map(unliteral, args)), kws)
    return twin


def _jitted(clone: FunctionType, flags: dict[str, Any], folder: Path | None) -> Twin:
    """Return numba's dispatcher for a clone; its machine code is cached in the folder, if there is one."""
    if folder is None:
        return numba.njit(clone, **flags)
    config: Any = numba.config
    before = config.CACHE_DIR
    try:
        config.CACHE_DIR = str(folder)  # numba reads it once, when the dispatcher is made
        twin = numba.njit(clone, cache=True, **flags)
    finally:
        config.CACHE_DIR = before
    # If it can't write here, numba would use another folder, which may hold machine code for other rules.
    return twin if Path(twin.stats.cache_path).is_relative_to(folder) else numba.njit(clone, **flags)


def _cache_folder_for(key: str) -> Path | None:
    """Return the cache folder of a key; `None` if it can't be created, so that nothing is cached."""
    try:
        return folder_of(key)
    except OSError:
        return None
