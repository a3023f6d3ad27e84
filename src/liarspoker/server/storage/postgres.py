"""PostgreSQL, by psycopg: a server that may go away and come back."""

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
from liarspoker.server.storage.schema import EVENTS

# A server that has vanished without a word is noticed within some ten seconds, unless the address says otherwise.
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
"""A server that has become read-only, or ended a transaction that took too long."""
SILENT_SECONDS = 2
"""A transaction whose process has sent nothing for so long is undone: it may stand still, and what it has locked stops
all other servers. That is less than a lease, so that they can take over what it owns."""
DAMAGED = {"XX001", "XX002", "22021"}
STREAMED_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class PostgresDatabase:
    """The database at the address `url`, which `migrate` has prepared. The address may hold a password."""

    url: str = field(repr=False)
    timeout: ClassVar[float] = 2.0
    shared: ClassVar[bool] = True

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

    def damaged(self, error: Exception) -> bool:
        """Whether the server found a page or an index damaged, or a text that is none."""
        return isinstance(error, psycopg.Error) and error.sqlstate in DAMAGED

    def reason(self, error: Exception) -> str | None:
        """The number that PostgreSQL gives to errors of this kind."""
        return error.sqlstate if isinstance(error, psycopg.Error) else None


def connect(url: str, autocommit: bool = False) -> psycopg.Connection:
    """A connection to the server at `url` by psycopg, which notices when the server has vanished."""
    options: dict[str, Any] = TIMEOUTS | conninfo_to_dict(url)
    return psycopg.connect(**options, autocommit=autocommit)


DIALECT = dialect()  # type: ignore[no-untyped-call]
EPOCHS_LOCKED = EPOCHS.with_for_update(key_share=True)
_ASKED = (
    sa.func.unnest(sa.bindparam("table_ids", type_=ARRAY(sa.Text)), sa.bindparam("command_ids", type_=ARRAY(sa.Text)))
    .table_valued("table_id", "command_id", name="asked")
    .render_derived()
)
KNOWN = sa.select(EVENTS.c.table_id, EVENTS.c.command_id, EVENTS.c.version).join(
    _ASKED, (_ASKED.c.table_id == EVENTS.c.table_id) & (_ASKED.c.command_id == EVENTS.c.command_id)
)


# A process that was stopped in the middle of a transaction holds its locks, and would keep all others from taking its
# shards. The server's own timeout doesn't run while it waits for the rest of a pipeline.
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

    near = False

    def __init__(self, url: str) -> None:
        self._connection = connect(url, autocommit=True)
        # The same connection once more, which is there until `close`, whatever libpq does in its thread.
        self._cord = socket.socket(fileno=os.dup(self._connection.fileno()))
        self._prepared = False

    def begin(self) -> None:
        """Open a transaction."""
        if not self._prepared:
            # A server may be told to answer before a commit is on its disk; such an answer would not do here.
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
        """Open a transaction that only reads, and sees one moment."""
        self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def commit(self) -> None:
        """Commit, and wait until it is on the disk."""
        self._connection.execute("COMMIT")

    def rollback(self) -> None:
        """Undo the transaction, if one is open."""
        self._connection.rollback()

    def execute(self, statement: Statement, **values: Value) -> list[Row]:
        """Run a statement, and answer with its rows."""
        sql, contained = compiled(statement, DIALECT)
        cursor = self._connection.execute(sql.encode(), {**contained, **values})
        return cursor.fetchall() if cursor.description else []

    def execute_many(self, statement: Statement, rows: Sequence[Values]) -> None:
        """Run a statement for each row of values, without waiting for each."""
        with self._connection.cursor() as cursor:
            cursor.executemany(compiled(statement, DIALECT)[0].encode(), rows)

    def stream(self, statement: Statement) -> Iterable[Row]:
        """The rows, some thousands at a time."""
        with self._connection.cursor(name="streamed") as cursor:
            cursor.itersize = STREAMED_AT_ONCE
            yield from cursor.execute(compiled(statement, DIALECT)[0].encode())

    def array(self, values: Sequence[str] | Sequence[int]) -> Value:
        """The values as an array."""
        return values

    def epochs(self, shards: Sequence[int]) -> dict[int, int]:
        """The epochs of the shards, whose rows are locked in one order for all, so that no two nodes wait for ever.

        What this process has sent before, on a connection that broke while it committed, comes first too.
        """
        return dict(self.execute(EPOCHS_LOCKED, shards=list(shards)))

    def end_stalled(self, seconds: float) -> None:
        """End the transactions of processes that stand still."""
        self.execute(END_STALLED, seconds=seconds)

    def known(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Those of the commands that the log has."""
        table_ids, command_ids = ([pair[number] for pair in pairs] for number in (0, 1))
        return self.execute(KNOWN, table_ids=table_ids, command_ids=command_ids)

    def cut(self) -> None:
        """Break the connection, at which somebody may wait in vain."""
        with suppress(OSError):  # it is closed
            self._cord.shutdown(socket.SHUT_RDWR)

    def interrupt(self) -> None:
        """End what is running."""
        self._connection.cancel_safe()

    def close(self) -> None:
        """End the connection."""
        self._connection.close()
        self._cord.close()
