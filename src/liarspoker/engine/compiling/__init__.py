"""The rules as machine code: the functions of `liarspoker.core` themselves, compiled by numba as they stand.

The rules never import numba and exist once. `compiled` clones a function with its globals bound to compiled clones of
the functions that it calls, and so on down; the originals stay as they are. What was compiled is kept on disk under a
key that changes with anything that it was made from; see `digest`.
"""

from __future__ import annotations

from liarspoker.engine.compiling.kernels import Kernel, compiled

__all__ = ["Kernel", "compiled"]
