"""Thorin's game as data: which options its document sets."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.catalogue import GameRow
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.thorin.options import OPTIONS, ThorinOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ThorinPreset(GameRow):
    """A game in which one hand goes around.

    Attributes:
        options: what the document sets.
    """

    family: str = "thorin"
    has_winner: bool = True
    options: ThorinOptions
    option_infos: tuple[OptionInfo, ...] = OPTIONS
