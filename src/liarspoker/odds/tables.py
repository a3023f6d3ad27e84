"""Shackleford's tables (source 003), recomputed for any number of players and any size of number, and printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from liarspoker.odds.bids import raise_threshold
from liarspoker.odds.counts import at_least, exactly, greatest_frequency, partition, patterns, specific_digit
from liarspoker.odds.figures import exact, rounded

PLACES = 6
"""Places after the point in the tables of counts. Rows that would print as nothing but zeros are left out."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of chances, exact.

    Attributes:
        name: what programs call it.
        corner: what the rows are labelled by.
        rows: each with its label and a chance for every column.
        places: places after the point in print.
    """

    name: str
    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Fraction, ...]], ...]
    places: int = PLACES


def tables(players: int, hand_size: int = 8, symbols: int = 10) -> tuple[Table, ...]:
    """All tables of source 003 for up to `players` players, and beside "exactly" the chances of "at least".

    >>> [table.name for table in tables(2)][:3]
    ['others_exactly', 'others_at_least', 'one_bill_specific_digit']
    """
    return (
        others_exactly(players, hand_size, symbols),
        others_at_least(players, hand_size, symbols),
        specific_digits(hand_size, symbols),
        partitions(hand_size, symbols),
        greatest_frequencies(hand_size, symbols),
        raise_thresholds(players),
    )


def others_exactly(players: int, hand_size: int = 8, symbols: int = 10) -> Table:
    """The chance that 1, 2, ... other players hold exactly so many of a digit: source 003, the first table.

    >>> label, chances = others_exactly(3).rows[2]
    >>> label, [rounded(chance, 6) for chance in chances]
    ('2', ['0.148803', '0.274522'])
    """
    others = range(1, players)
    rows = []
    for count in range(hand_size * (players - 1) + 1):
        chances = tuple(exactly(hand_size * other, count, symbols) for other in others)
        if count > hand_size and max(chances) * 10**PLACES < Fraction(1, 2):
            break
        rows.append((str(count), chances))
    title = "The chance that the other players hold exactly so many of a digit"
    return Table("others_exactly", title, "of it", _others_columns(players), tuple(rows))


def others_at_least(players: int, hand_size: int = 8, symbols: int = 10) -> Table:
    """The chance that 1, 2, ... other players hold so many of a digit, or more.

    >>> [rounded(chance, 6) for chance in others_at_least(3).rows[1][1]]  # two or more
    ['0.186895', '0.485272']
    """
    others = range(1, players)
    rows = []
    for need in range(1, hand_size * (players - 1) + 1):
        chances = tuple(at_least(hand_size * other, need, symbols) for other in others)
        if need > hand_size and max(chances) * 10**PLACES < Fraction(1, 2):
            break
        rows.append((str(need), chances))
    title = "The chance that the other players hold at least as many as you need"
    return Table("others_at_least", title, "need", _others_columns(players), tuple(rows))


def specific_digits(hand_size: int = 8, symbols: int = 10) -> Table:
    """How often a given digit stands on one bill: source 003, "Specific Number Odds"."""
    rows = tuple((str(count), (specific_digit(count, hand_size, symbols),)) for count in range(hand_size + 1))
    return Table("one_bill_specific_digit", "How often a given digit stands on one bill", "times", ("",), rows, 7)


def partitions(hand_size: int = 8, symbols: int = 10) -> Table:
    """Every pattern in which a bill's digits repeat: source 003, "General Probabilities", 22 rows for a bill."""
    rows = tuple(
        (" ".join(map(str, pattern)), (partition(pattern, hand_size, symbols),))
        for pattern in patterns(hand_size, symbols)
    )
    title = "How the digits of one bill repeat (3 2 1 1 1: three of a kind, a pair, singles)"
    return Table("one_bill_partition", title, "of a kind", ("",), rows, 7)


def greatest_frequencies(hand_size: int = 8, symbols: int = 10) -> Table:
    """How often a bill's most frequent digit stands there: source 003, "Greatest Frequency Odds"."""
    chances = ((count, greatest_frequency(count, hand_size, symbols)) for count in range(hand_size, 0, -1))
    rows = tuple((str(count), (chance,)) for count, chance in chances if chance)
    return Table("one_bill_greatest_frequency", "The most of a kind on one bill", "of a kind", ("",), rows, 7)


def raise_thresholds(players: int) -> Table:
    """From which chance a raise beats a lost challenge: source 003, (n-2)/(2n-2); flat stakes."""
    rows = tuple((str(n), (raise_threshold(n),)) for n in range(2, players + 1))
    title = "Raise, rather than lose a challenge, from this chance on (stakes are flat)"
    return Table("raise_threshold", title, "players", ("",), rows)


def _others_columns(players: int) -> tuple[str, ...]:
    return tuple("1 other" if other == 1 else f"{other} others" for other in range(1, players))


WIDTH = 80
_INDENT = "  "
_GAP = "  "


def page(table: Table, width: int = WIDTH) -> str:
    """The table under its title; columns that do not fit side by side follow in further blocks.

    >>> from liarspoker.odds.tables import raise_thresholds
    >>> print(page(raise_thresholds(3)))
    Raise, rather than lose a challenge, from this chance on (stakes are flat)
    <BLANKLINE>
      players
            2  0.000000
            3  0.250000
    """
    return "\n\n".join((table.title, *_blocks(table, width)))


def _blocks(table: Table, width: int) -> Iterator[str]:
    """The table, as many columns at a time as fit; one at least."""
    labels = [table.corner, *(label for label, _ in table.rows)]
    cells = [[rounded(chance, table.places) for chance in chances] for _, chances in table.rows]
    label_width = max(map(len, labels))
    cell_width = max(map(len, (*table.columns, *(cell for row in cells for cell in row))))
    fitting = max(1, (width - len(_INDENT) - label_width) // (len(_GAP) + cell_width))
    for start in range(0, len(table.columns), fitting):
        lines = [table.columns, *cells]
        yield "\n".join(
            _line(label, islice(line, start, start + fitting), label_width, cell_width)
            for label, line in zip(labels, lines, strict=True)
        )


def _line(label: str, cells: Iterator[str], label_width: int, cell_width: int) -> str:
    shown = (f"{cell:>{cell_width}}" for cell in cells)
    return (_INDENT + _GAP.join((f"{label:>{label_width}}", *shown))).rstrip()


def tables_as_json(players: int, tables: Iterable[Table]) -> dict[str, object]:
    """The tables as JSON has them: every chance as a float and as an exact fraction."""
    return {"players": players, "tables": [_table_as_json(table) for table in tables]}


def _table_as_json(table: Table) -> dict[str, object]:
    rows = [{"label": label, "chances": [exact(chance) for chance in chances]} for label, chances in table.rows]
    return {"name": table.name, "title": table.title, "columns": [column for column in table.columns if column]} | {
        "rows": rows
    }
