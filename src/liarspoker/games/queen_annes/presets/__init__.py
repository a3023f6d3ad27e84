"""Presets of Queen Anne's games, one module each: how the game is dealt, and which options it has."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.catalogue import GamePreset, games
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.queen_annes.options import OPTIONS, Dealing, QueenAnnesOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class QueenAnnesPreset(GamePreset):
    """Preset of a game in which players name hands that may exist among all cards dealt.

    Attributes:
        options: the options that the source document sets.
        dealing: how cards are dealt, and who sees them.
        option_infos: the options of this game.
    """

    family: str = "queen_annes"
    has_winner: bool = True
    options: QueenAnnesOptions
    dealing: Dealing
    option_infos: tuple[OptionInfo, ...] = OPTIONS


def presets() -> dict[str, QueenAnnesPreset]:
    """Return the games of this family by id."""
    return {row.id: row for row in games() if isinstance(row, QueenAnnesPreset)}
