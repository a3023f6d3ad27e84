"""SQLite, by the standard library: a file in WAL mode whose every commit is synced to the disk."""

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
from liarspoker.server.storage.log import chained
from liarspoker.server.storage.schema import EVENTS

BUSY_SECONDS = 5.0
"""How long one attempt waits for another process that writes; the writer then tries again."""

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
"""How many faults are named at most."""


class FileLost(Exception):
    """The file is not under its name any more: what is written now would be found by nobody."""


@dataclass(slots=True)
class SqliteDatabase:
    """The database in the file `path`, which `migrate` has made.

    All connections are to one and the same file; once it has been deleted or replaced, each of them fails.
    """

    path: Path
    timeout: ClassVar[float] = 15.0
    shared: ClassVar[bool] = False
    _file: Number | None = field(default=None, init=False)

    def connect(self) -> SqliteConnection:
        """A new connection, to be used by the calling thread, and by others to interrupt it.

        Raises:
            FileLost: another file has this name by now.
        """
        connection = SqliteConnection(self.path)
        if self._file is None:
            self._file = connection.file
        elif connection.file != self._file:
            connection.close()
            raise FileLost(LOST)
        return connection

    def passing(self, error: Exception) -> bool:
        """Whether another process was writing; the transaction did not happen."""
        return _primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def fatal(self, error: Exception) -> bool:
        """Whether the disk failed or is full, since after a failed sync nobody knows what it holds; or has gone."""
        return _primary_code(error) in FATAL or isinstance(error, FileLost)

    def damaged(self, error: Exception) -> bool:
        """Whether pages that were read hold something else than they should, or cannot be read."""
        if _primary_code(error) is None:
            # Python raises the second where an error's own text quotes such bytes.
            return (isinstance(error, sqlite3.Error) and NO_TEXT in str(error)) or isinstance(error, UnicodeDecodeError)
        return _primary_code(error) in DAMAGED

    def reason(self, error: Exception) -> str | None:
        """What SQLite calls errors of this kind."""
        return LOST if isinstance(error, FileLost) else getattr(error, "sqlite_errorname", None)


Number: TypeAlias = tuple[int, int]
"""Device and number of a file."""

LOST = "the database's file was deleted, moved or replaced while the server was running"
DIALECT = sqlite.dialect(paramstyle="named")
KNOWN = sa.select(EVENTS.c.table_id, EVENTS.c.command_id, EVENTS.c.version).where(
    EVENTS.c.table_id == value(EVENTS.c.table_id), EVENTS.c.command_id == value(EVENTS.c.command_id)
)
LENGTHS = (
    "SELECT table_id, count(*) FROM events INDEXED BY sqlite_autoindex_events_2 "
    "WHERE table_id IN (SELECT value FROM json_each(:table_ids)) GROUP BY table_id"
)
"""The index is the one of the constraint that a command takes effect once."""

NO_TEXT = "Could not decode to UTF-8"
"""So Python tells that bytes in the file are no text."""


def _numbers(path: Path) -> tuple[Number | None, ...]:
    """What lies at `path` and beside it: the log of the newest commits, and how processes share it."""
    return tuple(_number(f"{path}{ending}") for ending in ("", "-wal", "-shm"))


def _number(path: str) -> Number | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _primary_code(error: Exception) -> int | None:
    """SQLite's number for the kind of error, without its refinements."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


class SqliteConnection(Connection):
    """A connection; see `connection.Connection`.

    Attributes:
        file: the file that it is to.
    """

    near = True

    def __init__(self, path: Path) -> None:
        # `isolation_level=None` leaves transactions to us; `mode=rw` makes no new file where one is missing.
        self._path = path.absolute()
        uri = f"{self._path.as_uri()}?mode=rw"
        before = _number(str(self._path))
        self._connection = sqlite3.connect(
            uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("SELECT 1 FROM sqlite_schema")  # opens the files beside it
        self._connection.create_function("chained", 7, chained, deterministic=True)
        self._files = _numbers(self._path)
        self.file = self._files[0]
        if self.file != before:
            raise FileLost(LOST)

    def begin(self) -> None:
        """Open a transaction, as the only one that writes."""
        self._connection.execute("BEGIN IMMEDIATE")

    def snapshot(self) -> None:
        """Open a transaction that only reads."""
        self._connection.execute("BEGIN")

    def commit(self) -> None:
        """Commit, sync, and see that what is on the disk now is still there for whoever starts next.

        To look after every commit suffices: what is acknowledged lay under its name when it was already on the disk.

        Raises:
            FileLost: it is not.
        """
        self._connection.execute("COMMIT")
        if _numbers(self._path) != self._files:
            raise FileLost(LOST)

    def rollback(self) -> None:
        """Undo the transaction, if one is open."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def execute(self, statement: Statement, **values: Value) -> list[Row]:
        """Run a statement, and answer with its rows."""
        sql, contained = compiled(statement, DIALECT)
        return self._connection.execute(sql, {**contained, **values} if contained else values).fetchall()

    def execute_many(self, statement: Statement, rows: Sequence[Values]) -> None:
        """Run a statement for each row of values."""
        self._connection.executemany(compiled(statement, DIALECT)[0], rows)

    def stream(self, statement: Statement) -> Iterable[Row]:
        """The rows, as they are fetched."""
        return self._connection.execute(compiled(statement, DIALECT)[0])

    def array(self, values: Sequence[str] | Sequence[int]) -> str:
        """The values as a JSON array."""
        return json.dumps(list(values))

    def epochs(self, shards: Sequence[int]) -> dict[int, int]:
        """The epochs of the shards; a transaction that writes is alone."""
        return dict(self.execute(EPOCHS, shards=self.array(shards)))

    def known(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Those of the commands that the log has."""
        found = (self.execute(KNOWN, table_id=table_id, command_id=command_id) for table_id, command_id in pairs)
        return [row for rows in found for row in rows]

    def log_lengths(self, table_ids: Sequence[str]) -> dict[str, int]:
        """How many entries the index of commands has, which lies on other pages than the logs."""
        return dict(self.execute(LENGTHS, table_ids=self.array(table_ids)))

    def faults(self) -> list[str]:
        """What SQLite's `quick_check` finds."""
        told = [str(row[0]) for row in self._connection.execute(f"PRAGMA quick_check({FAULTS})")]
        return [] if told == ["ok"] else told

    def interrupt(self) -> None:
        """End what is running."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
