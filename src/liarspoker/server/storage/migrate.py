"""Bringing a database up to date, or making it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from liarspoker.server.storage.errors import BadPlace, NewerDatabase
from liarspoker.server.storage.place import REMEDY, named, sqlite_path

FOLDER = Path(__file__).parent / "migrations"
LOCK = 0x6C70_6D69
"""Names the lock that PostgreSQL holds while a node migrates; any number would do."""


def migrate(url: str, revision: str = "head") -> None:
    """Make the database at `url`, or bring its tables to a revision, the newest by default; all or nothing.

    Nodes that start together do it one after the other.

    Raises:
        NewerDatabase: when a newer version of liarspoker has changed the database.
        BadPlace: when it cannot be opened or written, or has tables of somebody else.
    """
    with _telling_what_is_wrong(url), connected(url) as connection:
        known = {script.revision for script in scripts().walk_revisions()}
        current = revision_of(connection)
        if current is not None and current not in known:
            raise NewerDatabase(
                f"the database is at revision {current}, which this version of liarspoker does not know: "
                "run the newer version that changed it, or restore a backup into an empty database"
            )
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def scripts() -> ScriptDirectory:
    """The migrations that this version knows."""
    return ScriptDirectory.from_config(_config())


def columns(url: str) -> tuple[str | None, dict[str, list[str]]]:
    """The revision at which a database is, and the names of the columns of each table in it; a file may be made.

    Raises:
        BadPlace: when it cannot be opened.
    """
    with _telling_what_is_wrong(url), connected(url) as connection:
        inspector = sa.inspect(connection)
        tables = sorted(set(inspector.get_table_names()) - {"alembic_version"})
        named = {table: [str(column["name"]) for column in inspector.get_columns(table)] for table in tables}
        return revision_of(connection), named


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
def _telling_what_is_wrong(url: str) -> Iterator[None]:
    try:
        yield
    except (sa.exc.DBAPIError, OSError) as error:
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
        return sa.create_engine("postgresql+psycopg://", creator=partial(psycopg.connect, url), poolclass=sa.NullPool)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)

    # By default a transaction would begin too late to hold the migrations together.
    @sa.event.listens_for(engine, "connect")
    def _leave_transactions_to_us(raw: sa.engine.interfaces.DBAPIConnection, record: object) -> None:
        raw.isolation_level = None

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
