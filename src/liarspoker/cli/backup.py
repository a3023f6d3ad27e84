"""`liarspoker backup`: all that a server has stored, in one file; and the arguments it shares with `restore`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from liarspoker.cli.typed_options import add_force

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


def add_place(parser: argparse.ArgumentParser) -> None:
    """The options `--data` and `--database`, of a command that needs the extra `serve`."""
    parser.set_defaults(extra="serve")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--data", type=Path, metavar="FOLDER", help="the data folder; this user's, if none is given")
    place.add_argument("--database", metavar="URL", help="postgresql://... or sqlite:///PATH, instead of a folder")


def address_of(args: argparse.Namespace) -> str:
    """The address of the database that the options name."""
    from liarspoker.server.storage.place import address

    return address(args.data, args.database)


def amount(rows: Mapping[str, int]) -> str:
    """How much a backup holds, by the numbers of its rows.

    >>> amount({"tables": 1, "events": 12, "users": 2, "tokens": 0})
    '1 table, 12 entries, 2 users'
    >>> amount({"tables": 3, "archives": 1, "events": 12, "users": 2, "tokens": 0})
    '3 tables (1 archived), 12 entries, 2 users'
    """
    counted = (
        (rows["tables"], "table", "tables"),
        (rows["events"], "entry", "entries"),
        (rows["users"], "user", "users"),
    )
    told = [f"{count} {one if count == 1 else many}" for count, one, many in counted]
    if archived := rows.get("archives"):
        told[0] += f" ({archived} archived)"
    return ", ".join(told)
