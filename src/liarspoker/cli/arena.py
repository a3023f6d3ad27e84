"""`liarspoker arena`: bots against each other in duplicate deals, with ratings and sequential tests."""

from __future__ import annotations

import argparse
import json
import os
from functools import partial
from pathlib import Path
from secrets import randbelow
from time import perf_counter
from typing import TYPE_CHECKING

from liarspoker.cli.arguments import (
    UsageError,
    add_bots,
    add_force,
    add_game,
    add_jobs,
    add_json,
    add_options,
    add_output,
    add_players,
    add_rounds,
    add_seed,
    option_values,
    player_counts,
    shortened,
)
from liarspoker.cli.compiled_contest import engine_for, play_blocks
from liarspoker.cli.progress import Progress
from liarspoker.cli.simulate import MOST
from liarspoker.cli.style import heading
from liarspoker.files import check_writable, new_file
from liarspoker.processes import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from liarspoker.bots.arena import ArenaResults, Interval, Pair, PairResult, TableResult
    from liarspoker.bots.duplicate import Moments
    from liarspoker.bots.sprt import Sprt

DESCRIPTION = """Play every bot against every other one, and rate them. Every deal is played
once for each player, so that everyone holds every hand; luck that the deal
itself explains is subtracted. The results have 95% confidence intervals, in
units per hand at stake 1; in card games, whole matches are played. The same
seed and engine give the same results, with any number of jobs."""

EXAMPLES = """bots: those of simulate, MODULE:NAME for your own, or "cmd:COMMAND" for a
program that reads requests from its standard input; the guide "Write a bot"
has its protocol. With --sprt, each pair stops as soon as one of two hypotheses
on what the first bot wins per hand is accepted.

examples:
  liarspoker arena salomon-1986
  liarspoker arena salomon-1986 slips --players 2,3,5 -o results.json
  liarspoker arena slips --bots bluffer,my_bots:careful --sprt 0,0.02
  liarspoker arena slips --bots binomial,"cmd:python my_bot.py" --rounds 1000"""

DEFAULT_HANDS = 10_000
DEFAULT_MATCHES = 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `arena`."""
    add_game(parser, several=True)
    add_bots(parser, "two or more: names, MODULE:NAME or cmd:COMMAND (all)")
    add_players(parser, "numbers of players (2)", type=player_counts, metavar="N,...", default=(2,))
    add_rounds(
        parser,
        f"hands for each pair ({DEFAULT_HANDS}), or card games ({DEFAULT_MATCHES}); rounded up to whole deals",
        most=MOST,
    )
    parser.add_argument(
        "--sprt", type=_hypotheses, metavar="H0,H1", help="stop a pair when H0 or H1 units per hand is accepted"
    )
    parser.add_argument("--alpha", type=_error_rate, default=0.05, metavar="P", help="error rate if H0 is true (0.05)")
    parser.add_argument("--beta", type=_error_rate, default=0.05, metavar="P", help="error rate if H1 is true (0.05)")
    add_seed(parser, "an integer, which repeats the results (random)")
    add_options(parser)
    add_jobs(parser, "processes or threads (all cores)")
    parser.add_argument(
        "--engine",
        choices=("auto", "compiled", "python"),
        metavar="E",
        default="auto",
        help="python, compiled (faster), or auto, which chooses for each pair the faster one that can play it (auto)",
    )
    add_output(parser, "a file for the results, as JSON", type=Path)
    add_force(parser)
    add_json(parser)
    parser.set_defaults(extra="engine")
    parser.usage = "liarspoker arena GAME [GAME ...] [options]"


def run(args: argparse.Namespace) -> int:
    """Play, save the results, and print them."""
    if args.output is not None:
        check_writable(args.output, args.force)
    results, seconds = _played(args)
    from liarspoker.bots.arena import to_json

    document = to_json(results)
    if args.output is not None:
        with new_file(args.output, args.force) as file:
            file.write(document)
    rounds = sum(pair.rounds for table in results.tables for pair in table.pairs)
    rate = {"seconds": seconds, "rounds_per_second": rounds / seconds}
    print(json.dumps({**json.loads(document), **rate}) if args.json else _text(results, rounds, seconds))
    return 0


def _played(args: argparse.Namespace) -> tuple[ArenaResults, float]:
    """Play all pairs at all tables; return the results, and the seconds that it took, without compiling."""
    from liarspoker.bots.arena import ArenaResults, Hypotheses, estimates, overall, result_of, table_result
    from liarspoker.bots.duplicate import blocks_in

    seed = randbelow(1 << 32) if args.seed is None else args.seed
    bots, test = _bots(args), _test(args)
    planned = _planned(args, bots, seed)
    engines = {pair: engine_for(pair.contest, args.engine) for pairs in planned.values() for pair in pairs}
    left = sum(_rounds(pair, blocks_in(pair.contest)) for pair in engines)
    tables, done, begun = [], 0, perf_counter()
    nouns = sorted({"games" if pair.contest.plays_matches else "hands" for pair in engines}, reverse=True)
    with Progress("Playing", " and ".join(nouns), left) as progress:
        for (game, players), pairs in planned.items():
            found: list[PairResult] = []
            for pair in pairs:
                engine = engines[pair]
                left -= _rounds(pair, blocks_in(pair.contest))
                estimate = None
                for estimate in estimates(pair, _parts(pair, engine, args.jobs), test):
                    progress.update(done + _rounds(pair, estimate.blocks))
                assert estimate is not None
                done += _rounds(pair, estimate.blocks)
                progress.update(done, done + left or None)
                found.append(result_of(pair, estimate, engine, test))
            tables.append(table_result(game, players, bots, found))
    hypotheses = None if test is None else Hypotheses(test.h0, test.h1, test.alpha, test.beta)
    contests = [pair.contest for pair in engines]
    options, rounds = dict(contests[0].changes), max(contest.hands for contest in contests)
    results = ArenaResults(tuple(bots), options, seed, rounds, hypotheses, tuple(tables), overall(tables))
    return results, perf_counter() - begun


def _rounds(pair: Pair, blocks: int) -> int:
    """Return the number of hands, or of matches, in some blocks of a pair."""
    return blocks * len(pair.contest.lineup)


def _parts(pair: Pair, engine: str, jobs: int | None) -> Iterator[Moments]:
    """Yield the parts of a pair's contest, in order."""
    from liarspoker.bots.duplicate import parts_of, play_part

    threads, parts = jobs or os.cpu_count() or 1, range(parts_of(pair.contest))
    if engine == "compiled":
        return (play_blocks(pair.contest, part, pair.measured, threads) for part in parts)
    return in_order(partial(play_part, pair.contest, measured=pair.measured), parts, threads)


def _planned(args: argparse.Namespace, bots: list[str], seed: int) -> dict[tuple[str, int], tuple[Pair, ...]]:
    """Return the pairs of each table, by game and number of players, checked before any is played.

    Raises:
        UnknownGame: the catalogue has no such game.
        UsageError: an option has a bad value, or a bot doesn't play a game.
    """
    from liarspoker.bots.arena import pairs_at
    from liarspoker.bots.duplicate import check
    from liarspoker.cli.arguments import typed_options
    from liarspoker.core import catalogue

    planned = {}
    for game in dict.fromkeys(args.game):
        loaded = catalogue.load(game)
        rounds = args.rounds or (DEFAULT_MATCHES if loaded.preset.has_winner else DEFAULT_HANDS)
        with option_values():
            changes = tuple(typed_options(loaded, args.option).items())
            for players in args.players:
                planned[game, players] = pairs_at(game, players, bots, rounds, seed, changes)
                for pair in planned[game, players]:
                    check(pair.contest)
    return planned


def _bots(args: argparse.Namespace) -> list[str]:
    """Return the names of the bots, by default of all that play the games.

    Raises:
        UsageError: there are fewer than two, or one is named twice.
    """
    from liarspoker.bots import catalogue as bots
    from liarspoker.core import catalogue

    if args.bots is None:
        presets = [catalogue.preset(game) for game in args.game]
        names = [row.name for row in bots.bots() if all(row.plays(preset) for preset in presets)]
    else:
        names = [name.strip() for name in args.bots.split(",")]
    if len(names) < 2:
        raise UsageError(f"--bots: {args.bots} is one bot; name two or more, separated by commas")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"--bots names {name} twice")
    return names


def _test(args: argparse.Namespace) -> Sprt | None:
    """Return the sequential test; `None` if none was asked for."""
    from liarspoker.bots.sprt import Sprt

    if args.sprt is None:
        return None
    h0, h1 = args.sprt
    return Sprt(h0, h1, args.alpha, args.beta)


def _hypotheses(text: str) -> tuple[float, float]:
    """Read two numbers of which the second is higher."""
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        low = high = 0.0
    if not -1e9 < low < high < 1e9:
        raise argparse.ArgumentTypeError(f"{shortened(text)} isn't two numbers, the lower one first, as in 0,0.02")
    return low, high


def _error_rate(text: str) -> float:
    """Read a probability above 0 and below 0.5."""
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < 0.5:
        raise argparse.ArgumentTypeError(f"{shortened(text)} isn't a probability above 0 and below 0.5")
    return rate


# Text

UNITS = {"units_per_round": "units per hand", "win_rate_above_share": "matches won above the fair share"}

LEGEND = """\
wins: what one player of the first bot wins among players of the second bot
gain ×2: independent deals would need twice as many hands for such an interval"""


def _text(results: ArenaResults, rounds: int, seconds: float) -> str:
    lines = []
    for table in results.tables:
        lines += [*_table(table, results), ""]
    if len(results.tables) > 1:
        for one in results.ratings:
            title = f"mean of {one.tables} table{'' if one.tables == 1 else 's'}"
            lines += [heading(f"{title}: {UNITS[one.unit]}, with 95% intervals")]
            lines += [f"{rated.bot:{_width(results)}}  {_interval(rated.rating)}".rstrip() for rated in one.ratings]
            lines += [""]
    lines += [LEGEND]
    if any(pair.won.half_width is None for table in results.tables for pair in table.pairs):
        lines += ["without ±: no interval, since there was one deal or all deals ended alike"]
    lines += [f"seed {results.seed}; {rounds:,} hands in {seconds:.1f} s, {rounds / seconds:,.0f} per second"]
    return "\n".join(lines)


def _table(table: TableResult, results: ArenaResults) -> Iterator[str]:
    width = _width(results)
    yield heading(f"{table.game}, {table.players} players: {UNITS[table.unit]}, with 95% intervals")
    yield from (f"  {name} = {str(value).lower()}" for name, value in results.options.items())
    for rated in table.ratings:
        yield f"{rated.bot:{width}}  {_interval(rated.rating)}".rstrip()
    yield ""
    yield f"{'one':{width}}  {'among':{width}}  {'wins':17}  {'deals':>9}  gain"
    for pair in table.pairs:
        gain = "-" if pair.gain is None else f"×{pair.gain:.2f}"
        verdict = "" if results.test is None else f"  {_verdict(pair)}"
        yield f"{pair.bot:{width}}  {pair.others:{width}}  {_interval(pair.won)}  {pair.deals:9,}  {gain}{verdict}"


def _verdict(pair: PairResult) -> str:
    """Return the outcome of a pair's sequential test, in words."""
    return "undecided" if pair.accepted is None else f"accepts {pair.accepted.upper()}"


def _width(results: ArenaResults) -> int:
    return max(len("one"), *(len(bot) for bot in results.bots))


def _interval(one: Interval) -> str:
    """Return a mean with its interval, as wide without one."""
    return f"{one.mean:+8.4f} {'' if one.half_width is None else f'± {one.half_width:6.4f}':8}"
