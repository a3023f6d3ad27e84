"""Creation and upgrade of the database schema."""

from __future__ import annotations

import errno
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import sqlalchemy as sa

from liarspoker.server.storage.errors import BadDatabase, NewerDatabase
from liarspoker.server.storage.location import (
    REMEDY,
    create_private,
    database_label,
    hide_password,
    restrict_access,
    sqlite_path,
)
from liarspoker.server.storage.schema import METADATA

FOLDER = Path(__file__).parent / "migrations"
REVISIONS = tuple(sorted(path.stem.removeprefix("step_") for path in (FOLDER / "versions").glob("step_*.py")))
"""The revisions that this version knows, the newest one last."""
LOGS = {"tables", "events"}
"""Tables that exist at every revision."""
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}
LOG = logging.getLogger(__name__)
LOCK = 0x6C70_6D69
"""The number of the PostgreSQL advisory lock that a node holds during a migration; the number is arbitrary."""


def migrate(url: str, revision: str = "head") -> None:
    """Create the database at `url`, or upgrade its schema to a revision, the newest by default. This is atomic.

    Nodes that start at the same time do this one after another.

    Raises:
        NewerDatabase: a newer version of liarspoker has upgraded the database.
        BadDatabase: it can't be opened or written, or contains tables of another program.
    """
    with reporting_database_errors(url), connected(url) as connection:
        upgrade(connection, revision)
    path = sqlite_path(url)
    if path is not None:
        for ending in ("", "-wal", "-shm", "-journal"):
            restrict_access(path.with_name(path.name + ending))


def upgrade(connection: sa.Connection, revision: str = "head") -> None:
    """Create or upgrade the schema in the open transaction, to the newest revision by default.

    Raises:
        NewerDatabase: a newer version of liarspoker has upgraded the database.
        BadDatabase: it contains tables of another program, or its tables don't match the schema.
    """
    current = revision_of(connection)
    if current is not None and current not in REVISIONS:
        raise NewerDatabase(
            f"the database is at revision {current}, which this version of liarspoker doesn't know: "
            "run the newer version that upgraded it, or restore a backup into an empty database"
        )
    _refuse_foreign(connection, current)
    if current is None:
        LOG.info("database created")
    if current != REVISIONS[-1]:
        _run_migrations(connection, revision)
    if revision == "head":
        _check_tables(connection)


def _run_migrations(connection: sa.Connection, revision: str) -> None:
    from alembic import command  # it takes as long to import as a tenth of the server
    from alembic.config import Config

    config = Config()
    # An unescaped percent sign would be interpolated.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _check_tables(connection: sa.Connection) -> None:
    """Check that the names of the tables and columns match the schema."""
    inspector = sa.inspect(connection)
    for name, table in METADATA.tables.items():
        found = {str(column["name"]) for column in inspector.get_columns(name)} if inspector.has_table(name) else None
        if found != set(table.columns.keys()):
            raise BadDatabase(f"the table {name} doesn't match the schema; restore a backup into a new database")


def _refuse_foreign(connection: sa.Connection, current: str | None) -> None:
    """Reject a database of another program. A SQLite file must not contain any other tables."""
    names = set(sa.inspect(connection).get_table_names())
    if current is not None:
        foreign = set() if names >= LOGS else names
    else:
        foreign = names if connection.dialect.name == "sqlite" else names & set(METADATA.tables)
    if foreign:
        some = ", ".join(sorted(foreign)[:3])
        raise BadDatabase(f"the database contains tables of another program ({some}); {REMEDY}")


def columns(url: str) -> tuple[str | None, dict[str, list[str]]]:
    """Return the revision of a database and the column names of each table. Creates a missing SQLite file.

    Raises:
        BadDatabase: it can't be opened.
    """
    with reporting_database_errors(url), connected(url) as connection:
        return revision_of(connection), columns_of(connection)


def columns_of(connection: sa.Connection) -> dict[str, list[str]]:
    """Return the column names of each table in a database."""
    inspector = sa.inspect(connection)
    tables = sorted(set(inspector.get_table_names()) - {"alembic_version"})
    return {table: [str(column["name"]) for column in inspector.get_columns(table)] for table in tables}


def revision_of(connection: sa.Connection) -> str | None:
    """Return the revision of a database, `None` if it is empty."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return revision


@contextmanager
def connected(url: str) -> Iterator[sa.Connection]:
    """Open a connection and a transaction with the migration lock; commit at the end, roll back on an error."""
    engine = _engine(url)
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            yield connection
    finally:
        engine.dispose()


@contextmanager
def reporting_database_errors(url: str) -> Iterator[None]:
    """Convert errors of the database or its driver to `BadDatabase`."""
    try:
        yield
    except (sa.exc.SQLAlchemyError, OSError, UnicodeDecodeError) as error:
        if isinstance(error, FileExistsError):  # in place of the folder
            reason = f"{error.filename} isn't a folder"
        else:
            cause = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
            reason = hide_password(str(cause), url)
        raise BadDatabase(f"{database_label(url)} can't be prepared: {reason}; {_remedy(error)}") from error


def _remedy(error: Exception) -> str:
    """Return what to do about a database that can't be prepared."""
    cause = getattr(error, "orig", None) or error
    code = (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or getattr(cause, "errno", None) in _NO_SPACE:
        return "free some space on its disk"
    if code == sqlite3.SQLITE_NOTADB or code == sqlite3.SQLITE_CORRUPT or isinstance(cause, UnicodeDecodeError):
        return "move the damaged file away and restore a backup with liarspoker restore, or " + REMEDY
    return REMEDY


def _engine(url: str) -> sa.Engine:
    path = sqlite_path(url)
    if path is None:
        from liarspoker.server.storage.postgres import connect  # without PostgreSQL, its driver isn't imported

        # libpq parses the URL, here as everywhere else.
        return sa.create_engine("postgresql+psycopg://", creator=partial(connect, url), poolclass=sa.NullPool)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    create_private(path)
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)

    # By default, the transaction would begin too late to include the whole migration.
    @sa.event.listens_for(engine, "connect")
    def _disable_implicit_transactions(raw: sa.engine.interfaces.DBAPIConnection, record: object) -> None:
        raw.isolation_level = None

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
