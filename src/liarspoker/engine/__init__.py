"""Playing many rounds fast: the rules themselves, compiled.

* `compiling`: turns functions of the rules, as they stand, into machine code, and keeps it for the next start.
* `chance`: random numbers of which every round has its own.
* `digits`: batches of rounds of the digit games, played by policies or step by step.
* `pooled`, `passed`: the same of Queen Anne's games and of Thorin's game, whole matches too; `wins`, who wins them.

It needs numba and NumPy, the extra `engine`; this package itself imports neither, so that `available` can be asked.
"""

from __future__ import annotations

from importlib.util import find_spec


def available() -> bool:
    """Whether the extra `engine` is installed: numba, NumPy with it, and platformdirs."""
    return all(map(find_spec, ("numba", "platformdirs")))
