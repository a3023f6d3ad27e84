"""Charts and tables of the digit odds: the distribution of the count, neighboring odds, the tables of Shackleford."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from liarspoker.games.digits.options import Rules
from liarspoker.language import _, ngettext, number
from liarspoker.odds.bars import CountBar, count_bars
from liarspoker.odds.counts import at_least
from liarspoker.odds.figures import rounded
from liarspoker.odds.tables import Table, tables
from liarspoker.web.draw import Bar
from liarspoker.web.view_models.odds_fields import Field, address, percent, read_integer

MOST_PLAYERS = 100
"""The most players that the odds pages accept."""
TABLES_PATH = "/odds/tables"
"""The path of the page with all tables."""
_FIRST = "5"
_ROWS, _COLUMNS = 5, 10


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
    bars, is_grouped = count_bars(need, digits, symbols)
    return drawn_bars(bars), is_grouped


def drawn_bars(bars: Iterable[CountBar]) -> tuple[Bar, ...]:
    """Return bars as a page draws them, with their probabilities in percent."""
    return tuple(Bar(bar.label, float(bar.probability), bar.makes, percent(bar.probability)) for bar in bars)


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
