"""`liarspoker restore`: a backup, put into an empty database."""

from __future__ import annotations

import argparse
from pathlib import Path

from liarspoker.cli.backup import add_place, address_of, amount

DESCRIPTION = """Put a backup into a database that is empty, and leave every other one as it is.
The backup may come from SQLite or PostgreSQL, and go to either. Start the
server afterwards with the same key as before, from LIARSPOKER_KEY or from the
file liarspoker.key in the data folder: it opens the seeds."""

EXAMPLES = """examples:
  liarspoker restore friday.zip --data club    into a folder
  liarspoker restore friday.zip --database postgresql://localhost/club"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `liarspoker restore`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="written by liarspoker backup")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    """Read the file into the database."""
    from liarspoker.server.storage.archive import restore

    rows = restore(address_of(args), args.file)
    print(f"restored {amount(rows)}")
    print("Start the server with the key that it had when the backup was made.")
    return 0
