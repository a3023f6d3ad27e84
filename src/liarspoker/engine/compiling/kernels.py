"""Compiled clones of plain functions, each made once."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any, ClassVar, TypeVar

import numba
import numpy as np
from numba.core.errors import NumbaError
from numba.core.event import Listener, install_listener
from numba.core.types import unliteral
from numpy.typing import NDArray

from liarspoker.cache import code_folder
from liarspoker.engine.compiling.calls import INTRINSICS, entry, entry_type, in_memory, policy, typeof
from liarspoker.engine.compiling.dependencies import Substitutes, dependencies_of
from liarspoker.engine.compiling.digest import CALLED, ENTRY, KERNEL, digest, flags_of
from liarspoker.engine.errors import CannotCompile

Twin = Any
"""numba's dispatcher of a clone; it can be called, and asked to compile."""
Kind = TypeVar("Kind", bound="Compiled")

_lock = RLock()
_twins: dict[str, Twin] = {}
_made: dict[str, Any] = {}


def _plain_function(function: Callable[..., Any]) -> FunctionType:
    if not isinstance(function, FunctionType):
        raise CannotCompile(f"{function!r}: it isn't a plain function")
    return function


_POLICY = _plain_function(policy)


class Compiled:
    """A function whose machine code is cached on disk.

    It is compiled when it is first used with arguments of new types. A line on standard error then says so; on a
    terminal, it also shows the time taken. A later process with the same sources and versions loads the machine code
    from disk.

    Attributes:
        flags: numba's options.
        key: the cache key.
        name: the function's name.
    """

    flags: ClassVar[dict[str, Any]]

    def __init__(self, function: FunctionType, substitutes: Substitutes) -> None:
        self.key = digest(function, substitutes)
        self._folder = code_folder(self.key)
        self._twin = _twin(function, substitutes, self.flags, self._folder)

    @property
    def lacks_code(self) -> bool:
        """Whether there is no machine code yet, and that of another process could be loaded."""
        return not self._twin.signatures and self._twin.stats.cache_path is not None and not self.is_cached

    @property
    def is_cached(self) -> bool:
        """Whether its machine code is cached on disk."""
        return self._folder is not None and any(self._folder.rglob("*.nbi"))

    def _prepare(self, types: Any) -> None:
        """Load the machine code for arguments of these types from disk, or compile it."""
        collects = gc.isenabled()
        gc.disable()  # compiling creates millions of objects, and most of them stay
        try:
            with self._alone(), install_listener("numba:compile", _Announcement()):
                self._compile(types)
        finally:
            if collects:
                gc.enable()

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

    def _compile(self, types: Any) -> None:
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


class Kernel(Compiled):
    """A compiled function that is called from Python. It releases the GIL while it runs."""

    flags = KERNEL

    def __call__(self, *arguments: Any) -> Any:
        """Return the result of the function; raises numba's error if it can't be compiled for these arguments."""
        if not self._twin.signatures:
            with _lock:
                self._prepare(tuple(map(numba.typeof, arguments)))
        return self._twin(*arguments)


class Entry(Compiled):
    """A policy that compiled code calls by its address."""

    flags = ENTRY

    def call_with(self, observation: Any, data: Any) -> tuple[int, NDArray[np.int64]]:
        """Return the address of the machine code for such an observation and data, and the data in memory.

        Args:
            observation: an observation of the same type, from `plain`.
            data: the data, from `plain`. It must be kept, with the result, for as long as the policy is called.
        """
        kind = typeof(data)
        signature = entry_type(observation, kind)
        with _lock:
            if signature.args not in self._twin.overloads:
                self._prepare(signature)
            found = self._twin.overloads[signature.args]
        return found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name), in_memory(data, kind)


class _Announcement(Listener):
    """A line on standard error when numba compiles for the first time in this process; loading isn't announced."""

    was_made = False

    def on_start(self, event: Any) -> None:
        """Print the line if it is the first function."""
        if not _Announcement.was_made:
            _Announcement.was_made = True
            print("Compiling for this machine; this takes seconds, and only the first time ...", file=sys.stderr)

    def on_end(self, event: Any) -> None:
        """Do nothing when a function has been compiled."""


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
    return _once(Kernel, _plain_function(function), substitutes or {})


def policy_entry(function: Callable[..., Any], substitutes: Substitutes) -> Entry:
    """Return the entry of a policy's function; the same entry for the same function. See :func:`compiled`."""
    return _once(Entry, _plain_function(entry), {**substitutes, _POLICY: _plain_function(function)})


def _once(kind: type[Kind], function: FunctionType, substitutes: Substitutes) -> Kind:
    """Return the compiled function of this kind, made when it is first wanted."""
    key = digest(function, substitutes)
    with _lock:
        if key not in _made:
            _made[key] = kind(function, substitutes)
        found: Kind = _made[key]
        return found


def _twin(
    function: FunctionType, substitutes: Substitutes, flags: dict[str, Any] = CALLED, folder: Path | None = None
) -> Twin:
    """Return the compiled clone of a function, with its globals bound to clones of the functions that it calls.

    A clone is registered before its globals are bound, so that functions may be recursive.
    """
    if function in INTRINSICS:
        return INTRINSICS[function]
    key = f"{digest(function, substitutes)}{flags is CALLED}"
    if key not in _twins:
        bound = dict(function.__globals__)
        clone = FunctionType(function.__code__, bound, function.__name__, function.__defaults__)
        # numba numbers functions from 1 in each process, so those of two processes could have the same symbols.
        clone.__module__, clone.__qualname__ = function.__module__, f"{function.__qualname__}_{key}"
        _twins[key] = _without_literals(_jitted(clone, flags_of(clone, flags), folder))
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
