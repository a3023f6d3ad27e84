"""`liarspoker odds pooled` and `odds thorin`: the questions of `liarspoker odds` about cards."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import _SubParsersAction as SubParsers

    from liarspoker.odds.card_report import DrawReport, PoolReport

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


def add_arguments(questions: SubParsers[argparse.ArgumentParser]) -> None:
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
    from liarspoker.odds.card_words import told_pool

    report = _pool_report(args)
    print(json.dumps(report.as_json()) if args.json else told_pool(report))
    return 0


def _pool_report(args: argparse.Namespace) -> PoolReport:
    """The pool in question.

    Raises:
        LiarsPokerError: cards or wild ranks that are none, too many of them, or no such hand.
    """
    from liarspoker.odds.card_report import PoolReport
    from liarspoker.odds.card_texts import named_in_pool, pool_cards, pooled_rules

    rules = pooled_rules(args.jokers, args.wild_ranks)
    known = pool_cards(_texts(args.known), args.unknown, args.jokers)
    named = None if args.claim is None else named_in_pool(args.claim, rules)
    return PoolReport(known, args.unknown, rules, named)


def _answer_thorin(args: argparse.Namespace) -> int:
    from liarspoker.odds.card_words import told_draw

    report = _draw_report(args)
    print(json.dumps(report.as_json()) if args.json else told_draw(report))
    return 0


def _draw_report(args: argparse.Namespace) -> DrawReport:
    """The draw in question.

    Raises:
        LiarsPokerError: cards that are none, or not the hand's, or no such declaration.
    """
    from liarspoker.odds.card_report import DrawReport
    from liarspoker.odds.card_texts import declaration, hand_and_discard

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
