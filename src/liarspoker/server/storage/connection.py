"""The interface between the storage and a database.

Statements are built once with SQLAlchemy's expression language from the tables in `schema`, and compiled once for each
kind of database. They run on the driver's own connection, since SQLAlchemy's connection would cost more than SQLite
itself. The functions here build the few expressions that differ between the databases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.ext.compiler import compiles

from liarspoker.server.storage.schema import SHARDS

Row: TypeAlias = tuple[Any, ...]
Value: TypeAlias = str | int | float | bytes | Sequence[str] | Sequence[int] | None
Values: TypeAlias = Mapping[str, Value]
Statement: TypeAlias = sa.ClauseElement | str
"""A SQLAlchemy statement, or portable SQL with `:name` for values."""


@lru_cache(maxsize=1000)
def compiled(statement: Statement, dialect: sa.Dialect) -> tuple[str, Values]:
    """Return the statement in the SQL of a dialect, and the constant values that it contains."""
    made = (sa.text(statement) if isinstance(statement, str) else statement).compile(dialect=dialect)
    return str(made), {name: value for name, value in made.params.items() if value is not None}


ONE: sa.ColumnElement[int] = sa.literal_column("1")
LIMIT = sa.bindparam("limit", type_=sa.Integer())


def value(column: sa.Column[Any], name: str | None = None) -> sa.BindParameter[Any]:
    """Return a bind parameter with a column's type, named after the column unless a name is given."""
    return sa.bindparam(name or column.name, type_=column.type)


def insert(table: sa.Table, *columns: sa.Column[Any]) -> Insert:
    """Return an insert of these columns, or all, with a bind parameter named after each column."""
    return Insert(table).values({column: value(column) for column in columns or table.columns})


class Now(sa.ColumnElement[float]):
    """The database's time, in seconds since 1970."""

    inherit_cache = True
    type = sa.Double()


@compiles(Now, "sqlite")
def _now_in_sqlite(element: Now, compiler: object, **options: object) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(Now, "postgresql")
def _now_in_postgresql(element: Now, compiler: object, **options: object) -> str:
    return "extract(epoch FROM clock_timestamp())::double precision"


class Among(sa.ColumnElement[bool]):
    """Whether a column is one of several strings or integers, which `Connection.array` converts to a value."""

    inherit_cache = False
    type = sa.Boolean()

    def __init__(self, column: sa.ColumnElement[Any], name: str) -> None:
        self.column = column
        self.texts: sa.BindParameter[Any] = sa.bindparam(name)


@compiles(Among, "sqlite")
def _among_in_sqlite(element: Among, compiler: Any, **options: Any) -> str:
    texts = compiler.process(element.texts, **options)
    return f"{compiler.process(element.column, **options)} IN (SELECT value FROM json_each({texts}))"


@compiles(Among, "postgresql")
def _among_in_postgresql(element: Among, compiler: Any, **options: Any) -> str:
    return f"{compiler.process(element.column, **options)} = ANY({compiler.process(element.texts, **options)})"


EPOCHS = sa.select(SHARDS.c.shard, SHARDS.c.epoch).where(Among(SHARDS.c.shard, "shards")).order_by(SHARDS.c.shard)


class Connection(Protocol):
    """A connection, used by one thread.

    Attributes:
        in_process: whether the database runs in this process. Statements then have no network latency, and storing
            entries one by one is fastest.
    """

    in_process: bool

    def begin(self) -> None:
        """Begin a transaction that writes."""

    def snapshot(self) -> None:
        """Begin a read-only transaction with a consistent snapshot of the database."""

    def commit(self) -> None:
        """Commit the transaction; it is on the disk when this returns."""

    def rollback(self) -> None:
        """Roll back the transaction, if one is open."""

    def execute(self, statement: Statement, **values: Value) -> list[Row]:
        """Run a statement and return its rows."""

    def execute_many(self, statement: Statement, rows: Sequence[Values]) -> None:
        """Run a statement once for each row of values."""

    def stream(self, statement: Statement) -> Iterable[Row]:
        """Yield the rows of a large result."""

    def array(self, values: Sequence[str] | Sequence[int]) -> Value:
        """Return the value of an `Among` parameter."""

    def epochs(self, shards: Sequence[int]) -> dict[int, int]:
        """Return and lock the epochs of these shards until the transaction ends."""

    def end_stalled(self, seconds: float) -> None:
        """End transactions that hold locks on shards and whose process has been silent for this many seconds."""
        return

    def known(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Return `(table_id, command_id, version)` for those `(table_id, command_id)` pairs that are in the log."""

    def cut(self) -> None:
        """From another thread, make a statement that waits for a database server fail with a transient error."""
        return

    def log_lengths(self, table_ids: Sequence[str]) -> dict[str, int] | None:
        """Return the lengths of these logs according to an index; `None` if the database needs no such check."""
        return None

    def faults(self) -> list[str] | None:
        """Check the whole database for corruption; this may take long.

        Returns:
            Descriptions of the faults, which contain no user data; `None` if the database checks itself.
        """
        return None

    def interrupt(self) -> None:
        """Interrupt the statement that another thread runs on this connection."""

    def close(self) -> None:
        """Close the connection."""


class Database(Protocol):
    """A database, and the classification of its errors."""

    @property
    def timeout(self) -> float:
        """Seconds after which callers that wait for it get `Unavailable`."""

    @property
    def shared(self) -> bool:
        """Whether several servers can share it, and use its clock."""

    def connect(self) -> Connection:
        """Open a connection."""

    def is_transient(self, error: Exception) -> bool:
        """Return whether a retry may succeed on a new connection.

        A commit that failed with such an error may have taken effect.
        """

    def is_fatal(self, error: Exception) -> bool:
        """Return whether nothing may be written after this error."""

    def is_damage(self, error: Exception) -> bool:
        """Return whether the requested data is corrupt; the rest of the database may be intact."""

    def reason(self, error: Exception) -> str | None:
        """Return the database's constant name for this kind of error; `None` for errors of other origin."""


def database_at(url: str) -> Database:
    """Return the database at a URL from `location.address`."""
    from liarspoker.server.storage.location import sqlite_path

    if (path := sqlite_path(url)) is not None:
        from liarspoker.server.storage.sqlite import SqliteDatabase

        return SqliteDatabase(path)
    from liarspoker.server.storage.postgres import PostgresDatabase

    return PostgresDatabase(url)
