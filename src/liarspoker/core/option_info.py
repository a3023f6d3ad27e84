"""The options of a game, and their descriptions for checks, manuals and forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

from liarspoker.core.errors import BadOption, format_value
from liarspoker.language import N_, _


def python_value(value: Any) -> Any:
    """Return the value that a scalar of NumPy holds, and anything else as it is. This module doesn't import NumPy."""
    return value.item() if getattr(value, "shape", None) == () else value


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """The description of an option.

    Attributes:
        name: its name in records.
        choices: all its values; a `range` for a number. If there is a `pattern`, these are examples.
        meaning: what it controls; a message.
        source: the file numbers of the documents that state the rule.
        pattern: a regular expression for the values of a string option; empty if `choices` is complete.
    """

    name: str
    choices: tuple[object, ...] | range
    meaning: str
    source: str
    pattern: str = ""

    def takes(self, value: object) -> bool:
        """Return whether `value` is a value of this option. The type must match: `True` isn't a number."""
        if type(value) is not type(self.choices[0]):
            return False
        return value in self.choices or bool(self.pattern and re.fullmatch(self.pattern, str(value)))

    def values_text(self) -> str:
        """Return the values in words, for a message or a manual."""
        if isinstance(self.choices, range):
            return _("{first} to {last}", first=self.choices[0], last=self.choices[-1])
        words = [format_value(choice) for choice in self.choices]
        if self.pattern:
            return _("{values} or {last} and the like", values=", ".join(words[:-1]), last=words[-1])
        return _("{values} or {last}", values=", ".join(words[:-1]), last=words[-1])


def check_options(changes: Mapping[str, object], infos: Sequence[OptionInfo], unknown: str) -> None:
    """Check option names and values.

    Args:
        changes: option names to values, as in records.
        infos: the existing options.
        unknown: the message about an unknown option; see `GameOptions.unknown`.

    Raises:
        BadOption: an unknown option or value; the message lists the valid ones.
    """
    by_name = {info.name: info for info in infos}
    for name, value in changes.items():
        info = by_name.get(name)
        if info is None:
            raise BadOption(_(unknown, name=name, options=", ".join(by_name)))
        if not info.takes(value):
            raise BadOption(
                _(
                    "{option} = {value}: it must be {values}",
                    option=name,
                    value=format_value(value),
                    values=info.values_text(),
                )
            )


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Base class of a game's options; a family's class has a field for each option."""

    unknown: ClassVar[str] = N_("{name}: this game has no such option; the options are {options}")
    """The message about an unknown option."""

    infos: ClassVar[tuple[OptionInfo, ...]] = ()
    """The descriptions of the family's options."""

    def with_values(self, changes: Mapping[str, object], infos: Sequence[OptionInfo] | None = None) -> Self:
        """Return these options with changes.

        Args:
            changes: option names to values, as in records, or of the types of NumPy.
            infos: the options that may be changed; by default all options of the family.

        Raises:
            BadOption: an unknown option, or a value that it doesn't take.
        """
        values = {name: python_value(value) for name, value in changes.items()}
        check_options(values, self.infos if infos is None else infos, self.unknown)
        return replace(self, **values)

    def changes_from(self, preset: GameOptions) -> dict[str, object]:
        """Return the options that differ from `preset`, in the order of the fields."""
        pairs = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: value for name, value in pairs if value != getattr(preset, name)}
