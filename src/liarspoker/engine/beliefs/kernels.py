"""The kernels of beliefs, each looked for once: they run for some ten microseconds, and their key takes longer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from liarspoker.engine.compiling import Kernel, compiled


@cache
def kernel(function: Callable[..., Any]) -> Kernel:
    """The kernel of a function whose source and constants stay as they are while this process lives."""
    return compiled(function)
