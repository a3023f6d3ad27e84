"""`liarspoker review`: what every decision of a record was worth."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from liarspoker.cli.arguments import UsageError, add_force, add_jobs, add_json, add_seed, integer, option_values
from liarspoker.cli.progress import Progress
from liarspoker.files import check_writable, new_file
from liarspoker.language import N_, _

if TYPE_CHECKING:
    from liarspoker.records import Replay

DESCRIPTION = N_("""\
Review a record. For every decision: what each sensible action was worth, how
likely the standing bid or claim was after all that was heard, a verdict, and
the reason. Also who bluffed, and whether the bluff was believed.""")

EXAMPLES = N_("""\
examples:
  liarspoker review game.toml              every decision of every player
  liarspoker review game.toml --seat Ann   only Ann's
  liarspoker review game.toml --playouts 20000
                                           smaller intervals
  liarspoker review game.toml --model my.strategy
                                           exact values, by a solved game
  liarspoker review game.toml --npz game.npz
                                           also as NumPy arrays""")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `review`."""
    parser.set_defaults(extra="engine")
    parser.add_argument("file", metavar="FILE", help=_("the record; - for standard input"))
    parser.add_argument("--seat", metavar="N", help=_("review one player: a name, or a seat from 0"))
    parser.add_argument("--hand", type=integer(1), metavar="H", help=_("review one hand, from 1"))
    parser.add_argument(
        "--model", metavar="FILE|BOT", help=_("how everybody plays: a bot, or a strategy (the strongest bots)")
    )
    parser.add_argument(
        "--playouts", type=integer(50), metavar="P", help=_("playouts of the best actions (1,000 to 4,000)")
    )
    add_seed(parser, _("repeat the same playouts (1)"))
    add_jobs(parser, _("processes or threads (all cores)"))
    parser.add_argument("--npz", type=Path, metavar="FILE", help=_("also save the review as NumPy arrays"))
    add_force(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Review a record."""
    from liarspoker.coach.arrays import save
    from liarspoker.coach.report import report
    from liarspoker.coach.review import counted, review
    from liarspoker.coach.words import assumption, hand_in_words, summary
    from liarspoker.records import read_record

    if args.npz is not None:
        check_writable(args.npz, args.force)
    try:
        text = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
    except OSError as error:
        print(f"liarspoker: {args.file}: {error.strerror}", file=sys.stderr)
        return 1
    replay = read_record(text, args.file)
    if replay.fault is not None:
        print(f"liarspoker: {replay.fault.located(args.file)}", file=sys.stderr)
        return 1
    seat = _seat(replay, args.seat)
    hands = len(counted(replay))
    if args.hand is not None:
        with option_values():
            hands = len(counted(replay, args.hand))
    with Progress(_("Reviewing"), *((_("hands"), hands) if hands > 1 else ())) as progress:
        progress.tick()
        found = review(replay, seat, args.model, hand=args.hand, on_hand=_shown_by(progress), **_effort(args))
    if args.npz is not None:
        with new_file(args.npz, args.force) as file:
            save(found, file)
    if args.json:
        print(json.dumps(report(found)))
        return 0
    print("\n".join(wrap(assumption(found), 78)))
    for hand in found.hands:
        print("\n" + "\n".join(hand_in_words(found, hand)))
    print("\n" + "\n".join(summary(found)))
    return 0


def _shown_by(progress: Progress) -> Callable[[int, int], None]:
    """Return a function that shows how many hands are reviewed, unless there is only one."""

    def show(done: int, total: int) -> None:
        if total > 1:
            progress.update(done)

    return show


def _effort(args: argparse.Namespace) -> dict[str, Any]:
    seed = 1 if args.seed is None else args.seed
    return {"playouts": args.playouts, "seed": seed, "jobs": args.jobs or os.cpu_count() or 1}


def _seat(replay: Replay, named: str | None) -> int | None:
    """Return the seat that is reviewed.

    Raises:
        UsageError: nobody has this name, and it isn't a seat.
    """
    if named is None:
        return None
    if named in replay.players:
        return replay.players.index(named)
    if named.isascii() and named.isdecimal() and len(named) < 3 and int(named) < len(replay.players):
        return int(named)
    raise UsageError(_("--seat {seat}: the players are {names}", seat=named, names=", ".join(replay.players)))
