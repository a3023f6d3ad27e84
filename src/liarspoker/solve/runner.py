"""Solve a game until a target is reached: when to evaluate, when to save a checkpoint, and the resulting strategy."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path
from threading import Event, current_thread, main_thread
from time import perf_counter

from liarspoker.engine.errors import CannotSolve
from liarspoker.engine.memory import check_fits, free_memory
from liarspoker.files import CannotWrite
from liarspoker.games.digits.options import Rules, packed
from liarspoker.solve import checkpoints
from liarspoker.solve.algorithms import DEFAULT, algorithm
from liarspoker.solve.memory import check_need, described, strategy_size
from liarspoker.solve.shared_solver import Crew, SharedSolver
from liarspoker.solve.solver import MOST_THREADS, Evaluation, Solver, average_strategy
from liarspoker.solve.strategy import Strategy, options_of

FINEST = 1e-6
"""The smallest exploitability that can be measured: regrets and sums have 24 significant bits."""

_WIDEST = 2.0
_NARROWEST = 1.03
"""Bounds of the ratio of iterations between two evaluations."""

_STEEPEST = 4.0
_FLATTEST = 0.5
"""Bounds of the power of the iterations with which the exploitability is assumed to fall."""

_REPORT_EVERY = 0.1
"""Seconds of iterations between two reports."""

_ENOUGH = 5
"""The number of evaluations before the remaining time is estimated."""

_ENDLESS = 1 << 62

Curve = Sequence[tuple[int, float, float]]
"""Evaluations in order: iterations, seconds and exploitability of each."""


@dataclass(slots=True)
class Progress:
    """The progress of a solution.

    Attributes:
        iterations: the number of iterations done.
        seconds: the wall time that they took, including those before a stop.
        curve: iterations, seconds and exploitability at each evaluation, the latest last.
        evaluation: set at the end; `None` before.
        seconds_left: an estimate of the time until the target is reached; `None` until there is one.
        unsaved: why the last checkpoint couldn't be written; empty if it could.
    """

    iterations: int = 0
    seconds: float = 0.0
    curve: list[tuple[int, float, float]] = field(default_factory=list)
    evaluation: Evaluation | None = None
    seconds_left: float | None = None
    unsaved: str = ""

    @property
    def exploitability(self) -> float:
        """The exploitability at the last evaluation; infinite before the first one."""
        return self.curve[-1][2] if self.curve else float("inf")


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """Where and how often checkpoints are saved.

    Attributes:
        path: the file.
        every: seconds between two checkpoints.
    """

    path: Path
    every: float

    def save(self, solver: Solver, progress: Progress) -> None:
        """Write a checkpoint.

        Raises:
            CannotWrite: it can't be written.
        """
        checkpoints.save(solver, {"seconds": progress.seconds, "curve": progress.curve}, self.path)

    def load(self, solver: Solver) -> Progress:
        """Restore a new solver from the file, if there is one, and return its progress.

        Raises:
            CannotSolve: the file can't be read, or belongs to another solution.
        """
        if not self.path.exists():
            return Progress()
        record = checkpoints.load(solver, self.path)
        curve = [(int(done), float(seconds), float(value)) for done, seconds, value in record["curve"]]
        return Progress(solver.iterations, float(record["seconds"]), curve)


def solver_for(
    game: str,
    seats: int = 2,
    options: Mapping[str, object] | None = None,
    *,
    method: str = DEFAULT,
    threads: int = 1,
    memory: int | None = None,
    crew: Crew | None = None,
) -> Solver:
    """Return a solver for one hand of a digit game at stake 1.

    Another fixed stake multiplies every payoff: the equilibrium strategies are the same, and the values are multiplied.
    Effects on later hands, such as a carried stake, aren't modeled.

    Args:
        game: `dollar-bill` (flat payoffs, no rebids), `salomon-1986` or `slips`.
        seats: the number of players, 2 to 16.
        options: options that differ from the game's defaults, by name, as in a record.
        method: the name of an algorithm of :mod:`liarspoker.solve.algorithms`.
        threads: the number of threads, 1 to 256; the result doesn't depend on it.
        memory: the maximum memory in bytes; by default the free memory.
        crew: processes that store and traverse the subtrees in place of the threads.

    Raises:
        UnknownGame, BadSeats, BadOption: the game, the number of seats or an option isn't valid.
        CannotPlay: it isn't a digit game, or its tree is infinite.
        CannotFit: it needs more memory than is available; the message says what would fit.
        CannotSolve: there is no such algorithm, or `threads` is out of range.

    >>> solver = solver_for("dollar-bill", options={"hand_size": 1, "symbols": 2, "rebid": True})
    >>> progress = solve(solver, target=1e-3)
    >>> strategy = strategy_of(solver, progress, "dollar-bill", {"hand_size": 1, "symbols": 2, "rebid": True})
    >>> strategy.probabilities.shape
    (53, 2)
    """
    if not 1 <= threads <= MOST_THREADS:
        raise CannotSolve(f"threads: {threads}; it must be between 1 and {MOST_THREADS}")
    rules, chosen = rules_of(game, seats, options), algorithm(method)
    check_need(rules, chosen, free_memory() if memory is None else memory)
    if crew is None:
        return Solver(rules, chosen, threads)
    check_fits(2 * strategy_size(rules), f"{described(rules)}: on this machine, the strategy and what it is made from")
    return SharedSolver(rules, chosen, crew)


def rules_of(game: str, seats: int, options: Mapping[str, object] | None = None) -> Rules:
    """Return the rules of a table that can be solved.

    Raises:
        UnknownGame, BadSeats, BadOption: the game, the number of seats or an option isn't valid.
        CannotPlay: it isn't a digit game, or its tree is infinite.
    """
    changes = dict(options or {})
    if changes.get("loose_order") and changes.get("cap_level") is False:
        changes.pop("cap_level")  # if there are two reasons to reject the options, report the first one
    return packed(options_of(game, seats, changes), seats)


def solve_game(
    game: str,
    seats: int = 2,
    options: Mapping[str, object] | None = None,
    *,
    target: float = 1e-3,
    method: str = DEFAULT,
    most_iterations: int | None = None,
    threads: int = 1,
    memory: int | None = None,
) -> Strategy:
    """Solve one hand of a small digit game at stake 1 and return the strategy found.

    For two players it is an approximate Nash equilibrium. For more players there is no such guarantee.
    :func:`solver_for`, :func:`solve` and :func:`strategy_of` do the same step by step, with checkpoints and progress.

    Args:
        game: `dollar-bill`, `salomon-1986` or `slips`.
        seats: the number of players, 2 to 16.
        options: options that differ from the game's defaults, by name. Only small hands fit into memory, such as
            `{"hand_size": 2, "symbols": 2, "rebid": True}`.
        target: stop once the exploitability is at most this, in units per hand; :data:`FINEST` or more. For more than
            two players, it applies to the largest gain of a seat.
        method: an algorithm of :mod:`liarspoker.solve.algorithms`.
        most_iterations: the maximum number of iterations, 1 or more; `None` for no limit.
        threads: the number of threads, 1 to 256; the result doesn't depend on it.
        memory: the maximum memory in bytes; by default the free memory.

    Returns:
        The average strategy. Its `training` holds the exploitability reached, the value of the game to the opener, and
        how it was found.

    Raises:
        UnknownGame, BadSeats, BadOption: there is no such game, number of players or option.
        CannotPlay: it isn't a digit game, or its tree is infinite.
        CannotFit: it needs more memory than is available; the message says what would fit.
        CannotSolve: the target is too fine, there is no such algorithm, or `most_iterations` or `threads` is out of
            range.

    >>> strategy = solve_game("dollar-bill", options={"hand_size": 1, "symbols": 2, "rebid": True})
    >>> round(sum(strategy.action_probabilities("1").values()), 6), strategy.training["exploitability"] <= 1e-3
    (1.0, True)
    """
    solver = solver_for(game, seats, options, method=method, threads=threads, memory=memory)
    progress = solve(solver, target, most_iterations=most_iterations)
    return strategy_of(solver, progress, game, options)


def solve(
    solver: Solver,
    target: float,
    *,
    most_iterations: int | None = None,
    saves: Checkpoints | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Iterate until the exploitability is at most `target`.

    If the checkpoint file exists, the solution is resumed from it. Checkpoints are written periodically and when Ctrl-C
    stops the work; the file isn't deleted. Stopping and resuming doesn't change the iterations. If a checkpoint can't
    be written on the way, this is noted in the progress, and the work continues.

    Args:
        solver: a new solver.
        target: in units per hand at stake 1, :data:`FINEST` or more; for more than two players, it applies to the
            largest gain of a seat.
        most_iterations: the maximum number of iterations, 1 or more; `None` for no limit.
        saves: where checkpoints are saved, if at all.
        report: called a few times a second, or after every iteration if that takes longer.

    Returns:
        The final progress, with the last evaluation of the curve at the last iteration.

    Raises:
        KeyboardInterrupt: on Ctrl-C, once the iteration is complete and the checkpoint is written; on a second Ctrl-C,
            at once.
        CannotSolve: the target is too fine, `most_iterations` is below 1, or the checkpoint belongs to another
            solution.
        CannotWrite: the checkpoint can't be written after Ctrl-C.
    """
    if not target >= FINEST:
        raise CannotSolve(
            f"target: {target:g}; it must be {FINEST:g} or more, since the solver computes in 32-bit floats"
        )
    if most_iterations is not None and most_iterations < 1:
        raise CannotSolve(f"most_iterations: {most_iterations}; it must be 1 or more, or None for no limit")
    last = _ENDLESS if most_iterations is None else most_iterations
    progress = saves.load(solver) if saves else Progress()
    saved = perf_counter()
    with _stop_requested() as stop:
        while not _is_done(progress, target, last):
            begun = perf_counter()
            due = min(_next_evaluation(progress.curve, target), last)
            solver.iterate(_times(progress, due))
            found = solver.exploitability() if solver.iterations >= due else None
            _add(progress, solver, found, perf_counter() - begun, target)
            report(progress)
            if stop.is_set():
                if saves:
                    saves.save(solver, progress)
                raise KeyboardInterrupt
            if saves and perf_counter() - saved > saves.every:
                try:
                    saves.save(solver, progress)
                    progress.unsaved = ""
                except CannotWrite as error:
                    progress.unsaved = str(error)
                saved = perf_counter()
    progress.evaluation = solver.evaluate()
    return progress


def strategy_of(solver: Solver, progress: Progress, game: str, options: Mapping[str, object] | None = None) -> Strategy:
    """Return the average strategy with a record of how it was found, to be saved or played.

    Args:
        solver: a solver that is done; its regrets are freed first, to make room.
        progress: the return value of :func:`solve`.
        game: as for :func:`solver_for`.
        options: as for :func:`solver_for`.
    """
    solver.forget_regrets()
    table, record = average_strategy(solver), record_of(solver, progress)
    if not table.min(initial=0) >= 0:  # NaN too
        raise CannotSolve(
            "the average strategy contains a number that isn't a probability: please report this as a bug"
        )
    return Strategy.of(game, solver.rules.seats, options, table, record, normalized=True)


def record_of(solver: Solver, progress: Progress) -> dict[str, object]:
    """Return the record of how a strategy was found, as `liarspoker solve --json` prints it."""
    if progress.evaluation is None:
        raise CannotSolve("nothing has been solved yet")
    return {
        "algorithm": solver.algorithm.name,
        "iterations": progress.iterations,
        "seconds": progress.seconds,
        "exploitability": progress.exploitability,
        "value": progress.evaluation.values[0],
        "values": list(progress.evaluation.values),
        "gains": list(progress.evaluation.gains),
        "curve": [list(point) for point in progress.curve],
    }


@contextmanager
def _stop_requested() -> Iterator[Event]:
    """An event that the first Ctrl-C sets; a second Ctrl-C interrupts as usual."""
    requested = Event()
    if current_thread() is not main_thread():
        yield requested
        return
    usual = signal.getsignal(signal.SIGINT)

    def note(*_: object) -> None:
        requested.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, note)
    try:
        yield requested
    finally:
        signal.signal(signal.SIGINT, usual)


def _times(progress: Progress, due: int) -> int:
    """Return the number of iterations until the next report."""
    each = progress.seconds / progress.iterations if progress.iterations else _REPORT_EVERY
    return max(1, min(due - progress.iterations, int(_REPORT_EVERY / max(each, 1e-9))))


def _add(progress: Progress, solver: Solver, found: float | None, seconds: float, target: float) -> None:
    """Record the iterations done, and the exploitability if it was evaluated."""
    progress.iterations = solver.iterations
    progress.seconds += seconds
    if found is not None:
        progress.curve.append((progress.iterations, progress.seconds, found))
    progress.seconds_left = _seconds_left(progress, target)


def _is_done(progress: Progress, target: float, last: int) -> bool:
    """Return whether the last iteration was evaluated, and is good enough or the last one allowed."""
    if not progress.curve or progress.curve[-1][0] != progress.iterations:
        return False
    return progress.exploitability <= target or progress.iterations >= last


def _next_evaluation(curve: Curve, target: float) -> int:
    """Return the next iteration to evaluate: where the curve should reach the target, within bounds.

    An evaluation costs as much as a few iterations, and iterations after the target was met are wasted.
    """
    if not curve:
        return 1
    done = curve[-1][0]
    met = done * _times_as_many(curve, target)
    return max(done + 1, round(min(max(met, done * _NARROWEST), done * _WIDEST)))


def _times_as_many(curve: Curve, target: float) -> float:
    """Estimate the ratio of the iterations needed for the target to those done, from the last part of the curve."""
    last, _, exploitability = curve[-1]
    if exploitability <= target:
        return 1.0
    earlier = [(done, value) for done, _, value in curve if done <= last * 0.7 and value > exploitability]
    if not earlier:
        return _WIDEST
    done, value = earlier[-1]
    power = log(value / exploitability) / log(last / done)
    return exp(log(exploitability / target) / min(max(power, _FLATTEST), _STEEPEST))


def _seconds_left(progress: Progress, target: float) -> float | None:
    """Estimate the seconds until the target is reached; `None` while the curve is too short."""
    if len(progress.curve) < _ENOUGH:
        return None
    iterations = progress.curve[-1][0] * _times_as_many(progress.curve, target) - progress.iterations
    return max(0.0, iterations) * progress.seconds / progress.iterations
