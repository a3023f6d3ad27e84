"""Shackleford's tables (source 003) for any number of players and hand size, as text and JSON.

Their headings are in the language in which a table is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from liarspoker.language import _, ngettext, number, pgettext
from liarspoker.odds.bids import raise_threshold
from liarspoker.odds.counts import at_least, exactly, greatest_frequency, partition, patterns, specific_digit
from liarspoker.odds.figures import exact, rounded

PLACES = 6
"""Decimal places in the tables of counts. Rows that would show only zeros are omitted."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of exact probabilities.

    Attributes:
        name: its name in JSON.
        title: its heading.
        corner: the heading of the row labels.
        columns: the column headings; a single empty string if there is one column.
        rows: labels with a probability for each column.
        places: decimal places in text output.
    """

    name: str
    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Fraction, ...]], ...]
    places: int = PLACES


def tables(players: int, hand_size: int = 8, symbols: int = 10) -> tuple[Table, ...]:
    """Return all tables of source 003 for up to `players` players, and one of "at least" probabilities.

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
    """Return the probabilities that 1, 2, ... other players hold exactly a number of a digit (source 003, first table).

    >>> label, probabilities = others_exactly(3).rows[2]
    >>> label, [rounded(probability, 6) for probability in probabilities]
    ('2', ['0.148803', '0.274522'])
    """
    others = range(1, players)
    rows = []
    for count in range(hand_size * (players - 1) + 1):
        probabilities = tuple(exactly(hand_size * other, count, symbols) for other in others)
        if count > hand_size and max(probabilities) * 10**PLACES < Fraction(1, 2):
            break
        rows.append((str(count), probabilities))
    title = _("Probability that the other players hold exactly this many of a digit")
    return Table("others_exactly", title, pgettext("heading", "count"), _others_columns(players), tuple(rows))


def others_at_least(players: int, hand_size: int = 8, symbols: int = 10) -> Table:
    """Return the probabilities that 1, 2, ... other players hold at least a number of a digit.

    >>> [rounded(probability, 6) for probability in others_at_least(3).rows[1][1]]  # two or more
    ['0.186895', '0.485272']
    """
    others = range(1, players)
    rows = []
    for need in range(1, hand_size * (players - 1) + 1):
        probabilities = tuple(at_least(hand_size * other, need, symbols) for other in others)
        if need > hand_size and max(probabilities) * 10**PLACES < Fraction(1, 2):
            break
        rows.append((str(need), probabilities))
    title = _("Probability that the other players hold at least as many as you need")
    return Table("others_at_least", title, pgettext("heading", "need"), _others_columns(players), tuple(rows))


def specific_digits(hand_size: int = 8, symbols: int = 10) -> Table:
    """Return the distribution of a given digit on one bill (source 003, "Specific Number Odds")."""
    rows = tuple((str(count), (specific_digit(count, hand_size, symbols),)) for count in range(hand_size + 1))
    return Table(
        "one_bill_specific_digit",
        _("Number of times a given digit appears on one bill"),
        pgettext("heading", "times"),
        ("",),
        rows,
        7,
    )


def partitions(hand_size: int = 8, symbols: int = 10) -> Table:
    """Return the probabilities of all patterns of a bill's digits (source 003, "General Probabilities"); 22 rows."""
    rows = tuple(
        (" ".join(map(str, pattern)), (partition(pattern, hand_size, symbols),))
        for pattern in patterns(hand_size, symbols)
    )
    title = _("Patterns of the digits of one bill (3 2 1 1 1: three of a kind, a pair, singles)")
    return Table("one_bill_partition", title, pgettext("heading", "pattern"), ("",), rows, 7)


def greatest_frequencies(hand_size: int = 8, symbols: int = 10) -> Table:
    """Return the distribution of the most frequent digit's count on a bill (source 003, "Greatest Frequency Odds")."""
    found = ((count, greatest_frequency(count, hand_size, symbols)) for count in range(hand_size, 0, -1))
    rows = tuple((str(count), (probability,)) for count, probability in found if probability)
    return Table(
        "one_bill_greatest_frequency", _("Count of the most frequent digit on one bill"), _("of a kind"), ("",), rows, 7
    )


def raise_thresholds(players: int) -> Table:
    """Return the break-even probabilities of a raise, (n-2)/(2n-2), with flat stakes (source 003)."""
    rows = tuple((str(n), (raise_threshold(n),)) for n in range(2, players + 1))
    title = _("Break-even probability of a raise instead of a lost challenge (flat stakes)")
    return Table("raise_threshold", title, pgettext("heading", "players"), ("",), rows)


def _others_columns(players: int) -> tuple[str, ...]:
    return tuple(ngettext("{count} other", "{count} others", other) for other in range(1, players))


WIDTH = 80
"""The default width of text output in columns."""
_INDENT = "  "
_GAP = "  "


def page(table: Table, width: int = WIDTH) -> str:
    """Return a table as text; columns that don't fit into the width follow in further blocks.

    >>> from liarspoker.odds.tables import raise_thresholds
    >>> print(page(raise_thresholds(3)))
    Break-even probability of a raise instead of a lost challenge (flat stakes)
    <BLANKLINE>
      players
            2  0.000000
            3  0.250000
    """
    return "\n\n".join((table.title, *_blocks(table, width)))


def _blocks(table: Table, width: int) -> Iterator[str]:
    """Yield the blocks of a table, each with as many columns as fit, at least one."""
    labels = [table.corner, *(label for label, _figures in table.rows)]
    cells = [[number(rounded(each, table.places)) for each in probabilities] for _label, probabilities in table.rows]
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
    """Return the tables for JSON, with each probability as a float and as an exact fraction."""
    return {"players": players, "tables": [_table_as_json(table) for table in tables]}


def _table_as_json(table: Table) -> dict[str, object]:
    rows = [{"label": label, "chances": [exact(each) for each in probabilities]} for label, probabilities in table.rows]
    return {"name": table.name, "title": table.title, "columns": [column for column in table.columns if column]} | {
        "rows": rows
    }
