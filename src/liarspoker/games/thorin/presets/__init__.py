"""Presets of Thorin's game."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.catalogue import GamePreset
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.thorin.options import OPTIONS, ThorinOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ThorinPreset(GamePreset):
    """Preset of a game in which one hand is passed around.

    Attributes:
        options: the options that the source document sets.
    """

    family: str = "thorin"
    has_winner: bool = True
    options: ThorinOptions
    option_infos: tuple[OptionInfo, ...] = OPTIONS
