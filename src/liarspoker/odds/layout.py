"""Tables as plain text, aligned, in blocks that fit the terminal; and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from liarspoker.odds.figures import exact
from liarspoker.odds.tables import Table, rounded

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
    """The tables as JSON has them: every chance as a float and as an exact fraction.

    Args:
        players: for how many the tables are.
        tables: from `liarspoker.odds.tables.tables`.
    """
    return {"players": players, "tables": [_table_as_json(table) for table in tables]}


def _table_as_json(table: Table) -> dict[str, object]:
    rows = [{"label": label, "chances": [exact(chance) for chance in chances]} for label, chances in table.rows]
    return {"name": table.name, "title": table.title, "columns": [column for column in table.columns if column]} | {
        "rows": rows
    }
