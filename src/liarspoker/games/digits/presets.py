"""The three digit games as data: which options each document sets, and how each is dealt."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.digits.options import DigitOptions


@dataclass(frozen=True, slots=True)
class Preset:
    """A digit game's options and how its numbers come to the table.

    Attributes:
        options: what the document sets.
        slips: its numbers may come from slips of fifteen rows.
        letters: its first opener may be told by the letters that flank the bills' numbers.
        deals_slips: a new session is dealt from slips unless somebody asks for bills.
    """

    options: DigitOptions
    slips: bool
    letters: bool
    deals_slips: bool = False


PRESETS = {
    "dollar-bill": Preset(
        DigitOptions(
            order="zero_low",
            rebid=False,
            level_bonus=False,
            sixes=False,
            hero=False,
            none_wins=False,
            progressive=False,
            tenth_double=False,
            reveal="full",
        ),
        slips=False,
        letters=False,
    ),
    "salomon-1986": Preset(DigitOptions(), slips=True, letters=True),
    "slips": Preset(DigitOptions(two_player_none="push", reveal="full"), slips=True, letters=False, deals_slips=True),
}
