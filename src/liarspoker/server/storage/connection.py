"""What the writer and the reader ask of a database, whichever it is.

Statements are written once, with `?` for a value. `now`, `among` and `unchanged` stand for the places
where databases differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

Row: TypeAlias = tuple[Any, ...]
Value: TypeAlias = str | int | float | bytes | list[str] | None


class Connection(Protocol):
    """One connection, used by one thread.

    Attributes:
        now: SQL for the seconds since 1970 by the database's clock.
        among: SQL for "is one of", after a column and before nothing; its value is made by `array`.
        unchanged: SQL after a `SELECT`: nobody changes its rows until this transaction ends.
        near: a statement has no way to go, so that entries are best judged and stored one by one.
    """

    now: str
    among: str
    unchanged: str
    near: bool

    def begin(self) -> None:
        """Open a transaction that writes."""

    def snapshot(self) -> None:
        """Open a transaction that only reads, and sees the database as it is at one moment."""

    def commit(self) -> None:
        """Make the transaction durable: it is on the disk when this returns."""

    def rollback(self) -> None:
        """Undo the transaction, if one is open."""

    def execute(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a statement; answers with the rows that it returns, none for one that returns nothing."""

    def execute_many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        """Run a statement once for each row of values."""

    def stream(self, sql: str) -> Iterable[Row]:
        """The rows of a long answer, one by one."""

    def array(self, values: Sequence[str]) -> Value:
        """The value that goes with `among`."""

    def lock(self, table_ids: Sequence[str]) -> None:
        """Keep every other transaction from appending to these tables, or leasing them, until this one ends."""

    def known(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """`(table_id, command_id, version)` for each of these tables and commands that the log has."""

    def cut(self) -> None:
        """From another thread: have what is waiting for a database server fail with an error that is passing."""

    def log_lengths(self, table_ids: Sequence[str]) -> dict[str, int] | None:
        """How many entries each of these logs has by another structure than the log itself; `None` without such one."""

    def faults(self) -> list[str] | None:
        """What is wrong with the structure of the whole database, of which no text names anybody; may take long.

        `None` where the database looks after this itself.
        """

    def interrupt(self) -> None:
        """End what another thread runs on this connection, with an error."""

    def close(self) -> None:
        """End the connection."""


class Database(Protocol):
    """A database that can be connected to, and what its errors mean."""

    @property
    def patience(self) -> float:
        """Seconds after which whoever waits for it is told that it is away."""

    def connect(self) -> Connection:
        """A new connection."""

    def passing(self, error: Exception) -> bool:
        """Whether the same thing may succeed later, on a new connection; a commit that failed so may have been done."""

    def fatal(self, error: Exception) -> bool:
        """Whether nothing may be written any more after this error."""

    def damaged(self, error: Exception) -> bool:
        """Whether what was asked for is damaged; of the rest of the database this says nothing."""

    def reason(self, error: Exception) -> str | None:
        """What the database calls this kind of error, in a fixed text; `None` for an error of another source."""


def database_at(url: str) -> Database:
    """The database at an address that `place.address` made."""
    from liarspoker.server.storage.place import sqlite_path

    if (path := sqlite_path(url)) is not None:
        from liarspoker.server.storage.sqlite import SqliteDatabase

        return SqliteDatabase(path)
    from liarspoker.server.storage.postgres import PostgresDatabase

    return PostgresDatabase(url)
