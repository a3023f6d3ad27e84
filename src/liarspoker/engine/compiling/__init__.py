"""Compile plain functions of the rules to machine code with numba, without changing them.

The rules never import numba, and they exist only once. :func:`~liarspoker.engine.compiling.kernels.compiled` clones a
function and binds its globals to compiled clones of the functions that it calls, recursively; the originals don't
change. The machine code is cached on disk under a key that changes with everything that it was made from; see `digest`.
"""

from __future__ import annotations

from liarspoker.engine.compiling.kernels import Entry, Kernel, compiled, policy_entry

__all__ = ["Entry", "Kernel", "compiled", "policy_entry"]
