"""Dealing a hand: numbers or slips, the letters of the bills, and checks of given deals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from liarspoker.core.errors import BadDeal, format_value
from liarspoker.core.session import Below, Deal
from liarspoker.games.digits.hands import HIDDEN, ROWS
from liarspoker.games.digits.options import Rules
from liarspoker.language import _

_PREFIXES = "ABCDEFGHIJKL"  # the twelve Federal Reserve banks
_SUFFIXES = "ABCDEFGHIJKLMNPQRSTUVWXY*"
LETTER_PAIRS = len(_PREFIXES) * len(_SUFFIXES)
"""The number of letter pairs a bill can have, all equally likely."""

_FLANKING = re.compile(r"[A-Z][A-Z*]")


@dataclass(frozen=True, slots=True)
class DigitDeal(Deal):
    """The deal of a hand; parts that don't apply are empty.

    Attributes:
        numbers: a number per seat, when bills are dealt. A digit that was never shown is `?`.
        slips: the rows of each seat's slip, fifteen or a multiple of fifteen, when a new slip begins.
        letters: the letters around each bill's number, for a first hand where they choose the opener.
        counts: each seat's count of the digit last bid, if hidden digits leave it open; else `None`.
    """

    numbers: tuple[str, ...] = ()
    slips: tuple[tuple[str, ...], ...] = ()
    letters: tuple[str, ...] = ()
    counts: tuple[int, ...] | None = None

    def parts(self) -> dict[str, Any]:
        """Return the deal under the keys of a record."""
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
    """What is drawn for the next hand.

    Attributes:
        seats: the number of players.
        hand_size: digits in a number.
        digits: the digits in play, weakest first.
        numbers: each seat draws a number.
        slips: each seat draws a slip of fifteen numbers.
        letters: each seat draws a pair of letters, which choose the opener.
        redraw: letters are drawn again until a single pair is lowest.
        opener: no rule determines the opener; the table draws a seat at random.
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
        """Return a deal drawn with `below`, seat after seat.

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
        """Return the description of the draw: numbers, slips, or nothing if the current slip continues."""
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
    """Return the digits in play, lowest rank first.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> digits_in_play(packed(DigitOptions(), seats=2))
    '1234567890'
    """
    return "".join(str((rules.lowest_digit + rank) % 10) for rank in range(rules.symbols))


def check_numbers(numbers: Sequence[str], rules: Rules, place: str) -> None:
    """Check that numbers have the right length and contain only digits in play.

    Raises:
        BadDeal: a number is invalid; the message names `place`, the number and what is expected.
    """
    allowed = digits_in_play(rules)
    for number in numbers:
        if len(number) != rules.hand_size:
            raise BadDeal(
                _(
                    "{place}: {number} must have {digits} digits",
                    place=place,
                    number=format_value(number),
                    digits=rules.hand_size,
                )
            )
        invalid = [digit for digit in number if digit not in allowed and digit != HIDDEN]
        if invalid:
            raise BadDeal(
                _(
                    "{place}: {number} contains {invalid}; the digits in play are {digits}",
                    place=place,
                    number=format_value(number),
                    invalid=repr(invalid[0]),
                    digits="".join(sorted(allowed)),
                )
            )


def check_seats(what: Sequence[object], rules: Rules, place: str) -> None:
    """Check that there is one item per seat.

    Raises:
        BadDeal: there are too few or too many.
    """
    if len(what) != rules.seats:
        raise BadDeal(_("{place}: {count} given for {seats} players", place=place, count=len(what), seats=rules.seats))


def check_slips(slips: Sequence[Sequence[str]], rules: Rules) -> None:
    """Check that every seat has the same number of complete, valid slips.

    Raises:
        BadDeal: a slip is invalid; the message names the seat.
    """
    check_seats(slips, rules, "slips")
    for seat, rows in enumerate(slips):
        if not rows or len(rows) % ROWS:
            raise BadDeal(
                _("slips, seat {seat}: {count} numbers; a slip must have {rows}", seat=seat, count=len(rows), rows=ROWS)
            )
        if len(rows) != len(slips[0]):
            raise BadDeal(
                _(
                    "slips, seat {seat}: {count} numbers, but seat 0 has {first}",
                    seat=seat,
                    count=len(rows),
                    first=len(slips[0]),
                )
            )
        check_numbers(rows, rules, _("slips, seat {seat}", seat=seat))


def check_letters(letters: Sequence[str], rules: Rules) -> None:
    """Check that the letters could be those of bills.

    Raises:
        BadDeal: a pair is invalid.
    """
    check_seats(letters, rules, "letters")
    for pair in letters:
        if not _FLANKING.fullmatch(pair):
            raise BadDeal(_("letters: {pair} must be two capital letters; the second may be a star", pair=repr(pair)))


def check_counts(counts: Sequence[int], rules: Rules) -> None:
    """Check that each count is possible.

    Raises:
        BadDeal: a count is negative or larger than a hand.
    """
    check_seats(counts, rules, "counts")
    for count in counts:
        if not 0 <= count <= rules.hand_size:
            raise BadDeal(
                _("counts: {count}; a hand has {digits} digits", count=format_value(count), digits=rules.hand_size)
            )
