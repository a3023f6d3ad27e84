"""A solver whose subtrees are shared out among processes. Each keeps the regrets and sums of its own.

The first process traverses only the top of the tree. In each sweep it sends every other process the reach probabilities
of the subtrees there, and gets back their values. So the machines of a cluster need little of the network, and together
they can solve games that don't fit into the memory of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from liarspoker.games.digits.options import Rules
from liarspoker.solve.algorithms import Algorithm
from liarspoker.solve.buffers import Floats, Step, Store
from liarspoker.solve.solver import Solver, shares_of


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

    def one(self, number: int, method: str, *arguments: Any) -> Any:
        """Call a method of one object, and return its result."""


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
        self._run([(mode, seat, *self._stored)], [step], self.store)
        return self._front.values[own]

    def set_block(self, number: int, name: str, array: Floats) -> None:
        """Replace a block. What comes from another process can't be written to, so it is copied."""
        super().set_block(number, name, array.copy())


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
        super().__init__(rules, algorithm)
        self._crew = crew
        crew.begin(partial(Share, rules, algorithm))

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

    @property
    def block_rows(self) -> list[int]:
        """The numbers of rows of the parts, and of the top."""
        starts, shares = self.layout.starts, shares_of(self.layout, self._crew.size)
        return [*(int(starts[end] - starts[first]) for first, end in shares), int(starts[-1] - starts[-2])]

    def block(self, number: int, name: str) -> Floats:
        """Return the part of an array in a process of the crew, or that of the top."""
        found = super().block(0, name) if number == self._crew.size else self._crew.one(number, "block", 0, name)
        return np.asarray(found)

    def set_block(self, number: int, name: str, array: Floats) -> None:
        """Replace the part of an array in a process of the crew, or that of the top."""
        if number == self._crew.size:
            super().set_block(0, name, array)
        else:
            self._crew.one(number, "set_block", 0, name, array)

    def forget_regrets(self) -> None:
        """Free the regrets and fetch all sums, so that the average strategy can be read."""
        self._crew.each("forget_regrets", [()] * self._crew.size)
        sums, begun = np.zeros((self.layout.rows, self.width), np.float32), 0
        for number, rows in enumerate(self.block_rows):
            sums[begun : begun + rows] = self.block(number, "sums")
            begun += rows
        super().forget_regrets()
        self.store = self.store._replace(sums=sums)
