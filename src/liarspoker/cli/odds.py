"""`liarspoker odds`: the classic tables, one question in plain words, or many line by line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from liarspoker.cli import odds_cards
from liarspoker.cli.outputs import add_force

if TYPE_CHECKING:
    from liarspoker.games.digits.options import Rules
    from liarspoker.odds.bid_report import BidReport

DESCRIPTION = """Exact chances in all games.

Alone: Shackleford's tables for the number of players you name. With `bid`: what
you need for one bid of digits, and what it is worth. With `pooled` or `thorin`:
the chance of a hand of cards. (`liarspoker odds bid --help` and so on.)
With --jsonl: one JSON question a line in, one answer a line out."""

EXAMPLES = """examples:
  liarspoker odds                           the tables for up to 5 players
  liarspoker odds --players 10 --json       for up to 10, as JSON
  liarspoker odds --plot chances.png        the chances, drawn
  liarspoker odds bid 5x7 --players 4 --hand 06742088
  liarspoker odds pooled "full-house AT" --known "As Kd" --unknown 12
  liarspoker odds thorin three --hand "As Ad Kc 7h 2s"
  liarspoker odds --jsonl < questions.jsonl

  one line of questions.jsonl:
  {"kind": "others_at_least", "others": 3, "need": 4}"""

BID_DESCRIPTION = """One bid: what you hold, what you need from the others, the chance, what it pays
by the rules of the game, and whether to raise to it or to challenge."""

BID_EXAMPLES = """examples:
  liarspoker odds bid 5x7 --players 4 --hand 06742088
  liarspoker odds bid "nine sixes" --players 5 --own 2 --over 8x0
  liarspoker odds bid 4x0 --players 3 --own 0 --game dollar-bill --plot tens.svg"""

MOST_PLAYERS = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `odds`, and of each question that has a word of its own."""
    parser.add_argument("--players", type=_players, default=5, metavar="N", help="players at the table, 2 to 100 (5)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the chances: .png, .svg or .pdf")
    add_force(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--jsonl", action="store_true", help="answer JSON questions from standard input, line by line")
    parser.set_defaults(answer=_answer_tables, parser=parser, extra="plot")
    parser.usage = (
        "liarspoker odds [--players N] [--plot FILE [--force]] [--json | --jsonl]\n       liarspoker odds QUESTION ..."
    )
    questions = parser.add_subparsers(metavar="QUESTION", title="one question", prog="liarspoker odds")
    _add_bid_arguments(
        questions.add_parser(
            "bid",
            help="what you need for one bid, and what it is worth",
            description=BID_DESCRIPTION,
            epilog=BID_EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    )
    odds_cards.add_arguments(questions)


def _add_bid_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bid", metavar="BID", help='the bid, such as 5x7 or "five sevens"; 0 is the ten')
    parser.add_argument("--players", type=_players, required=True, metavar="N", help="players at the table, 2 to 100")
    held = parser.add_mutually_exclusive_group(required=True)
    held.add_argument("--hand", metavar="DIGITS", help="your number, such as 06742088")
    held.add_argument("--own", type=int, metavar="K", help="or only how many of the digit you hold")
    parser.add_argument("--over", metavar="BID", help="the standing bid; by default one that pays a single stake")
    parser.add_argument("--game", default="salomon-1986", metavar="GAME", help="whose rules pay (salomon-1986)")
    # These three may also stand before `bid`, where the parser of `odds` reads them.
    unset = argparse.SUPPRESS
    parser.add_argument("--json", action="store_true", default=unset, help="print one JSON object")
    parser.add_argument(
        "--plot", type=Path, default=unset, metavar="FILE", help="draw the distribution: .png, .svg or .pdf"
    )
    add_force(parser, default=unset)
    parser.set_defaults(answer=_answer_bid)


def run(args: argparse.Namespace) -> int:
    """Answer what was asked."""
    if args.jsonl and (args.answer is not _answer_tables or args.plot is not None):
        args.parser.error("--jsonl takes its questions from standard input, and nothing else")
    if args.plot is not None and args.answer not in (_answer_tables, _answer_bid):
        args.parser.error("--plot draws the tables, or a bid")
    return int(args.answer(args))


def _players(text: str) -> int:
    """The number of players, as argparse reads it."""
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not 2 <= int(text) <= MOST_PLAYERS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 2 to {MOST_PLAYERS}")
    return int(text)


def _answer_tables(args: argparse.Namespace) -> int:
    if args.jsonl:
        return _answer_lines()
    from liarspoker.odds.layout import page, tables_as_json
    from liarspoker.odds.tables import tables

    if args.plot is not None:
        from liarspoker.odds.chart import draw_chances

        draw_chances(args.players, args.plot, args.force)
    found = tables(args.players)
    print(json.dumps(tables_as_json(args.players, found)) if args.json else "\n\n\n".join(map(page, found)))
    return 0


def _answer_lines() -> int:
    from liarspoker.odds.answers import answer_lines

    for answer in answer_lines(sys.stdin.buffer):
        print(answer, flush=True)
    return 0


def _answer_bid(args: argparse.Namespace) -> int:
    from liarspoker.odds.bid_words import told

    report = _report(args)
    if args.plot is not None:
        from liarspoker.odds.chart import draw_bid

        draw_bid(report, args.plot, args.force)
    print(json.dumps(report.as_json()) if args.json else told(report))
    return 0


def _report(args: argparse.Namespace) -> BidReport:
    """The bid in question.

    Raises:
        LiarsPokerError: no such game, bid or hand, or a bid that does not beat the standing one.
    """
    from liarspoker.odds.bid_report import BidReport
    from liarspoker.odds.typed import bid_from_text, check_own, check_stronger, digit_rules, own_count

    rules: Rules = digit_rules(args.game, args.players)
    claim = bid_from_text(args.bid, rules)
    standing = None if args.over is None else bid_from_text(args.over, rules)
    check_stronger(claim, standing, rules)
    own = own_count(args.hand, claim, rules) if args.own is None else args.own
    check_own(own, rules)
    return BidReport(args.game, rules, claim, own, standing)
