"""How functions that only kernels call are compiled: without machine code of their own, and optimized only once.

By default, numba optimizes every function together with all functions that it calls, generates machine code, and does
both again for the copy that it inlines into each caller. A function that is never called from Python needs neither,
since every kernel optimizes all of its code at the end. Without them a kernel compiles in half the time or less, and
runs as fast.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager


class _PartLibrary(JITCodeLibrary):
    """The code of a function that is linked into its callers."""

    def _optimize_final_module(self) -> None:
        """Optimize a function that calls no others: some loops can be vectorized only before they are inlined."""
        if not any(isinstance(library, _PartLibrary) for library in self._linking_libraries):
            super()._optimize_final_module()  # type: ignore[no-untyped-call]

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code to point to."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    @property
    def codegen(self) -> _PartLibrary:
        """The object on which `set_env` is called."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: the function isn't called from Python, so nobody reads its Python constants."""


class PartCompiler(Compiler):
    """numba's compiler for a function that is never called from Python; pass it as `pipeline_class`."""

    def define_pipelines(self) -> list[PassManager]:
        """Return numba's own steps, with another library for the code."""
        state = self.state
        library: Any = _PartLibrary
        state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        steps: list[PassManager] = super().define_pipelines()  # type: ignore[no-untyped-call]
        return steps
