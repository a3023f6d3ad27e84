"""`liarspoker report`: statistics of many hands, by position, by level and by the number of players."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from secrets import randbelow
from time import perf_counter
from typing import TYPE_CHECKING, Any

from liarspoker.cli import style
from liarspoker.cli.arguments import (
    UsageError,
    add_bots,
    add_game,
    add_jobs,
    add_json,
    add_options,
    add_players,
    add_rounds,
    add_seed,
    option_values,
    player_counts,
    print_json,
    shortened,
)
from liarspoker.cli.compiled_contest import engine_for
from liarspoker.cli.progress import Progress
from liarspoker.cli.simulate import MOST, lineup_of
from liarspoker.cli.style import heading
from liarspoker.core.errors import LiarsPokerError

if TYPE_CHECKING:
    from liarspoker.bots.contest import Contest
    from liarspoker.coach.statistics import Statistics

DESCRIPTION = """Report on many hands of a digit game: what each position wins and how it acts,
and for each level of bids, how often they are made, a bluff, challenged and
counted, and what they win. The hands are played between bots that rotate
through the seats, independent hands at stake 1, or read from records."""

EXAMPLES = """A bluff is a bid whose bidder holds fewer of its digit than an average hand.
Units are those at stake 1, intervals 95% confidence intervals. In folders, the
files whose names end in .toml or .json are read. Only bots of the engine play.

examples:
  liarspoker report salomon-1986 --players 2,3,5 --rounds 1000000
  liarspoker report slips --bots bluffer,binomial --option rebid=true --json
  liarspoker report game.toml records/"""

DEFAULT_BOTS = "champion"
DEFAULT_HANDS = 100_000

_SUFFIXES = (".json", ".toml")


class CannotRead(LiarsPokerError):
    """A file can't be read, or it isn't a record."""

    code = "file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `report`."""
    add_game(parser, "a game's id, or records: files and folders", several=True)
    add_bots(parser, f"bots by name; the last one fills the table ({DEFAULT_BOTS})")
    add_players(parser, "numbers of players (as many as bots, at least 2)", type=player_counts, metavar="N,...")
    add_rounds(parser, f"hands to play with each number of players ({DEFAULT_HANDS})", most=MOST)
    add_seed(parser, "an integer, which repeats the hands (random)")
    add_options(parser)
    add_jobs(parser, "threads (all cores)")
    add_json(parser)
    parser.set_defaults(extra="engine")
    parser.usage = "liarspoker report GAME [options]\n       liarspoker report RECORD [RECORD ...] [--json]"


def run(args: argparse.Namespace) -> int:
    """Report on hands between bots, or on those of records."""
    from liarspoker.core import catalogue

    games = [row.id for row in catalogue.games()]
    if args.game[0] not in games:
        return _report_records(args)
    if len(args.game) > 1:
        raise UsageError(f"{args.game[1]}: name one game, or records only")
    return _report_game(args)


# Hands between bots


def _report_game(args: argparse.Namespace) -> int:
    contests = _contests(args)
    for contest in contests:
        engine_for(contest, "compiled")
    begun, tables, done = perf_counter(), [], 0
    with Progress("Playing", "hands", sum(contest.hands for contest in contests)) as progress:
        for contest in contests:
            found: Statistics | None = None
            for block in _blocks(contest, args.jobs or os.cpu_count() or 1):
                found = block if found is None else found + block
                progress.update(done + found.hands)
            assert found is not None
            done += found.hands
            about = {"game": contest.game, "options": dict(contest.changes), "bots": list(contest.lineup)}
            tables.append({**about, **found.report()})
    seconds, seed = perf_counter() - begun, contests[0].seed
    if args.json:
        print_json({"seed": seed, "seconds": seconds, "rounds_per_second": done / seconds, "tables": tables})
    else:
        print("\n".join([*(line for table in tables for line in (*_table(table), "")), LEGEND]))
        print(f"seed {seed}; {done:,} hands in {seconds:.1f} s, {done / seconds:,.0f} per second")
    return 0


def _blocks(contest: Contest, threads: int) -> Iterator[Statistics]:
    """Yield the statistics of each block of hands."""
    from liarspoker.coach.statistics import blocks
    from liarspoker.engine.table import Table

    table = Table.of(contest.game, len(contest.lineup), dict(contest.changes), from_slips=False)
    return blocks(table, contest.hands, contest.seed, contest.lineup, threads=threads)


def _contests(args: argparse.Namespace) -> list[Contest]:
    """Return what is played with each number of players, checked before any hand is played.

    Raises:
        UsageError: an option has a bad value.
        CannotPlay: the game isn't a digit game.
    """
    from liarspoker.bots.contest import Contest, seated, table
    from liarspoker.cli.arguments import typed_options
    from liarspoker.core import catalogue
    from liarspoker.engine.errors import CannotPlay

    (named,) = args.game
    seed = randbelow(1 << 32) if args.seed is None else args.seed
    game = catalogue.load(named)
    if game.preset.family != "digits":
        raise CannotPlay(f"{named}: only digit games have these statistics")
    contests = []
    with option_values():
        changes = tuple(typed_options(game, args.option).items())
        for players in args.players or (None,):
            lineup = lineup_of(args.bots, DEFAULT_BOTS, players)
            contest = Contest(named, lineup, args.rounds or DEFAULT_HANDS, seed, changes)
            table(contest)
            seated(contest)
            contests.append(contest)
    return contests


# Hands of records


def _report_records(args: argparse.Namespace) -> int:
    """Report on the hands of records; return 1 if some can't be read, after reporting on the others."""
    for name in ("bots", "players", "rounds", "seed", "option", "jobs"):
        if getattr(args, name) not in (None, []):
            raise UsageError(f"--{name} is for hands between bots, but {shortened(args.game[0])} isn't a game's id")
    files, failed = list(_files(args.game)), False
    found: dict[str, tuple[dict[str, Any], Statistics]] = {}
    with Progress("Reading", "records", len(files)) as progress:
        for done, file in enumerate(files, 1):
            try:
                about, statistics = _read(file)
            except LiarsPokerError as error:
                print(f"{style.error('liarspoker:')} {error}", file=sys.stderr)
                failed = True
                continue
            _about, before = found.get(key := json.dumps(about, sort_keys=True), (about, None))
            found[key] = about, statistics if before is None else before + statistics
            progress.update(done)
    tables = [{**about, **statistics.report()} for _key, (about, statistics) in sorted(found.items())]
    if args.json:
        print_json({"tables": tables})
    elif tables:
        print("\n".join(_without_bots(tables)))
    return int(failed)


def _files(names: list[str]) -> Iterator[Path]:
    """Yield files, and of a folder all records in it and in its folders, in the order of their names, each file once.

    Raises:
        CannotRead: a folder has no records or can't be read.
    """
    known = set[Path]()
    for path in map(Path, names):
        found = [path]
        try:
            if path.is_dir():
                found = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
        except OSError as error:
            raise CannotRead(f"{shortened(str(path))}: {error.strerror}") from error
        if not found:
            raise CannotRead(f"{path}: there are no records in this folder")
        new = [file for file in found if file.resolve() not in known]
        known.update(file.resolve() for file in new)
        yield from new


def _read(file: Path) -> tuple[dict[str, Any], Statistics]:
    """Return the table of a record, and the statistics of its hands.

    Raises:
        LiarsPokerError: the file can't be read, or it isn't a valid record of a digit game.
    """
    from liarspoker.coach.statistics import record_statistics
    from liarspoker.engine.errors import CannotPlay
    from liarspoker.records import read_record

    try:
        replay = read_record(file.read_bytes(), str(file))
    except FileNotFoundError as error:
        raise CannotRead(f"{file}: there is no such game, file or folder") from error
    except OSError as error:
        raise CannotRead(f"{file}: {error.strerror}") from error
    if replay.fault is not None:
        raise CannotRead(replay.fault.located(str(file)))
    try:
        statistics = record_statistics(replay)
    except CannotPlay as error:
        raise CannotRead(f"{file}: {error}") from error
    assert replay.session is not None
    about = {"game": replay.named, "options": replay.session.option_changes(), "players": replay.session.seats}
    return about, statistics


# Text

LEGEND = """\
above: levels above the expectation; held: how many of the digit the bidder
holds; units: what the bidder wins in the hand; from 1: units, position 1 only"""


def _without_bots(tables: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the tables of records, with the legend if any hand was counted."""
    for place, table in enumerate(tables):
        yield from ("", *_table(table)) if place else _table(table)
    if any(table["hands"] for table in tables):
        yield from ("", LEGEND)


def _table(table: dict[str, Any]) -> Iterator[str]:
    lineup = f", {', '.join(_lineup(table['bots']))}" if "bots" in table else ""
    yield heading(f"{table['game']}, {table['players']} players{lineup}: {_hands(table['hands'])}")
    yield from (f"  {name} = {str(value).lower()}" for name, value in table["options"].items())
    if not table["hands"]:
        return
    yield from ("", *_positions(table), "", *_bids(table), "", *_final_bids(table), "", *_bids_by_position(table), "")
    shares = (f"{name} {count / table['hands']:.1%}" for name, count in table["outcomes"].items() if count)
    lengths = [int(length) for length in table["lengths"]]
    yield f"final bids: {', '.join(shares)}"
    yield f"actions per hand: {table['actions'] / table['hands']:.2f}, from {min(lengths)} to {max(lengths)}"


def _hands(count: int) -> str:
    return f"{count:,} {'hand' if count == 1 else 'hands'}" if count else "no hand was counted"


def _lineup(bots: list[str]) -> list[str]:
    """Return the bots of a lineup; one name is enough if all are the same."""
    return bots[:1] if len(set(bots)) == 1 else bots


def _positions(table: dict[str, Any]) -> Iterator[str]:
    """Yield what each position wins, and how many actions of each kind it makes per hand."""
    yield heading("position  units per hand  95% interval    bids  challenges  rebids  counts")
    for one in table["positions"]:
        bids, challenges, rebids, counts = (
            f"{one[kind] / table['hands']:.3f}" for kind in ("bids", "challenges", "rebids", "counts")
        )
        units = _units(one["units_per_hand"], 14)
        yield f"{one['position']:8}  {units}  {bids:>6}  {challenges:>10}  {rebids:>6}  {counts:>6}"


def _bids(table: dict[str, Any]) -> Iterator[str]:
    """Yield the bids of each level."""
    yield heading("bids of  above  per hand  bluffs  held  challenged     units  95% interval")
    for one in table["levels"]:
        held = "-" if one["held"] is None else f"{one['held']:.2f}"
        yield (
            f"{_level(one)}  {one['bids'] / table['hands']:8.4f}  {_share(one['bluffs'], one['known']):>6}  {held:>4}  "
            f"{_share(one['challenged'], one['bids']):>10}  {_units(one['units'], 8)}"
        )


def _final_bids(table: dict[str, Any]) -> Iterator[str]:
    """Yield the bids of each level that were counted."""
    yield heading("counted  above  of hands   stood     units  95% interval")
    for one in table["levels"]:
        if one["counted"]:
            yield (
                f"{_level(one)}  {_share(one['counted'], table['hands']):>8}  "
                f"{_share(one['stood'], one['counted']):>6}  {_units(one['counted_units'], 8)}"
            )


def _bids_by_position(table: dict[str, Any]) -> Iterator[str]:
    """Yield the units of the bids of each level, by position."""
    found = [{one["level"]: one["units"]["mean"] for one in position["levels"]} for position in table["positions"]]
    names = (f"from {position}" for position in range(len(found)))
    yield heading("bids of  above" + "".join(f"{name:>9}" for name in names))
    for one in table["levels"]:
        cells = (units.get(one["level"]) for units in found)
        yield _level(one) + "".join(f"{'-':>9}" if mean is None else f"{mean:+9.3f}" for mean in cells)


def _level(one: dict[str, Any]) -> str:
    return f"{one['level']:7}  {one['above_expectation']:+5.1f}"


def _units(one: dict[str, float | None], width: int) -> str:
    """Return the columns of a mean and its interval."""
    half = "-" if one["half_width"] is None else f"± {one['half_width']:.4f}"
    return f"{one['mean']:+{width}.4f}  {half:>12}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"
