"""A solver whose subtrees are shared out finds what one alone does, bit by bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from liarspoker.solve.algorithms import ALGORITHMS, Algorithm, algorithm
from liarspoker.solve.runner import Checkpoints, solve
from liarspoker.solve.shared_solver import SharedSolver
from liarspoker.solve.solver import Solver, average_strategy
from tests.solve.tables import arrays_of
from tests.solve.test_solver import flat


class CrewHere:
    """A crew in this process. Like one elsewhere, it gets copies that it can't write to."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._made: list[Any] = []

    def begin(self, make: Callable[[int, int], Any]) -> None:
        self._made = [make(number, self.size) for number in range(self.size)]

    def each(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        calls = zip(self._made, arguments, strict=True)
        return [_sent(getattr(one, method)(*map(_sent, own))) for one, own in calls]

    def one(self, number: int, method: str, *arguments: Any) -> Any:
        return _sent(getattr(self._made[number], method)(*map(_sent, arguments)))


def _sent(thing: Any) -> Any:
    if isinstance(thing, np.ndarray):
        sent = thing.copy()
        sent.flags.writeable = False
        return sent
    if isinstance(thing, dict):
        return {name: _sent(value) for name, value in thing.items()}
    return [_sent(value) for value in thing] if isinstance(thing, list) else thing


@pytest.mark.parametrize("method", ALGORITHMS, ids=lambda method: method.name)
@pytest.mark.parametrize(("seats", "size"), [(2, 1), (2, 3), (3, 5), (2, 200)])
def test_the_number_of_parts_does_not_change_the_result(method: Algorithm, seats: int, size: int) -> None:
    rules = flat(2 if seats == 2 else 1, 2, rebid=True, seats=seats)
    alone, shared = Solver(rules, method), SharedSolver(rules, method, CrewHere(size))
    for solver in (alone, shared):
        solver.iterate(7)
    assert shared.evaluate() == alone.evaluate()
    for name, array in arrays_of(alone).items():
        assert np.array_equal(array, arrays_of(shared)[name])
    shared.forget_regrets()
    assert np.array_equal(average_strategy(shared), average_strategy(alone))


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1), (3, 2)])
def test_a_solution_is_continued_with_another_number_of_parts(before: int, after: int, tmp_path: Path) -> None:
    rules, method, saves = flat(2, 2, rebid=True), algorithm("pcfr+"), Checkpoints(tmp_path / "checkpoint", 1e9)
    first, second, alone = (
        SharedSolver(rules, method, CrewHere(before)),
        SharedSolver(rules, method, CrewHere(after)),
        Solver(rules, method),
    )
    saves.save(first, solve(first, 1e-6, most_iterations=5))
    progress = solve(second, 1e-6, most_iterations=12, saves=saves)
    expected = solve(alone, 1e-6, most_iterations=12)
    assert progress.iterations == expected.iterations == 12
    assert progress.evaluation == expected.evaluation
