"""`liarspoker report`: statistics of many hands, by position, by level or kind of hand, and by number of players."""

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

DESCRIPTION = """Report on many hands: what each position wins and how it acts, and for each
level of bids, or kind of hand claimed in card games, how often they are made, a
bluff or false, challenged and good, and what they win or lose. Bots that rotate
through the seats play independent hands at stake 1, or whole card games; or the
hands are read from records."""

EXAMPLES = """A bluff is a bid whose bidder holds fewer of its digit than an average hand, or
a claim of a card game that is more likely false than true, given what its
claimant sees. Units are those at stake 1, intervals 95% confidence intervals.
In folders, the files whose names end in .toml or .json are read. Only bots of
the engine play.

examples:
  liarspoker report salomon-1986 --players 2,3,5 --rounds 1000000
  liarspoker report slips --bots bluffer,binomial --option rebid=true --json
  liarspoker report thorin --players 3 --rounds 10000 --bots champion
  liarspoker report game.toml records/"""

DEFAULT_BOTS = "champion"
DEFAULT_HANDS = 100_000
DEFAULT_GAMES = 10_000

_SUFFIXES = (".json", ".toml")


class CannotRead(LiarsPokerError):
    """A file can't be read, or it isn't a record."""

    code = "file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `report`."""
    add_game(parser, "a game's id, or records: files and folders", several=True)
    add_bots(parser, f"bots by name; the last one fills the table ({DEFAULT_BOTS})")
    add_players(parser, "numbers of players (as many as bots, at least 2)", type=player_counts, metavar="N,...")
    rounds = f"hands ({DEFAULT_HANDS}), or whole card games ({DEFAULT_GAMES}), with each number of players"
    add_rounds(parser, rounds, most=MOST)
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
    begun, tables, done, dealt = perf_counter(), [], 0, 0
    with Progress(
        "Playing", "games" if contests[0].plays_matches else "hands", sum(contest.hands for contest in contests)
    ) as progress:
        for contest in contests:
            found: Any = None
            for block in _blocks(contest, args.jobs or os.cpu_count() or 1):
                found = block if found is None else found + block
                progress.update(done + found.played)
            assert found is not None
            done, dealt = done + found.played, dealt + found.dealt
            about = {"game": contest.game, "options": dict(contest.changes), "bots": list(contest.lineup)}
            tables.append({**about, **found.report()})
    seconds, seed = perf_counter() - begun, contests[0].seed
    if args.json:
        print_json({"seed": seed, "seconds": seconds, "rounds_per_second": dealt / seconds, "tables": tables})
    else:
        what = "rounds" if contests[0].plays_matches else "hands"
        print("\n".join(_text(tables)))
        print(f"seed {seed}; {dealt:,} {what} in {seconds:.1f} s, {dealt / seconds:,.0f} per second")
    return 0


def _blocks(contest: Contest, threads: int) -> Iterator[Any]:
    """Yield the statistics of each block of hands or matches."""
    from liarspoker.coach.statistics import blocks
    from liarspoker.engine.table import Table

    start: dict[str, Any] = {} if contest.plays_matches else {"from_slips": False}
    table = Table.of(contest.game, len(contest.lineup), dict(contest.changes), **start)
    return blocks(table, contest.hands, contest.seed, contest.lineup, threads=threads)


def _contests(args: argparse.Namespace) -> list[Contest]:
    """Return what is played with each number of players, checked before any hand is played.

    Raises:
        UsageError: an option has a bad value.
        CannotPlay: the game has no statistics.
    """
    from liarspoker.bots.contest import Contest, seated, table
    from liarspoker.cli.arguments import typed_options
    from liarspoker.coach.statistics import statistics_of
    from liarspoker.core import catalogue

    (named,) = args.game
    seed = randbelow(1 << 32) if args.seed is None else args.seed
    game = catalogue.load(named)
    statistics_of(named)
    played = args.rounds or (DEFAULT_GAMES if game.preset.has_winner else DEFAULT_HANDS)
    contests = []
    with option_values():
        changes = tuple(typed_options(game, args.option).items())
        for players in args.players or (None,):
            lineup = lineup_of(args.bots, DEFAULT_BOTS, players)
            contest = Contest(named, lineup, played, seed, changes)
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
    found: dict[str, tuple[dict[str, Any], Any]] = {}
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
        print("\n".join(_text(tables)))
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


def _read(file: Path) -> tuple[dict[str, Any], Any]:
    """Return the table of a record, and the statistics of its hands.

    Raises:
        LiarsPokerError: the file can't be read, or it isn't a valid record of a game with statistics.
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


def _text(tables: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the tables, with the legends of those in which anything was counted."""
    for place, table in enumerate(tables):
        yield from ("", *_table(table)) if place else _table(table)
    yield from _legends(tables)


def _legends(tables: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what the columns mean, once for each family."""
    from liarspoker.coach.statistics import statistics_of

    counted = (statistics_of(table["game"]) for table in tables if _counted(table))
    for legend in dict.fromkeys(one.legend for one in counted):
        yield from ("", legend)


def _counted(table: dict[str, Any]) -> int:
    """Return the number of hands or rounds of a table."""
    found: int = table["hands"] if "hands" in table else table["rounds"]
    return found


def _table(table: dict[str, Any]) -> Iterator[str]:
    from liarspoker.coach.statistics import statistics_of

    lineup = f", {', '.join(_lineup(table['bots']))}" if "bots" in table else ""
    yield heading(f"{table['game']}, {table['players']} players{lineup}: {_amount(table)}")
    yield from (f"  {name} = {str(value).lower()}" for name, value in table["options"].items())
    yield from statistics_of(table["game"]).lines(table, heading)


def _amount(table: dict[str, Any]) -> str:
    """Return how much was counted, in words."""
    if "hands" in table:
        return _number(table["hands"], "hand") if table["hands"] else "no hand was counted"
    games = f"{_number(table['matches'], 'game')}, " if table["matches"] else ""
    return f"{games}{_number(table['rounds'], 'round')}" if table["rounds"] else "no round was counted"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _lineup(bots: list[str]) -> list[str]:
    """Return the bots of a lineup; one name is enough if all are the same."""
    return bots[:1] if len(set(bots)) == 1 else bots
