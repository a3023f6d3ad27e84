"""Bringing a database up to date, or making it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from liarspoker.server.storage.errors import BadPlace, NewerDatabase
from liarspoker.server.storage.place import REMEDY, make_private, named, sqlite_path, tighten
from liarspoker.server.storage.postgres import connect
from liarspoker.server.storage.schema import METADATA

FOLDER = Path(__file__).parent / "migrations"
LOGS = {"tables", "events"}
"""In the database at every revision."""
LOG = logging.getLogger(__name__)
LOCK = 0x6C70_6D69
"""Names the lock that PostgreSQL holds while a node migrates; any number would do."""


def migrate(url: str, revision: str = "head") -> None:
    """Make the database at `url`, or bring its tables to a revision, the newest by default; all or nothing.

    Nodes that start together do it one after the other.

    Raises:
        NewerDatabase: when a newer version of liarspoker has changed the database.
        BadPlace: when it cannot be opened or written, or has tables of somebody else.
    """
    with telling_what_is_wrong(url), connected(url) as connection:
        upgrade(connection, revision)
    path = sqlite_path(url)
    if path is not None:
        for ending in ("", "-wal", "-shm", "-journal"):
            tighten(path.with_name(path.name + ending))


def upgrade(connection: sa.Connection, revision: str = "head") -> None:
    """Make the tables, or bring them to a revision, the newest by default, in the transaction that is open.

    Raises:
        NewerDatabase: when a newer version of liarspoker has changed the database.
        BadPlace: when it has tables of another program, or they are not as they were made.
    """
    known = {script.revision for script in scripts().walk_revisions()}
    current = revision_of(connection)
    if current is not None and current not in known:
        raise NewerDatabase(
            f"the database is at revision {current}, which this version of liarspoker does not know: "
            "run the newer version that changed it, or restore a backup into an empty database"
        )
    _refuse_foreign(connection, current)
    if current is None:
        LOG.info("database made")
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    if revision == "head":
        _check_tables(connection)


def _check_tables(connection: sa.Connection) -> None:
    """See that the tables are those that the migrations make, as far as their columns' names show."""
    inspector = sa.inspect(connection)
    for name, table in METADATA.tables.items():
        found = {str(column["name"]) for column in inspector.get_columns(name)} if inspector.has_table(name) else None
        if found != set(table.columns.keys()):
            raise BadPlace(f"the table {name} is not as liarspoker made it; restore a backup into a new database")


def _refuse_foreign(connection: sa.Connection, current: str | None) -> None:
    """Leave the database of another program alone, which a file of SQLite belongs to whole."""
    names = set(sa.inspect(connection).get_table_names())
    if current is not None:
        foreign = set() if names >= LOGS else names
    else:
        foreign = names if connection.dialect.name == "sqlite" else names & set(METADATA.tables)
    if foreign:
        some = ", ".join(sorted(foreign)[:3])
        raise BadPlace(f"the database has tables of another program already ({some}); {REMEDY}")


def scripts() -> ScriptDirectory:
    """The migrations that this version knows."""
    return ScriptDirectory.from_config(_config())


def columns(url: str) -> tuple[str | None, dict[str, list[str]]]:
    """The revision at which a database is, and the names of the columns of each table in it; a file may be made.

    Raises:
        BadPlace: when it cannot be opened.
    """
    with telling_what_is_wrong(url), connected(url) as connection:
        return revision_of(connection), columns_of(connection)


def columns_of(connection: sa.Connection) -> dict[str, list[str]]:
    """The names of the columns of each table in a database."""
    inspector = sa.inspect(connection)
    tables = sorted(set(inspector.get_table_names()) - {"alembic_version"})
    return {table: [str(column["name"]) for column in inspector.get_columns(table)] for table in tables}


def revision_of(connection: sa.Connection) -> str | None:
    """The revision at which a database is, `None` for one that has not been made."""
    return MigrationContext.configure(connection).get_current_revision()


@contextmanager
def connected(url: str) -> Iterator[sa.Connection]:
    """A connection with a transaction that nobody else migrates in; committed at the end, undone by an error."""
    engine = _engine(url)
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            yield connection
    finally:
        engine.dispose()


@contextmanager
def telling_what_is_wrong(url: str) -> Iterator[None]:
    """Report what the database or its driver refuses, as `BadPlace`."""
    try:
        yield
    except (sa.exc.SQLAlchemyError, OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "orig", None) or error
        raise BadPlace(f"{named(url)} cannot be made ready: {reason}; {REMEDY}") from error


def _config() -> Config:
    config = Config()
    # A percent sign would be read as a reference.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def _engine(url: str) -> sa.Engine:
    path = sqlite_path(url)
    if path is None:
        # The address is read by PostgreSQL's own rules, here as for everything else.
        return sa.create_engine("postgresql+psycopg://", creator=partial(connect, url), poolclass=sa.NullPool)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private(path)
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)

    # By default a transaction would begin too late to hold the migrations together.
    @sa.event.listens_for(engine, "connect")
    def _leave_transactions_to_us(raw: sa.engine.interfaces.DBAPIConnection, record: object) -> None:
        raw.isolation_level = None

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
