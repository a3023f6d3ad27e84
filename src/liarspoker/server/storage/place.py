"""Where the data lies: a folder of the user's by default, or a database that an address names."""

from __future__ import annotations

from pathlib import Path

from liarspoker.server.storage.errors import BadPlace

FILE = "liarspoker.sqlite3"
SQLITE = "sqlite:///"
POSTGRESQL = "postgresql://"
REMEDY = "say with --data or --database where it is"
"""What to do where a database is not to be had."""


def data_folder() -> Path:
    """The folder for data of programs such as this one, where this system has it; it may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("liarspoker", appauthor=False)


def address(data: Path | None = None, database: str | None = None) -> str:
    """The address of the database: `database` if given, or else that of the SQLite file in the folder `data`.

    Args:
        data: a folder; the user's data folder by default.
        database: `postgresql://...` or `sqlite:///PATH`.

    Raises:
        BadPlace: when `database` is neither.

    >>> address(Path("club"))
    'sqlite:///club/liarspoker.sqlite3'
    >>> address(database="postgres://localhost/club")
    'postgresql://localhost/club'
    """
    if database is None:
        return SQLITE + (data_folder() if data is None else data).joinpath(FILE).as_posix()
    if database.startswith("postgres://"):
        database = POSTGRESQL + database.removeprefix("postgres://")
    if not database.startswith((SQLITE, POSTGRESQL)) or database == SQLITE:
        # The address is not repeated, since a password may stand in it.
        raise BadPlace(f"the database's address must begin with {POSTGRESQL} or be {SQLITE}PATH")
    return database


def named(url: str) -> str:
    """The database at an address as a message names it: by its file, else by no name: it may tell a password.

    >>> named("sqlite:///club/liarspoker.sqlite3"), named("postgresql://ann:secret@localhost/club")
    ('club/liarspoker.sqlite3', 'the database')
    """
    path = sqlite_path(url)
    return "the database" if path is None else path.as_posix()


def sqlite_path(url: str) -> Path | None:
    """The file that an address of SQLite names, `None` for another database.

    >>> sqlite_path("sqlite:///club/liarspoker.sqlite3").name
    'liarspoker.sqlite3'
    """
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None
