"""Reading what strangers send: every key is named, every value is of its very type and within bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from liarspoker.core.errors import told
from liarspoker.tables.refused import Refused


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a value will do.

    Attributes:
        holds: the answer.
        takes: which values will, in words.
    """

    holds: Callable[[Any], bool]
    takes: str

    def __call__(self, value: Any) -> bool:
        """Whether `value` will do."""
        return self.holds(value)


def number(low: float, high: float) -> Check:
    """A number from `low` to `high`; true and false are none, and what is no number compares with nothing.

    >>> [number(1, 60)(value) for value in (60, 0.5, True, float("nan"), 10**400)]
    [True, False, False, False, False]
    """
    return Check(lambda value: type(value) in (int, float) and low <= value <= high, f"a number from {low} to {high}")


def whole(low: int, high: int) -> Check:
    """A whole number from `low` to `high`."""
    return Check(lambda value: type(value) is int and low <= value <= high, f"a whole number from {low} to {high}")


def text(most: int, least: int = 0) -> Check:
    """A text of so many characters, all of which can be shown (line breaks and half characters cannot)."""
    return Check(
        lambda value: type(value) is str and least <= len(value) <= most and value.isprintable(),
        f"a text of {least} to {most} characters, all of them visible",
    )


def visible(most: int) -> Check:
    """A text of 1 to `most` visible characters of ASCII, no blanks."""
    return Check(
        lambda value: type(value) is str and 1 <= len(value) <= most and all("!" <= sign <= "~" for sign in value),
        f"a text of 1 to {most} visible characters of ASCII, without blanks",
    )


def one_of(*choices: object) -> Check:
    """One of these very values."""
    return Check(
        lambda value: any(type(value) is type(choice) and value == choice for choice in choices),
        f"one of {', '.join(map(told, choices))}",
    )


flag = Check(lambda value: type(value) is bool, "true or false")
"""True or false."""


def hexadecimal(most: int, least: int = 0) -> Check:
    """So many bytes as lower-case hexadecimal digits."""
    digits = set("0123456789abcdef")
    return Check(
        lambda value: (
            type(value) is str
            and not len(value) % 2
            and 2 * least <= len(value) <= 2 * most
            and digits.issuperset(value)
        ),
        f"{most if least == most else f'{least} to {most}'} bytes as hexadecimal digits in small letters",
    )


table = Check(lambda value: type(value) is dict and len(value) <= 40, "an object of at most 40 keys")
"""A table (an object of JSON) with few keys."""


def or_nothing(check: Check) -> Check:
    """What `check` takes, or null."""
    return Check(lambda value: value is None or check(value), f"{check.takes}, or null")


def checked(given: Any, checks: Mapping[str, Check], place: str, needed: tuple[str, ...] = ()) -> dict[str, Any]:
    """What was given, once every key and value of it is known to be good.

    Args:
        given: what a stranger sent.
        checks: the keys that there are, and what their values must be.
        place: where it stands, for the message.
        needed: keys that must be there.

    Raises:
        Refused: `bad-command`, naming the place and what it takes.
    """
    if type(given) is not dict:
        raise Refused("bad-command", f"{place}: {told(given)} should be an object")
    for key, value in given.items():
        if key not in checks:
            others = f"there are {', '.join(checks)}" if checks else "leave it out"
            raise Refused("bad-command", f"{place}: there is no {told(key)}; {others}")
        if not checks[key](value):
            raise Refused("bad-command", f"{place}: {told(key)} cannot be {told(value)}; it takes {checks[key].takes}")
    for key in needed:
        if key not in given:
            raise Refused("bad-command", f"{place}: {told(key)} is missing")
    return given
