"""`liarspoker slips`: sheets of slips to print, cut out and play with."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from liarspoker.cli.typed_options import add_force
from liarspoker.core.errors import LiarsPokerError
from liarspoker.files import check_writable, new_file
from liarspoker.games.digits.options import ROW_LETTERS

if TYPE_CHECKING:
    from liarspoker.paper.slips import SlipSheet

DESCRIPTION = """Write a PDF of slips, which are cut out and played with: fifteen numbers each.

Without --seed the numbers come from the system's secure randomness and nobody
can draw them again. With --seed the same sheet comes out every time, to the
byte, and whoever knows the seed knows every slip. Four slips stand on a page:
print it at full size and cut along the dashes."""

EXAMPLES = """examples:
  liarspoker slips                             slips for four, in slips.pdf
  liarspoker slips --count 6 --paper letter    slips for six on US letter
  liarspoker slips --seed 1986 -o friday.pdf   a sheet that can be made again
  liarspoker slips -o - | lp                   straight to the printer"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `liarspoker slips`."""
    parser.add_argument("--count", type=_count, default=4, metavar="N", help="how many slips, one a player (4)")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="the size of the paper (a4)")
    parser.add_argument("--seed", type=int, metavar="S", help="a whole number; the same one draws the same sheet")
    parser.add_argument(
        "--row-letters",
        choices=tuple(ROW_LETTERS),
        default="skip_IO",
        help="letter the rows A to Q without I and O (skip_IO), or A to P without O (A_to_P)",
    )
    parser.add_argument(
        "-o", "--output", default="slips.pdf", metavar="FILE", help="where to (slips.pdf); - for stdout"
    )
    add_force(parser)
    parser.set_defaults(extra="print")


def run(args: argparse.Namespace) -> int:
    """Write the sheet."""
    from liarspoker.paper.sheet import PAPERS, pages_of, sheet_pdf

    if args.output == "-":
        _to_stdout(sheet_pdf(_draw(args), args.paper))
        return 0
    path = Path(args.output)
    check_writable(path, args.force)
    sheet = _draw(args)
    with new_file(path, args.force) as file:
        file.write(sheet_pdf(sheet, args.paper))
    pages = pages_of(sheet)
    print(
        f"{args.output}: {len(sheet.slips)} slip{'s' * (len(sheet.slips) > 1)} on {pages} page{'s' * (pages > 1)} "
        f"of {PAPERS[args.paper].title}, sheet {sheet.mark}"
    )
    return 0


def _count(text: str) -> int:
    from liarspoker.paper.slips import MAX_SLIPS

    if not text.isdecimal() or not 1 <= int(text) <= MAX_SLIPS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_SLIPS}")
    return int(text)


def _draw(args: argparse.Namespace) -> SlipSheet:
    from liarspoker.paper.slips import draw_sheet

    chance = random.SystemRandom() if args.seed is None else random.Random(args.seed)
    return draw_sheet(args.count, chance.randrange, args.row_letters)


def _to_stdout(pdf: bytes) -> None:
    if sys.stdout.isatty():
        raise LiarsPokerError("-: a PDF is not for a terminal to show; send it to a file or a program")
    sys.stdout.buffer.write(pdf)
    sys.stdout.buffer.flush()
