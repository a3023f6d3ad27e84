"""`liarspoker solve`: the equilibrium of a small digit game, as a strategy in a file."""

from __future__ import annotations

import argparse
import json
import os
import sys
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING

from liarspoker.cli.typed_options import (
    DEFAULT_GAME,
    DEFAULT_PLAYERS,
    add_force,
    add_small_game,
    changes_of,
    positive,
    show,
)
from liarspoker.files import CannotWrite, check_writable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from liarspoker.solve.runner import Progress
    from liarspoker.solve.solver import Solver

DESCRIPTION = """Solve one hand of a small digit game: strategies that nobody can exploit by more
than the target, and the value of the game. With more than two players, what
each seat could still gain, which need never come down to the target: say how
many iterations. Ctrl-C keeps what is done; the same command goes on from there.
Payoffs are flat unless the game or an option says otherwise. Without --policy
the strategy goes into the cache, where it stays for a month."""

EXAMPLES = """examples:
  liarspoker solve --hand-size 2 --symbols 2 --rebid --target 1e-3
  liarspoker solve --hand-size 3 --symbols 3 --rebid --policy 3x3.strategy
  liarspoker solve salomon-1986 --hand-size 2 --symbols 3 --option hero=false
  liarspoker solve --players 3 --hand-size 1 --symbols 3 --iterations 1000"""

DEFAULT_TARGET = 1e-3
_BAR = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `solve`."""
    add_small_game(parser)
    parser.add_argument(
        "--target",
        type=_above_zero,
        default=DEFAULT_TARGET,
        metavar="E",
        help=f"stop at this exploitability, in units a hand ({DEFAULT_TARGET:g})",
    )
    parser.add_argument("--iterations", type=positive, metavar="I", help="stop after so many in any case")
    parser.add_argument("--algorithm", metavar="A", help="cfr+, pcfr+ or dcfr (cfr+)")
    parser.add_argument("--threads", type=positive, metavar="T", help="how many work at once (all cores)")
    parser.add_argument("--memory", type=_above_zero, metavar="GB", help="what it may take (what is free)")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="write the strategy there (the cache)")
    add_force(parser)
    parser.add_argument(
        "--keep-every", type=_above_zero, default=300.0, metavar="S", help="seconds between two checkpoints (300)"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="changes nothing: solving leaves nothing to chance")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Solve, save and report; 130 where Ctrl-C stopped it."""
    if args.policy is not None:
        check_writable(args.policy, args.force)
    from liarspoker.engine.errors import CannotSolve
    from liarspoker.solve.runner import Checkpoints, record_of, solve, solver_for, strategy_of

    game = args.game or DEFAULT_GAME
    changes = changes_of(args, game)
    solver = solver_for(
        game,
        args.players or DEFAULT_PLAYERS,
        changes,
        threads=args.threads or os.cpu_count() or 1,
        memory=None if args.memory is None else int(args.memory * 1e9),
        **({"method": args.algorithm} if args.algorithm else {}),
    )
    # The cache is ours, and the same command finds the same strategy again.
    overwrite = args.force or args.policy is None
    policy = args.policy or _cached(args, game, solver, changes)
    _check_room(policy, solver, overwrite)
    saves = Checkpoints(policy.with_name(f"{policy.name}.checkpoint"), args.keep_every)
    if saves.path.exists():
        print(f"going on from {saves.path}", file=sys.stderr)
    try:
        progress = solve(solver, args.target, most_iterations=args.iterations, saves=saves, report=_show_progress)
    except KeyboardInterrupt:
        _wipe_progress()
        done = f" after {_iterations(solver.iterations)}" if solver.iterations else ""
        then = "the same command goes on from there" if saves.path.exists() else "nothing was kept"
        print(f"stopped{done}; {then}", file=sys.stderr)
        return 130
    _wipe_progress()
    record = record_of(solver, progress)
    try:
        _check_room(policy, solver, overwrite)
    except (CannotSolve, CannotWrite):
        saves.save(solver, progress)
        print("the solution is kept; the same command writes it once there is a place for it", file=sys.stderr)
        raise
    strategy_of(solver, progress, game, changes).save(policy, overwrite)
    saves.path.unlink(missing_ok=True)
    report = {"game": game, "players": solver.rules.seats, "options": changes, **record, "policy": str(policy)}
    print(json.dumps(report) if args.json else "\n".join(_told(game, args, solver, progress, policy)))
    return 0


def _cached(args: argparse.Namespace, game: str, solver: Solver, changes: dict[str, object]) -> Path:
    """The file in the cache for a strategy to which nobody gave a name; another one for every other question."""
    from liarspoker.engine.compiling.place import folder_of

    asked = {name: getattr(args, name) for name in ("target", "iterations", "algorithm")}
    goal = "".join(f"-{name}={value}" for name, value in asked.items() if value is not None)
    try:
        return folder_of(_table_name(game, solver, changes) + goal, "strategies") / "policy.strategy"
    except OSError as error:
        raise CannotWrite(f"{error.filename}: {error.strerror}; say with --policy where the strategy goes") from error


def _table_name(game: str, solver: Solver, changes: dict[str, object]) -> str:
    """The game with its rules, another name for every other table."""
    rules = solver.rules
    told = ("hand_size", "symbols", "rebid")
    others = "".join(f"-{name}={str(value).lower()}" for name, value in sorted(changes.items()) if name not in told)
    rebid = "-rebid" if rules.rebid else ""
    return f"{game}-{rules.seats}p-{rules.hand_size}x{rules.symbols}{rebid}{others}"


def _check_room(policy: Path, solver: Solver, overwrite: bool) -> None:
    """Find out before the work whether there is a place for its result."""
    from shutil import disk_usage

    from liarspoker.engine.errors import CannotSolve
    from liarspoker.engine.memory import amount_of

    check_writable(policy, overwrite)
    size = solver.strategy_size
    if disk_usage(policy.absolute().parent).free < size:
        raise CannotSolve(f"{policy}: it will have {amount_of(size)}, and that is more than is free on the disk")


def _show_progress(progress: Progress) -> None:
    """One line on a terminal, rewritten in place; what could not be kept is said on a line of its own, once."""
    if progress.unsaved:
        _wipe_progress()
        print(f"no checkpoint: {progress.unsaved}; the work goes on", file=sys.stderr)
        progress.unsaved = ""
    found = f", exploitability {progress.exploitability:.2g}" if progress.curve else ""
    left = "" if progress.seconds_left is None else f", about {_time_text(progress.seconds_left)} left"
    show(f"iteration {progress.iterations:,}{found}{left}", 70)


def _wipe_progress() -> None:
    show("", 70)


def _told(game: str, args: argparse.Namespace, solver: Solver, progress: Progress, policy: Path) -> Iterator[str]:
    """The solution for a person: the curve, and what came out."""
    from liarspoker.solve.memory import described

    rules, found = solver.rules, progress.evaluation
    yield f"{game}, {described(rules)}"
    yield from (f"  {name}={value}" for name, value in args.option)
    yield ""
    yield "iterations  seconds  exploitability"
    for iterations, seconds, exploitability in progress.curve:
        yield f"{iterations:10,}  {seconds:7.2f}  {exploitability:14.6f}  {_bar(exploitability)}".rstrip()
    yield ""
    if found is not None and rules.seats == 2:
        yield f"value of the game to the opener: {found.values[0]:+.5f} units a hand"
    elif found is not None:
        yield "seat  wins a hand  could gain"
        for seat, (value, gain) in enumerate(zip(found.values, found.gains, strict=True)):
            yield f"{seat:4}  {value:+11.5f}  {gain:10.5f}"
    met = "" if progress.exploitability <= args.target else f", more than the target of {args.target:g}"
    yield f"exploitability: {progress.exploitability:.6f}{met}"
    yield f"{_iterations(progress.iterations)} of {solver.algorithm.name} in {_time_text(progress.seconds)}"
    yield f"the strategy is in {policy}"


def _iterations(number: int) -> str:
    return "1 iteration" if number == 1 else f"{number:,} iterations"


def _bar(exploitability: float) -> str:
    """A bar that is longer for more, ten signs for each power of ten above 1e-4."""
    return "#" * max(0, min(_BAR, round(10 * (log10(max(exploitability, 1e-9)) + 4))))


def _time_text(seconds: float) -> str:
    """A time in words.

    >>> _time_text(0.042), _time_text(75), _time_text(5000)
    ('0.04 s', '1 min 15 s', '1 h 23 min')
    """
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:.0f} min"


def _above_zero(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number
