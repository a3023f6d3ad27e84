"""What the commands that touch the server's data share: where the data lie, and what they need."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from liarspoker.rules.errors import LiarsPokerError


def add_place(parser: argparse.ArgumentParser) -> None:
    """The options `--data` and `--database`."""
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
    """
    counted = (
        (rows["tables"], "table", "tables"),
        (rows["events"], "entry", "entries"),
        (rows["users"], "user", "users"),
    )
    return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counted)


@contextmanager
def needing_the_server() -> Iterator[None]:
    """Tell what to install where a package of the extra `serve` is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "liarspoker":
            raise
        raise LiarsPokerError(f"this needs {error.name}: pip install 'liarspoker[serve]'") from error
