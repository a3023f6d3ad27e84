"""Reading the log of a table, which rebuilds the table and the answers to its commands."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator

from liarspoker.server.storage.log import TableLog
from liarspoker.tables.reducers import apply_entry, read_entry
from liarspoker.tables.state import Table

ENTRIES_AT_ONCE = 100
"""The number of entries of a log that are replayed before the event loop handles other work; they take about 10 ms."""

EVENT_KEY = -1
"""The number under which a table stores the key of its event, beside the seeds of its deals."""


class LogReading:
    """A log that is being read.

    Attributes:
        answered: the versions of the commands so far, by command id.
        last_at: when the last entry was stored, in seconds.
        event_key: the secret key of the table's event; empty for none.
    """

    def __init__(self) -> None:
        self._table: Table | None = None
        self.answered: dict[str, int] = {}
        self.last_at = 0.0
        self.event_key = b""

    @property
    def is_empty(self) -> bool:
        """Whether the log has no entries so far."""
        return self._table is None

    @property
    def table(self) -> Table:
        """The table after the last entry.

        Raises:
            ValueError: the log is empty.
        """
        if self._table is None:
            raise ValueError("the log is empty")
        return self._table

    def replayed(self, part: TableLog) -> Iterator[Table]:
        """Replay the next part of the log, and yield the table after each entry.

        Raises:
            ValueError: the log is damaged, or newer than this program.
        """
        seed_of, self.event_key = part.seeds.__getitem__, part.seeds.get(EVENT_KEY, b"")
        for version, entry in enumerate(part.entries, 1 + (0 if self._table is None else self._table.version)):
            if entry.version != version:
                raise ValueError(f"table {part.table_id}: entry {entry.version}: earlier entries are missing")
            try:
                self._table = apply_entry(self._table, read_entry(entry.body), seed_of)
            except Exception as error:
                raise ValueError(f"table {part.table_id}: entry {version} can't be read") from error
            if entry.command_id is not None:
                self.answered[entry.command_id] = version
            self.last_at = entry.at
            yield self._table


def read_log(stored: TableLog) -> LogReading:
    """Read the whole log of a table.

    Raises:
        ValueError: the log is damaged, or newer than this program.
    """
    reading = LogReading()
    deque(reading.replayed(stored), 0)
    return reading


async def read_log_in_turns(parts: AsyncIterator[TableLog]) -> LogReading:
    """Read a log part by part, while the event loop handles other work in between.

    A log of ten thousand entries takes more than a second. Without a pause, the heartbeats of this process would be
    late, and others would take its tables.

    Raises:
        ValueError: see `read_log`.
        StorageError: the log can't be read.
    """
    reading = LogReading()
    async for part in parts:
        for number, _table in enumerate(reading.replayed(part), 1):
            if number % ENTRIES_AT_ONCE == 0:
                await asyncio.sleep(0)
    return reading
