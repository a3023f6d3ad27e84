"""A solver whose subtrees are shared out among processes. Each keeps the regrets and sums of its own.

The first process traverses only the top of the tree. In each sweep it sends every other process the reach probabilities
of the subtrees there, and gets back their values. So the machines of a cluster need little of the network, and together
they can solve games that don't fit into the memory of one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from liarspoker.games.digits.options import Rules
from liarspoker.solve.algorithms import Algorithm
from liarspoker.solve.buffers import Floats, Step, Store
from liarspoker.solve.solver import Solver, shares_of
from liarspoker.solve.traversal import UPDATE


class Crew(Protocol):
    """Objects in other processes. Each keeps what it has computed.

    Attributes:
        size: the number of objects.
    """

    size: int

    def begin(self, make: Callable[[int, int], Any]) -> None:
        """Make the objects: `make(number, size)` in each process, numbered from 0."""

    def each(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of all objects at once, each with its own arguments, and return their results in order."""


class Share(Solver):
    """The part of a solver in one process of a crew.

    Args:
        rules: the table's rules.
        algorithm: the regret minimization algorithm.
        number: the number of this part, from 0.
        parts: the number of parts.
    """

    def __init__(self, rules: Rules, algorithm: Algorithm, number: int, parts: int) -> None:
        self._number, self._parts = number, parts
        super().__init__(rules, algorithm)

    def _tasks_stored(self) -> tuple[int, int]:
        return shares_of(self.layout, self._parts)[self._number]

    def traverse(self, mode: int, seat: int, step: Step, reaches: Floats) -> Floats:
        """Traverse the part's tasks.

        Args:
            mode: as in :func:`~liarspoker.solve.traversal.traverse_all`.
            seat: the player's seat.
            step: the parameters of the iteration.
            reaches: float32 `[tasks, seats, hands * LANES]`, the reach of every seat.

        Returns:
            float32 `[tasks, hands * LANES]`, the values.
        """
        own = slice(*self._stored)
        self._front.reaches[own] = reaches
        store = self.store if mode == UPDATE else self.store._replace(played=self.store.sums)
        self._run([(mode, seat, *self._stored)], [step], store)
        return self._front.values[own]

    def stored(self, names: Sequence[str]) -> list[Floats]:
        """Return some of the arrays, by their names."""
        return [self.arrays()[name] for name in names]

    def restore(self, iterations: int, arrays: Mapping[str, Floats]) -> None:
        """Resume; see :meth:`Solver.restore`. What comes from another process can't be written to, so it is copied."""
        super().restore(iterations, {name: np.array(array) for name, array in arrays.items()})


class SharedSolver(Solver):
    """A solver that stores only the top of the tree; the rest is stored and traversed by a crew.

    The result is that of a :class:`~liarspoker.solve.solver.Solver`.

    Args:
        rules: the table's rules.
        algorithm: the regret minimization algorithm.
        crew: the processes.

    Raises:
        CannotPlay: the tree is infinite.
    """

    def __init__(self, rules: Rules, algorithm: Algorithm, crew: Crew) -> None:
        crew.begin(partial(Share, rules, algorithm))
        self._crew = crew
        super().__init__(rules, algorithm)

    def _tasks_stored(self) -> tuple[int, int]:
        return self.layout.tasks, self.layout.tasks + 1

    def _sweep(self, sweeps: Sequence[tuple[int, int, Step]], store: Store) -> None:
        shares = [slice(*share) for share in shares_of(self.layout, self._crew.size)]
        for mode, seat, step in sweeps:
            down, _, up = self._jobs(mode, seat, self._top)
            self._run([down], [step], store)
            found = self._crew.each("traverse", [(mode, seat, step, self._front.reaches[own]) for own in shares])
            for own, values in zip(shares, found, strict=True):
                self._front.values[own] = values
            self._run([up], [step], store)

    def forget_regrets(self) -> None:
        """Fetch the sums of all parts, so that the average strategy can be read; don't call :meth:`iterate` again."""
        (sums,) = self._whole(["sums"])
        super().forget_regrets()
        self.store = self.store._replace(sums=sums)

    def arrays(self) -> dict[str, Floats]:
        """Return the arrays of the whole tree."""
        return dict(zip(self.array_names, self._whole(self.array_names), strict=True))

    def restore(self, iterations: int, arrays: Mapping[str, Floats]) -> None:
        """Resume from arrays of the whole tree."""
        ends = [int(self.layout.starts[end]) for _, end in shares_of(self.layout, self._crew.size)]
        parts = [
            (iterations, {name: array[begin:end] for name, array in arrays.items()})
            for begin, end in pairwise([0, *ends])
        ]
        self._crew.each("restore", parts)
        super().restore(iterations, {name: array[ends[-1] :] for name, array in arrays.items()})

    def _whole(self, names: Sequence[str]) -> list[Floats]:
        """Return some of the arrays, put together."""
        top = super().arrays()
        parts = [*self._crew.each("stored", [(names,)] * self._crew.size), [top[name] for name in names]]
        return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
