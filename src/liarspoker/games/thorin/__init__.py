"""Thorin's game: one hand of five cards goes around, and each player declares better than the last or challenges.

Reading order: `options`, `ladder`, `actions`, `course`, `piles` (pure functions on ints), then `stock`, `deal`,
`round`, `result`, `session` and `view`, which hold them together for people.
"""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.cards.seats import check_no_slips
from liarspoker.core.catalogue import GameRow
from liarspoker.core.errors import BadSeats
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.thorin.options import OPTIONS, PassedOptions, packed
from liarspoker.games.thorin.session import PassedSession, Setup

__all__ = ["PassedGame", "game"]

PRESETS = {"thorin": PassedOptions()}
"""The options that each game's document sets."""


@dataclass(frozen=True, slots=True)
class PassedGame:
    """A game of the catalogue in which one hand goes around.

    Attributes:
        row: its catalogue row.
        preset: its options.
    """

    row: GameRow
    preset: PassedOptions

    @property
    def option_infos(self) -> tuple[OptionInfo, ...]:
        """Every option of this game, for manuals and forms."""
        return OPTIONS

    def options(self, changes: dict[str, object] | None = None) -> PassedOptions:
        """The game's options with `changes`, names and values as in a record.

        Raises:
            BadOption: no such option, or no such value.
        """
        return self.preset.with_values(changes or {})

    def session(
        self, seats: int, options: PassedOptions | None = None, from_slips: bool | None = None
    ) -> PassedSession:
        """A match before its first round.

        Args:
            seats: how many players.
            options: from `options`; the preset's by default.
            from_slips: for games of digits alone.

        Raises:
            BadSeats: the game does not seat so many.
            BadOption: slips are asked for.
        """
        fewest, most = self.row.seats
        if not fewest <= seats <= most:
            raise BadSeats(f"players: {seats}; {self.row.id} seats {fewest} to {most}")
        check_no_slips(from_slips, self.row.id)
        options = options or self.preset
        return PassedSession(Setup(self.row.id, self.preset, options, packed(options, seats)), (), None)


def game(row: GameRow) -> PassedGame:
    """The game of a catalogue row."""
    return PassedGame(row, PRESETS[row.id])
