"""Database URLs and files. Only their owner can read the files, since they contain hands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, unquote

from filelock import FileLock, Timeout

from liarspoker.files import data_folder
from liarspoker.server.storage.errors import BadDatabase, FileInUse

MODE = 0o600
FILE = "liarspoker.sqlite3"
SQLITE = "sqlite:///"
POSTGRESQL = "postgresql://"
REMEDY = "set its location with --data or --database"
"""The end of messages about a database that can't be used."""
HIDDEN = "***"
"""What messages contain instead of a password."""

_PERCENT = re.compile(r"%(?!(?!00)[0-9A-Fa-f]{2})")
"""A percent sign that begins no encoded character; PostgreSQL has no character 0."""
_HOST = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(:\d{0,5})?")
_PARAMETER = re.compile(r"(?:(?:user|password|host)=.*|[a-z_]+=[^@]*)?", re.DOTALL)
"""A parameter of a PostgreSQL URL. An @ elsewhere is the end of a password that contains a question mark."""


def address(data: Path | None = None, database: str | None = None) -> str:
    """Return the database URL: `database` if given, else the URL of the SQLite file in the folder `data`.

    Args:
        data: a folder; the user's data folder by default.
        database: `postgresql://...` or `sqlite:///PATH`.

    Raises:
        BadDatabase: `database` is neither, or has characters that must be percent-encoded.

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
        # The message doesn't repeat the URL, which may contain a password.
        raise BadDatabase(f"the database URL must begin with {POSTGRESQL} or be {SQLITE}PATH")
    if database.startswith(POSTGRESQL) and not _is_encoded(database):
        raise BadDatabase(
            f"the database URL must be {POSTGRESQL}USER:PASSWORD@HOST:PORT/NAME; characters such as @ / % : ? # and "
            "spaces in the user, the password or the name must be percent-encoded, as in %40 for @"
        )
    return database


def _is_encoded(url: str) -> bool:
    """Return whether PostgreSQL's library splits a URL where its author meant it to be split.

    The library would report parts of a password as the name of a host, for instance.

    >>> _is_encoded("postgresql://ann:s%40cret@localhost:5432/club?sslmode=require")
    True
    >>> _is_encoded("postgresql://ann:s@cret@localhost/club"), _is_encoded("postgresql://ann:s/cret@localhost/club")
    (False, False)
    """
    _, place, parameters = _parts(url)
    hosts = place.partition("/")[0]
    return not (
        re.search(r"\s", url)
        or _PERCENT.search(url)
        or "@" in place
        or not all(map(_HOST.fullmatch, hosts.split(",")))
        or not all(map(_PARAMETER.fullmatch, parameters.split("&")))
    )


def _parts(url: str) -> tuple[str, str, str]:
    """Split a PostgreSQL URL as PostgreSQL's library does: user and password, hosts and name, parameters."""
    rest = url.removeprefix(POSTGRESQL)
    user, at, after = rest.partition("@")
    if not at or "/" in user:
        user, after = "", rest
    place, _, parameters = after.partition("?")
    return user, place, parameters


def hide_password(text: str, url: str) -> str:
    r"""Return an error of a library in one line, with *** instead of the password in a database URL.

    >>> hide_password("no such host: s@cret", "postgresql://ann:s%40cret@localhost/club")
    'no such host: ***'
    >>> hide_password("not permitted\nLINE 1: CREATE\n        ^", "postgresql://localhost/club")
    'not permitted'
    """
    user, _, parameters = _parts(url)
    values = (one.removeprefix("password=") for one in parameters.split("&") if one.startswith("password="))
    for password in filter(None, (user.partition(":")[2], *values)):
        for form in dict.fromkeys((password, unquote(password))):
            text = text.replace(form, HIDDEN)
    lines = text.partition("\nLINE ")[0].splitlines()  # PostgreSQL then repeats the statement
    return "; ".join(line.strip() for line in lines if line.strip())


def database_label(url: str) -> str:
    """Return the name of a database for messages: its file, or "the database", since a URL may contain a password.

    >>> database_label("sqlite:///club/liarspoker.sqlite3"), database_label("postgresql://ann:secret@localhost/club")
    ('club/liarspoker.sqlite3', 'the database')
    """
    path = sqlite_path(url)
    return "the database" if path is None else path.as_posix()


def sqlite_path(url: str) -> Path | None:
    """Return the file of a SQLite URL, `None` for other databases.

    >>> sqlite_path("sqlite:///club/liarspoker.sqlite3").name
    'liarspoker.sqlite3'
    """
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def create_private(path: Path) -> None:
    """Create an empty file at `path`, readable by its owner only, unless it exists.

    An existing file isn't opened: closing a file that SQLite has open in this process would release its locks.

    Raises:
        OSError: the file doesn't exist and can't be created.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, MODE))


def restrict_access(path: Path) -> None:
    """Make the file at `path` accessible to its owner only, if it exists and belongs to this user.

    SQLite gives new files next to a database the mode of the database.
    """
    with suppress(FileNotFoundError, PermissionError):
        if path.is_file() and path.stat().st_mode & 0o077:
            path.chmod(MODE)


@contextmanager
def predecessor(folder: Path, name: str, instance: str) -> Iterator[str]:
    """Note in a folder which process serves under a name, until the context or the process ends.

    The note stays locked during this time, so if it can be locked, the process that it names has ended.

    Args:
        folder: the folder, which exists.
        name: the name of the server.
        instance: the id of this process.

    Yields:
        The id of the last process with this name and folder, which has ended; empty if there was none, or if one is
        running or the note can't be written.
    """
    note = folder / f"{quote(name, safe='')}.instance"
    held = FileLock(note.with_name(f"{note.name}.lock"), timeout=0, mode=MODE)
    before = ""
    with suppress(Timeout, OSError):
        held.acquire()
        create_private(note)
        restrict_access(note)
        before = note.read_text(encoding="utf-8")
        note.write_text(instance, encoding="utf-8")
    try:
        yield before
    finally:
        held.release()


@contextmanager
def only_server(url: str) -> Iterator[bool]:
    """Lock the SQLite file at `url` for this server, until the context or the process ends.

    Yields:
        Whether this is certain to be the only server; false for PostgreSQL, which isn't locked.

    Raises:
        FileInUse: another server uses the file.
        BadDatabase: the lock file can't be created.
    """
    path = sqlite_path(url)
    if path is None:
        yield False
        return
    lock = path.with_name(f"{path.name}.main.lock")
    held = FileLock(lock, timeout=0, mode=MODE)
    try:
        restrict_access(lock)
        held.acquire()
    except Timeout as error:
        raise FileInUse(path.as_posix()) from error
    except OSError as error:
        raise BadDatabase(f"{lock}: {error.strerror or error}; {REMEDY}") from error
    try:
        yield True
    finally:
        held.release()
