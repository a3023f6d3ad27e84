"""View model of an event's result: its hands, one after the other, with what every seat scored at every table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from liarspoker.language import number
from liarspoker.protocol.http import ComparisonResponse, EventResultResponse
from liarspoker.web.words import MINUS


@dataclass(frozen=True, slots=True)
class Cell:
    """A seat in a hand.

    Attributes:
        units: what it scored.
        points: the comparison in words.
        counts: whether it counts for a player.
    """

    units: int
    points: str
    counts: bool


@dataclass(frozen=True, slots=True)
class HandAtTable:
    """A hand at one table.

    Attributes:
        table: index of the table.
        replay: URL of the replay.
        cells: the seats; `None` for a seat that didn't play the hand.
    """

    table: int
    replay: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class HandOfEvent:
    """A hand at all tables that have played it."""

    number: int
    tables: tuple[HandAtTable, ...]


def hands_of(result: EventResultResponse) -> tuple[HandOfEvent, ...]:
    """Return the hands of an event that is over."""
    return tuple(
        HandOfEvent(
            number,
            tuple(
                _at_table(result, table, list(seats)) for table, seats in groupby(compared, key=lambda one: one.table)
            ),
        )
        for number, compared in groupby(result.comparisons, key=lambda one: one.hand)
    )


def _at_table(result: EventResultResponse, table: int, compared: Iterable[ComparisonResponse]) -> HandAtTable:
    by_seat = {one.seat: one for one in compared}
    first = next(iter(by_seat.values()))
    found, cells = result.tables[table], list[Cell | None]()
    for seat, taken in enumerate(found.seats):
        one = by_seat.get(seat)
        cells.append(None if one is None else Cell(one.units, points_text(one.points), one.counts and not taken.bot))
    return HandAtTable(table, f"/t/{found.table}/replay/{first.round}", tuple(cells))


def points_text(points: float) -> str:
    """Return points with a sign and two decimals.

    >>> points_text(1.5), points_text(-2 / 3), points_text(0.001)
    ('+1.50', '−0.67', '0.00')
    """
    text = f"{abs(points):.2f}"
    return number(text if float(text) == 0 else f"+{text}" if points > 0 else f"{MINUS}{text}")
