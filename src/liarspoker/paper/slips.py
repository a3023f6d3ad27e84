"""The slips of a sheet: their random numbers, row letters and identifying mark."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from liarspoker.core.errors import BadOption
from liarspoker.core.session import Below
from liarspoker.games.digits.deal import DigitChance, digits_in_play
from liarspoker.games.digits.options import ROW_LETTERS, DigitOptions, packed
from liarspoker.language import _
from liarspoker.records.words import any_of

MAX_SLIPS = 1000
"""The most slips on a sheet."""

_MARK_CHARACTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without characters that are easily confused
_MARK_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Slip:
    """One player's slip.

    Attributes:
        number: 1 for the first slip of the sheet.
        rows: its fifteen numbers of eight digits, top to bottom.
    """

    number: int
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SlipSheet:
    """Slips that are drawn together and played together.

    Attributes:
        slips: one per player.
        letters: the fifteen letters of the rows, top to bottom.
    """

    slips: tuple[Slip, ...]
    letters: str

    @property
    def mark(self) -> str:
        """Six characters that identify the sheet and are printed on all its slips.

        They are derived from a hash of the numbers, so that they don't reveal anything about them.

        >>> draw_sheet(2, lambda n: 0).mark
        'SMN-JRU'
        """
        numbers = "\n".join(",".join(slip.rows) for slip in self.slips)
        left = int.from_bytes(sha256(numbers.encode()).digest(), "big")
        mark = ""
        for _place in range(_MARK_LENGTH):
            left, index = divmod(left, len(_MARK_CHARACTERS))
            mark += _MARK_CHARACTERS[index]
        return f"{mark[:3]}-{mark[3:]}"


def draw_sheet(count: int, below: Below, row_letters: str = "skip_IO") -> SlipSheet:
    """Draw a sheet of slips, as for a session with `count` players.

    Args:
        count: the number of slips, 1 to `MAX_SLIPS`.
        below: the source of randomness, such as `random.SystemRandom().randrange`.
        row_letters: a value of the option `row_letters`.

    Raises:
        BadOption: an unknown value of `row_letters`, or too few or too many slips.

    >>> import random
    >>> draw_sheet(4, random.Random(5).randrange).slips[0].rows[:2]
    ('05691841', '32684792')
    """
    if row_letters not in ROW_LETTERS:
        raise BadOption(
            _(
                "{option} = {value}: it must be {values}",
                option="row_letters",
                value=repr(row_letters),
                values=any_of(tuple(ROW_LETTERS)),
            )
        )
    if not 1 <= count <= MAX_SLIPS:
        raise BadOption(_("slips: {count}; it must be between 1 and {most}", count=count, most=MAX_SLIPS))
    digits = digits_in_play(packed(DigitOptions(), seats=2))
    spec = DigitChance(seats=count, hand_size=8, digits=digits, numbers=False, slips=True, letters=False, redraw=False)
    drawn = spec.draw(below).slips
    slips = tuple(Slip(number, rows) for number, rows in enumerate(drawn, start=1))
    return SlipSheet(slips, ROW_LETTERS[row_letters])
