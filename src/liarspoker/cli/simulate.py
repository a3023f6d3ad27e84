"""`liarspoker simulate`: many hands between bots, and what each wins per hand."""

from __future__ import annotations

import argparse
import json
import os
import sys
from secrets import randbelow
from time import perf_counter
from typing import TYPE_CHECKING, Any

from liarspoker.cli.arguments import (
    UsageError,
    add_bots,
    add_deal,
    add_game,
    add_jobs,
    add_json,
    add_options,
    add_players,
    add_rounds,
    add_seed,
    interval,
    option_values,
)
from liarspoker.cli.compiled_contest import engine_for
from liarspoker.cli.progress import Progress
from liarspoker.cli.style import heading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from liarspoker.bots.contest import AnyTally, Contest
    from liarspoker.bots.protocol import Bot
    from liarspoker.core.session import Session

DESCRIPTION = """Let bots play many hands, and report what each wins per hand, with 95%
confidence intervals. Hands are independent, at stake 1, and players rotate
through the seats. Card games are played as whole games; the report has win
rates. The same seed and engine give the same totals, with any number of jobs."""

EXAMPLES = """bots: uniform (any legal action), beginner (bids what it holds), binomial (knows
the odds, hardly bluffs), bluffer (infers from bids, sometimes bluffs), champion
(a network; champion:50ms thinks before it acts), shark, and more: see the book

examples:
  liarspoker simulate salomon-1986 --players 5 --rounds 100000
  liarspoker simulate dollar-bill --option rebid=true --bots uniform --json
  liarspoker simulate slips --session --bots bluffer,binomial,beginner --jobs 2
  liarspoker simulate thorin --players 4 --rounds 500 --bots bluffer,binomial
  liarspoker simulate slips --bots my_bots:careful,bluffer   a bot of your own
  liarspoker simulate slips --players 5 --rounds 1000000 --cluster auto"""

DEFAULT_BOTS = "bluffer,binomial"
DEFAULT_HANDS = 10_000
DEFAULT_GAMES = 500
MOST = 10**12
"""Maximum number of rounds in one simulation; the engine plays them in about a week on one core."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `simulate`."""
    add_game(parser)
    add_bots(parser, f"bots by name, or MODULE:NAME for your own; the last one fills the table ({DEFAULT_BOTS})")
    add_players(parser, "number of players (as many as bots, at least 2)")
    add_rounds(parser, f"hands to play ({DEFAULT_HANDS}), or whole card games ({DEFAULT_GAMES})", "--games", MOST)
    add_seed(parser, "an integer, which repeats the totals (random)")
    parser.add_argument("--session", action="store_true", help="play sessions of ten hands, carrying stakes and opener")
    add_options(parser)
    add_deal(parser, dest="from_slips")
    add_jobs(parser, "processes or threads (all cores)")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on a Ray cluster: host:port, auto (this machine's), or local (a new one)",
    )
    parser.add_argument(
        "--engine",
        choices=("auto", "compiled", "python"),
        metavar="E",
        default="auto",
        help="python, compiled (faster), or auto, which chooses the faster one that can play this (auto)",
    )
    add_json(parser)
    parser.set_defaults(extra="engine")
    parser.usage = "liarspoker simulate GAME [options]"


def run(args: argparse.Namespace) -> int:
    """Play and report; return 130 if Ctrl-C stopped it, after reporting the results so far."""
    contest = _contest(args)
    engine = engine_for(contest, args.engine)
    begun = perf_counter()
    with Progress("Simulating", "games" if contest.plays_matches else "hands", contest.hands) as progress:
        total, stopped = _totals(contest, _tallies(contest, args.jobs, engine, args.cluster), progress)
    seconds = perf_counter() - begun
    if stopped:
        print(f"stopped after {total.played:,} of {_amount(contest)}", file=sys.stderr)
    if total.played:
        report = {**_report(contest, total, seconds), "engine": engine}
        print(json.dumps(report) if args.json else _text(contest, report))
    return 130 if stopped else 0


def _contest(args: argparse.Namespace) -> Contest:
    """Return what is to be played, checked before any process starts.

    Raises:
        UnknownGame: the catalogue has no such game.
        UsageError: an option has a bad value, or options contradict each other.
    """
    from liarspoker.bots.contest import Contest, seated, table
    from liarspoker.cli.arguments import typed_options
    from liarspoker.core import catalogue

    lineup = lineup_of(args.bots, DEFAULT_BOTS, args.players)
    seed = randbelow(1 << 32) if args.seed is None else args.seed
    game = catalogue.load(args.game)
    with option_values():
        changes = tuple(typed_options(game, args.option).items())
        played = args.rounds or (DEFAULT_GAMES if game.preset.has_winner else DEFAULT_HANDS)
        contest = Contest(args.game, lineup, played, seed, changes, args.session, args.from_slips)
        warn_of_untrained(lineup, seated(contest), table(contest))
    return contest


def warn_of_untrained(names: Sequence[str], bots: Sequence[Bot], session: Session) -> None:
    """Say on standard error which bots play as the Bluffer at a table."""
    from liarspoker.bots.protocol import is_untrained

    found = dict.fromkeys(name for name, bot in zip(names, bots, strict=True) if is_untrained(bot, session))
    if found:
        print(f"not trained for this table, so playing as the Bluffer: {', '.join(found)}", file=sys.stderr)


def lineup_of(bots: str | None, default: str, players: int | None) -> tuple[str, ...]:
    """Return the bots at a table; the last one named fills it.

    Args:
        bots: names, separated by commas; `None` for the default.
        default: the bots by default.
        players: the number of players; `None` for as many as bots, at least 2.

    Raises:
        UsageError: there are more bots than players.
    """
    names = [name.strip() for name in (default if bots is None else bots).split(",")]
    players = players or max(2, len(names))
    if bots is not None and len(names) > players:
        raise UsageError(f"--bots names {len(names)} bots for {players} players")
    return (*names[:players], *[names[-1]] * (players - len(names)))


def _tallies(contest: Contest, jobs: int | None, engine: str, cluster: str | None) -> Iterator[AnyTally]:
    """Yield the totals so far, after every chunk."""
    if cluster is not None:
        return _on_a_cluster(contest, jobs, engine, cluster)
    if engine == "compiled":
        from liarspoker.cli.compiled_contest import totals
    else:
        from liarspoker.bots.contest import totals
    return totals(contest, jobs or os.cpu_count() or 1)


def _on_a_cluster(contest: Contest, jobs: int | None, engine: str, address: str) -> Iterator[AnyTally]:
    """Yield the totals so far of a simulation on a cluster."""
    from functools import partial

    from liarspoker.bots.contest import play_chunk, summed
    from liarspoker.research.cluster import spread

    if engine == "compiled":
        from liarspoker.cli.compiled_contest import parts_of, play_part

        return summed(contest, spread(partial(play_part, contest), parts_of(contest), address, jobs))
    return summed(contest, spread(partial(play_chunk, contest), contest.chunks, address, jobs))


def _totals(contest: Contest, tallies: Iterator[AnyTally], progress: Progress) -> tuple[AnyTally, bool]:
    """Return the totals, and whether Ctrl-C stopped the simulation."""
    total = contest.empty_tally()
    try:
        for tally in tallies:
            total = tally
            progress.update(total.played)
    except KeyboardInterrupt:
        return total, True
    return total, False


def _amount(contest: Contest) -> str:
    """Return how much is to be played, in words."""
    return _counted(contest.hands, "game" if contest.plays_matches else "hand")


def _counted(count: int, noun: str, after: str = "") -> str:
    """Return a number with a noun, in the plural unless the number is 1."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}{after}"


def _report(contest: Contest, total: AnyTally, seconds: float) -> dict[str, Any]:
    """Return the figures with the names that --json gives them."""
    figures = total.report_fields()
    return {
        "game": contest.game,
        "players": len(contest.lineup),
        "bots": list(contest.lineup),
        "options": dict(contest.changes),
        "session": contest.sessions,
        "seed": contest.seed,
        "rounds": total.rounds,
        "decisions": total.decisions,
        "seconds": seconds,
        "rounds_per_second": total.rounds / seconds,
        "decisions_per_second": total.decisions / seconds,
        **figures,
        "results": [_result(player, name, figures) for player, name in enumerate(contest.lineup)],
    }


def _result(player: int, bot: str, figures: dict[str, Any]) -> dict[str, Any]:
    """Return one player's result, with named fields."""
    if "units_per_round" in figures:
        return {"player": player + 1, "bot": bot, "units_per_round": interval(*figures["units_per_round"][player])}
    low, high = figures["win_interval"][player]
    rate = {**interval(*figures["win_rate"][player]), "low": low, "high": high}
    return {"player": player + 1, "bot": bot, "win_rate": rate}


def _text(contest: Contest, report: dict[str, Any]) -> str:
    rates = f"{report['rounds_per_second']:,.0f} hands and {report['decisions_per_second']:,.0f} decisions per second"
    lines = [
        f"{contest.game}, {report['players']} players, {_played(contest, report)}, seed {contest.seed}",
        *(f"  {name} = {str(value).lower()}" for name, value in contest.changes),
        "",
        *(_shares_won(contest, report) if contest.plays_matches else _units_won(contest, report)),
        f"{report['seconds']:.1f} s: {rates}",
    ]
    return "\n".join(lines)


def _played(contest: Contest, report: dict[str, Any]) -> str:
    if contest.plays_matches:
        return _counted(report["games"], "whole game")
    if contest.sessions:
        return _counted(report["rounds"], "hand", " in sessions of ten")
    return _counted(report["rounds"], "independent hand")


def _units_won(contest: Contest, report: dict[str, Any]) -> Iterator[str]:
    width = max(len("bot"), *(len(name) for name in contest.lineup))
    yield heading(f"player  {'bot':{width}}  units per hand  95% interval")
    for player, (name, (mean, half)) in enumerate(zip(contest.lineup, report["units_per_round"], strict=True), 1):
        interval = "-" if half is None else f"± {half:.4f}"
        yield f"{player:6}  {name:{width}}  {mean:+14.4f}  {interval:>12}"
    shares = (f"{name} {count / report['rounds']:.1%}" for name, count in report["outcomes"].items() if count)
    yield ""
    yield f"final bids: {', '.join(shares)}"


def _shares_won(contest: Contest, report: dict[str, Any]) -> Iterator[str]:
    width = max(len("bot"), *(len(name) for name in contest.lineup))
    yield heading(f"player  {'bot':{width}}  games won  95% interval")
    figures = zip(contest.lineup, report["win_rate"], report["win_interval"], strict=True)
    for player, (name, (rate, _), (low, high)) in enumerate(figures, 1):
        yield f"{player:6}  {name:{width}}  {rate:9.2%}  {low:.2%} to {high:.2%}"
    yield ""
    hands = report["rounds"] / report["games"]
    yield f"{hands:.1f} hands per game; equal players would win {1 / report['players']:.1%}"
