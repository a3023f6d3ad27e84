"""PostgreSQL, by psycopg: a server that may go away and come back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from liarspoker.server.storage.connection import Row, Value

# A server that has vanished without a word is noticed within some ten seconds, unless the address says otherwise.
PATIENCE = {
    "connect_timeout": 5,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "liarspoker",
}
CANNOT_WRITE_NOW = {"25006", "25P03", "25P04"}
"""A server that has become read-only, or ended a transaction that took too long."""
STREAMED_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class PostgresDatabase:
    """The database at the address `url`, which `migrate` has prepared. The address may hold a password."""

    url: str = field(repr=False)

    def connect(self) -> PostgresConnection:
        """A new connection."""
        return PostgresConnection(self.url)

    def passing(self, error: Exception) -> bool:
        """Whether the server has gone, refuses for now, or broke a deadlock."""
        if isinstance(error, psycopg.Error) and error.sqlstate in CANNOT_WRITE_NOW:
            return True
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)

    def fatal(self, error: Exception) -> bool:
        """Never: the server itself stops when it cannot write."""
        return False


@cache
def _native(sql: str) -> bytes:
    """The statement with psycopg's signs for values."""
    return sql.replace("?", "%s").encode()


class PostgresConnection:
    """A connection; see `connection.Connection`."""

    now = "extract(epoch FROM clock_timestamp())::double precision"
    among = "= ANY(?)"
    near = False

    def __init__(self, url: str) -> None:
        options: dict[str, Any] = PATIENCE | conninfo_to_dict(url)
        self._connection = psycopg.connect(**options, autocommit=True)
        # A server may be told to answer before a commit is on its disk; such an answer would not do here.
        self._connection.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )

    def begin(self) -> None:
        """Open a transaction."""
        self._connection.execute("BEGIN")

    def snapshot(self) -> None:
        """Open a transaction that only reads, and sees one moment."""
        self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def commit(self) -> None:
        """Commit, and wait until it is on the disk."""
        self._connection.execute("COMMIT")

    def rollback(self) -> None:
        """Undo the transaction, if one is open."""
        self._connection.rollback()

    def execute(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a statement, and answer with its rows."""
        cursor = self._connection.execute(_native(sql), values)
        return cursor.fetchall() if cursor.description else []

    def execute_many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        """Run a statement for each row of values, without waiting for each."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_native(sql), rows)

    def stream(self, sql: str) -> Iterable[Row]:
        """The rows, some thousands at a time."""
        with self._connection.cursor(name="streamed") as cursor:
            cursor.itersize = STREAMED_AT_ONCE
            yield from cursor.execute(_native(sql))

    def array(self, values: Sequence[str]) -> list[str]:
        """The values as an array of texts."""
        return list(values)

    def lock(self, table_ids: Sequence[str]) -> None:
        """Lock the rows of the tables, in one order for all, so that two nodes do not wait for each other."""
        self.execute(
            "SELECT 1 FROM tables WHERE table_id = ANY(?) ORDER BY table_id FOR NO KEY UPDATE", (list(table_ids),)
        )

    def known(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Those of the commands that the log has."""
        ask = (
            "SELECT table_id, command_id, version FROM events "
            "JOIN unnest(?::text[], ?::text[]) AS asked (table_id, command_id) USING (table_id, command_id)"
        )
        return self.execute(ask, ([pair[0] for pair in pairs], [pair[1] for pair in pairs]))

    def close(self) -> None:
        """End the connection."""
        self._connection.close()
