"""The slips of one sheet: whose numbers they are, how the rows are lettered, and how to tell two sheets apart."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from liarspoker.core.errors import BadOption
from liarspoker.core.session import Below
from liarspoker.games.digits.deal import DigitChance, digits_in_play
from liarspoker.games.digits.options import ROW_LETTERS, DigitOptions, packed

MAX_SLIPS = 1000
"""More slips than this are refused, being a typing error."""

_MARK_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nothing that is mistaken for something else when read aloud or copied
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
    """Slips that were drawn together and are played together.

    Attributes:
        slips: one a player.
        letters: the fifteen letters of the rows, top to bottom.
    """

    slips: tuple[Slip, ...]
    letters: str

    @property
    def mark(self) -> str:
        """Six signs that all slips of this sheet share and hardly any other sheet has.

        They come from the numbers and say nothing about them; a seed printed here would tell every player what the
        others hold.

        >>> draw_sheet(2, lambda n: 0).mark
        'SMN-JRU'
        """
        numbers = "\n".join(",".join(slip.rows) for slip in self.slips)
        left = int.from_bytes(sha256(numbers.encode()).digest(), "big")
        signs = ""
        for _ in range(_MARK_LENGTH):
            left, sign = divmod(left, len(_MARK_SIGNS))
            signs += _MARK_SIGNS[sign]
        return f"{signs[:3]}-{signs[3:]}"


def draw_sheet(count: int, below: Below, row_letters: str = "skip_IO") -> SlipSheet:
    """A sheet of `count` slips from the chance that `below(n)`, a uniform int below n, gives.

    The numbers are drawn as for a session of as many players, slip after slip.

    Args:
        count: 1 to `MAX_SLIPS`.
        below: such as `random.SystemRandom().randrange`.
        row_letters: how the rows are lettered, a value of the option of that name.

    Raises:
        BadOption: no such letters, or too few or too many slips.

    >>> import random
    >>> draw_sheet(4, random.Random(5).randrange).slips[0].rows[:2]
    ('05691841', '32684792')
    """
    if row_letters not in ROW_LETTERS:
        raise BadOption(f"row_letters = {row_letters!r}: it takes {' or '.join(ROW_LETTERS)}")
    if not 1 <= count <= MAX_SLIPS:
        raise BadOption(f"slips: {count}; a sheet has 1 to {MAX_SLIPS}")
    digits = digits_in_play(packed(DigitOptions(), seats=2))
    needs = DigitChance(seats=count, hand_size=8, digits=digits, numbers=False, slips=True, letters=False, redraw=False)
    drawn = needs.draw(below).slips
    slips = tuple(Slip(number, rows) for number, rows in enumerate(drawn, start=1))
    return SlipSheet(slips, ROW_LETTERS[row_letters])
