"""`liarspoker train`: a neural network that learns a game by playing against itself."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from liarspoker.cli.arguments import (
    DEFAULT_PLAYERS,
    UsageError,
    add_force,
    add_game,
    add_jobs,
    add_json,
    add_options,
    add_output,
    add_players,
    add_seed,
    integer,
    option_values,
    positive_number,
    shortened,
    typed_options,
)
from liarspoker.cli.progress import Progress
from liarspoker.cli.style import heading
from liarspoker.files import check_writable, new_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from liarspoker.train.trainer import Measured, Spread, Trainer

DESCRIPTION = """Train a neural network by self-play, and for a part of the time against other
bots. With several digit games, most hands are played by the rules of the first.
A network for card games learns to play at tables of 2 to N players. The time is
also the schedule by which training settles down. Ctrl-C saves a checkpoint; the
same command continues from it."""

EXAMPLES = """examples:
  liarspoker train salomon-1986 slips --minutes 36 -o two.safetensors
  liarspoker train salomon-1986 --players 5 --minutes 30 -o five.safetensors
  liarspoker train salomon-1986 --start two.safetensors -o more.safetensors
  liarspoker train thorin --players 5 --minutes 25 -o thorin.safetensors
  liarspoker arena salomon-1986 --bots net:two.safetensors,bluffer"""

DEFAULT_MINUTES = 10.0
_KEPT_EVERY = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `train`."""
    parser.usage = "liarspoker train GAME [GAME ...] [options]"
    add_game(parser, several=True)
    add_players(parser, f"number of players ({DEFAULT_PLAYERS})", default=DEFAULT_PLAYERS)
    add_options(parser)
    parser.add_argument(
        "--minutes",
        type=positive_number,
        default=DEFAULT_MINUTES,
        metavar="M",
        help=f"how long to train, all sessions together ({DEFAULT_MINUTES:g})",
    )
    parser.add_argument("--start", default="", metavar="FILE", help="begin with the weights of a network")
    parser.add_argument("--hidden", type=integer(4, 512), default=48, metavar="H", help="width of the layers (48)")
    parser.add_argument(
        "--bots",
        default="binomial,bluffer",
        metavar="A,B,...",
        help="other opponents, named or net:FILE (binomial,bluffer)",
    )
    parser.add_argument(
        "--bot-share", type=_share, default=0.2, metavar="P", help="share of the hands against them (0.2)"
    )
    hands = integer(2000, 1_000_000)  # with fewer, there may be too few decisions for a single step
    parser.add_argument("--hands", type=hands, metavar="N", help="hands between two updates, per processor (8192)")
    parser.add_argument(
        "--rate", type=positive_number, metavar="R", help="first learning rate; it falls to R/100 (0.0015)"
    )
    parser.add_argument(
        "--entropy",
        type=_weights,
        metavar="A,B",
        help="its first and last weight, in units (0.06,0.03)",
    )
    parser.add_argument(
        "--temperaments", type=_temperaments, metavar="A..B", help="of the players in self-play (=-1..1)"
    )
    parser.add_argument("--wild", type=_share, metavar="P", help="share of random bids in play (0.04)")
    parser.add_argument(
        "--teachers",
        default="",
        metavar="A,B,...",
        help="imitate the average of networks, named by files",
    )
    add_seed(parser, "an integer, with which training begins (1)")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="train on Ray: host:port, auto, or local (new)",
    )
    add_jobs(parser, "the number of the cluster's processors to use (all)")
    add_output(parser, "the file for the network (required)", type=Path, required=True)
    add_force(parser)
    add_json(parser)
    parser.set_defaults(extra="train")


def run(args: argparse.Namespace) -> int:
    """Train, save, measure and report; return 130 if Ctrl-C stopped it."""
    check_writable(args.output, args.force)
    trainer = _trainer(args)  # reports errors in the arguments before a cluster starts
    with _spread(args) as (spread, parts):
        trainer.plan = trainer.plan._replace(parts=parts)
        return _run(args, trainer, spread)


@contextmanager
def _spread(args: argparse.Namespace) -> Iterator[tuple[Spread, int]]:
    """Yield what computes the parts of an update, and the number of parts.

    Raises:
        UsageError: there is no cluster for `--jobs`.
        ClusterFailed: Ray isn't installed, or the cluster doesn't answer.
    """
    if args.cluster is None:
        if args.jobs is not None:
            raise UsageError("--jobs needs --cluster, such as --cluster local")
        from liarspoker.train.trainer import in_turn

        yield in_turn, 1
        return
    from liarspoker.research import cluster

    with cluster.joined(args.cluster, args.jobs) as (_ray, processors):
        yield partial(cluster.spread, address=args.cluster), args.jobs or processors


def _run(args: argparse.Namespace, trainer: Trainer, spread: Spread) -> int:
    from liarspoker.bots.network import network_bytes
    from liarspoker.core import catalogue

    checkpoint = args.output.with_name(f"{args.output.name}.checkpoint")
    if checkpoint.exists():
        trainer.resume(checkpoint)
        print(f"continuing from {checkpoint}", file=sys.stderr)
    saved = trainer.seconds
    with Progress("Training", "minutes", args.minutes, rated=False) as progress:
        try:
            for now in trainer.run(args.minutes, spread):
                progress.update(now.done * args.minutes, note=f"{now.hands:,} hands, entropy {now.entropy:.2f}")
                if now.seconds - saved > _KEPT_EVERY:
                    trainer.save(checkpoint)
                    saved = now.seconds
        except KeyboardInterrupt:
            progress.close()
            trainer.save(checkpoint)
            print(f"stopped after {trainer.seconds / 60:.1f} minutes; the same command continues", file=sys.stderr)
            return 130
    with new_file(args.output, args.force) as file:
        file.write(network_bytes(trainer.weights()))
    checkpoint.unlink(missing_ok=True)
    measured = trainer.measure()
    report = {
        "games": args.game,
        "players": args.players,
        "options": typed_options(catalogue.load(args.game[0]), args.option),
        "bots": trainer.plan.bots,
        "seed": trainer.plan.seed,
        "hands": trainer.hands,
        "seconds": trainer.seconds,
        "curve": [one._asdict() for one in trainer.curve],
        "wins": [one._asdict() for one in measured],
        "output": str(args.output),
    }
    print(json.dumps(report) if args.json else "\n".join(_lines(report, measured)))
    return 0


def _trainer(args: argparse.Namespace) -> Trainer:
    """Return a new training for the tables that the arguments describe."""
    from liarspoker.bots import catalogue as bots
    from liarspoker.bots.network_bot import FROM_FILE
    from liarspoker.core import catalogue
    from liarspoker.engine.table import Table
    from liarspoker.train.trainer import Plan, Trainer

    others = tuple(name for name in args.bots.split(",") if name)
    tables: list[Table] = []
    for game in args.game:
        preset = catalogue.load(game)
        is_match = preset.preset.has_winner
        starts: dict[str, Any] = {} if is_match else {"from_slips": False}
        with option_values():
            changes = typed_options(preset, args.option)
            players = range(2, args.players + 1) if is_match else (args.players,)
            tables.extend(Table.of(game, seats, changes, **starts) for seats in players)
        for name in others:
            if name.startswith(FROM_FILE):
                bots.at(name, preset.preset.family)
            else:
                bots.row(name)
    names = ("seed", "hands", "rate", "entropy", "temperaments", "wild")
    chosen = {name: getattr(args, name) for name in names}
    teachers = tuple(name for name in args.teachers.split(",") if name)
    plan = Plan(hidden=args.hidden, bots=others, bot_share=args.bot_share, start=args.start, teachers=teachers)
    plan = plan._replace(**{name: value for name, value in chosen.items() if value is not None})
    return Trainer.begin(tables, plan)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        raise argparse.ArgumentTypeError(f"{text}: it must be a number from 0 to below 1")
    return share


def _temperaments(text: str) -> tuple[float, float]:
    """Read the lowest and the highest temperament."""
    from liarspoker.bots.network import are_temperaments, numbers_in

    ends = numbers_in(text)
    if not are_temperaments(ends):
        message = f"{shortened(text)} isn't a range of temperaments, as in --temperaments=-0.4..0.5"
        raise argparse.ArgumentTypeError(message)
    return ends[0], ends[-1]


def _weights(text: str) -> tuple[float, float]:
    """Read two positive numbers, separated by a comma."""
    begin, _comma, end = text.partition(",")
    try:
        return positive_number(begin), positive_number(end)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{shortened(text)} isn't two numbers above 0, as in 0.06,0.03") from None


def _lines(report: dict[str, Any], measured: list[Measured]) -> Iterator[str]:
    yield f"{report['hands']:,} hands in {report['seconds'] / 60:.1f} minutes; the network is in {report['output']}"
    if not measured:
        return
    yield ""
    yield heading("units per hand, or per match, from other bots, 95% interval")
    yield heading("game                players  temperament  bot            wins")
    for one in measured:
        place = f"{one.game:18}  {one.players:7}  {one.temperament:11.2f}"
        yield f"{place}  {one.bot:10}  {one.mean:+.3f} ±{one.half_width:.3f}"
