"""Queen Anne's games as data, a module each: how a game is dealt, and which options it has."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.catalogue import GameRow, games
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.queen_annes.options import OPTIONS, Dealing, QueenAnnesOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class QueenAnnesPreset(GameRow):
    """A game of named hands in a common pool.

    Attributes:
        options: what the document sets.
        dealing: how cards come to the players, and who sees them.
        option_infos: the options that this game has.
    """

    family: str = "queen_annes"
    has_winner: bool = True
    options: QueenAnnesOptions
    dealing: Dealing
    option_infos: tuple[OptionInfo, ...] = OPTIONS


def presets() -> dict[str, QueenAnnesPreset]:
    """The games of this family by id."""
    return {row.id: row for row in games() if isinstance(row, QueenAnnesPreset)}
