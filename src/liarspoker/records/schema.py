"""The schema of records: keys and value types of tables, and the fault of an invalid record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from liarspoker.language import N_, _


class Fault(Exception):
    """The first fault of a record.

    Attributes:
        code: an error code of Liar's Poker Notation, such as `"not-stronger"`.
        message: what is wrong and, if possible, how to fix it, without the round and the action.
        round: the index of the invalid round, from 0; `None` if the record itself is invalid.
        action: the index of the invalid action, from 0; `None` if the round or the record is invalid.
    """

    def __init__(self, code: str, message: str, round: int | None = None, action: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.round = round
        self.action = action

    def place(self) -> str:
        """Return where the fault is, counting from 1: `round 2, action 3`, or `the record`."""
        if self.round is None:
            return _("the record")
        if self.action is None:
            return _("round {round}", round=self.round + 1)
        return _("round {round}, action {action}", round=self.round + 1, action=self.action + 1)

    def located(self, file: str) -> str:
        """Return the message after the name of the record's file, left out for standard input `-`, and the place."""
        return f"{'' if file == '-' else f'{file}, '}{self.place()}: {self.message}"


Table = dict[str, Any]
"""A table of a record."""


def _is_integer(value: object) -> bool:
    return type(value) is int


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_list_of(test: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(test, value))


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of a key's value.

    Attributes:
        name: the type in words, a message.
        fits: returns whether a value has this type.
    """

    name: str
    fits: Callable[[object], bool]


BOOLEAN = ValueType(N_("true or false"), lambda value: isinstance(value, bool))
"""True or false."""
INTEGER = ValueType(N_("an integer"), _is_integer)
"""An integer."""
STRING = ValueType(N_("a string in quotation marks"), _is_string)
"""A string."""
TABLE = ValueType(N_("a table"), _is_table)
"""A table."""
LIST = ValueType(N_("a list"), lambda value: isinstance(value, list))
"""A list."""
INTEGERS = ValueType(N_("a list of integers"), _is_list_of(_is_integer))
"""A list of integers."""
STRINGS = ValueType(N_("a list of strings"), _is_list_of(_is_string))
"""A list of strings."""
LISTS_OF_STRINGS = ValueType(N_("a list of lists of strings"), _is_list_of(_is_list_of(_is_string)))
"""A list of lists of strings."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table.

    Attributes:
        type: the type of its value.
        required: the table must have this key.
    """

    type: ValueType
    required: bool = False


def is_private(key: str) -> bool:
    """Return whether `key` is private: preserved, but otherwise ignored."""
    return key.startswith("x-")


def check(table: Mapping[str, object], keys: Mapping[str, Key], place: str = "", round: int | None = None) -> None:
    """Check the keys of a table.

    Args:
        table: the table.
        keys: its valid keys; private keys are always valid.
        place: where in the record or the round the table is, for the message; empty for the record or the round itself.
        round: the index of the round, for the fault.

    Raises:
        Fault: `bad-record`, if a key is missing, unknown or of the wrong type.
    """
    before = f"{place}: " if place else ""
    for name, value in table.items():
        if is_private(name):
            continue
        if name not in keys:
            known = ", ".join(keys)
            raise Fault(
                "bad-record",
                before + _("{name} isn't a key; the keys are {known}", name=repr(name), known=known),
                round,
            )
        if not keys[name].type.fits(value):
            raise Fault(
                "bad-record",
                before + _("{name} must be {type}", name=name, type=_(keys[name].type.name)),
                round,
            )
    for name, key in keys.items():
        if key.required and name not in table:
            raise Fault(
                "bad-record",
                before + _("{name} is missing; it must be {type}", name=name, type=_(key.type.name)),
                round,
            )
