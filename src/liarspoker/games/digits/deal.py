"""What chance gives a hand, and what of it is possible: numbers or slips, and the letters that flank the bills."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from liarspoker.core.errors import BadDeal, told
from liarspoker.core.session import Below, Deal
from liarspoker.games.digits.hands import HIDDEN, ROWS
from liarspoker.games.digits.options import Rules

_PREFIXES = "ABCDEFGHIJKL"  # the twelve Federal Reserve banks
_SUFFIXES = "ABCDEFGHIJKLMNPQRSTUVWXY*"
LETTER_PAIRS = len(_PREFIXES) * len(_SUFFIXES)
"""How many pairs of letters may flank a bill's number, all of them as likely."""

_FLANKING = re.compile(r"[A-Z][A-Z*]")


@dataclass(frozen=True, slots=True)
class DigitDeal(Deal):
    """What a hand is dealt; whatever does not apply stays empty.

    Attributes:
        numbers: one number a seat, when bills are dealt. A digit that was never shown is `?`.
        slips: one column of numbers a seat, fifteen or a multiple of fifteen, when a new slip begins.
        letters: one pair of flanking letters a seat, for the first hand where letters choose its opener.
        counts: how the numbers count for the digit last bid, where numbers that were never shown hide it.
    """

    numbers: tuple[str, ...] = ()
    slips: tuple[tuple[str, ...], ...] = ()
    letters: tuple[str, ...] = ()
    counts: tuple[int, ...] | None = None

    def parts(self) -> dict[str, Any]:
        """Return what was dealt, under the keys of a record."""
        parts: dict[str, Any] = {}
        if self.numbers:
            parts["deal"] = list(self.numbers)
        if self.slips:
            parts["slips"] = [list(rows) for rows in self.slips]
        if self.letters:
            parts["letters"] = list(self.letters)
        return parts if self.counts is None else {**parts, "counts": list(self.counts)}


@dataclass(frozen=True, slots=True)
class DigitChance:
    """What the next hand draws, and how to draw it.

    Attributes:
        seats: how many players draw.
        hand_size: digits in a number.
        digits: the digits in play, weakest first.
        numbers: each seat draws a number.
        slips: each seat draws a slip of fifteen numbers.
        letters: each seat's bill has letters that choose the opener.
        redraw: letters are drawn until one pair is lowest.
        opener: no rule says who opens; the table draws lots.
    """

    seats: int
    hand_size: int
    digits: str
    numbers: bool
    slips: bool
    letters: bool
    redraw: bool
    opener: bool = False

    def draw(self, below: Below) -> DigitDeal:
        """A deal from the chance that `below` gives, seat after seat.

        >>> import random
        >>> DigitChance(2, 8, "1234567890", True, False, False, False).draw(random.Random(5).randrange).numbers
        ('05691841', '32684792')
        """
        numbers = tuple(self._number(below) for _ in range(self.seats)) if self.numbers else ()
        slips = tuple(tuple(self._number(below) for _ in range(ROWS)) for _ in range(self.seats)) if self.slips else ()
        letters = self._letters(below) if self.letters else ()
        while self.redraw and letters and letters.count(min(letters)) > 1:
            letters = self._letters(below)
        return DigitDeal(numbers, slips, letters)

    def parts(self) -> dict[str, Any]:
        """Return what is drawn: numbers, slips, or nothing where a slip goes on."""
        kind = "numbers" if self.numbers else "slips" if self.slips else "nothing"
        if kind == "nothing":
            return {"kind": kind}
        return {
            "kind": kind,
            "hand_size": self.hand_size,
            "digits": self.digits,
            "letters": self.letters,
            "redraw": self.letters and self.redraw,
        }

    def _number(self, below: Below) -> str:
        digits, count = self.digits, len(self.digits)
        return "".join([digits[below(count)] for _ in range(self.hand_size)])

    def _letters(self, below: Below) -> tuple[str, ...]:
        return tuple(_PREFIXES[below(len(_PREFIXES))] + _SUFFIXES[below(len(_SUFFIXES))] for _ in range(self.seats))


@lru_cache(maxsize=256)
def digits_in_play(rules: Rules) -> str:
    """The digits of the game from the weakest to the strongest.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> digits_in_play(packed(DigitOptions(), seats=2))
    '1234567890'
    """
    return "".join(str((rules.lowest_digit + rank) % 10) for rank in range(rules.symbols))


def check_numbers(numbers: Sequence[str], rules: Rules, place: str) -> None:
    """Refuse numbers of the wrong length or with digits that are not in play.

    Raises:
        BadDeal: naming `place`, the number and what it should be.
    """
    allowed = digits_in_play(rules)
    for number in numbers:
        if len(number) != rules.hand_size:
            raise BadDeal(f"{place}: {told(number)} should have {rules.hand_size} digits")
        strange = [digit for digit in number if digit not in allowed and digit != HIDDEN]
        if strange:
            raise BadDeal(
                f"{place}: {told(number)} holds {strange[0]!r}; the digits in play are {''.join(sorted(allowed))}"
            )


def check_seats(what: Sequence[object], rules: Rules, place: str) -> None:
    """Refuse a deal that is not one for each seat.

    Raises:
        BadDeal: naming `place` and both numbers.
    """
    if len(what) != rules.seats:
        raise BadDeal(f"{place}: {len(what)} for {rules.seats} players")


def check_slips(slips: Sequence[Sequence[str]], rules: Rules) -> None:
    """Refuse slips that are not whole, or not as many for every seat.

    Raises:
        BadDeal: naming the seat.
    """
    check_seats(slips, rules, "slips")
    for seat, rows in enumerate(slips):
        if not rows or len(rows) % ROWS:
            raise BadDeal(f"slips, seat {seat}: {len(rows)} numbers; a slip has {ROWS}")
        if len(rows) != len(slips[0]):
            raise BadDeal(f"slips, seat {seat}: {len(rows)} numbers, but seat 0 has {len(slips[0])}")
        check_numbers(rows, rules, f"slips, seat {seat}")


def check_letters(letters: Sequence[str], rules: Rules) -> None:
    """Refuse flanking letters that no bill has.

    Raises:
        BadDeal: naming the pair.
    """
    check_seats(letters, rules, "letters")
    for pair in letters:
        if not _FLANKING.fullmatch(pair):
            raise BadDeal(f"letters: {pair!r} should be two capital letters, the second may be a star")


def check_counts(counts: Sequence[int], rules: Rules) -> None:
    """Refuse counts that no hands have.

    Raises:
        BadDeal: naming the count.
    """
    check_seats(counts, rules, "counts")
    for count in counts:
        if not 0 <= count <= rules.hand_size:
            raise BadDeal(f"counts: {told(count)} of a digit in a hand of {rules.hand_size}")
