"""How functions that only kernels call are compiled: without generating machine code for them.

By default, numba generates machine code for every function, and again for the copy that it inlines into a caller. A
function that is never called from Python doesn't need its own, and without it a kernel compiles in a fifth to a quarter
less time.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager


class _PartLibrary(JITCodeLibrary):
    """The optimized code of a function that is linked into its callers."""

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
