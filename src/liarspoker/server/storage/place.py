"""Where the data lies: a database that an address names; its files are their owner's alone, since they hold hands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from liarspoker.server.storage.errors import BadPlace, FileInUse

MODE = 0o600
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


def make_private(path: Path) -> None:
    """Make an empty file at `path`, unless there is something already.

    What is there is not even opened: closing a file that SQLite has open in this process would end its locks.

    Raises:
        OSError: there is nothing, and a file cannot be made.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, MODE))


def tighten(path: Path) -> None:
    """Close the file at `path` to everybody but its owner, if there is one and it is ours.

    SQLite gives new files beside a database the mode of the database.
    """
    with suppress(FileNotFoundError, PermissionError):
        if path.is_file() and path.stat().st_mode & 0o077:
            path.chmod(MODE)


@contextmanager
def only_server(url: str) -> Iterator[bool]:
    """Be the only server on the file of SQLite at `url`, until this process ends, however it ends.

    Yields:
        Whether that is certain; false for a database server.

    Raises:
        FileInUse: another server uses the file.
        BadPlace: the file beside the database that says so cannot be made.
    """
    path = sqlite_path(url)
    if path is None:
        yield False
        return
    lock = path.with_name(f"{path.name}.main.lock")
    held = FileLock(lock, timeout=0, mode=MODE)
    try:
        tighten(lock)
        held.acquire()
    except Timeout as error:
        raise FileInUse(path.as_posix()) from error
    except OSError as error:
        raise BadPlace(f"{lock}: {error.strerror or error}; {REMEDY}") from error
    try:
        yield True
    finally:
        held.release()
