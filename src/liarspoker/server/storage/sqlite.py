"""SQLite, by the standard library: a file in WAL mode whose every commit is synced to the disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from liarspoker.server.storage.connection import Row, Value

BUSY_SECONDS = 5.0
"""How long one attempt waits for another process that writes; the writer then tries again."""

FATAL = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}


@dataclass(frozen=True, slots=True)
class SqliteDatabase:
    """The database in the file `path`, which `migrate` has made."""

    path: Path

    def connect(self) -> SqliteConnection:
        """A new connection, to be used by the calling thread."""
        return SqliteConnection(self.path)

    def passing(self, error: Exception) -> bool:
        """Whether another process was writing; the transaction did not happen."""
        return _primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def fatal(self, error: Exception) -> bool:
        """Whether the disk failed or is full: after a failed sync nobody knows what it holds."""
        return _primary_code(error) in FATAL


def _primary_code(error: Exception) -> int | None:
    """SQLite's number for the kind of error, without its refinements."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


class SqliteConnection:
    """A connection; see `connection.Connection`."""

    now = "((julianday('now') - 2440587.5) * 86400.0)"
    among = "IN (SELECT value FROM json_each(?))"
    near = True

    def __init__(self, path: Path) -> None:
        # `isolation_level=None` leaves transactions to us; `mode=rw` makes no new file where one is missing.
        uri = f"{path.absolute().as_uri()}?mode=rw"
        self._connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")

    def begin(self) -> None:
        """Open a transaction, as the only one that writes."""
        self._connection.execute("BEGIN IMMEDIATE")

    def snapshot(self) -> None:
        """Open a transaction that only reads."""
        self._connection.execute("BEGIN")

    def commit(self) -> None:
        """Commit, and sync."""
        self._connection.execute("COMMIT")

    def rollback(self) -> None:
        """Undo the transaction, if one is open."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def execute(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a statement, and answer with its rows."""
        return self._connection.execute(sql, values).fetchall()

    def execute_many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        """Run a statement for each row of values."""
        self._connection.executemany(sql, rows)

    def stream(self, sql: str) -> Iterable[Row]:
        """The rows, as they are fetched."""
        return self._connection.execute(sql)

    def array(self, values: Sequence[str]) -> str:
        """The values as a JSON array."""
        return json.dumps(list(values))

    def lock(self, table_ids: Sequence[str]) -> None:
        """Nothing to do: a transaction that writes is alone."""

    def known(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Those of the commands that the log has."""
        ask = "SELECT table_id, command_id, version FROM events WHERE table_id = ? AND command_id = ?"
        execute = self._connection.execute
        return [row for pair in pairs if (row := execute(ask, pair).fetchone()) is not None]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
