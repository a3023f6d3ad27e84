"""Playing many rounds fast: the rules themselves, compiled.

* `compiling`: turns functions of the rules, as they stand, into machine code, and keeps it for the next start.
* `chance`: random numbers of which every round has its own.
* `kernel`: what a family of games tells the engine; each family's own is the module `kernel` of its package.
* `table`, `batch`, `rollout`, `totals`: tables, rounds step by step, whole matches between policies, and their sums.
* `lineup`: policies, which the engine compiles together with the rounds that they play.

It needs numba and NumPy, the extra `engine`; this package itself imports neither, so that `available` can be asked.
"""

from __future__ import annotations

from importlib.util import find_spec


def available() -> bool:
    """Whether the extra `engine` is installed: numba, NumPy with it, and platformdirs."""
    return all(map(find_spec, ("numba", "platformdirs")))
