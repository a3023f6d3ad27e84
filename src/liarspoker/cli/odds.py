"""`liarspoker odds`: the classic tables, one question in plain words, or many line by line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from liarspoker.cli.typed_options import add_force

if TYPE_CHECKING:
    from argparse import _SubParsersAction as SubParsers

    from liarspoker.games.digits.options import Rules
    from liarspoker.odds.bid_report import BidReport
    from liarspoker.odds.card_report import DrawReport, PoolReport


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
    _add_card_questions(questions)


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
    from liarspoker.odds.tables import page, tables, tables_as_json

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
    from liarspoker.odds.bid_report import told

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
    from liarspoker.odds.bid_report import BidReport, bid_from_text, check_own, check_stronger, digit_rules, own_count

    rules: Rules = digit_rules(args.game, args.players)
    claim = bid_from_text(args.bid, rules)
    standing = None if args.over is None else bid_from_text(args.over, rules)
    check_stronger(claim, standing, rules)
    own = own_count(args.hand, claim, rules) if args.own is None else args.own
    check_own(own, rules)
    return BidReport(args.game, rules, claim, own, standing)


POOLED_DESCRIPTION = """A named hand of the pooled games: the chance that it is among cards you know and
others you do not. Without CLAIM, a table of every hand that can be named; those
that are equally likely share a row."""

POOLED_EXAMPLES = """examples:
  liarspoker odds pooled "full-house AT" --known "As Kd" --unknown 12
  liarspoker odds pooled "pair 7" --unknown 10 --jokers 2 --wild-ranks 2
  liarspoker odds pooled --unknown 15"""

THORIN_DESCRIPTION = """A declaration of Thorin's game: the chance that a hand is as good as the weakest
hand that fits it, after a draw. With --hand only, the best of its discards;
with no hand, the chance of five fresh cards."""

THORIN_EXAMPLES = """examples:
  liarspoker odds thorin three --hand "As Ad Kc 7h 2s"
  liarspoker odds thorin three --hand "As Ad Kc 7h 2s" --discard "7h 2s"
  liarspoker odds thorin "two-pair 73" --jokers 1"""

CARDS = 'such as "As Td 2c"; Jk is a joker'


def _add_card_questions(questions: SubParsers[argparse.ArgumentParser]) -> None:
    """Declare `odds pooled` and `odds thorin`."""
    raw = argparse.RawDescriptionHelpFormatter
    pooled = questions.add_parser(
        "pooled",
        help="whether a named hand is in a pool of cards",
        description=POOLED_DESCRIPTION,
        epilog=POOLED_EXAMPLES,
        formatter_class=raw,
    )
    pooled.add_argument("claim", nargs="?", metavar="CLAIM", help='the named hand, such as "flush KJ752 c"')
    pooled.add_argument("--known", default="", metavar="CARDS", help=f"cards that you know are there, {CARDS}")
    pooled.add_argument("--unknown", type=_count, required=True, metavar="N", help="how many others are there")
    pooled.add_argument("--wild-ranks", default="", metavar="RANKS", help="ranks that are wild, such as 2 or 29")
    pooled.set_defaults(answer=_answer_pooled, parser=pooled)
    thorin = questions.add_parser(
        "thorin",
        help="what a hand becomes by drawing",
        description=THORIN_DESCRIPTION,
        epilog=THORIN_EXAMPLES,
        formatter_class=raw,
    )
    thorin.add_argument("claim", metavar="CLAIM", help='the declaration, such as "two-pair 73" or "pair _A"')
    thorin.add_argument("--hand", metavar="CARDS", help=f"your five cards, {CARDS}")
    thorin.add_argument("--discard", metavar="CARDS", help="those you throw, - for none; by default the best few ways")
    thorin.set_defaults(answer=_answer_thorin, parser=thorin)
    for parser in (pooled, thorin):
        parser.add_argument("--jokers", type=int, choices=(0, 1, 2), default=0, help="jokers in the deck (0)")
        # It may also stand before the question, where the parser of `odds` reads it.
        parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")


def _count(text: str) -> int:
    """A number of cards, as argparse reads it."""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 0 or more")
    return int(text)


def _answer_pooled(args: argparse.Namespace) -> int:
    from liarspoker.odds.card_report import told_pool

    report = _pool_report(args)
    print(json.dumps(report.as_json()) if args.json else told_pool(report))
    return 0


def _pool_report(args: argparse.Namespace) -> PoolReport:
    """The pool in question.

    Raises:
        LiarsPokerError: cards or wild ranks that are none, too many of them, or no such hand.
    """
    from liarspoker.odds.card_report import PoolReport
    from liarspoker.odds.questions import named_in_pool, pool_cards, pooled_rules

    rules = pooled_rules(args.jokers, args.wild_ranks)
    known = pool_cards(_texts(args.known), args.unknown, args.jokers)
    named = None if args.claim is None else named_in_pool(args.claim, rules)
    return PoolReport(known, args.unknown, rules, named)


def _answer_thorin(args: argparse.Namespace) -> int:
    from liarspoker.odds.card_report import told_draw

    report = _draw_report(args)
    print(json.dumps(report.as_json()) if args.json else told_draw(report))
    return 0


def _draw_report(args: argparse.Namespace) -> DrawReport:
    """The draw in question.

    Raises:
        LiarsPokerError: cards that are none, or not the hand's, or no such declaration.
    """
    from liarspoker.odds.card_report import DrawReport
    from liarspoker.odds.questions import declaration, hand_and_discard

    if args.hand is None:
        if args.discard is not None:
            args.parser.error("--discard throws cards of a --hand")
        return DrawReport(declaration(args.claim, args.jokers), args.jokers)
    thrown = () if args.discard in (None, "-") else _texts(args.discard)
    hand, discard = hand_and_discard(_texts(args.hand), thrown, args.jokers)
    claim = declaration(args.claim, args.jokers)
    return DrawReport(claim, args.jokers, hand, None if args.discard is None else discard)


def _texts(typed: str) -> list[str]:
    """The cards that somebody types, together or apart.

    >>> _texts("As Td, 2cJk")
    ['As', 'Td', '2c', 'Jk']
    """
    joined = "".join(typed.replace(",", " ").split())
    return [joined[start : start + 2] for start in range(0, len(joined), 2)]
