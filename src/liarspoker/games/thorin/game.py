"""A game of this family: its preset, its options and its sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from liarspoker.core.cards.match import check_no_slips
from liarspoker.core.catalogue import GameRow
from liarspoker.core.errors import BadSeats
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.thorin.options import OPTIONS, ThorinOptions, packed
from liarspoker.games.thorin.presets import ThorinPreset
from liarspoker.games.thorin.session import Setup, ThorinSession


@dataclass(frozen=True, slots=True)
class ThorinGame:
    """A game of the catalogue in which one hand goes around.

    Attributes:
        row: the game as data.
    """

    row: ThorinPreset

    @property
    def option_infos(self) -> tuple[OptionInfo, ...]:
        """Every option of this game, for manuals and forms."""
        return OPTIONS

    def options(self, changes: dict[str, object] | None = None) -> ThorinOptions:
        """The game's options with `changes`, names and values as in a record.

        Raises:
            BadOption: no such option, or no such value.
        """
        return self.row.options.with_values(changes or {})

    def session(
        self,
        seats: int,
        options: ThorinOptions | None = None,
        from_slips: bool | None = None,
        losses: Sequence[int] | None = None,
    ) -> ThorinSession:
        """A match before its first round.

        Args:
            seats: how many players.
            options: from `options`; the preset's by default.
            from_slips: for games of digits alone.
            losses: not counted; the first loss eliminates.

        Raises:
            BadSeats: the game does not seat so many.
            BadOption: slips are asked for.
        """
        fewest, most = self.row.seats
        if not fewest <= seats <= most:
            raise BadSeats(f"players: {seats}; {self.row.id} seats {fewest} to {most}")
        check_no_slips(from_slips, self.row.id)
        options = options or self.row.options
        return ThorinSession(Setup(self.row.id, self.row.options, options, packed(options, seats)), (), None)


def game(row: GameRow) -> ThorinGame:
    """The game of a catalogue row."""
    assert isinstance(row, ThorinPreset), row
    return ThorinGame(row)
