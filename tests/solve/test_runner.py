"""A solution that is stopped can be resumed, with the same result."""

import os
import signal
import threading
import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from liarspoker.engine.errors import CannotSolve
from liarspoker.solve import algorithms, checkpoints
from liarspoker.solve.algorithms import ALGORITHMS, Algorithm
from liarspoker.solve.runner import Checkpoints, Progress, solve, solver_for
from liarspoker.solve.solver import Solver
from tests.solve.tables import arrays_of

SMALL: dict[str, object] = {"hand_size": 2, "symbols": 2, "rebid": True}


def small(method: str = "cfr+", **changes: object) -> Solver:
    return solver_for("dollar-bill", options={**SMALL, **changes}, method=method)


class Killed(Exception):
    """Simulates the death of the process."""


@pytest.mark.parametrize("method", ALGORITHMS, ids=lambda method: method.name)
def test_a_resumed_solution_is_the_uninterrupted_one(method: Algorithm, tmp_path: Path) -> None:
    def die(progress: Progress) -> None:
        if progress.iterations > 30:
            raise Killed

    saves = Checkpoints(tmp_path / "checkpoint", every=0)
    whole = small(method.name)
    uninterrupted = solve(whole, 1e-3)
    with pytest.raises(Killed):
        solve(small(method.name), 1e-3, saves=saves, report=die)
    resumed = small(method.name)
    progress = solve(resumed, 1e-3, saves=saves)
    assert [look[::2] for look in progress.curve] == [look[::2] for look in uninterrupted.curve]
    for one, other in zip(arrays_of(whole).values(), arrays_of(resumed).values(), strict=True):
        assert np.array_equal(one, other)
    assert progress.evaluation == uninterrupted.evaluation


def test_ctrl_c_saves_the_work_done(tmp_path: Path) -> None:
    saves = Checkpoints(tmp_path / "checkpoint", every=1e9)
    reports: list[int] = []

    def stop(progress: Progress) -> None:
        reports.append(progress.iterations)
        if len(reports) == 3:
            threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()

    stopped = small()
    with pytest.raises(KeyboardInterrupt):
        solve(stopped, 1e-6, saves=saves, report=stop)
    resumed = small()
    checkpoints.load(resumed, saves.path)
    assert resumed.iterations == stopped.iterations >= reports[2]
    assert all(map(np.array_equal, arrays_of(resumed).values(), arrays_of(stopped).values()))


def test_a_checkpoint_needs_little_memory(tmp_path: Path) -> None:
    """A game may fill nearly all of it."""
    solver = small(hand_size=2, symbols=3)
    size, path = sum(array.nbytes for array in arrays_of(solver).values()), tmp_path / "checkpoint"
    tracemalloc.start()
    try:
        checkpoints.save(solver, {}, path)
        assert tracemalloc.get_traced_memory()[1] < size / 4
        tracemalloc.reset_peak()
        checkpoints.load(solver, path)
        assert tracemalloc.get_traced_memory()[1] < size * 1.25
    finally:
        tracemalloc.stop()


def test_a_checkpoint_at_the_target_is_the_solution(tmp_path: Path) -> None:
    saves = Checkpoints(tmp_path / "checkpoint", every=0)
    first = solve(small(), 1e-2, saves=saves)
    again = solve(small(), 1e-2, saves=saves)
    assert again.iterations == first.iterations
    assert again.evaluation == first.evaluation


def test_evaluations_come_later_and_later_and_the_last_one_meets_the_target() -> None:
    progress = solve(small(), 1e-3)
    iterations = [look[0] for look in progress.curve]
    assert iterations == sorted(set(iterations))
    assert all(later <= max(2, 2 * earlier) for earlier, later in pairwise(iterations))
    assert progress.exploitability <= 1e-3 < progress.curve[-2][2]


def test_the_maximum_number_of_iterations_is_respected() -> None:
    progress = solve(small(), 1e-6, most_iterations=7)
    assert progress.iterations == 7
    assert progress.curve[-1][0] == 7


@pytest.mark.parametrize("iterations", [0, -1])
def test_no_iterations_are_rejected(iterations: int) -> None:
    with pytest.raises(CannotSolve, match=f"most_iterations: {iterations}; it must be 1 or more"):
        solve(small(), 1e-3, most_iterations=iterations)


def test_a_target_that_is_too_fine_is_rejected() -> None:
    with pytest.raises(CannotSolve, match="it must be 1e-06 or more"):
        solve(small(), 1e-9)


def test_a_file_that_is_not_a_checkpoint_of_this_solution_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "checkpoint"
    solver = small()
    solver.iterate(3)
    checkpoints.save(solver, {"seconds": 1.0, "curve": []}, path)
    whole = path.read_bytes()
    with monkeypatch.context() as another_version:
        another_version.setattr(algorithms, "_RARE_LATER", 0.1)
        with pytest.raises(CannotSolve, match="a checkpoint by another version of the solver"):
            checkpoints.load(small(), path)
    for other, differs in (
        (small("pcfr+"), "with another algorithm"),
        (small(hero=True), "with other rules"),
        (small(symbols=3), "with other rules"),
    ):
        with pytest.raises(CannotSolve, match=f"a checkpoint of a solution {differs}"):
            checkpoints.load(other, path)
    changes = {
        "isn't a checkpoint": b"something else entirely",
        "incomplete": whole[:-100],
        "damaged": whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:],
    }
    for said, content in changes.items():
        path.write_bytes(content)
        with pytest.raises(CannotSolve, match=said):
            checkpoints.load(small(), path)
    with pytest.raises(CannotSolve, match="No such file"):
        checkpoints.load(small(), tmp_path / "nothing")


def test_a_checkpoint_that_cannot_be_written_on_the_way_is_reported_without_stopping(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "checkpoint"
    progress = solve(small(), 1e-2, saves=Checkpoints(nowhere, every=0))
    assert progress.exploitability <= 1e-2
    assert str(nowhere) in progress.unsaved
