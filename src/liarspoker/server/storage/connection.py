"""What the writer and the reader ask of a database, whichever it is.

Statements are built once with SQLAlchemy's expression language from the tables in `schema`, and compiled once for each
kind of database; they run on the driver's own connection, since SQLAlchemy's would cost more than SQLite itself. The
functions here make the few parts that the databases spell differently.
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
"""A statement of SQLAlchemy's, or one in SQL that all databases know, with `:name` for a value."""


@lru_cache(maxsize=1000)
def compiled(statement: Statement, dialect: sa.Dialect) -> tuple[str, Values]:
    """The statement in a database's own SQL, and the values that it contains."""
    made = (sa.text(statement) if isinstance(statement, str) else statement).compile(dialect=dialect)
    return str(made), {name: value for name, value in made.params.items() if value is not None}


ONE: sa.ColumnElement[int] = sa.literal_column("1")
LIMIT = sa.bindparam("limit", type_=sa.Integer())


def value(column: sa.Column[Any], name: str | None = None) -> sa.BindParameter[Any]:
    """A value of a column's type, given when the statement runs, under the column's name or another one."""
    return sa.bindparam(name or column.name, type_=column.type)


def insert(table: sa.Table, *columns: sa.Column[Any]) -> Insert:
    """Insert rows with these columns, or all; each value is given under its column's name."""
    return Insert(table).values({column: value(column) for column in columns or table.columns})


class Now(sa.ColumnElement[float]):
    """The seconds since 1970 by the database's clock."""

    inherit_cache = True
    type = sa.Double()


@compiles(Now, "sqlite")
def _now_in_sqlite(element: Now, compiler: object, **options: object) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(Now, "postgresql")
def _now_in_postgresql(element: Now, compiler: object, **options: object) -> str:
    return "extract(epoch FROM clock_timestamp())::double precision"


class Among(sa.ColumnElement[bool]):
    """Whether a column is one of several texts or numbers; `Connection.array` makes their value."""

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
    """One connection, used by one thread.

    Attributes:
        near: a statement has no way to go, so that entries are best judged and stored one by one.
    """

    near: bool

    def begin(self) -> None:
        """Open a transaction that writes."""

    def snapshot(self) -> None:
        """Open a transaction that only reads, and sees the database as it is at one moment."""

    def commit(self) -> None:
        """Make the transaction durable: it is on the disk when this returns."""

    def rollback(self) -> None:
        """Undo the transaction, if one is open."""

    def execute(self, statement: Statement, **values: Value) -> list[Row]:
        """Run a statement; answers with the rows that it returns, none for one that returns nothing."""

    def execute_many(self, statement: Statement, rows: Sequence[Values]) -> None:
        """Run a statement once for each row of values."""

    def stream(self, statement: Statement) -> Iterable[Row]:
        """The rows of a long answer, one by one."""

    def array(self, values: Sequence[str] | Sequence[int]) -> Value:
        """The value that goes with `Among`."""

    def epochs(self, shards: Sequence[int]) -> dict[int, int]:
        """The epochs of these shards, which no other transaction changes until this one ends."""

    def end_stalled(self, seconds: float) -> None:
        """End the transactions of processes that hold shards and have said nothing for so long: they stand still."""
        return

    def known(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """`(table_id, command_id, version)` for each of these tables and commands that the log has."""

    def cut(self) -> None:
        """From another thread: have what waits for a database server, which may go away, fail with a passing error."""
        return

    def log_lengths(self, table_ids: Sequence[str]) -> dict[str, int] | None:
        """How many entries each of these logs has by another structure than the log itself; `None` without such one."""
        return None

    def faults(self) -> list[str] | None:
        """What is wrong with the structure of the whole database, of which no text names anybody; may take long.

        `None` where the database looks after this itself.
        """
        return None

    def interrupt(self) -> None:
        """End what another thread runs on this connection, with an error."""

    def close(self) -> None:
        """End the connection."""


class Database(Protocol):
    """A database that can be connected to, and what its errors mean."""

    @property
    def timeout(self) -> float:
        """Seconds after which whoever waits for it is told that it is away."""

    @property
    def shared(self) -> bool:
        """Whether it has a clock of its own, by which several servers go."""

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
