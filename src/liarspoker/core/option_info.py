"""The options of a game, and what it tells of each of them: for checking a record, and for manuals and forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

from liarspoker.core.errors import BadOption, told


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One option: its name, the values it takes, what it decides and where the rule stands.

    `choices` lists every value; for a number it may be a `range`. An option that takes any text of some form has that
    form as its `pattern`, a regular expression, and `choices` are examples.
    """

    name: str
    choices: tuple[object, ...] | range
    meaning: str
    source: str
    pattern: str = ""

    def takes(self, value: object) -> bool:
        """Whether `value` is one of this option's values, of the very type (true is no number)."""
        if type(value) is not type(self.choices[0]):
            return False
        return value in self.choices or bool(self.pattern and re.fullmatch(self.pattern, str(value)))

    def values_text(self) -> str:
        """The values in words, for a message or a manual."""
        if isinstance(self.choices, range):
            return f"{self.choices[0]} to {self.choices[-1]}"
        words = [told(choice) for choice in self.choices]
        return f"{', '.join(words[:-1])} or {words[-1]}{' and the like' if self.pattern else ''}"


def check_options(changes: Mapping[str, object], infos: Sequence[OptionInfo], whose: str) -> None:
    """Refuse options that `infos` does not list, and values that they do not take.

    Args:
        changes: option names to values, as a record writes them.
        infos: the options that there are.
        whose: what has them, for the message.

    Raises:
        BadOption: naming the option and what would do.
    """
    by_name = {info.name: info for info in infos}
    for name, value in changes.items():
        info = by_name.get(name)
        if info is None:
            raise BadOption(f"{name}: {whose} no such option; there are {', '.join(by_name)}")
        if not info.takes(value):
            raise BadOption(f"{name} = {told(value)}: it takes {info.values_text()}")


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options of a game; a family's own class has a field for each of them."""

    whose: ClassVar[str] = "this game has"
    """What has no other options, in the message that refuses one."""

    infos: ClassVar[tuple[OptionInfo, ...]] = ()
    """What every option of the family may be."""

    def with_values(self, changes: Mapping[str, object], infos: Sequence[OptionInfo] | None = None) -> Self:
        """Return these options with some of them changed.

        Args:
            changes: option names to values, as a record writes them.
            infos: the options that may be changed; by default every option of the family.

        Raises:
            BadOption: an option that may not be changed, or a value that the option does not take.
        """
        check_options(changes, self.infos if infos is None else infos, self.whose)
        return replace(self, **changes)

    def changes_from(self, preset: GameOptions) -> dict[str, object]:
        """Return the options that differ from `preset`, in the order of the fields."""
        pairs = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: value for name, value in pairs if value != getattr(preset, name)}
