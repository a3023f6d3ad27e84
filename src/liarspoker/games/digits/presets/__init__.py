"""The presets of the digit games, one module each: option values, rules text and sample hands."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.catalogue import GamePreset, games
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.digits.options import OPTIONS, DigitOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class DigitPreset(GamePreset):
    """A digit game of the catalogue; see `liarspoker.core.catalogue.GamePreset`.

    Attributes:
        options: the game's option values.
        slips: the game can be dealt from slips of fifteen rows.
        letters: the letters around the bills' numbers can choose the first opener.
        deals_slips: new sessions are dealt from slips by default.
    """

    family: str = "digits"
    options: DigitOptions
    option_infos: tuple[OptionInfo, ...] = OPTIONS
    slips: bool = False
    letters: bool = False
    deals_slips: bool = False


def presets() -> dict[str, DigitPreset]:
    """Return the digit games by ID."""
    return {preset.id: preset for preset in games() if isinstance(preset, DigitPreset)}
