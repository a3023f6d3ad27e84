"""`liarspoker simulate`: many hands between bots, and what each wins a hand."""

from __future__ import annotations

import argparse
import json
import sys
from secrets import randbelow
from time import perf_counter
from typing import TYPE_CHECKING, Any

from liarspoker.cli.typed_options import named_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from liarspoker.bots.contest import AnyTally, Contest

DESCRIPTION = """Let bots play many hands against each other: what each wins a hand, with its 95%
confidence interval. Hands are independent, at stake 1, and everybody in turn
sits everywhere. Of a card game: whole games, and the share that each has won.
The same seed and engine give the same totals, with any number of jobs."""

EXAMPLES = """the bots: uniform (any legal action), beginner (says what it holds), binomial
(knows the chances, and hardly lies), bluffer (listens, and sometimes lies)

examples:
  liarspoker simulate salomon-1986 --players 5 --rounds 100000
  liarspoker simulate dollar-bill --option rebid=true --bots uniform --json
  liarspoker simulate slips --session --bots bluffer,binomial,beginner --jobs 2
  liarspoker simulate thorin --players 4 --games 500 --bots bluffer,binomial
  liarspoker simulate slips --bots my_bots:careful,bluffer   a bot of your own
  liarspoker simulate slips --players 5 --rounds 1000000 --cluster auto"""

DEFAULT_BOTS = "bluffer,binomial"
DEFAULT_HANDS = 10_000
DEFAULT_GAMES = 500
MOST = 10**12
"""Rounds of one contest at most; they take about a week of the engine on one core."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `simulate`."""
    parser.add_argument("game", metavar="GAME", help="the game's id, such as slips")
    parser.add_argument(
        "--bots",
        metavar="A,B,...",
        help=f"who plays, by name, or MODULE:NAME for one of your own; the last one fills the table ({DEFAULT_BOTS})",
    )
    parser.add_argument("--players", type=_positive, metavar="N", help="players (as many as bots, at least 2)")
    parser.add_argument(
        "--rounds",
        "--games",
        type=_positive,
        metavar="R",
        help=f"hands in all ({DEFAULT_HANDS}), or whole card games ({DEFAULT_GAMES})",
    )
    parser.add_argument("--seed", type=int, metavar="S", help="of all chance; by default a new one, which is told")
    parser.add_argument("--session", action="store_true", help="sessions of ten hands: stakes and opener carry over")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=named_value,
        metavar="NAME=VALUE",
        help="an option of the game; may be repeated",
    )
    dealt = parser.add_mutually_exclusive_group()
    dealt.add_argument("--slips", dest="from_slips", action="store_true", default=None, help="deal from slips")
    dealt.add_argument("--bills", dest="from_slips", action="store_false", default=None, help="deal bills")
    parser.add_argument("--jobs", type=_positive, metavar="J", help="processes or threads (1; on a cluster all)")
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
        help="python, compiled (fast; at thorin it knows only uniform), or auto, the faster that can (auto)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(usage_error=parser.error, extra="engine")
    parser.usage = "liarspoker simulate GAME [options]"


def run(args: argparse.Namespace) -> int:
    """Play and report; 130 where Ctrl-C stopped it, with the results so far."""
    from liarspoker.bots.contest import seated, table

    contest = _contest(args)
    table(contest)  # what is wrong with the game or the lineup is said before any process starts
    seated(contest)
    engine = _engine(contest, args.engine)
    begun = perf_counter()
    total, stopped = _totals(contest, _tallies(contest, args.jobs, engine, args.cluster))
    seconds = perf_counter() - begun
    _show_progress(None, contest)
    if stopped:
        print(f"stopped after {total.played:,} of {_amount(contest)}", file=sys.stderr)
    if total.played:
        report = {**_report(contest, total, seconds), "engine": engine}
        print(json.dumps(report) if args.json else _text(contest, report))
    return 130 if stopped else 0


def _contest(args: argparse.Namespace) -> Contest:
    from liarspoker.bots.contest import Contest
    from liarspoker.cli.typed_options import typed_options
    from liarspoker.core import catalogue

    names = [name.strip() for name in (DEFAULT_BOTS if args.bots is None else args.bots).split(",")]
    players = args.players or max(2, len(names))
    if args.bots is not None and len(names) > players:
        args.usage_error(f"--bots names {len(names)} bots for {players} players")
    lineup = (*names[:players], *[names[-1]] * (players - len(names)))
    seed = randbelow(1 << 32) if args.seed is None else args.seed
    changes = tuple(typed_options(catalogue.load(args.game), args.option).items())
    played = args.rounds or (DEFAULT_GAMES if catalogue.row(args.game).has_winner else DEFAULT_HANDS)
    return Contest(args.game, lineup, played, seed, changes, args.session, args.from_slips)


def _engine(contest: Contest, asked: str) -> str:
    """Who plays: `compiled`, and the engine is loaded, or `python`.

    Raises:
        BadLineup: the engine was asked for by name, and cannot play this.
    """
    from liarspoker.bots.contest import BadLineup
    from liarspoker.cli.compiled_contest import is_too_short, prepare, why_not

    if asked == "python" or (asked == "auto" and is_too_short(contest)):
        return "python"
    try:
        reason = why_not(contest)
        if reason and asked == "compiled":
            raise BadLineup(f"the engine cannot play this: {reason}")
        if reason:
            return "python"
        prepare(contest)
    except ImportError:
        if asked == "compiled":
            raise
        return "python"
    return "compiled"


def _tallies(contest: Contest, jobs: int | None, engine: str, cluster: str | None) -> Iterator[AnyTally]:
    """The totals so far, chunk after chunk."""
    if cluster is not None:
        return _on_a_cluster(contest, jobs, engine, cluster)
    if engine == "compiled":
        from liarspoker.cli.compiled_contest import totals
    else:
        from liarspoker.bots.contest import totals
    return totals(contest, jobs or 1)


def _on_a_cluster(contest: Contest, jobs: int | None, engine: str, address: str) -> Iterator[AnyTally]:
    """The same, played by the machines of a cluster."""
    from functools import partial

    from liarspoker.bots.contest import play_chunk, summed
    from liarspoker.research.cluster import spread

    if engine == "compiled":
        from liarspoker.cli.compiled_contest import parts_of, play_part

        return summed(contest, spread(partial(play_part, contest), parts_of(contest), address, jobs))
    return summed(contest, spread(partial(play_chunk, contest), contest.chunks, address, jobs))


def _totals(contest: Contest, tallies: Iterator[AnyTally]) -> tuple[AnyTally, bool]:
    """The totals, and whether somebody stopped it before the end."""
    total = contest.nothing()
    try:
        for tally in tallies:
            total = tally
            _show_progress(total.played, contest)
    except KeyboardInterrupt:
        return total, True
    return total, False


def _amount(contest: Contest) -> str:
    """How much is to be played, in words."""
    return f"{contest.hands:,} {'games' if contest.to_the_end else 'hands'}"


def _show_progress(played: int | None, contest: Contest) -> None:
    """One line on a terminal, rewritten in place; `None` wipes it."""
    if sys.stderr.isatty():
        line = "" if played is None else f"{100 * played // contest.hands:3d}%  {played:,} of {_amount(contest)}"
        print(f"\r{line:50}", end="\r" if played is None else "", file=sys.stderr, flush=True)


def _report(contest: Contest, total: AnyTally, seconds: float) -> dict[str, Any]:
    """The figures, under the names that --json gives them."""
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
        **total.figures(),
    }


def _text(contest: Contest, report: dict[str, Any]) -> str:
    rates = f"{report['rounds_per_second']:,.0f} hands and {report['decisions_per_second']:,.0f} decisions a second"
    lines = [
        f"{contest.game}, {report['players']} players, {_played(contest, report)}, seed {contest.seed}",
        *(f"  {name} = {str(value).lower()}" for name, value in contest.changes),
        "",
        *(_shares_won(contest, report) if contest.to_the_end else _units_won(contest, report)),
        f"{report['seconds']:.1f} s: {rates}",
    ]
    return "\n".join(lines)


def _played(contest: Contest, report: dict[str, Any]) -> str:
    if contest.to_the_end:
        return f"{report['games']:,} whole games"
    return f"{report['rounds']:,} {'hands in sessions of ten' if contest.sessions else 'independent hands'}"


def _units_won(contest: Contest, report: dict[str, Any]) -> Iterator[str]:
    width = max(len("bot"), *(len(name) for name in contest.lineup))
    yield f"player  {'bot':{width}}  units a hand  95% interval"
    for player, (name, (mean, half)) in enumerate(zip(contest.lineup, report["units_per_round"], strict=True), 1):
        interval = "-" if half is None else f"± {half:.4f}"
        yield f"{player:6}  {name:{width}}  {mean:+12.4f}  {interval:>12}"
    shares = (f"{name} {count / report['rounds']:.1%}" for name, count in report["outcomes"].items() if count)
    yield ""
    yield f"final bids: {', '.join(shares)}"


def _shares_won(contest: Contest, report: dict[str, Any]) -> Iterator[str]:
    width = max(len("bot"), *(len(name) for name in contest.lineup))
    yield f"player  {'bot':{width}}  games won  95% interval"
    figures = zip(contest.lineup, report["win_rate"], report["win_interval"], strict=True)
    for player, (name, (rate, _), (low, high)) in enumerate(figures, 1):
        yield f"{player:6}  {name:{width}}  {rate:9.2%}  {low:.2%} to {high:.2%}"
    yield ""
    yield f"{report['rounds'] / report['games']:.1f} hands a game; each alike would win {1 / report['players']:.1%}"


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() and len(text) <= len(str(MOST)) else 0
    if not 1 <= number <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {MOST:,}")
    return number
