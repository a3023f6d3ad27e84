"""What several commands share: options of a game, typed as `NAME=VALUE`, and `--force`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from liarspoker.core.errors import BadOption
from liarspoker.core.session import Game


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
