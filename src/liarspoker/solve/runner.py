"""Solving a game by name until a target: when to evaluate, when to save a checkpoint, and the strategy found."""

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
from liarspoker.engine.memory import free_memory
from liarspoker.files import CannotWrite
from liarspoker.games.digits.options import packed
from liarspoker.solve import checkpoints
from liarspoker.solve.algorithms import DEFAULT, algorithm
from liarspoker.solve.memory import check_need
from liarspoker.solve.solver import MOST_THREADS, Evaluation, Solver, average_strategy
from liarspoker.solve.strategy import Strategy, options_of

FINEST = 1e-6
"""The least exploitability that can be measured: regrets and sums have 24 significant bits."""

_WIDEST = 2.0
_NARROWEST = 1.03
"""Bounds of the ratio of iterations between two evaluations."""

_STEEPEST = 4.0
_FLATTEST = 0.5
"""Bounds of the power of the iterations with which the exploitability is assumed to fall."""

_REPORT_EVERY = 0.1
"""Seconds of iterations between two reports."""

_ENOUGH = 5
"""Evaluations before the remaining time is estimated."""

_ENDLESS = 1 << 62

Curve = Sequence[tuple[int, float, float]]


@dataclass(slots=True)
class Progress:
    """How far a solution has come.

    Attributes:
        iterations: done.
        seconds: of wall time that they took, including those before a stop.
        curve: iterations, seconds and exploitability at each evaluation, the last one last.
        evaluation: at the end; `None` before.
        seconds_left: an estimate until the target; `None` before there is one.
        unsaved: why the last checkpoint could not be written; empty if it could.
    """

    iterations: int = 0
    seconds: float = 0.0
    curve: list[tuple[int, float, float]] = field(default_factory=list)
    evaluation: Evaluation | None = None
    seconds_left: float | None = None
    unsaved: str = ""

    @property
    def exploitability(self) -> float:
        """At the last evaluation; infinite before the first."""
        return self.curve[-1][2] if self.curve else float("inf")


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """Where and how often a checkpoint is saved.

    Attributes:
        path: the file.
        every: seconds between two checkpoints.
    """

    path: Path
    every: float

    def save(self, solver: Solver, progress: Progress) -> None:
        """Write one, such as of a solution that is done but can't be written.

        Raises:
            CannotWrite: it can't be written.
        """
        checkpoints.save(solver, {"seconds": progress.seconds, "curve": progress.curve}, self.path)

    def load(self, solver: Solver) -> Progress:
        """Put a new solver into the state of the file, if there is one, and return the progress saved with it.

        Raises:
            CannotSolve: it can't be read, or belongs to something else.
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
) -> Solver:
    """Return a solver for one hand of a digit game at stake 1.

    Another fixed stake multiplies every payoff: the same strategies are in equilibrium, and the values are multiplied.
    What a hand leaves to the next one, such as a carried stake, isn't modelled.

    Args:
        game: `dollar-bill` (flat payoffs, no rebids), `salomon-1986` or `slips`.
        seats: 2 to 16.
        options: those that differ from the game's own, names and values as in a record.
        method: an algorithm's name.
        threads: how many work in parallel, 1 to `MOST_THREADS`; they change only the time.
        memory: bytes that it may take; by default the free memory.

    Raises:
        UnknownGame, BadSeats, BadOption: as the rules have it.
        CannotPlay: it isn't a digit game, or its tree has no end.
        CannotFit: it takes more memory than there is; the message says what would fit.
        CannotSolve: there is no such algorithm, or too many threads.

    >>> solver = solver_for("dollar-bill", options={"hand_size": 1, "symbols": 2, "rebid": True})
    >>> progress = solve(solver, target=1e-3)
    >>> strategy = strategy_of(solver, progress, "dollar-bill", {"hand_size": 1, "symbols": 2, "rebid": True})
    >>> strategy.probabilities.shape
    (53, 2)
    """
    if not 1 <= threads <= MOST_THREADS:
        raise CannotSolve(f"threads: {threads}; it takes 1 to {MOST_THREADS}")
    changes = dict(options or {})
    if changes.get("loose_order") and changes.get("cap_level") is False:
        changes.pop("cap_level")  # of two reasons to refuse, the first is reported
    rules = packed(options_of(game, seats, changes), seats)
    chosen = algorithm(method)
    check_need(rules, chosen, free_memory() if memory is None else memory)
    return Solver(rules, chosen, threads)


def solve(
    solver: Solver,
    target: float,
    *,
    most_iterations: int | None = None,
    saves: Checkpoints | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Iterate until the exploitability is at most `target`.

    If the checkpoint's file exists, the solution goes on from it. It is written periodically and when Ctrl-C stops the
    work, and stays where it is. The iterations are the same with and without a stop. A checkpoint that can't be written
    on the way is noted in the progress, and the work goes on.

    Args:
        solver: a new one.
        target: in units a hand at stake 1, `FINEST` or more; for more than two players of the greatest gain of a seat.
        most_iterations: the maximum number of iterations.
        saves: where checkpoints are saved, if they are.
        report: called some times a second, or after every iteration if that takes longer.

    Returns:
        The state at the end, with the last evaluation of the curve at the very last iteration.

    Raises:
        KeyboardInterrupt: Ctrl-C, once the iteration is complete and the checkpoint written; a second Ctrl-C at once.
        CannotSolve: the target is too fine, or the checkpoint is for something else.
        CannotWrite: the checkpoint can't be written at the stop.
    """
    if not target >= FINEST:
        raise CannotSolve(f"target: {target:g}; numbers of 32 bits tell nothing below {FINEST:g}")
    last = most_iterations or _ENDLESS
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
    """Return the average strategies with the record of how they were found, to be saved or played.

    Args:
        solver: when it is done; its regrets are freed first, to make room.
        progress: what `solve` returned.
        game: as it was for `solver_for`.
        options: as they were for `solver_for`.
    """
    solver.forget_regrets()
    table, record = average_strategy(solver), record_of(solver, progress)
    if not table.min(initial=0) >= 0:  # NaN too
        raise CannotSolve("the average strategies hold a number that is no probability: please report this as a bug")
    return Strategy.of(game, solver.rules.seats, options, table, record, normalized=True)


def record_of(solver: Solver, progress: Progress) -> dict[str, object]:
    """Return how a strategy was found, as `liarspoker solve --json` prints it."""
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
    """An event that the first Ctrl-C sets, and nothing else happens; a second one interrupts as always."""
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
    """Iterations until the next report."""
    each = progress.seconds / progress.iterations if progress.iterations else _REPORT_EVERY
    return max(1, min(due - progress.iterations, int(_REPORT_EVERY / max(each, 1e-9))))


def _add(progress: Progress, solver: Solver, found: float | None, seconds: float, target: float) -> None:
    """Note what has been done, and the exploitability if it was evaluated."""
    progress.iterations = solver.iterations
    progress.seconds += seconds
    if found is not None:
        progress.curve.append((progress.iterations, progress.seconds, found))
    progress.seconds_left = _seconds_left(progress, target)


def _is_done(progress: Progress, target: float, last: int) -> bool:
    """Whether the last evaluation was at the last iteration, and good enough or the last one allowed."""
    if not progress.curve or progress.curve[-1][0] != progress.iterations:
        return False
    return progress.exploitability <= target or progress.iterations >= last


def _next_evaluation(curve: Curve, target: float) -> int:
    """The iteration to evaluate next: where the curve may meet the target, but neither too soon nor too late.

    An evaluation costs as much as some iterations, and those after the target was met are wasted.
    """
    if not curve:
        return 1
    done = curve[-1][0]
    met = done * _times_as_many(curve, target)
    return max(done + 1, round(min(max(met, done * _NARROWEST), done * _WIDEST)))


def _times_as_many(curve: Curve, target: float) -> float:
    """The estimated ratio of the iterations for the target to those done, from the curve's last part."""
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
    """Until the target; `None` while the curve is too short."""
    if len(progress.curve) < _ENOUGH:
        return None
    iterations = progress.curve[-1][0] * _times_as_many(progress.curve, target) - progress.iterations
    return max(0.0, iterations) * progress.seconds / progress.iterations
