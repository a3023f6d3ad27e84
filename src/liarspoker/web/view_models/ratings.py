"""The ratings that the page of a rated table shows."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from liarspoker.server.ratings import RatedGame, Rating, Ratings
from liarspoker.server.storage.errors import StorageError
from liarspoker.tables.rated import players_of
from liarspoker.tables.state import ENDED, Table


@dataclass(frozen=True, slots=True)
class TableRatings:
    """The ratings at a rated table, by user.

    Attributes:
        now: the players' ratings.
        changes: what the table has changed; empty before its end.
    """

    now: Mapping[str, Rating] = field(default_factory=dict)
    changes: Mapping[str, RatedGame] = field(default_factory=dict)


UNRATED = TableRatings()


def ratings_key(table: Table) -> object:
    """Return what the ratings at a table depend on; `None` if it isn't rated."""
    return (players_of(table), table.stage == ENDED) if table.settings.rated else None


async def table_ratings(ratings: Ratings, table: Table) -> TableRatings:
    """Return the ratings at a table; none if it isn't rated or the database doesn't respond."""
    if not table.settings.rated:
        return UNRATED
    with suppress(StorageError):
        return TableRatings(await ratings.at_table(table), await ratings.changes(table))
    return UNRATED
