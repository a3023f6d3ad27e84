"""What is drawn and listed around one bid of digits: how the count is spread, and the chances of its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from liarspoker.games.digits.options import Rules
from liarspoker.odds.counts import at_least, distribution
from liarspoker.web.draw import Bar
from liarspoker.web.view_models.odds_fields import per_cent

_BARS = 12
_ROWS, _COLUMNS = 5, 10
_RARE = Fraction(1, 2000)


@dataclass(frozen=True, slots=True)
class Glance:
    """The chances around the question.

    Attributes:
        columns: how many are needed.
        rows: the number of others in words, and for each column the figure and whether it is the one asked for.
    """

    columns: tuple[int, ...]
    rows: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]


def bars_of(need: int, digits: int, symbols: int) -> tuple[tuple[Bar, ...], bool]:
    """The spread of the count among the others' digits; of many counts several share a bar, and the ends are joined."""
    spread = distribution(digits, symbols)
    likely = [count for count, chance in enumerate(spread) if chance >= _RARE]
    low, high = likely[0], likely[-1]
    step = -(-(high - low + 1) // _BARS)
    start = low - (low - need) % step
    starts = [*range(start, high + 1, step), *([need] if high < need <= digits else ())]
    bars = []
    for begin, stop in pairwise([*starts, digits + 1]):
        from_the_first = begin == start and low > 0
        chance = sum(spread[0 if begin == start else begin : stop], Fraction(0))
        label = _bar_label(max(0, begin), stop - 1, from_the_first, stop > digits)
        bars.append(Bar(label, float(chance), begin >= need, per_cent(chance)))
    return tuple(bars), step > 1


def _bar_label(begin: int, end: int, from_the_first: bool, to_the_last: bool) -> str:
    if begin == end:
        return str(begin)
    if to_the_last:
        return f"{begin}+"
    return f"≤{end}" if from_the_first else f"{begin}–{end}"


def glance_of(need: int, rules: Rules) -> Glance:
    """The chances of as many and of a few more or less, among as many others and fewer."""
    others = rules.seats - 1
    first_row = max(1, others + 2 - _ROWS)
    first_column = max(1, need - _COLUMNS // 2)
    columns = tuple(range(first_column, first_column + _COLUMNS))
    rows = tuple(
        (
            "1 other" if row == 1 else f"{row} others",
            tuple(
                (_cell(rules.hand_size * row, count, rules.symbols), (row, count) == (others, need))
                for count in columns
            ),
        )
        for row in range(first_row, first_row + _ROWS)
    )
    return Glance(columns, rows)


def _cell(digits: int, need: int, symbols: int) -> str:
    return "·" if need > digits else per_cent(at_least(digits, need, symbols))
