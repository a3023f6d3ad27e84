"""`liarspoker odds`: the classic tables, one question, or many questions line by line."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from liarspoker.cli.arguments import (
    UsageError,
    add_force,
    add_game_option,
    add_json,
    add_players,
    add_plot,
    integer,
    option_values,
)
from liarspoker.cli.progress import Progress
from liarspoker.language import N_, _, language, speaking

if TYPE_CHECKING:
    from argparse import _SubParsersAction as SubParsers

    from liarspoker.games.digits.options import Rules
    from liarspoker.odds.bid_report import BidReport
    from liarspoker.odds.card_report import DrawReport, PoolReport


DESCRIPTION = N_("""Compute exact odds for all games.

Without a question: Shackleford's tables for a number of players. `bid`: what
you need for one bid of digits, and its expected value. `pooled` and `thorin`:
the probability of a hand of cards. See `liarspoker odds bid --help` and so on.
With --jsonl: one JSON question per input line, one answer per output line.""")

EXAMPLES = N_("""examples:
  liarspoker odds                           the tables for up to 5 players
  liarspoker odds --players 10 --json       for up to 10, as JSON
  liarspoker odds --plot odds.png           a chart of the probabilities
  liarspoker odds bid 5x7 --players 4 --hand 06742088
  liarspoker odds pooled "full-house AT" --known "As Kd" --unknown 12
  liarspoker odds thorin three --hand "As Ad Kc 7h 2s"
  liarspoker odds --jsonl < questions.jsonl

  one line of questions.jsonl:
  {"kind": "others_at_least", "others": 3, "need": 4}""")

BID_DESCRIPTION = N_("""Analyse one bid: what you hold, what you need from the others, the probability,
the payoff by the rules of the game, and whether to raise to it or to challenge.""")

BID_EXAMPLES = N_("""examples:
  liarspoker odds bid 5x7 --players 4 --hand 06742088
  liarspoker odds bid "nine sixes" --players 5 --own 2 --over 8x0
  liarspoker odds bid 4x0 --players 3 --own 0 --game dollar-bill --plot 0.svg""")

MOST_PLAYERS = 100
CHARTS = (".png", ".svg", ".pdf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `odds` and of its questions."""
    add_players(
        parser, _("number of players, 2 to {most} (5)", most=MOST_PLAYERS), type=integer(2, MOST_PLAYERS), default=5
    )
    add_plot(parser, _("draw a chart: .png, .svg or .pdf"))
    add_force(parser)
    form = parser.add_mutually_exclusive_group()
    add_json(form)
    form.add_argument("--jsonl", action="store_true", help=_("answer JSON questions from standard input, line by line"))
    parser.set_defaults(answer=_answer_tables, extra="plot")
    parser.usage = (
        "liarspoker odds [--players N] [--plot FILE [--force]] [--json | --jsonl]\n       liarspoker odds QUESTION ..."
    )
    questions = parser.add_subparsers(metavar="QUESTION", title=_("one question"), prog="liarspoker odds")
    _add_bid_arguments(
        questions.add_parser(
            "bid",
            help=_("what you need for one bid, and its expected value"),
            description=_(BID_DESCRIPTION),
            epilog=_(BID_EXAMPLES),
        )
    )
    _add_card_questions(questions)


def _add_bid_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bid", metavar="BID", help=_('the bid, such as 5x7 or "five sevens"'))
    add_players(
        parser, _("number of players, 2 to {most}", most=MOST_PLAYERS), type=integer(2, MOST_PLAYERS), required=True
    )
    held = parser.add_mutually_exclusive_group(required=True)
    held.add_argument("--hand", metavar="DIGITS", help=_("your number, such as 06742088"))
    held.add_argument("--own", type=integer(0), metavar="K", help=_("or only how many of the digit you hold"))
    parser.add_argument("--over", metavar="BID", help=_("the standing bid (one that pays a single stake)"))
    add_game_option(parser, "salomon-1986", _("the game whose payoffs apply (salomon-1986)"))
    # These three may also come before `bid`, where the parser of `odds` reads them.
    unset = argparse.SUPPRESS
    add_json(parser, default=unset)
    add_plot(parser, _("draw the distribution: .png, .svg or .pdf"), default=unset)
    add_force(parser, default=unset)
    parser.set_defaults(answer=_answer_bid, parser=parser)


def run(args: argparse.Namespace) -> int:
    """Answer the question."""
    if args.jsonl and (args.answer is not _answer_tables or args.output is not None):
        raise UsageError(_("--jsonl reads questions from standard input only; leave out the question and --plot"))
    if args.output is not None:
        if args.answer not in (_answer_tables, _answer_bid):
            raise UsageError(_("--plot: a chart needs the tables or a bid"))
        if args.output.suffix.lower() not in CHARTS:
            raise UsageError(
                _("--plot {file}: a chart's file name ends in {endings}", file=args.output, endings=", ".join(CHARTS))
            )
    return int(args.answer(args))


def _answer_tables(args: argparse.Namespace) -> int:
    if args.jsonl:
        return _answer_lines()
    from liarspoker.odds.tables import page, tables, tables_as_json

    if args.output is not None:
        from liarspoker.odds.chart import draw_chances

        draw_chances(args.players, args.output, args.force)
    with Progress(_("Computing the tables")) as progress, speaking("en" if args.json else language()):
        progress.tick()
        found = tables(args.players)
    print(json.dumps(tables_as_json(args.players, found)) if args.json else "\n\n\n".join(map(page, found)))
    return 0


def _answer_lines() -> int:
    from liarspoker.odds.answers import answer_lines

    for answer in answer_lines(sys.stdin.buffer):
        print(answer, flush=True)
    return 0


def _answer_bid(args: argparse.Namespace) -> int:
    from liarspoker.odds.bid_report import format_bid

    report = _report(args)
    if args.output is not None:
        from liarspoker.odds.chart import draw_bid

        draw_bid(report, args.output, args.force)
    print(json.dumps(report.as_json()) if args.json else format_bid(report))
    return 0


def _report(args: argparse.Namespace) -> BidReport:
    """Return the analysis of the bid.

    Raises:
        UsageError: an option has a bad value.
        LiarsPokerError: the bid doesn't exist.
    """
    from liarspoker.odds.bid_report import BidReport, bid_from_text, check_own, check_stronger, digit_rules, own_count

    with option_values():
        rules: Rules = digit_rules(args.game, args.players)
        standing = None if args.over is None else bid_from_text(args.over, rules)
    claim = bid_from_text(args.bid, rules)
    with option_values():
        check_stronger(claim, standing, rules)
        own = own_count(args.hand, claim, rules) if args.own is None else args.own
        check_own(own, rules)
    return BidReport(args.game, rules, claim, own, standing)


POOLED_DESCRIPTION = N_("""Compute the probability that a hand is among the cards of a Queen Anne's game:
some that you know and some random ones. Without CLAIM, a table of every hand
that can be named; equally likely hands share a row.""")

POOLED_EXAMPLES = N_("""examples:
  liarspoker odds pooled "full-house AT" --known "As Kd" --unknown 12
  liarspoker odds pooled "pair 7" --unknown 10 --jokers 2 --wild-ranks 2
  liarspoker odds pooled --unknown 15""")

THORIN_DESCRIPTION = N_("""Compute the probability that a hand of Thorin's game makes a declaration true
after a draw. With --hand only, the best discards; without a hand, the
probability for five fresh cards.""")

THORIN_EXAMPLES = N_("""examples:
  liarspoker odds thorin three --hand "As Ad Kc 7h 2s"
  liarspoker odds thorin three --hand "As Ad Kc 7h 2s" --discard "7h 2s"
  liarspoker odds thorin "two-pair 73" --jokers 1 --or-better words""")

CARDS = '"As Td 2c"'


def _add_card_questions(questions: SubParsers[argparse.ArgumentParser]) -> None:
    """Declare `odds pooled` and `odds thorin`."""
    pooled = questions.add_parser(
        "pooled",
        help=_("the probability that a hand is in a pool of cards"),
        description=_(POOLED_DESCRIPTION),
        epilog=_(POOLED_EXAMPLES),
    )
    pooled.add_argument("claim", nargs="?", metavar="CLAIM", help=_('the named hand, such as "flush KJ752 c"'))
    pooled.add_argument(
        "--known",
        default="",
        metavar="CARDS",
        help=_("cards that you know are there, such as {cards}; Jk is a joker", cards=CARDS),
    )
    pooled.add_argument("--unknown", type=integer(0), required=True, metavar="N", help=_("further cards in play"))
    pooled.add_argument("--wild-ranks", default="", metavar="RANKS", help=_("wild ranks, such as 2 or 29"))
    pooled.set_defaults(answer=_answer_pooled, parser=pooled)
    thorin = questions.add_parser(
        "thorin",
        help=_("the probability that a hand reaches a claim by drawing"),
        description=_(THORIN_DESCRIPTION),
        epilog=_(THORIN_EXAMPLES),
    )
    thorin.add_argument("claim", metavar="CLAIM", help=_('the declaration, such as "two-pair 73" or "pair _A"'))
    thorin.add_argument(
        "--hand", metavar="CARDS", help=_("your five cards, such as {cards}; Jk is a joker", cards=CARDS)
    )
    thorin.add_argument("--discard", metavar="CARDS", help=_("the cards to discard, - for none (the best few ways)"))
    thorin.add_argument(
        "--gone", default="", metavar="CARDS", help=_("earlier discards that you know; they aren't drawn")
    )
    thorin.add_argument(
        "--or-better",
        choices=("worst", "words"),
        default="worst",
        help=_(
            "which hands make it true: any as good as the weakest that fits (worst), or only those that fit or beat "
            "all that do (words)"
        ),
    )
    thorin.add_argument(
        "--duplicate",
        choices=("five_only", "any"),
        default="five_only",
        help=_("when a joker may double a card (five_only: for five of a kind)"),
    )
    thorin.set_defaults(answer=_answer_thorin, parser=thorin)
    for parser in (pooled, thorin):
        parser.add_argument("--jokers", type=int, choices=(0, 1, 2), default=0, help=_("jokers in the deck (0)"))
        # It may also come before the question, where the parser of `odds` reads it.
        add_json(parser, default=argparse.SUPPRESS)


def _answer_pooled(args: argparse.Namespace) -> int:
    from liarspoker.odds.card_report import format_pool

    report = _pool_report(args)
    print(json.dumps(report.as_json()) if args.json else format_pool(report))
    return 0


def _pool_report(args: argparse.Namespace) -> PoolReport:
    """Return the analysis of the pool.

    Raises:
        UsageError: cards or wild ranks don't exist, or there are too many.
        LiarsPokerError: the hand doesn't exist.
    """
    from liarspoker.odds.card_report import PoolReport
    from liarspoker.odds.questions import named_in_pool, pool_cards, pooled_rules

    with option_values():
        rules = pooled_rules(args.jokers, args.wild_ranks)
        known = pool_cards(_texts(args.known), args.unknown, args.jokers)
    named = None if args.claim is None else named_in_pool(args.claim, rules)
    return PoolReport(known, args.unknown, rules, named)


def _answer_thorin(args: argparse.Namespace) -> int:
    from liarspoker.odds.card_report import format_draw

    report = _draw_report(args)
    print(json.dumps(report.as_json()) if args.json else format_draw(report))
    return 0


def _draw_report(args: argparse.Namespace) -> DrawReport:
    """Return the analysis of the draw.

    Raises:
        UsageError: cards don't exist, or aren't in the hand.
        LiarsPokerError: the declaration doesn't exist.
    """
    from liarspoker.odds.card_report import DrawReport
    from liarspoker.odds.questions import declaration, gone_cards, hand_and_discard

    if args.hand is None and args.discard is not None:
        raise UsageError(_("--discard needs --hand"))
    hand = discard = None
    with option_values():
        if args.hand is not None:
            discarded = () if args.discard in (None, "-") else _texts(args.discard)
            hand, discard = hand_and_discard(_texts(args.hand), discarded, args.jokers)
        gone = gone_cards(_texts(args.gone), hand or (), args.jokers)
    claim = declaration(args.claim, args.jokers, args.duplicate)
    return DrawReport(
        claim, args.jokers, hand, None if args.discard is None else discard, gone, args.or_better, args.duplicate
    )


def _texts(typed: str) -> list[str]:
    """Return the cards in a text, with or without spaces or commas between them.

    >>> _texts("As Td, 2cJk")
    ['As', 'Td', '2c', 'Jk']
    """
    joined = "".join(typed.replace(",", " ").split())
    return [joined[start : start + 2] for start in range(0, len(joined), 2)]
