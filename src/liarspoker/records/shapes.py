"""What is wrong with a record; and its outer form: which keys a table may and must have, and of which type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


class Fault(Exception):
    """The first fault of a record.

    Attributes:
        code: one of the codes of Liar's Poker Notation, such as `"not-stronger"`.
        message: the fault in words, with the remedy where there is one.
        round: the round at fault, from 0; `None` if it is the record as a whole.
        action: the action at fault, from 0; `None` if it is the round or the record.
    """

    def __init__(self, code: str, message: str, round: int | None = None, action: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.round = round
        self.action = action

    def place(self) -> str:
        """Where the fault is, counted from 1 as people count: `round 2, action 3`, or `the record`."""
        if self.round is None:
            return "the record"
        where = f"round {self.round + 1}"
        return where if self.action is None else f"{where}, action {self.action + 1}"


Table = dict[str, Any]


def _is_whole(value: object) -> bool:
    return type(value) is int


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_list_of(test: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(test, value))


@dataclass(frozen=True, slots=True)
class Shape:
    """The type of a key's value: how it is called, and whether a value has it."""

    name: str
    fits: Callable[[object], bool]


ON_OFF = Shape("true or false", lambda value: isinstance(value, bool))
WHOLE = Shape("a whole number", _is_whole)
TEXT = Shape("a text in quotation marks", _is_text)
TABLE = Shape("a table", _is_table)
LIST = Shape("a list", lambda value: isinstance(value, list))
WHOLES = Shape("a list of whole numbers", _is_list_of(_is_whole))
TEXTS = Shape("a list of texts", _is_list_of(_is_text))
LISTS_OF_TEXTS = Shape("a list of lists of texts", _is_list_of(_is_list_of(_is_text)))


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table: the shape of its value, and whether the table must have it."""

    shape: Shape
    required: bool = False


def is_private(key: str) -> bool:
    """Whether `key` is one that is kept and ignored."""
    return key.startswith("x-")


def check(table: Mapping[str, object], keys: Mapping[str, Key], place: str, round: int | None = None) -> None:
    """Refuse a table with a key missing, unknown or of the wrong type.

    Raises:
        Fault: `bad-record`, naming `place`, the key and what is wanted.
    """
    for name, value in table.items():
        if is_private(name):
            continue
        if name not in keys:
            known = ", ".join(keys)
            raise Fault("bad-record", f"{place}: there is no key {name!r} here; there are {known}", round)
        if not keys[name].shape.fits(value):
            raise Fault("bad-record", f"{place}: {name} should be {keys[name].shape.name}", round)
    for name, key in keys.items():
        if key.required and name not in table:
            raise Fault("bad-record", f"{place}: {name} is missing; it should be {key.shape.name}", round)
