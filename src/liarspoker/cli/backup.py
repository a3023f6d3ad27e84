"""`liarspoker backup`: a server's database in one file; also the arguments that `restore` and `admin` share with it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from liarspoker.cli.arguments import UsageError, add_force, add_json, add_output, option_values, print_json
from liarspoker.cli.progress import Progress

DESCRIPTION = """Write a server's database into one file: the logs of tables, the lobby, accounts
and the encrypted seeds, as they were at one moment. The server may keep
running. `liarspoker restore` reads the file into an empty SQLite or PostgreSQL
database. The file doesn't hold the key for the seeds: back that up too,
somewhere else."""

EXAMPLES = """examples:
  liarspoker backup friday.zip                 back up your data folder
  liarspoker backup friday.zip --data club     back up another folder
  liarspoker backup friday.zip --database postgresql://localhost/club"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `backup`."""
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the file to write")
    add_output(parser, "the same as FILE", type=Path)
    add_place(parser)
    parser.add_argument("--leave-out-damaged", action="store_true", help="leave out damaged tables instead of stopping")
    add_force(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Write the file."""
    if (args.file is None) == (args.output is None):
        raise UsageError("name one FILE to write")
    from liarspoker.server.storage.archive import back_up

    file: Path = args.file or args.output
    left_out: list[str] | None = [] if args.leave_out_damaged else None
    with Progress("Backing up", "rows") as progress:
        rows = back_up(address_of(args), file, args.force, left_out, progress.update)
    if args.json:
        print_json({"file": str(file), "rows": dict(rows), "left_out": left_out or []})
        return 0
    print(f"{file}: {amount(rows)}")
    if left_out:
        tables = "1 damaged table" if len(left_out) == 1 else f"{len(left_out)} damaged tables"
        print(f"Left out: {tables}.", file=sys.stderr)
    print("The key for the seeds isn't in the backup; keep it as well.")
    return 0


def add_place(parser: argparse.ArgumentParser) -> None:
    """Declare `--data` and `--database`, for a command that needs the extra `serve`."""
    parser.set_defaults(extra="serve")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--data", type=folder, metavar="FOLDER", help="the data folder ($LIARSPOKER_DATA, or yours)")
    place.add_argument("--database", metavar="URL", help="postgresql://... or sqlite:///PATH, instead of a folder")


def folder(text: str) -> Path:
    """Return a folder named on the command line.

    Raises:
        ArgumentTypeError: the name is empty, probably because a variable is.

    >>> folder("club").name
    'club'
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("the value is empty; to use the default, leave the option out")
    return Path(text)


def address_of(args: argparse.Namespace) -> str:
    """Return the address of the database that the options name; without them, the variables that `serve` reads.

    Raises:
        UsageError: `--database` isn't such an address.
        BadSetting: a variable isn't valid.
    """
    from liarspoker.server.setting_sources import read_variables
    from liarspoker.server.storage.location import address

    if args.data is None and args.database is None:
        given = read_variables(os.environ, "database").get("database")
        return address(folder_of(args), given.value or None if given else None)
    with option_values():
        return address(args.data, args.database)


def folder_of(args: argparse.Namespace) -> Path:
    """Return the data folder: `--data`, else the one that `serve` uses."""
    from liarspoker.files import data_folder
    from liarspoker.server.setting_sources import read_variables

    given = read_variables(os.environ, "data").get("data")
    return args.data or (Path(given.value) if given and given.value else data_folder())


def amount(rows: Mapping[str, int]) -> str:
    """Return how much a backup holds, from its numbers of rows.

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
    parts = [f"{count} {one if count == 1 else many}" for count, one, many in counted]
    if archived := rows.get("archives"):
        parts[0] += f" ({archived} archived)"
    return ", ".join(parts)
