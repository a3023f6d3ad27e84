"""`liarspoker solve`: the equilibrium of a small digit game, saved as a strategy."""

from __future__ import annotations

import argparse
import json
import os
import sys
from functools import partial
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING

from liarspoker.cli.arguments import (
    DEFAULT_GAME,
    DEFAULT_PLAYERS,
    UsageError,
    add_force,
    add_jobs,
    add_json,
    add_output,
    add_seed,
    add_small_game,
    changes_of,
    integer,
    positive_number,
)
from liarspoker.cli.progress import Progress
from liarspoker.cli.style import heading
from liarspoker.files import CannotWrite, check_writable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from liarspoker.research.cluster import ClusterCrew
    from liarspoker.solve.runner import Progress as Solution
    from liarspoker.solve.solver import Solver

DESCRIPTION = """Solve one hand of a small digit game: find strategies that can be exploited by
at most the target, and the value of the game. With more than two players the
report says how much each seat could gain by deviating; this need never reach
the target, so give --iterations. Ctrl-C saves a checkpoint; the same command
continues from it. Payoffs are flat unless the game or an option says otherwise.
Without --output the strategy is saved in the cache for a month."""

EXAMPLES = """examples:
  liarspoker solve --hand-size 2 --symbols 2 --rebid --target 1e-3
  liarspoker solve --hand-size 3 --symbols 3 --rebid -o 3x3.strategy
  liarspoker solve salomon-1986 --hand-size 2 --symbols 3 --option hero=false
  liarspoker solve --players 3 --hand-size 1 --symbols 3 --iterations 1000"""

DEFAULT_TARGET = 1e-3
_BAR = 40


ALGORITHMS = ("dcfr", "cfr+", "pcfr+")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `solve`."""
    parser.usage = "liarspoker solve [GAME] [options]"
    add_small_game(parser)
    parser.add_argument(
        "--target",
        type=positive_number,
        default=DEFAULT_TARGET,
        metavar="E",
        help=f"target exploitability, in units per hand ({DEFAULT_TARGET:g})",
    )
    parser.add_argument("--iterations", type=integer(1), metavar="I", help="maximum number of iterations")
    parser.add_argument("--algorithm", choices=ALGORITHMS, metavar="A", help="dcfr, cfr+ or pcfr+ (dcfr)")
    add_jobs(parser, "number of threads or processes (all cores)", "--threads")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="share the tree on a Ray cluster: host:port, auto, or local"
    )
    parser.add_argument("--memory", type=positive_number, metavar="GB", help="memory limit (all free memory)")
    add_output(parser, "the file for the strategy (in the cache)", "--policy", type=Path)
    add_force(parser)
    parser.add_argument(
        "--keep-every", type=positive_number, default=300.0, metavar="S", help="seconds between checkpoints (300)"
    )
    add_seed(parser, "accepted for consistency; solving isn't random")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Solve, save and report; return 130 if Ctrl-C stopped it."""
    if args.output is not None:
        check_writable(args.output, args.force)
    game = args.game or DEFAULT_GAME
    changes = changes_of(args, game)
    _check(args, game, changes)
    if args.cluster is None:
        return _run(args, game, changes, None)
    from liarspoker.research.cluster import crew_of

    with crew_of(args.cluster, args.jobs) as crew:
        return _run(args, game, changes, crew)


def _run(args: argparse.Namespace, game: str, changes: dict[str, object], crew: ClusterCrew | None) -> int:
    from liarspoker.engine.errors import CannotSolve
    from liarspoker.solve.runner import Checkpoints, record_of, solve, strategy_of

    solver = _solver(args, game, changes, crew)
    # A cached file may be overwritten, since the same command always finds the same strategy.
    overwrite = args.force or args.output is None
    policy = args.output or _cached(args, game, solver, changes)
    _check_room(policy, solver, overwrite)
    saves = Checkpoints(policy.with_name(f"{policy.name}.checkpoint"), args.keep_every)
    if saves.path.exists():
        print(f"continuing from {saves.path}", file=sys.stderr)
    with Progress("Solving", "iterations") as progress:
        report = partial(_show_progress, progress)
        try:
            solution = solve(solver, args.target, most_iterations=args.iterations, saves=saves, report=report)
        except KeyboardInterrupt:
            progress.close()
            done = f" after {_iterations(solver.iterations)}" if solver.iterations else ""
            then = "the same command continues from there" if saves.path.exists() else "nothing was saved"
            print(f"stopped{done}; {then}", file=sys.stderr)
            return 130
    record = record_of(solver, solution)
    try:
        _check_room(policy, solver, overwrite)
    except (CannotSolve, CannotWrite):
        saves.save(solver, solution)
        print("the solution is saved; the same command writes it once the file can be written", file=sys.stderr)
        raise
    strategy_of(solver, solution, game, changes).save(policy, overwrite)
    saves.path.unlink(missing_ok=True)
    if args.json:
        print(json.dumps(_report(game, solver, changes, record, policy)))
    else:
        print("\n".join(_lines(game, args, solver, solution, policy)))
    return 0


def _check(args: argparse.Namespace, game: str, changes: dict[str, object]) -> None:
    """Check the arguments before a cluster starts.

    Raises:
        UsageError: an option or its value is wrong.
    """
    from liarspoker.core.errors import BadOption, BadSeats
    from liarspoker.solve.runner import FINEST, rules_of

    if args.target < FINEST:
        raise UsageError(f"--target {args.target:g}: it can't be below {FINEST:g}, the precision of 32-bit numbers")
    try:
        rules_of(game, args.players or DEFAULT_PLAYERS, changes)
    except (BadOption, BadSeats) as error:
        raise UsageError(str(error)) from error


def _solver(args: argparse.Namespace, game: str, changes: dict[str, object], crew: ClusterCrew | None) -> Solver:
    """Return a solver for the table that the arguments describe.

    Raises:
        LiarsPokerError: the game can't be solved, for instance because it is too large.
    """
    from liarspoker.solve.runner import solver_for

    method = {"method": args.algorithm} if args.algorithm else {}
    memory = None if args.memory is None else int(args.memory * 1e9)
    players = args.players or DEFAULT_PLAYERS
    if crew is None:
        return solver_for(game, players, changes, threads=args.jobs or os.cpu_count() or 1, memory=memory, **method)
    return solver_for(game, players, changes, crew=crew, memory=memory or crew.memory, **method)


def _report(
    game: str, solver: Solver, changes: dict[str, object], record: dict[str, object], policy: Path
) -> dict[str, object]:
    """Return the figures with the names that --json gives them."""
    curve = record["curve"]
    assert isinstance(curve, list | tuple)
    named = [dict(zip(("iterations", "seconds", "exploitability"), point, strict=True)) for point in curve]
    table = {"game": game, "players": solver.rules.seats, "options": changes}
    return {**table, **record, "convergence": named, "policy": str(policy)}


def _cached(args: argparse.Namespace, game: str, solver: Solver, changes: dict[str, object]) -> Path:
    """Return the file in the cache for a strategy without a name; it differs for every table and every goal."""
    from liarspoker.cache import folder_of

    wanted = {"target": args.target, "iterations": args.iterations, "algorithm": solver.algorithm.name}
    goal = "".join(f"-{name}={value}" for name, value in wanted.items() if value is not None)
    try:
        return folder_of(_table_name(game, solver, changes) + goal, "strategies") / "policy.strategy"
    except OSError as error:
        raise CannotWrite(f"{error.filename}: {error.strerror}; name a file for the strategy with --output") from error


def _table_name(game: str, solver: Solver, changes: dict[str, object]) -> str:
    """Return the game with its rules; the name differs for every table."""
    rules = solver.rules
    named = ("hand_size", "symbols", "rebid")
    others = "".join(f"-{name}={str(value).lower()}" for name, value in sorted(changes.items()) if name not in named)
    rebid = "-rebid" if rules.rebid else ""
    return f"{game}-{rules.seats}p-{rules.hand_size}x{rules.symbols}{rebid}{others}"


def _check_room(policy: Path, solver: Solver, overwrite: bool) -> None:
    """Check, before the work, that its result can be written.

    Raises:
        CannotSolve: the disk is too full.
        CannotWrite: the file can't be written.
    """
    from shutil import disk_usage

    from liarspoker.engine.errors import CannotSolve
    from liarspoker.engine.memory import amount_of
    from liarspoker.solve.memory import strategy_size

    check_writable(policy, overwrite)
    size = strategy_size(solver.rules)
    if disk_usage(policy.absolute().parent).free < size:
        raise CannotSolve(f"{policy}: needs {amount_of(size)}, which is more than the disk has free")


def _show_progress(progress: Progress, solution: Solution) -> None:
    """Show the progress; report once, on a line of its own, that a checkpoint could not be written."""
    if solution.unsaved:
        progress.report(f"no checkpoint: {solution.unsaved}; solving continues")
        solution.unsaved = ""
    found = f", exploitability {solution.exploitability:.2g}" if solution.curve else ""
    left = "" if solution.seconds_left is None else f", about {_time_text(solution.seconds_left)} left"
    progress.update(solution.iterations, note=f"{found}{left}".removeprefix(", "))


def _lines(game: str, args: argparse.Namespace, solver: Solver, solution: Solution, policy: Path) -> Iterator[str]:
    """Yield the solution as text: the curve and the result."""
    from liarspoker.solve.memory import described

    rules, found = solver.rules, solution.evaluation
    yield f"{game}, {described(rules)}"
    yield from (f"  {name}={value}" for name, value in args.option)
    yield ""
    yield heading("iterations  seconds  exploitability")
    for iterations, seconds, exploitability in solution.curve:
        yield f"{iterations:10,}  {seconds:7.2f}  {exploitability:14.6f}  {_bar(exploitability)}".rstrip()
    yield ""
    if found is not None and rules.seats == 2:
        yield f"value of the game to the opener: {found.values[0]:+.5f} units per hand"
    elif found is not None:
        yield heading("seat  units per hand  possible gain")
        for seat, (value, gain) in enumerate(zip(found.values, found.gains, strict=True)):
            yield f"{seat:4}  {value:+14.5f}  {gain:13.5f}"
    met = "" if solution.exploitability <= args.target else f", above the target of {args.target:g}"
    yield f"exploitability: {solution.exploitability:.6f}{met}"
    yield f"{_iterations(solution.iterations)} of {solver.algorithm.name} in {_time_text(solution.seconds)}"
    yield f"strategy saved in {policy}"


def _iterations(number: int) -> str:
    return "1 iteration" if number == 1 else f"{number:,} iterations"


def _bar(exploitability: float) -> str:
    """Return a bar on a logarithmic scale: ten characters for each power of ten above 1e-4."""
    return "#" * max(0, min(_BAR, round(10 * (log10(max(exploitability, 1e-9)) + 4))))


def _time_text(seconds: float) -> str:
    """Return a time in words.

    >>> _time_text(0.042), _time_text(75), _time_text(5000)
    ('0.04 s', '1 min 15 s', '1 h 23 min')
    """
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:.0f} min"
