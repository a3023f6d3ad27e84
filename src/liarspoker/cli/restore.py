"""`liarspoker restore`: a backup, read into an empty database."""

from __future__ import annotations

import argparse
from pathlib import Path

from liarspoker.cli.arguments import add_json, print_json
from liarspoker.cli.backup import add_place, address_of, amount
from liarspoker.cli.progress import Progress

DESCRIPTION = """Read a backup into an empty database. A database that isn't empty is left as it
is. A backup from SQLite or PostgreSQL can be restored into either. Afterwards
start the server with the same key as before, from LIARSPOKER_KEY, from the file
that LIARSPOKER_KEY_FILE names, or from the file liarspoker.key in the data
folder: it decrypts the seeds."""

EXAMPLES = """examples:
  liarspoker restore friday.zip --data club    restore into a folder
  liarspoker restore friday.zip --database postgresql://localhost/club"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `restore`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a file that `liarspoker backup` wrote")
    add_place(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Read the file into the database."""
    from liarspoker.server.storage.archive import restore

    with Progress("Restoring", "rows") as progress:
        rows = restore(address_of(args), args.file, progress.update)
    if args.json:
        print_json({"file": str(args.file), "rows": dict(rows)})
        return 0
    print(f"restored {amount(rows)}")
    print("Start the server with the key that it had when the backup was made.")
    return 0
