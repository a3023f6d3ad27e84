"""SQLite through the standard library: a file in WAL mode, with every commit synced to the disk."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from liarspoker.server.storage.connection import EPOCHS, Connection, Row, Statement, Value, Values, compiled, value
from liarspoker.server.storage.log import entry_digest
from liarspoker.server.storage.schema import EVENTS

BUSY_SECONDS = 5.0
"""How long an attempt waits for another process that writes; then the writer retries."""

FATAL = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}


DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_TOOBIG}

FAULTS = 10
"""The maximum number of faults that are reported."""


class FileLost(Exception):
    """The database file was moved, deleted or replaced, so that further writes would be lost."""


@dataclass(slots=True)
class SqliteDatabase:
    """The database in the file `path`, created by `migrate`.

    All connections use the same file; once it has been deleted or replaced, they fail.
    """

    path: Path
    timeout: ClassVar[float] = 15.0
    shared: ClassVar[bool] = False
    _file: FileId | None = field(default=None, init=False)

    def connect(self) -> SqliteConnection:
        """Open a connection for the calling thread; other threads may only interrupt it.

        Raises:
            FileLost: another file has this name now.
        """
        connection = SqliteConnection(self.path)
        if self._file is None:
            self._file = connection.file
        elif connection.file != self._file:
            connection.close()
            raise FileLost(LOST)
        return connection

    def is_transient(self, error: Exception) -> bool:
        """Return whether another process was writing, so that the transaction didn't happen."""
        return _primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def is_fatal(self, error: Exception) -> bool:
        """Return whether the disk failed or is full, so that its contents are unknown, or the file is lost."""
        return _primary_code(error) in FATAL or isinstance(error, FileLost)

    def is_damage(self, error: Exception) -> bool:
        """Return whether a page is corrupt or can't be read."""
        if _primary_code(error) is None:
            # Python raises UnicodeDecodeError if the text of an error contains invalid bytes.
            return (isinstance(error, sqlite3.Error) and NO_TEXT in str(error)) or isinstance(error, UnicodeDecodeError)
        return _primary_code(error) in DAMAGED

    def reason(self, error: Exception) -> str | None:
        """Return SQLite's name of an error."""
        return LOST if isinstance(error, FileLost) else getattr(error, "sqlite_errorname", None)


FileId: TypeAlias = tuple[int, int]
"""The device and inode of a file."""

LOST = "the database's file was deleted, moved or replaced while the server was running"
DIALECT = sqlite.dialect(paramstyle="named")
KNOWN = sa.select(EVENTS.c.table_id, EVENTS.c.command_id, EVENTS.c.version).where(
    EVENTS.c.table_id == value(EVENTS.c.table_id), EVENTS.c.command_id == value(EVENTS.c.command_id)
)
LENGTHS = (
    "SELECT table_id, count(*) FROM events INDEXED BY sqlite_autoindex_events_2 "
    "WHERE table_id IN (SELECT value FROM json_each(:table_ids)) GROUP BY table_id"
)
"""This uses the index of the constraint that a command id is unique per table."""

NO_TEXT = "Could not decode to UTF-8"
"""Python's message for bytes in the file that aren't valid text."""


def _file_ids(path: Path) -> tuple[FileId | None, ...]:
    """Return the ids of the database file, its write-ahead log and its shared memory file."""
    return tuple(_file_id(f"{path}{ending}") for ending in ("", "-wal", "-shm"))


def _file_id(path: str) -> FileId | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _primary_code(error: Exception) -> int | None:
    """Return SQLite's primary result code of an error."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


class SqliteConnection(Connection):
    """A connection; see `connection.Connection`.

    Attributes:
        file: the id of the database file.
    """

    in_process = True

    def __init__(self, path: Path) -> None:
        # `isolation_level=None` turns implicit transactions off; `mode=rw` doesn't create a missing file.
        self._path = path.absolute()
        uri = f"{self._path.as_uri()}?mode=rw"
        before = _file_id(str(self._path))
        self._connection = sqlite3.connect(
            uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("SELECT 1 FROM sqlite_schema")  # opens the WAL files
        self._connection.create_function("entry_digest", 7, entry_digest, deterministic=True)
        self._files = _file_ids(self._path)
        self.file = self._files[0]
        if self.file != before:
            raise FileLost(LOST)

    def begin(self) -> None:
        """Begin a transaction as the only writer."""
        self._connection.execute("BEGIN IMMEDIATE")

    def snapshot(self) -> None:
        """Begin a read-only transaction."""
        self._connection.execute("BEGIN")

    def commit(self) -> None:
        """Commit, sync, and check that the files are still in place, so that the next process finds the data.

        Checking after each commit is enough: acknowledged data was in the right file when it was synced.

        Raises:
            FileLost: the files were moved, deleted or replaced.
        """
        self._connection.execute("COMMIT")
        if _file_ids(self._path) != self._files:
            raise FileLost(LOST)

    def rollback(self) -> None:
        """Roll back the transaction, if one is open."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def execute(self, statement: Statement, **values: Value) -> list[Row]:
        """Run a statement and return its rows."""
        sql, contained = compiled(statement, DIALECT)
        return self._connection.execute(sql, {**contained, **values} if contained else values).fetchall()

    def execute_many(self, statement: Statement, rows: Sequence[Values]) -> None:
        """Run a statement for each row of values."""
        self._connection.executemany(compiled(statement, DIALECT)[0], rows)

    def stream(self, statement: Statement) -> Iterable[Row]:
        """Yield the rows as they are fetched."""
        return self._connection.execute(compiled(statement, DIALECT)[0])

    def array(self, values: Sequence[str] | Sequence[int]) -> str:
        """Return the values as a JSON array."""
        return json.dumps(list(values))

    def epochs(self, shards: Sequence[int]) -> dict[int, int]:
        """Return the epochs of the shards; concurrent writers can't exist."""
        return dict(self.execute(EPOCHS, shards=self.array(shards)))

    def known(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Return the commands that are in the log."""
        found = (self.execute(KNOWN, table_id=table_id, command_id=command_id) for table_id, command_id in pairs)
        return [row for rows in found for row in rows]

    def log_lengths(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Return the lengths of logs according to the index of commands, which is on other pages than the logs."""
        return dict(self.execute(LENGTHS, table_ids=self.array(table_ids)))

    def faults(self) -> list[str]:
        """Run SQLite's `quick_check` and return the faults."""
        found = [str(row[0]) for row in self._connection.execute(f"PRAGMA quick_check({FAULTS})")]
        return [] if found == ["ok"] else found

    def interrupt(self) -> None:
        """Interrupt the running statement."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
