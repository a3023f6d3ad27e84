"""Contests on a real cluster of two workers on this machine. It is started only once, since that takes a while."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from liarspoker.bots.network import read_network
from liarspoker.cli import main
from liarspoker.core.errors import BadOption
from liarspoker.engine.table import Table
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.research import cluster
from liarspoker.research.cluster import ClusterFailed, crew_of, spread
from liarspoker.research.evaluation import head_to_head
from liarspoker.solve.algorithms import algorithm
from liarspoker.solve.runner import Checkpoints, rules_of, solve
from liarspoker.solve.shared_solver import SharedSolver
from liarspoker.solve.solver import Solver
from liarspoker.train.trainer import Plan, Trainer
from tests.solve.tables import arrays_of

# Ray takes many seconds to start.
pytestmark = [pytest.mark.soak(only=True), pytest.mark.filterwarnings("ignore::FutureWarning:ray")]


HEAD = """
import ray
from liarspoker.research import cluster
cluster.join(cluster.LOCAL, jobs=2)
print(ray.get_runtime_context().gcs_address, flush=True)
input()
ray.shutdown()
"""
"""A process that runs a cluster until it reads a line."""


@pytest.fixture(scope="module")
def two_workers() -> Iterator[str]:
    """Return the address of a cluster with two processors and its own token, which this process has joined."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("RAY_AUTH_MODE", "token")
        environment.setenv("RAY_AUTH_TOKEN", os.urandom(32).hex())
        yield from joined()


def joined() -> Iterator[str]:
    """Start the cluster, join it, and stop it at the end."""
    with subprocess.Popen(
        [sys.executable, "-c", HEAD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as head:
        assert head.stdout is not None
        address = head.stdout.readline().strip()
        assert address, "the cluster has not started"
        cluster.join(address)
        yield address
        import_module("ray").shutdown()  # imported here, because Ray reads its token when it is imported
        head.communicate("\n")


def simulated(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """Return the report of `simulate --json`, without the time taken."""
    assert main(["simulate", *words, "--seed", "1", "--json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: value for name, value in report.items() if "second" not in name}


@pytest.mark.parametrize(
    "words",
    [
        ("slips", "--players", "3", "--bots", "beginner,uniform", "--rounds", "4500"),
        ("salomon-1986", "--session", "--bots", "uniform", "--rounds", "200000"),
        ("thorin", "--players", "3", "--bots", "uniform", "--games", "70"),
    ],
    ids=["python", "compiled", "matches"],
)
def test_a_cluster_and_one_process_have_the_same_totals(
    two_workers: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    alone = simulated(capsys, *words)
    assert simulated(capsys, *words, "--jobs", "1", "--cluster", "auto") == alone
    assert simulated(capsys, *words, "--cluster", "auto") == alone


def refused(part: int) -> int:
    raise BadOption(f"part {part} is refused")


def deadly(part: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return part


class DiesOnce:
    """Squares numbers; its first worker dies and leaves a file, so that later workers do not."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, part: int) -> int:
        if part == 1 and not self.file.exists():
            self.file.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return part * part


def test_results_come_in_order_and_a_part_whose_worker_dies_is_restarted(two_workers: str, tmp_path: Path) -> None:
    assert list(spread(DiesOnce(tmp_path / "died"), 7, jobs=3)) == [0, 1, 4, 9, 16, 25, 36]
    assert (tmp_path / "died").exists()


def test_failures_are_reported_in_one_sentence(two_workers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ClusterFailed, match=r"cluster 127\.0\.0\.1:1: it cannot be joined \(.*\); give the address"):
        cluster.join("127.0.0.1:1")
    monkeypatch.setattr(cluster, "TRIES", 2)
    with pytest.raises(ClusterFailed, match="the worker died in each of 2 tries"):
        list(spread(deadly, 1))
    with pytest.raises(ClusterFailed, match="part 0 is refused"):
        list(spread(refused, 1))
    monkeypatch.setattr(cluster, "__version__", "0.0")
    with pytest.raises(ClusterFailed, match=r"a worker has version .*; this is 0\.0"):
        list(spread(refused, 1))


def test_head_to_head_results_are_those_of_one_process(two_workers: str) -> None:
    table = Table.of("dollar-bill", seats=2)
    alone = head_to_head(table, ["uniform", "uniform"], hands=70_000, seed=1)
    parallel = head_to_head(table, ["uniform", "uniform"], hands=70_000, seed=1, cluster="auto", jobs=2)
    assert (parallel.mean == alone.mean).all()


def test_a_training_learns_the_same_on_a_cluster_as_in_one_process(two_workers: str) -> None:
    tables = [Table.of("salomon-1986", 2, {"hand_size": 2, "symbols": 3}, from_slips=False)]
    plan = Plan(hands=512, minibatch=128, hidden=8, bots=(), bot_share=0.0, parts=2)
    alone, spread_out = Trainer.begin(tables, plan), Trainer.begin(tables, plan)
    next(iter(alone.run(1e6)))
    next(iter(spread_out.run(1e6, partial(spread, address="auto"))))
    assert spread_out.hands == alone.hands == 1024
    for found, expected in zip(spread_out.network(), alone.network(), strict=True):
        assert found == pytest.approx(expected, abs=1e-6)


def test_a_game_is_solved_on_a_cluster_as_in_one_process(two_workers: str) -> None:
    rules = packed(DigitOptions(hand_size=2, symbols=2), seats=2)
    alone = Solver(rules, algorithm("cfr+"))
    with crew_of("auto") as crew:
        shared = SharedSolver(rules, algorithm("cfr+"), crew)
        for solver in (alone, shared):
            solver.iterate(10)
        assert crew.size == 2
        assert shared.evaluate() == alone.evaluate()
        for name, array in arrays_of(alone).items():
            assert np.array_equal(array, arrays_of(shared)[name])


def test_a_game_that_was_begun_on_a_cluster_is_solved_by_one_process(
    two_workers: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = ["solve", "--hand-size", "2", "--symbols", "2", "--rebid", "--iterations", "40", "--target", "1e-6"]
    assert main([*game, "-o", str(tmp_path / "alone"), "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    rules = rules_of("dollar-bill", 2, {"hand_size": 2, "symbols": 2, "rebid": True})
    saves = Checkpoints(tmp_path / "two.checkpoint", every=1e9)
    with crew_of("auto") as crew:
        solver = SharedSolver(rules, algorithm("cfr+"), crew)
        saves.save(solver, solve(solver, 1e-6, most_iterations=10))
    for place in ([], ["--cluster", "auto"]):
        assert main([*game, "-o", str(tmp_path / "two"), "--force", "--json", *place]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["iterations"], found["exploitability"]) == (alone["iterations"], alone["exploitability"])
    with pytest.raises(SystemExit):
        main([*game, "--target", "1e-9", "--cluster", "127.0.0.1:1"])
    assert "it can't be below 1e-06" in capsys.readouterr().err


def test_the_command_trains_on_a_cluster(two_workers: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.safetensors"
    words = ["train", "salomon-1986", "--option", "hand_size=2", "--option", "symbols=3", "--bots", "", "--minutes"]
    assert main([*words, "0.1", "--hands", "2000", "--cluster", "auto", "-o", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hands"] % 4000 == 0
    assert read_network(file.read_bytes(), file.name).about["plan"]["parts"] == 2


class Mortal:
    def __init__(self, number: int, size: int) -> None:
        if size == 1:
            raise BadOption("one isn't enough")

    def refuse(self) -> None:
        raise BadOption("this is refused")

    def die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def test_failures_of_a_crew_are_reported_in_one_sentence(two_workers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with crew_of("auto", jobs=1) as crew, pytest.raises(ClusterFailed, match="one isn't enough"):
        crew.begin(Mortal)
    with crew_of("auto") as crew:
        crew.begin(Mortal)
        with pytest.raises(ClusterFailed, match="this is refused"):
            crew.each("refuse", [()] * 2)
        with pytest.raises(ClusterFailed, match="a process of the cluster has ended, and what it kept is lost"):
            crew.each("die", [()] * 2)
    with crew_of("auto"), pytest.MonkeyPatch.context() as hurry:
        hurry.setattr(cluster, "_FREE_SECONDS", 0.1)
        with pytest.raises(ClusterFailed, match="1 processors of the cluster aren't free"), crew_of("auto", jobs=1):
            pass
    monkeypatch.setattr(cluster, "__version__", "0.0")
    with crew_of("auto") as crew, pytest.raises(ClusterFailed, match=r"a worker has version .*; this is 0\.0"):
        crew.begin(Mortal)


def test_ctrl_c_stops_it_with_the_totals_so_far(two_workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = "simulate slips --bots beginner --engine python --rounds 1000000 --json --seed 1"
    words = line.split()
    command = [sys.executable, "-c", STOPPED, *words, "--cluster", two_workers]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 130, ended.stderr
    assert "stopped after" in ended.stderr
    played = json.loads(ended.stdout)
    assert main([*words, "--rounds", str(played["rounds"])]) == 0
    assert json.loads(capsys.readouterr().out)["units_per_round"] == played["units_per_round"]


STOPPED = """
import os, signal, sys
from liarspoker.cli import main, simulate

class Pressed(simulate.Progress):
    def update(self, done, *more, **others):
        super().update(done, *more, **others)
        if done == 3000:
            os.kill(os.getpid(), signal.SIGINT)

simulate.Progress = Pressed
sys.exit(main(sys.argv[1:]))
"""
"""Run the command, and press Ctrl-C after three chunks."""
