"""`liarspoker slips`: sheets of slips to print and cut out."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from liarspoker.cli.arguments import UsageError, add_force, add_json, add_output, add_seed, integer, print_json
from liarspoker.core.errors import LiarsPokerError
from liarspoker.files import check_writable, new_file
from liarspoker.games.digits.options import ROW_LETTERS
from liarspoker.language import N_, _

if TYPE_CHECKING:
    from liarspoker.paper.slips import SlipSheet

DESCRIPTION = N_("""\
Write a PDF of slips to cut out and play with; each has fifteen numbers.

Without --seed the numbers come from the system's secure random numbers and
can't be drawn again. With --seed the same sheet comes out every time, byte for
byte, and everyone who knows the seed knows every slip. A page holds four slips:
print it at full size and cut along the dashed lines.""")

EXAMPLES = N_("""\
examples:
  liarspoker slips                             slips for four, in slips.pdf
  liarspoker slips --count 6 --paper letter    slips for six on US letter
  liarspoker slips --seed 1986 -o friday.pdf   a sheet that can be made again
  liarspoker slips -o - | lp                   straight to the printer""")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `slips`."""
    parser.add_argument("--count", type=_count, default=4, metavar="N", help=_("number of slips, one per player (4)"))
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help=_("paper size (a4)"))
    add_seed(parser, _("an integer; the same seed gives the same sheet"))
    parser.add_argument(
        "--row-letters",
        choices=tuple(ROW_LETTERS),
        default="skip_IO",
        help=_("letter the rows A to Q without I and O (skip_IO), or A to P without O (A_to_P)"),
    )
    add_output(parser, _("the file to write (slips.pdf); - for standard output"), default="slips.pdf")
    add_force(parser)
    add_json(parser)
    parser.set_defaults(extra="print")


def run(args: argparse.Namespace) -> int:
    """Write the sheet."""
    from liarspoker.paper.sheet import PAPERS, pages_of, sheet_pdf

    if args.output == "-":
        if args.json:
            raise UsageError(_("--json: standard output is for the PDF; name a file with --output"))
        _to_stdout(sheet_pdf(_draw(args), args.paper))
        return 0
    path = Path(args.output)
    check_writable(path, args.force)
    sheet = _draw(args)
    with new_file(path, args.force) as file:
        file.write(sheet_pdf(sheet, args.paper))
    slips, pages = len(sheet.slips), pages_of(sheet)
    if args.json:
        print_json({"output": args.output, "slips": slips, "pages": pages, "paper": args.paper, "sheet": sheet.mark})
        return 0
    print(
        f"{args.output}: {slips} slip{'s' * (slips > 1)} on {pages} page{'s' * (pages > 1)} "
        f"of {PAPERS[args.paper].title}, sheet {sheet.mark}"
    )
    return 0


def _count(text: str) -> int:
    from liarspoker.paper.slips import MAX_SLIPS

    return integer(1, MAX_SLIPS)(text)


def _draw(args: argparse.Namespace) -> SlipSheet:
    from liarspoker.paper.slips import draw_sheet

    chance = random.SystemRandom() if args.seed is None else random.Random(args.seed)
    return draw_sheet(args.count, chance.randrange, args.row_letters)


def _to_stdout(pdf: bytes) -> None:
    if sys.stdout.isatty():
        raise LiarsPokerError(_("-: a terminal can't show a PDF; redirect it to a file or a program"))
    sys.stdout.buffer.write(pdf)
    sys.stdout.buffer.flush()
