"""Charts and tables of the digit odds: the distribution of the count, neighboring odds, the tables of Shackleford."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from liarspoker.games.digits.options import Rules
from liarspoker.language import _, ngettext, number
from liarspoker.odds.counts import at_least, distribution
from liarspoker.odds.figures import rounded
from liarspoker.odds.tables import Table, tables
from liarspoker.web.draw import Bar
from liarspoker.web.view_models.odds_fields import Field, address, percent, read_integer

MOST_PLAYERS = 100
"""The most players that the odds pages accept."""
TABLES_PATH = "/odds/tables"
"""The path of the page with all tables."""
_FIRST = "5"
_BARS = 12
_ROWS, _COLUMNS = 5, 10
_RARE = Fraction(1, 2000)


@dataclass(frozen=True, slots=True)
class Glance:
    """Probabilities of neighboring counts, in percent.

    Attributes:
        columns: the counts.
        rows: for each number of other players a label and one (figure, whether it is the one asked for) per column.
    """

    columns: tuple[int, ...]
    rows: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]


def bars_of(need: int, digits: int, symbols: int) -> tuple[tuple[Bar, ...], bool]:
    """Return the bars of the distribution of the count, and whether a bar covers several counts.

    Args:
        need: how many of the digit the others must hold; bars from here on are marked.
        digits: how many digits the others hold.
        symbols: the number of digits in play.
    """
    probabilities = distribution(digits, symbols)
    likely = [count for count, probability in enumerate(probabilities) if probability >= _RARE]
    low, high = likely[0], likely[-1]
    step = -(-(high - low + 1) // _BARS)
    start = low - (low - need) % step
    starts = [*range(start, high + 1, step), *([need] if high < need <= digits else ())]
    bars = []
    for begin, stop in pairwise([*starts, digits + 1]):
        from_the_first = begin == start and low > 0
        probability = sum(probabilities[0 if begin == start else begin : stop], Fraction(0))
        label = _bar_label(max(0, begin), stop - 1, from_the_first, stop > digits)
        bars.append(Bar(label, float(probability), begin >= need, percent(probability)))
    return tuple(bars), step > 1


def _bar_label(begin: int, end: int, from_the_first: bool, to_the_last: bool) -> str:
    if begin == end:
        return str(begin)
    if to_the_last:
        return f"{begin}+"
    return f"≤{end}" if from_the_first else f"{begin}–{end}"


def glance_of(need: int, rules: Rules) -> Glance:
    """Return the probabilities for nearby counts and for fewer other players."""
    others = rules.seats - 1
    first_row = max(1, others + 2 - _ROWS)
    first_column = max(1, need - _COLUMNS // 2)
    columns = tuple(range(first_column, first_column + _COLUMNS))
    rows = tuple(
        (
            ngettext("{count} other", "{count} others", row),
            tuple(
                (_cell(rules.hand_size * row, count, rules.symbols), (row, count) == (others, need))
                for count in columns
            ),
        )
        for row in range(first_row, first_row + _ROWS)
    )
    return Glance(columns, rows)


def _cell(digits: int, need: int, symbols: int) -> str:
    return "·" if need > digits else percent(at_least(digits, need, symbols))


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One table of probabilities.

    Attributes:
        name: its name in JSON.
        title: its heading.
        corner: the heading of the row labels.
        columns: the headings of the columns; empty for a single column.
        rows: labels with their figures.
    """

    name: str
    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class TablesViewModel:
    """The page of all tables; `tables` is empty if the number of players is invalid."""

    players: Field
    tables: tuple[ShownTable, ...]


def tables_view_model(given: Mapping[str, str]) -> TablesViewModel:
    """Return the tables for the number of players in the query parameters."""
    typed = given.get("players", _FIRST).strip()
    players = read_integer(typed, 2, MOST_PLAYERS)
    if players is None:
        refused = _("Enter a number from {least} to {most}.", least=2, most=MOST_PLAYERS)
        return TablesViewModel(Field("players", _("Players"), typed, refused), ())
    less = address(TABLES_PATH, {"players": players - 1}) if players > 2 else ""
    more = address(TABLES_PATH, {"players": players + 1}) if players < MOST_PLAYERS else ""
    found = tuple(_shown(table) for table in tables(players))
    return TablesViewModel(Field("players", _("Players"), typed, "", less, more), found)


def _shown(table: Table) -> ShownTable:
    rows = tuple(
        (label, tuple(number(rounded(each, table.places)) for each in figures)) for label, figures in table.rows
    )
    return ShownTable(table.name, table.title, table.corner, tuple(filter(None, table.columns)), rows)
