"""The digit games as data, a module each: which options a document sets, and how the numbers come to the table."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.catalogue import GameRow, games
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.digits.options import OPTIONS, DigitOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class DigitPreset(GameRow):
    """A digit game.

    Attributes:
        options: what the document sets.
        slips: its numbers may come from slips of fifteen rows.
        letters: its first opener may be told by the letters that flank the bills' numbers.
        deals_slips: a new session is dealt from slips unless somebody asks for bills.
    """

    family: str = "digits"
    options: DigitOptions
    option_infos: tuple[OptionInfo, ...] = OPTIONS
    slips: bool = False
    letters: bool = False
    deals_slips: bool = False


def presets() -> dict[str, DigitPreset]:
    """The games of this family by id."""
    return {row.id: row for row in games() if isinstance(row, DigitPreset)}
