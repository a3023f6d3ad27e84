"""Solving until it is good enough: when to look, how long it will still take, and when to keep a checkpoint."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path
from threading import Event, current_thread, main_thread
from time import perf_counter
from typing import Any

from liarspoker.engine.errors import CannotSolve
from liarspoker.engine.solving import checkpoints
from liarspoker.engine.solving.solver import Solver, Standing
from liarspoker.files import CannotWrite

FINEST = 1e-6
"""The least exploitability that can be told: regrets and sums have 24 significant bits."""

_WIDEST = 2.0
_NARROWEST = 1.03
"""How far apart two looks at the exploitability are, as a ratio of iterations."""

_STEEPEST = 4.0
_FLATTEST = 0.5
"""Between which powers of the iterations the exploitability is believed to fall."""


_TOLD_EVERY = 0.1
"""Seconds of iterations between two reports."""

_CURVE_TELLS = 5
"""Looks before anything is foretold."""

_ENDLESS = 1 << 62


@dataclass(slots=True)
class Progress:
    """How far a solution has come.

    Attributes:
        iterations: done.
        seconds: of wall time that they took, before a stop as well.
        curve: iterations, seconds and exploitability whenever it was looked at, the last look last.
        standing: in the end; `None` before.
        seconds_left: until the target, as far as the curve tells; `None` before it does.
        unkept: why the last checkpoint could not be written; empty where it could.
    """

    iterations: int = 0
    seconds: float = 0.0
    curve: list[tuple[int, float, float]] = field(default_factory=list)
    standing: Standing | None = None
    seconds_left: float | None = None
    unkept: str = ""

    @property
    def exploitability(self) -> float:
        """At the last look; infinite before the first."""
        return self.curve[-1][2] if self.curve else float("inf")


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where and how often a checkpoint is kept.

    Attributes:
        path: the file.
        every: seconds between two checkpoints.
    """

    path: Path
    every: float


def solve(
    solver: Solver,
    target: float,
    *,
    most_iterations: int | None = None,
    keeping: Keeping | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Iterate until the exploitability is at most `target`.

    If the checkpoint's file is there, the solution goes on from it. It is written every now and then and when Ctrl-C
    stops the work, and stays where it is. The iterations are the same with and without a stop. A checkpoint that cannot
    be written on the way is noted in the progress, and the work goes on.

    Args:
        solver: a new one.
        target: in units a hand at stake 1, `FINEST` or more; for more than two players of the greatest gain of a seat.
        most_iterations: stop after so many in any case.
        keeping: keep checkpoints.
        report: is called some times a second, or after every iteration if that takes longer.

    Returns:
        Where it stands, the last look of the curve at its very end.

    Raises:
        KeyboardInterrupt: Ctrl-C, once the iteration is whole and the checkpoint written; a second Ctrl-C at once.
        CannotSolve: the target is too fine, or the checkpoint is for something else.
        CannotWrite: the checkpoint can't be written at the stop.
    """
    if not target >= FINEST:
        raise CannotSolve(f"target: {target:g}; numbers of 32 bits tell nothing below {FINEST:g}")
    progress, last = Progress(), most_iterations or _ENDLESS
    if keeping and keeping.path.exists():
        progress = _restored(checkpoints.load(solver, keeping.path), solver)
    kept = perf_counter()
    with _stop_asked_for() as stop:
        while not _is_done(progress, target, last):
            begun = perf_counter()
            look = min(_next_look(progress.curve, target), last)
            solver.iterate(_times(progress, look))
            found = solver.exploitability() if solver.iterations >= look else None
            _add(progress, solver, found, perf_counter() - begun, target)
            report(progress)
            if stop.is_set():
                if keeping:
                    checkpoints.save(solver, _record(progress), keeping.path)
                raise KeyboardInterrupt
            if keeping and perf_counter() - kept > keeping.every:
                progress.unkept = _kept(solver, progress, keeping.path)
                kept = perf_counter()
    progress.standing = solver.standing()
    return progress


@contextmanager
def _stop_asked_for() -> Iterator[Event]:
    """An event that the first Ctrl-C sets, and nothing else happens; a second one interrupts as always."""
    asked = Event()
    if current_thread() is not main_thread():
        yield asked
        return
    usual = signal.getsignal(signal.SIGINT)

    def note(*_: object) -> None:
        asked.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, note)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, usual)


def _kept(solver: Solver, progress: Progress, path: Path) -> str:
    """Write a checkpoint on the way; why it could not be written, or nothing."""
    try:
        checkpoints.save(solver, _record(progress), path)
    except CannotWrite as error:
        return str(error)
    return ""


def keep(solver: Solver, progress: Progress, keeping: Keeping) -> None:
    """Write the checkpoint of a solution, such as one that is ready but has no place to go.

    Raises:
        CannotWrite: it can't be written.
    """
    checkpoints.save(solver, _record(progress), keeping.path)


def _times(progress: Progress, look: int) -> int:
    """Iterations until somebody is told again."""
    each = progress.seconds / progress.iterations if progress.iterations else _TOLD_EVERY
    return max(1, min(look - progress.iterations, int(_TOLD_EVERY / max(each, 1e-9))))


def _add(progress: Progress, solver: Solver, found: float | None, seconds: float, target: float) -> None:
    """Note what has been done, and the exploitability where it was looked at."""
    progress.iterations = solver.iterations
    progress.seconds += seconds
    if found is not None:
        progress.curve.append((progress.iterations, progress.seconds, found))
    progress.seconds_left = _seconds_left(progress, target)


def _is_done(progress: Progress, target: float, last: int) -> bool:
    """Whether the last look was at the last iteration, and good enough or the last one allowed."""
    if not progress.curve or progress.curve[-1][0] != progress.iterations:
        return False
    return progress.exploitability <= target or progress.iterations >= last


def _next_look(curve: Sequence[tuple[int, float, float]], target: float) -> int:
    """The iteration after which to look again: where the curve may meet the target, but neither too soon nor too late.

    A look costs as much as some iterations, and what is found too late was iterated for nothing.
    """
    if not curve:
        return 1
    done = curve[-1][0]
    met = done * _times_as_many(curve, target)
    return max(done + 1, round(min(max(met, done * _NARROWEST), done * _WIDEST)))


def _times_as_many(curve: Sequence[tuple[int, float, float]], target: float) -> float:
    """How many times as many iterations the target may take, from the curve's last part."""
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
    """Until the target; `None` before the curve tells."""
    if len(progress.curve) < _CURVE_TELLS:
        return None
    iterations = progress.curve[-1][0] * _times_as_many(progress.curve, target) - progress.iterations
    return max(0.0, iterations) * progress.seconds / progress.iterations


def _record(progress: Progress) -> dict[str, Any]:
    """What a checkpoint keeps of the progress."""
    return {"seconds": progress.seconds, "curve": progress.curve}


def _restored(record: dict[str, Any], solver: Solver) -> Progress:
    """The progress that a checkpoint kept."""
    curve = [(int(done), float(seconds), float(value)) for done, seconds, value in record["curve"]]
    return Progress(solver.iterations, float(record["seconds"]), curve)
