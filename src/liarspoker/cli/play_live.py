"""`liarspoker play --server`: a seat at a live table, in the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from liarspoker.cli.typed_options import typed_options
from liarspoker.core import catalogue
from liarspoker.core.errors import BadOption

if TYPE_CHECKING:
    from liarspoker.terminal.screen import Console

DEFAULT_CHAIRS = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `play` that are for live tables."""
    parser.add_argument("--server", metavar="URL", help="play live: a server's address, or a table's link")
    parser.add_argument("--token", metavar="SECRET", help="come in as your account there")
    parser.add_argument("--ask-ready", action="store_true", help="be asked there before each round")
    parser.set_defaults(extra="serve")


def sit_down(args: argparse.Namespace, console: Console | None = None, folder: Path | None = None) -> int:
    """Sit down at a live table.

    Raises:
        LiarsPokerError: no such server or table; the message says what to do.
    """
    for name in ("record", "seed"):
        if getattr(args, name) is not None:
            args.parser.error(f"--{name}: not at a live table; the server keeps its records and deals")
    from liarspoker.terminal.joining import Wishes, play
    from liarspoker.terminal.screen import Console

    settings, bots = _table(args)
    # A table whose chairs are all taken has nobody to wait for.
    full = settings is not None and len(bots) + 1 == settings["seats"]
    wishes = Wishes(args.server, args.name, args.token, settings, bots, full, args.ask_ready, folder)
    return play(wishes, console or Console(boxes=False if args.plain else None))


def _table(args: argparse.Namespace) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """The table that is to be made, and the bots that sit down at it; none if no game is named."""
    if args.game is None:
        named = [name for name in ("players", "bots", "slips", "hands") if getattr(args, name) is not None]
        if named or args.option:
            args.parser.error(f"--{(named or ['option'])[0]}: for a new table; name its game too")
        return None, ()
    game = catalogue.load(args.game)
    bots = tuple(name.strip() for name in args.bots.split(",")) if args.bots else ()
    seats = args.players if args.players is not None else max(len(bots) + 1, min(DEFAULT_CHAIRS, game.row.seats[1]))
    if len(bots) >= seats:
        raise BadOption(f"--bots: {len(bots)} bots and you are more than {seats} players")
    options = typed_options(game, args.option)
    game.options(options)  # a misspelt option is told before anything is sent
    return {
        "game": game.row.id,
        "seats": seats,
        "options": options,
        "from_slips": args.slips,
        "rounds": args.hands,
    }, bots
