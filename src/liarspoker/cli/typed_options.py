"""What several commands share: options of a game, typed as `NAME=VALUE`, and `--force`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from liarspoker.core.errors import BadOption
from liarspoker.core.session import Game

if TYPE_CHECKING:
    from liarspoker.solve.strategy import Strategy


def named_value(text: str) -> tuple[str, str]:
    """The name and the value of `NAME=VALUE`, as an argument's type.

    Raises:
        ArgumentTypeError: the text is not of this form.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}: write NAME=VALUE, as in rebid=true")
    return name, value


def typed_options(game: Game, named: Iterable[tuple[str, str]]) -> dict[str, object]:
    """The changes that somebody has typed, each value read as its option's kind.

    Args:
        game: whose options they are.
        named: names and values, from `named_value`.

    Returns:
        What `game.options` takes; a value of the wrong kind stays text, which the game refuses by name.

    Raises:
        BadOption: an option is named twice, so that nobody knows which is meant.
    """
    kinds = {info.name: type(info.choices[0]) for info in game.option_infos}
    changes: dict[str, object] = {}
    for name, value in named:
        if name in changes:
            raise BadOption(f"--option {name}: it is there twice; leave one out")
        changes[name] = _value(value, kinds.get(name, str))
    return changes


def _value(text: str, kind: type) -> object:
    if kind is bool:
        return {"true": True, "false": False}.get(text, text)
    return int(text) if kind is int and text.isascii() and text.isdecimal() and len(text) < 10 else text


def add_force(parser: argparse.ArgumentParser, default: object = False) -> None:
    """Declare the option `--force`, for `liarspoker.files.check_writable` and `new_file`."""
    parser.add_argument("--force", action="store_true", default=default, help="overwrite FILE if it exists")


DEFAULT_GAME = "dollar-bill"
DEFAULT_PLAYERS = 2


def add_small_game(parser: argparse.ArgumentParser) -> None:
    """Declare them, for a command that needs the extra `engine`; what is not given is `None`."""
    parser.set_defaults(extra="engine")
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help=f"whose rules and payoffs ({DEFAULT_GAME}: all payoffs flat)"
    )
    parser.add_argument("--players", type=positive, metavar="N", help=f"players ({DEFAULT_PLAYERS})")
    parser.add_argument("--hand-size", type=positive, metavar="K", help="digits in a hand, 1 to 15 (8)")
    parser.add_argument("--symbols", type=positive, metavar="M", help="digits in play, 2 to 10 (10)")
    parser.add_argument(
        "--rebid",
        action=argparse.BooleanOptionalAction,
        help="with or without rebids (as the game has it)",
    )
    parser.add_argument(
        "--option", action="append", default=[], type=named_value, metavar="NAME=VALUE", help="an option of the game"
    )


def changes_of(args: argparse.Namespace, game: str) -> dict[str, object]:
    """The options that somebody has typed, as a record writes them.

    Raises:
        UnknownGame: there is no such game.
        BadOption: an option is there twice.
    """
    from liarspoker.core import catalogue

    named = {"hand_size": args.hand_size, "symbols": args.symbols, "rebid": args.rebid}
    changes: dict[str, object] = {name: value for name, value in named.items() if value is not None}
    typed = typed_options(catalogue.load(game), args.option)
    for name in changes:
        if name in typed:
            raise BadOption(f"--option {name}: --{name.replace('_', '-')} says it already; leave one out")
    return {**changes, **typed}


def loaded_strategy(args: argparse.Namespace) -> Strategy:
    """Return the strategy in the file `args.strategy`, which must be for the table that the arguments describe.

    Raises:
        BadStrategy: it can't be read, or is for another table.
    """
    from liarspoker.solve.strategy import Strategy

    strategy = Strategy.load(args.strategy)
    game, players = args.game or strategy.game, args.players or strategy.seats
    strategy.require(game, players, {**asdict(strategy.options), **changes_of(args, game)})
    return strategy


def show(line: str, width: int = 40) -> None:
    """Write one line on a terminal, rewritten in place; an empty one wipes it."""
    if sys.stderr.isatty():
        print(f"\r{line:{width}}", end="" if line else "\r", file=sys.stderr, flush=True)


def positive(text: str) -> int:
    """A whole number of 1 or more, as an argument's type.

    Raises:
        ArgumentTypeError: the text is none.
    """
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return number
