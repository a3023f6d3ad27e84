"""`liarspoker backup`: all that a server has stored, in one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from liarspoker.cli.stored import add_place, address_of, amount, needing_the_server

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
    parser.add_argument("--force", action="store_true", help="overwrite FILE if it exists")


def run(args: argparse.Namespace) -> int:
    """Write the file."""
    with needing_the_server():
        from liarspoker.server.storage.archive import back_up
    rows = back_up(address_of(args), args.file, args.force)
    print(f"{args.file}: {amount(rows)}")
    print("The key that opens the seeds is not in it; keep it as well.")
    return 0
