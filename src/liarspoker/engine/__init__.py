"""Play many rounds fast, with the rules compiled to machine code.

* :mod:`~liarspoker.engine.table`: which game is played, with which options and how many seats.
* :mod:`~liarspoker.engine.rollout`: play whole matches between policies.
* :mod:`~liarspoker.engine.totals`: sums over many matches.
* :mod:`~liarspoker.engine.batch`: step many matches action by action.
* :mod:`~liarspoker.engine.lineup`: policies, and how a line-up of them plays.
* :mod:`~liarspoker.engine.chance`: random numbers, with independent streams for every match.
* :mod:`~liarspoker.engine.kernel`: what a family of games provides for the engine, in the module `kernel` of its
  package.
* :mod:`~liarspoker.engine.compiling`: compile plain functions of the rules, and cache the machine code.

The engine needs numba and NumPy (the extra `engine`). This package itself imports neither, so that `available()` works
without them.
"""

from __future__ import annotations

from importlib.util import find_spec


def available() -> bool:
    """Return whether the extra `engine` is installed: numba (which brings NumPy) and platformdirs."""
    return all(map(find_spec, ("numba", "platformdirs")))
