"""A solution that is stopped goes on where it was, and comes out the same."""

import os
import signal
import threading
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from liarspoker.engine.errors import CannotSolve
from liarspoker.solve import checkpoints
from liarspoker.solve.algorithms import ALGORITHMS, Algorithm
from liarspoker.solve.runner import Checkpoints, Progress, solve, solver_for
from liarspoker.solve.solver import Solver

SMALL: dict[str, object] = {"hand_size": 2, "symbols": 2, "rebid": True}


def small(method: str = "cfr+", **changes: object) -> Solver:
    return solver_for("dollar-bill", options={**SMALL, **changes}, method=method)


class Killed(Exception):
    """The process has died; nobody tidied up."""


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
    for one, other in zip(whole.arrays().values(), resumed.arrays().values(), strict=True):
        assert np.array_equal(one, other)
    assert progress.evaluation == uninterrupted.evaluation


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    saves = Checkpoints(tmp_path / "checkpoint", every=1e9)
    told: list[int] = []

    def stop(progress: Progress) -> None:
        told.append(progress.iterations)
        if len(told) == 3:
            threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()

    stopped = small()
    with pytest.raises(KeyboardInterrupt):
        solve(stopped, 1e-6, saves=saves, report=stop)
    resumed = small()
    checkpoints.load(resumed, saves.path)
    assert resumed.iterations == stopped.iterations >= told[2]
    assert all(map(np.array_equal, resumed.arrays().values(), stopped.arrays().values()))


def test_a_checkpoint_at_the_goal_is_the_solution(tmp_path: Path) -> None:
    saves = Checkpoints(tmp_path / "checkpoint", every=0)
    first = solve(small(), 1e-2, saves=saves)
    again = solve(small(), 1e-2, saves=saves)
    assert again.iterations == first.iterations
    assert again.evaluation == first.evaluation


def test_every_look_is_later_and_the_last_one_is_good_enough() -> None:
    progress = solve(small(), 1e-3)
    iterations = [look[0] for look in progress.curve]
    assert iterations == sorted(set(iterations))
    assert all(later <= max(2, 2 * earlier) for earlier, later in pairwise(iterations))
    assert progress.exploitability <= 1e-3 < progress.curve[-2][2]


def test_a_number_of_iterations_is_kept_to() -> None:
    progress = solve(small(), 1e-6, most_iterations=7)
    assert progress.iterations == 7
    assert progress.curve[-1][0] == 7


def test_a_target_too_fine_is_refused() -> None:
    with pytest.raises(CannotSolve, match="nothing below 1e-06"):
        solve(small(), 1e-9)


def test_what_is_no_checkpoint_of_this_solution_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    solver = small()
    solver.iterate(3)
    checkpoints.save(solver, {"seconds": 1.0, "curve": []}, path)
    whole = path.read_bytes()
    for other in (small("pcfr+"), small(hero=True), small(symbols=3)):
        with pytest.raises(CannotSolve, match="of another solution"):
            checkpoints.load(other, path)
    changes = {
        "no checkpoint": b"something else entirely",
        "cut short": whole[:-100],
        "damaged": whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:],
    }
    for said, content in changes.items():
        path.write_bytes(content)
        with pytest.raises(CannotSolve, match=said):
            checkpoints.load(small(), path)
    with pytest.raises(CannotSolve, match="No such file"):
        checkpoints.load(small(), tmp_path / "nothing")


def test_a_checkpoint_that_cannot_be_written_on_the_way_is_told_and_costs_nothing(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "checkpoint"
    progress = solve(small(), 1e-2, saves=Checkpoints(nowhere, every=0))
    assert progress.exploitability <= 1e-2
    assert str(nowhere) in progress.unsaved
