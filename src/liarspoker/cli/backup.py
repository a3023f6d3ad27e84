"""`liarspoker backup`: all that a server has stored, in one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from liarspoker.cli.outputs import add_force
from liarspoker.cli.stored import add_place, address_of, amount

DESCRIPTION = """Write everything that a server has stored into one file: the tables' logs,
the lobby, accounts, and the sealed seeds. The server may go on meanwhile; the
file holds what was stored at one moment. `liarspoker restore` puts it into an
empty database, SQLite or PostgreSQL. The key that opens the seeds is not in it:
keep that too, in another place."""

EXAMPLES = """examples:
  liarspoker backup friday.zip                 of this user's data folder
  liarspoker backup friday.zip --data club     of another folder
  liarspoker backup friday.zip --database postgresql://localhost/club"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `liarspoker backup`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="where to")
    add_place(parser)
    parser.add_argument("--leave-out-damaged", action="store_true", help="back up what is sound of a damaged database")
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    """Write the file."""
    from liarspoker.server.storage.archive import back_up

    left_out: list[str] | None = [] if args.leave_out_damaged else None
    rows = back_up(address_of(args), args.file, args.force, left_out)
    print(f"{args.file}: {amount(rows)}")
    if left_out:
        print(f"Left out, since they are damaged: {len(left_out)} tables.", file=sys.stderr)
    print("The key that opens the seeds is not in it; keep it as well.")
    return 0
