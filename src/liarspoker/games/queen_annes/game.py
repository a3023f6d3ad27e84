"""A game of this family: its preset, its options and its sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from liarspoker.core.cards.match import check_no_slips
from liarspoker.core.catalogue import GameRow
from liarspoker.core.errors import BadSeats
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.queen_annes.options import QueenAnnesOptions, packed
from liarspoker.games.queen_annes.presets import QueenAnnesPreset
from liarspoker.games.queen_annes.session import QueenAnnesSession, Setup, check_losses


@dataclass(frozen=True, slots=True)
class QueenAnnesGame:
    """A pooled game of the catalogue.

    Attributes:
        row: the game as data.
    """

    row: QueenAnnesPreset

    @property
    def option_infos(self) -> tuple[OptionInfo, ...]:
        """Every option of this game, for manuals and forms."""
        return self.row.option_infos

    def options(self, changes: dict[str, object] | None = None) -> QueenAnnesOptions:
        """The game's options with `changes`, names and values as in a record.

        Raises:
            BadOption: no such option, or no such value.
        """
        return self.row.options.with_values(changes or {}, self.row.option_infos)

    def session(
        self,
        seats: int,
        options: QueenAnnesOptions | None = None,
        from_slips: bool | None = None,
        losses: Sequence[int] | None = None,
    ) -> QueenAnnesSession:
        """A match before its first round.

        Args:
            seats: how many players.
            options: from `options`; the preset's by default.
            from_slips: for games of digits alone.
            losses: each seat's losses when the match begins; none by default.

        Raises:
            BadSeats: the game does not seat so many.
            BadOption: slips are asked for.
            BadStart: losses with which no match begins.
        """
        fewest, most = self.row.seats
        if not fewest <= seats <= most:
            raise BadSeats(f"players: {seats}; {self.row.id} seats {fewest} to {most}")
        check_no_slips(from_slips, self.row.id)
        options = options or self.row.options
        rules = packed(options, self.row.dealing, seats)
        begins = (0,) * seats if losses is None else tuple(losses)
        check_losses(begins, rules)
        return QueenAnnesSession(Setup(self.row.id, self.row, options, rules, begins), (), None)


def game(row: GameRow) -> QueenAnnesGame:
    """The pooled game of a catalogue row."""
    assert isinstance(row, QueenAnnesPreset), row
    return QueenAnnesGame(row)
