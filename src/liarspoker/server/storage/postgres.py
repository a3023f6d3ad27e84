"""PostgreSQL through psycopg: a server whose connection may be lost and come back."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

import psycopg
import sqlalchemy as sa
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql.psycopg import dialect

from liarspoker.server.storage.connection import EPOCHS, Connection, Row, Statement, Value, Values, compiled
from liarspoker.server.storage.location import hide_password
from liarspoker.server.storage.schema import EVENTS

# Detect a dead server within about ten seconds, unless the URL sets other values.
TIMEOUTS = {
    "connect_timeout": 3,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "liarspoker",
}
CANNOT_WRITE_NOW = {"25006", "25P03", "25P04"}
"""SQLSTATEs of a server that has become read-only, or has ended a transaction that took too long."""
SILENT_SECONDS = 2
"""A transaction whose process has sent nothing for this long is rolled back: the process may hang, and its locks block
all other servers. This is shorter than a lease, so that other servers can take over its shards."""
DAMAGED = {"XX001", "XX002", "22021"}
STREAMED_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class PostgresDatabase:
    """The database at `url`, whose schema `migrate` has upgraded. The URL may contain a password."""

    url: str = field(repr=False)
    timeout: ClassVar[float] = 2.0
    shared: ClassVar[bool] = True

    def connect(self) -> PostgresConnection:
        """Open a connection."""
        return PostgresConnection(self.url)

    def is_transient(self, error: Exception) -> bool:
        """Return whether the connection was lost, the server can't write now, or a deadlock was resolved."""
        if isinstance(error, psycopg.Error) and error.sqlstate in CANNOT_WRITE_NOW:
            return True
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)

    def is_fatal(self, error: Exception) -> bool:
        """Return false: a PostgreSQL server stops itself when it can't write."""
        return False

    def is_damage(self, error: Exception) -> bool:
        """Return whether the server found a corrupt page or index, or invalid text."""
        return isinstance(error, psycopg.Error) and error.sqlstate in DAMAGED

    def reason(self, error: Exception) -> str | None:
        """Return the SQLSTATE of an error."""
        return error.sqlstate if isinstance(error, psycopg.Error) else None


def connect(url: str, autocommit: bool = False) -> psycopg.Connection:
    """Open a psycopg connection that detects a dead server. Errors are one line without the password."""
    try:
        options: dict[str, Any] = TIMEOUTS | conninfo_to_dict(url)
        return psycopg.connect(**options, autocommit=autocommit)
    except psycopg.Error as error:
        if (text := hide_password(str(error), url)) == str(error):
            raise
        raise type(error)(text) from None


DIALECT = dialect()  # type: ignore[no-untyped-call]
EPOCHS_LOCKED = EPOCHS.with_for_update(key_share=True)
_PAIRS = (
    sa.func.unnest(sa.bindparam("table_ids", type_=ARRAY(sa.Text)), sa.bindparam("command_ids", type_=ARRAY(sa.Text)))
    .table_valued("table_id", "command_id", name="pairs")
    .render_derived()
)
KNOWN = sa.select(EVENTS.c.table_id, EVENTS.c.command_id, EVENTS.c.version).join(
    _PAIRS, (_PAIRS.c.table_id == EVENTS.c.table_id) & (_PAIRS.c.command_id == EVENTS.c.command_id)
)


# A process that was suspended in the middle of a transaction holds its locks, which would keep other nodes from taking
# its shards. PostgreSQL's own timeout doesn't run while it waits for the rest of a pipeline.
END_STALLED = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity AS stalled
WHERE application_name = 'liarspoker' AND datname = current_database() AND pid <> pg_backend_pid()
    AND wait_event = 'ClientRead' AND xact_start < clock_timestamp() - make_interval(secs => :seconds)
    AND EXISTS (
        SELECT FROM pg_locks AS held
        WHERE held.pid = stalled.pid AND relation = 'shards'::regclass AND mode <> 'AccessShareLock'
    )
"""


class PostgresConnection(Connection):
    """A connection; see `connection.Connection`."""

    in_process = False

    def __init__(self, url: str) -> None:
        self._connection = connect(url, autocommit=True)
        # A duplicate of the socket that stays valid until `close`, whatever libpq does in its thread.
        self._socket = socket.socket(fileno=os.dup(self._connection.fileno()))
        self._prepared = False

    def begin(self) -> None:
        """Begin a transaction."""
        if not self._prepared:
            # A server can be configured to acknowledge commits before they are on the disk, which isn't durable.
            self._connection.execute(
                "SELECT set_config('synchronous_commit', 'on', false) "
                "WHERE current_setting('synchronous_commit') = 'off'"
            )
            self._connection.execute(
                f"SELECT set_config('idle_in_transaction_session_timeout', '{SILENT_SECONDS}s', false)".encode()
            )
            self._prepared = True
        self._connection.execute("BEGIN")

    def snapshot(self) -> None:
        """Begin a read-only transaction with a consistent snapshot."""
        self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def commit(self) -> None:
        """Commit, and wait until the transaction is on the disk."""
        self._connection.execute("COMMIT")

    def rollback(self) -> None:
        """Roll back the transaction, if one is open."""
        self._connection.rollback()

    def execute(self, statement: Statement, **values: Value) -> list[Row]:
        """Run a statement and return its rows."""
        sql, contained = compiled(statement, DIALECT)
        cursor = self._connection.execute(sql.encode(), {**contained, **values})
        return cursor.fetchall() if cursor.description else []

    def execute_many(self, statement: Statement, rows: Sequence[Values]) -> None:
        """Run a statement for each row of values, without waiting for each."""
        with self._connection.cursor() as cursor:
            cursor.executemany(compiled(statement, DIALECT)[0].encode(), rows)

    def stream(self, statement: Statement) -> Iterable[Row]:
        """Yield the rows, fetching some thousands at a time."""
        with self._connection.cursor(name="streamed") as cursor:
            cursor.itersize = STREAMED_AT_ONCE
            yield from cursor.execute(compiled(statement, DIALECT)[0].encode())

    def array(self, values: Sequence[str] | Sequence[int]) -> Value:
        """Return the values as an array parameter."""
        return values

    def epochs(self, shards: Sequence[int]) -> dict[int, int]:
        """Return the epochs of the shards after locking their rows, always in the same order to avoid deadlocks.

        This also waits for a commit that this process sent on a connection that was lost.
        """
        return dict(self.execute(EPOCHS_LOCKED, shards=list(shards)))

    def end_stalled(self, seconds: float) -> None:
        """End the transactions of suspended processes."""
        self.execute(END_STALLED, seconds=seconds)

    def known(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Return the commands that are in the log."""
        table_ids, command_ids = ([pair[number] for pair in pairs] for number in (0, 1))
        return self.execute(KNOWN, table_ids=table_ids, command_ids=command_ids)

    def cut(self) -> None:
        """Break the connection, so that a statement without an answer fails."""
        with suppress(OSError):  # it is closed
            self._socket.shutdown(socket.SHUT_RDWR)

    def interrupt(self) -> None:
        """Cancel the running statement."""
        self._connection.cancel_safe()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
        self._socket.close()
