"""Options of a game as they are typed on the command line, `NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Iterable

from liarspoker.rules.errors import BadOption
from liarspoker.rules.protocol import Game


def typed_options(game: Game, texts: Iterable[str]) -> dict[str, object]:
    """The changes that the texts ask for, each value read as its option's kind.

    Args:
        game: whose options they are.
        texts: such as `rebid=true`, `hand_size=5`, `order=ace_high`.

    Raises:
        BadOption: a text that is no `NAME=VALUE`. A value of the wrong kind stays text, which the game refuses by name.
    """
    kinds = {info.name: type(info.choices[0]) for info in game.option_infos}
    changes: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption(f"option {text!r}: write NAME=VALUE, as in rebid=true")
        changes[name] = _value(value, kinds.get(name, str))
    return changes


def _value(text: str, kind: type) -> object:
    if kind is bool:
        return {"true": True, "false": False}.get(text, text)
    return int(text) if kind is int and text.isdecimal() else text
