"""`liarspoker exploit --local`: what a local best responder wins, at games of any size."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from secrets import randbelow
from time import perf_counter
from typing import TYPE_CHECKING, Any

from liarspoker.cli.small_games import (
    DEFAULT_GAME,
    DEFAULT_PLAYERS,
    changes_of,
    loaded_strategy,
    positive,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from liarspoker.engine.table import Table
    from liarspoker.solve.beliefs.local_response import Gain
    from liarspoker.solve.beliefs.policies import MixedPolicy

DEFAULT_ROUNDS = 1000


def add_local(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `exploit` that are about a local best response."""
    local = parser.add_argument_group("local best response, for games that are too large to be looked at whole")
    local.add_argument("--local", action="store_true", help="what looking one step ahead wins, beliefs exact")
    local.add_argument("--rounds", type=positive, metavar="R", help=f"hands to be played ({DEFAULT_ROUNDS})")
    local.add_argument("--seed", type=int, metavar="S", help="of all chance (drawn)")
    local.add_argument("--jobs", type=positive, metavar="J", help="processes (1)")
    parser.set_defaults(usage_error=parser.error)


def run_local(args: argparse.Namespace) -> int:
    """Play and report; 130 where Ctrl-C stopped it, with the results so far."""
    from liarspoker.solve.beliefs.local_response import gains

    for name in ("after", "save"):
        if getattr(args, name) is not None:
            args.usage_error(f"--{name} is of exact best responses, and --local looks for none")
    if args.stake != 1:
        args.usage_error("--local plays for a stake of 1; any other multiplies what it tells")
    seed, rounds = randbelow(1 << 32) if args.seed is None else args.seed, args.rounds or DEFAULT_ROUNDS
    table, changes, policy = _played_against(args)
    gain, stopped, begun = None, False, perf_counter()
    try:
        for gain in gains(table, policy, rounds, seed, jobs=args.jobs or 1):
            show(f"{100 * gain.rounds // rounds:3d}%  {gain.rounds:,} of {rounds:,} hands")
    except KeyboardInterrupt:
        stopped = True
    show("")
    if stopped:
        print(f"stopped after {0 if gain is None else gain.rounds:,} of {rounds:,} hands", file=sys.stderr)
    if gain is not None:
        report = _report(args, table, changes, gain, seed, perf_counter() - begun)
        print(json.dumps(report) if args.json else "\n".join(_told(report)))
    return 130 if stopped else 0


def _played_against(args: argparse.Namespace) -> tuple[Table, dict[str, object], MixedPolicy]:
    """The table, the options that differ from its game's, and how all others play."""
    from liarspoker.core import catalogue
    from liarspoker.engine.errors import CannotBelieve
    from liarspoker.engine.table import Table
    from liarspoker.games.digits.weighing import WEIGHINGS, weighing
    from liarspoker.solve.beliefs.bot_policy import BotPolicy
    from liarspoker.solve.beliefs.policies import TablePolicy, Uniform

    name: str = args.strategy
    if name == "uniform" or name in WEIGHINGS:
        game, players = args.game or DEFAULT_GAME, args.players or DEFAULT_PLAYERS
        table = Table.of(game, players, changes_of(args, game), family="digits", from_slips=False)
        loaded: Any = catalogue.load(game)
        changes = loaded.options(changes_of(args, game)).changes_from(loaded.options())
        return table, changes, Uniform() if name == "uniform" else BotPolicy(weighing(name))
    if not Path(name).exists():
        known = ", ".join(("uniform", *WEIGHINGS))
        raise CannotBelieve(f"{name}: a local best response knows how strategies in files play, and {known}")
    strategy = loaded_strategy(args)
    table = Table.of(strategy.game, strategy.seats, strategy.changes, family="digits", from_slips=False)
    return table, strategy.changes, TablePolicy(strategy)


def _report(
    args: argparse.Namespace, table: Table, changes: dict[str, object], gain: Gain, seed: int, seconds: float
) -> dict[str, Any]:
    """The figures, under the names that --json gives them."""
    return {
        "strategy": args.strategy,
        "game": table.game,
        "players": table.rules.seats,
        "options": changes,
        "local": True,
        "seed": seed,
        "rounds": gain.rounds,
        "gain": [gain.mean, gain.half_width],
        "seats": [{"seat": seat, "gain": list(won)} for seat, won in enumerate(gain.seats)],
        "seconds": seconds,
    }


def _told(report: dict[str, Any]) -> Iterator[str]:
    """The figures for a person."""
    players, hands = report["players"], report["rounds"]
    yield f"a local best responder among {report['strategy']}, {report['game']}, {players} players, {hands:,} hands"
    yield from (f"  {name} = {str(value).lower()}" for name, value in report["options"].items())
    yield ""
    yield "seat  units a hand  95% interval"
    for one in report["seats"]:
        yield f"{one['seat']:4}  {_units(*one['gain'])}"
    yield f" all  {_units(*report['gain'])}"
    yield ""
    yield f"a best response wins as much at least; seed {report['seed']}, {report['seconds']:.1f} s"


def _units(mean: float, half: float | None) -> str:
    return f"{mean:+12.4f}  {'-' if half is None else f'± {half:.4f}':>12}"
