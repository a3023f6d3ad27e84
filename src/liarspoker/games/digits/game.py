"""A game of this family: its preset, its options and its sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from liarspoker.core.catalogue import GameRow
from liarspoker.core.errors import BadOption, BadSeats
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.digits.options import OPTIONS, DigitOptions, packed
from liarspoker.games.digits.presets import DigitPreset
from liarspoker.games.digits.session import DigitSession, Ledger, Setup


@dataclass(frozen=True, slots=True)
class DigitGame:
    """A digit game of the catalogue.

    Attributes:
        row: the game as data.
    """

    row: DigitPreset

    @property
    def option_infos(self) -> tuple[OptionInfo, ...]:
        """Every option of this game, for manuals and forms."""
        return OPTIONS

    def options(self, changes: dict[str, object] | None = None) -> DigitOptions:
        """The game's options with `changes`, names and values as in a record.

        Raises:
            BadOption: no such option, or no such value.
        """
        return self.row.options.with_values(changes or {})

    def session(
        self,
        seats: int,
        options: DigitOptions | None = None,
        from_slips: bool | None = None,
        losses: Sequence[int] | None = None,
    ) -> DigitSession:
        """A session before its first hand.

        Args:
            seats: how many players.
            options: from `options`; the preset's by default.
            from_slips: deal from slips; by default as the game usually is.
            losses: none; nobody is eliminated.

        Raises:
            BadSeats: the game does not seat so many.
            BadOption: slips where the game has none, or numbers that are not eight digits of ten.
        """
        fewest, most = self.row.seats
        if not fewest <= seats <= most:
            raise BadSeats(f"players: {seats}; {self.row.id} seats {fewest} to {most}")
        options = options or self.row.options
        standard = options.hand_size == 8 and options.symbols == 10
        if from_slips is None:
            from_slips = self.row.deals_slips and standard
        if from_slips and not self.row.slips:
            raise BadOption(f"slips: {self.row.id} is played with bills")
        if from_slips and not standard:
            raise BadOption("slips: they hold numbers of eight digits of ten; hand_size and symbols must be 8 and 10")
        setup = Setup(self.row.id, self.row, options, packed(options, seats, from_slips), from_slips)
        return DigitSession(setup, Ledger((), (), (0,) * seats), None)


def game(row: GameRow) -> DigitGame:
    """The digit game of a catalogue row."""
    assert isinstance(row, DigitPreset), row
    return DigitGame(row)
