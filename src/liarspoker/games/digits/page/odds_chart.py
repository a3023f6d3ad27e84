"""What surrounds one bid of digits: the spread of the count, the odds of its neighbours, the tables of source 003."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from liarspoker.games.digits.options import Rules
from liarspoker.odds.counts import at_least, distribution
from liarspoker.odds.figures import rounded
from liarspoker.odds.tables import Table, tables
from liarspoker.web.draw import Bar
from liarspoker.web.view_models.odds_fields import Field, address, per_cent, whole

MOST_PLAYERS = 100
TABLES_PATH = "/odds/tables"
_FIRST = "5"
_BARS = 12
_ROWS, _COLUMNS = 5, 10
_RARE = Fraction(1, 2000)


@dataclass(frozen=True, slots=True)
class Glance:
    """The chances around the question: for each number of others the figures, and whether each is the one asked for."""

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


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One table: its name, what it tells, the heading of its rows, its columns, and its rows of figures."""

    name: str
    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class TablesScene:
    """The page of all tables. `tables` is empty while the number of players cannot be read."""

    players: Field
    tables: tuple[ShownTable, ...]


def tables_scene(given: Mapping[str, str]) -> TablesScene:
    """The tables for as many players as an address asks for."""
    typed = given.get("players", _FIRST).strip()
    players = whole(typed, 2, MOST_PLAYERS)
    if players is None:
        return TablesScene(Field("players", "Players", typed, f"Give a whole number from 2 to {MOST_PLAYERS}."), ())
    less = address(TABLES_PATH, {"players": players - 1}) if players > 2 else ""
    more = address(TABLES_PATH, {"players": players + 1}) if players < MOST_PLAYERS else ""
    found = tuple(_shown(table) for table in tables(players))
    return TablesScene(Field("players", "Players", typed, "", less, more), found)


def _shown(table: Table) -> ShownTable:
    rows = tuple((label, tuple(rounded(chance, table.places) for chance in chances)) for label, chances in table.rows)
    return ShownTable(table.name, table.title, table.corner, tuple(filter(None, table.columns)), rows)
