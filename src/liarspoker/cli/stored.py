"""What the commands that touch the server's data share: where the data lie, and what they need."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path


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
