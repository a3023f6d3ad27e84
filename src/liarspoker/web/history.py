"""What somebody has played: his last tables, told by their records, and the sums of them.

Every record is played through by the rules again, so what is counted here is what the game says. A table is counted
once and remembered for as long as nothing happens there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate

from liarspoker.core import catalogue
from liarspoker.records import replay
from liarspoker.server.storage.errors import StorageError
from liarspoker.server.storage.log import Listed, TableLog
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import read_log
from liarspoker.tables.export import records_of
from liarspoker.tables.state import Table
from liarspoker.web.view_models.family import Tally
from liarspoker.web.view_models.plain import pages_for
from liarspoker.web.words import typeset

MOST_TABLES = 100
"""So many tables are looked at, the last ones."""
PATIENCE = 0.8
"""Seconds after which a page is shown without the tables that are not counted yet; the next one goes on from there."""
_AT_ONCE = 2
"""So many tables are counted at a time."""


@dataclass(frozen=True, slots=True)
class Played:
    """A table where somebody has sat.

    Attributes:
        at: when something last happened there, in seconds.
    """

    table: str
    title: str
    game: catalogue.GameRow
    ended: bool
    at: float
    units: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class History:
    """What somebody has played, the last table first; `uncounted` tables are left for the next look."""

    played: tuple[Played, ...]
    uncounted: int

    @property
    def tally(self) -> Tally:
        """The sum of all."""
        return sum((one.tally for one in self.played), Tally())

    @property
    def units(self) -> int:
        """What was won and lost in all."""
        return sum(one.units for one in self.played)

    @property
    def course(self) -> tuple[int, ...]:
        """What was won and lost so far, table by table, the oldest first; begins with nothing."""
        return tuple(accumulate((one.units for one in reversed(self.played)), initial=0))

    @property
    def by_game(self) -> tuple[tuple[catalogue.GameRow, int, Tally, int], ...]:
        """Each game that was played: at how many tables, what is counted, and the units."""
        sums = []
        for row in catalogue.games():
            mine = [one for one in self.played if one.game == row]
            if mine:
                sums.append((row, len(mine), sum((one.tally for one in mine), Tally()), sum(one.units for one in mine)))
        return tuple(sums)


class Histories:
    """Histories of whoever asks."""

    def __init__(self, storage: Storage, size: int = 2_000) -> None:
        self._storage = storage
        self._size = size
        self._known: OrderedDict[tuple[str, str], Played] = OrderedDict()
        self._counting: dict[str, asyncio.Task[None]] = {}
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def of(self, user: str) -> History:
        """The history of `user`, as far as it can be told within `PATIENCE`; what is left is counted meanwhile."""
        listed = await self._storage.listings(member=user, limit=MOST_TABLES)
        if any(self._of(user, one) is None for one in listed):
            if user not in self._counting:
                self._counting[user] = asyncio.create_task(self._count(user, listed))
                self._counting[user].add_done_callback(lambda _: self._counting.pop(user))
            counting = self._counting[user]
            await asyncio.wait([counting], timeout=PATIENCE)
            if counting.done():
                counting.result()
        played = tuple(known for one in listed if (known := self._of(user, one)) is not None)
        return History(played, len(listed) - len(played))

    def _of(self, user: str, listed: Listed) -> Played | None:
        """A table as it was counted, if nothing has happened there since."""
        known = self._known.get((user, listed.table_id))
        return known if known is not None and known.at == listed.listing.updated_at else None

    async def _count(self, user: str, listed: Sequence[Listed]) -> None:
        """Count what is not counted yet, the last table first; one whose log cannot be read is left out."""
        for one in listed:
            if self._of(user, one) is not None:
                continue
            async with self._turns:
                with suppress(StorageError, ValueError):
                    stored = await self._storage.log(one.table_id)
                    counted = await asyncio.to_thread(_counted, stored, user, one)
                    self._keep((user, one.table_id), counted)

    def _keep(self, key: tuple[str, str], played: Played) -> None:
        self._known[key] = played
        self._known.move_to_end(key)
        if len(self._known) > self._size:
            self._known.popitem(last=False)


def _counted(stored: TableLog, user: str, listed: Listed) -> Played:
    return played_at(read_log(stored)[0], user, listed)


def played_at(table: Table, user: str, listed: Listed) -> Played:
    """What `user` has played at a table, as far as he may know it."""
    tally = Tally()
    for record in records_of(table, user):
        seat = record.get("x-seat")
        if seat is None:
            continue
        played = replay(record)
        assert played.game is not None
        counted = pages_for(played.game.row).tally
        for session in played.rounds:
            if not session.in_play:
                tally += counted(session, seat)
    listing = listed.listing
    row = catalogue.row(listing.game)
    return Played(
        table=listed.table_id,
        title=listing.title or typeset(row.title),
        game=row,
        ended=listing.status == "ended",
        at=listing.updated_at,
        units=table.units.get(user, 0),
        tally=tally,
    )
