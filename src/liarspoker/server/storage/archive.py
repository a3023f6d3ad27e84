"""Backups: one file that holds all rows of a database, to be restored into an empty one of either kind.

The file is a zip archive. `backup.json` tells its form, the revision of the tables and how many rows there are of each;
`rows/NAME.jsonl` holds the rows of one table: the names of the columns, then one JSON array a row, bytes as
`{"base64": "..."}`. Seeds stay sealed, and the key is not in it.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import sqlalchemy as sa

from liarspoker.files import FileExists, check_writable, new_file
from liarspoker.server.journal import table_mark
from liarspoker.server.storage.connection import Among, Connection, Database, Row, database_at
from liarspoker.server.storage.errors import BadArchive, BadPlace
from liarspoker.server.storage.log import from_json, to_json
from liarspoker.server.storage.migrate import (
    LOGS,
    columns,
    columns_of,
    connected,
    revision_of,
    scripts,
    telling_what_is_wrong,
    upgrade,
)
from liarspoker.server.storage.place import MODE, REMEDY, SQLITE, named, sqlite_path
from liarspoker.server.storage.reading import ALL_TABLES, TABLES_AT_ONCE, damaged_tables

FORM = 1
MANIFEST = "backup.json"
ROWS_AT_ONCE = 1000
RESTORE = "restore an older backup"
NOT_EMPTY = "the database is not empty: restore into a new one"
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    RecursionError,
    NotImplementedError,
    RuntimeError,
)
"""What reading a file raises that is no backup, or not the one that was written."""


def back_up(url: str, path: Path, overwrite: bool = False, left_out: list[str] | None = None) -> dict[str, int]:
    """Write all rows of the database at `url`, as they are at one moment, into a new file that its owner can read.

    A server may go on writing meanwhile. The file appears under its name when it is complete.

    Args:
        url: of the database.
        path: of the file.
        overwrite: replace a file that is there.
        left_out: gets the ids of damaged tables, of which nothing is in the backup then; `None` where a damaged table
            shall end it.

    Returns:
        How many rows there are of each table.

    Raises:
        BadPlace: when there is no such database.
        BadArchive: when the database was never made ready, or is damaged.
        FileExists: when there is such a file, and `overwrite` is false.
        CannotWrite: when the file can't be written.
    """
    check_writable(path, overwrite)
    database, place = database_at(url), sqlite_path(url)
    if place is not None and not place.exists():
        raise BadPlace(f"{named(url)} cannot be opened: unable to open database file; {REMEDY}")
    revision, tables = columns(url)
    if revision is None or not tables.keys() >= LOGS:
        raise BadArchive("there is nothing to back up: no server has used this database")
    try:
        with new_file(path, overwrite, mode=MODE) as file, closing(database.connect()) as connection:
            connection.snapshot()
            counts = _write(file, connection, revision, tables, _sound_tables(connection, database, tables, left_out))
            connection.rollback()
            return counts
    except Exception as error:
        if not database.damaged(error):
            raise
        raise BadArchive(f"the database is damaged ({error}), and nothing was written: {RESTORE}") from error


def restore(url: str, path: Path) -> dict[str, int]:
    """Put all rows of a backup into the database at `url`, which has none, and bring it up to date.

    All or nothing, whatever ends it early: it is one transaction, and a new file of SQLite appears when it is complete.
    Nobody's lease is valid afterwards.

    Returns:
        How many rows there are of each table.

    Raises:
        BadPlace: when the database cannot be opened or written.
        BadArchive: when the file is no backup, was damaged, or a newer version made it; or the database is not empty.
    """
    target = sqlite_path(url)
    with telling_what_is_wrong(url):
        if target is None or target.exists():
            return _restored(url, path)
        try:
            with _folder(target.parent), new_file(target, mode=MODE) as file:
                return _restored(SQLITE + file.name, path)
        except FileExists:
            raise BadArchive(NOT_EMPTY) from None


def verify(path: Path, counts: Mapping[str, int]) -> None:
    """Read a backup whole, and see that it has so many rows of each table.

    Raises:
        BadArchive: it can't be read, or has others.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            found = dict.fromkeys(_checked(json.loads(archive.read(MANIFEST)))[1], 0)
            for table in found:
                with archive.open(_member(table)) as lines:
                    names = json.loads(next(lines))
                    found[table] = sum(len(json.loads(line)) == len(names) for line in lines)
    except OSError as error:
        raise BadArchive(f"{path}: {error.strerror or error}") from None
    except (*DAMAGED, StopIteration) as error:
        raise BadArchive(f"{path}: what was written cannot be read ({error})") from None
    if found != counts:
        raise BadArchive(f"{path}: what was written is not what is stored")


@contextmanager
def _folder(path: Path) -> Iterator[None]:
    """Make a folder, which disappears again if something goes wrong."""
    made = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for folder in made:
                folder.rmdir()
        raise


def _restored(url: str, path: Path) -> dict[str, int]:
    """Do it in one transaction."""
    try:
        with zipfile.ZipFile(path) as archive, connected(url) as connection:
            revision, counts = _checked(json.loads(archive.read(MANIFEST)))
            tables = _prepare(connection, revision)
            if counts.keys() != tables.keys():
                raise ValueError("it has other tables than its revision")
            for table, count in counts.items():
                _read_rows(archive, connection, table, tables[table], count)
            upgrade(connection)
            connection.execute(sa.text("UPDATE nodes SET expires = 0"))
            return counts
    except OSError as error:
        raise BadArchive(f"{path}: {error.strerror or error}") from None
    except DAMAGED as error:
        raise BadArchive(f"{path}: this is no backup, or it was damaged ({error})") from None


def _sound_tables(
    connection: Connection, database: Database, tables: Mapping[str, list[str]], left_out: list[str] | None
) -> list[str] | None:
    """The ids of the tables that can be backed up, `None` for all.

    Raises:
        BadArchive: some cannot, and shall not be left out.
    """
    if "digest" not in tables["events"]:
        return None
    damaged, faults = damaged_tables(connection, database.damaged), connection.faults()
    if not damaged and not faults:
        return None
    if left_out is None:
        marks = f"tables {', '.join(map(table_mark, damaged[:10]))}" if damaged else ""
        reasons = "; ".join([*filter(None, [marks]), *(faults or ())[:1]])
        raise BadArchive(
            f"the database is damaged ({reasons}), and nothing was written: {RESTORE}, or back up what is sound with "
            "--leave-out-damaged"
        )
    left_out += damaged
    rows = connection.execute(ALL_TABLES)
    return [table_id for (table_id,) in rows if isinstance(table_id, str) and table_id not in set(damaged)]


def _write(
    file: BinaryIO,
    connection: Connection,
    revision: str,
    tables: Mapping[str, list[str]],
    sound: list[str] | None,
) -> dict[str, int]:
    counts = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, names in tables.items():
            rows = _rows(connection, table, names, sound if "table_id" in names else None)
            with archive.open(_member(table), "w", force_zip64=True) as member:
                member.write(_line(names))
                counts[table] = 0
                for row in rows:
                    member.write(_line([to_json(value) for value in row]))
                    counts[table] += 1
        archive.writestr(MANIFEST, json.dumps({"form": FORM, "revision": revision, "rows": counts}, indent=1))
    return counts


def _rows(connection: Connection, table: str, names: list[str], table_ids: list[str] | None) -> Iterator[Row]:
    """All rows, or those of some tables, which are read without a look at any others."""
    stored = sa.table(table, *(sa.column(name) for name in names))
    if table_ids is None:
        yield from connection.stream(sa.select(stored))
        return
    some = sa.select(stored).where(Among(stored.c["table_id"], "table_ids"))
    for start in range(0, len(table_ids), TABLES_AT_ONCE):
        yield from connection.execute(some, table_ids=connection.array(table_ids[start : start + TABLES_AT_ONCE]))


def _checked(manifest: Any) -> tuple[str, dict[str, int]]:
    """The revision and the numbers of rows that a manifest tells, if this version can restore them."""
    if manifest["form"] != FORM or manifest["revision"] not in {known.revision for known in scripts().walk_revisions()}:
        raise BadArchive(
            f"a newer version of liarspoker made this backup (form {manifest['form']}, revision "
            f"{manifest['revision']}): restore it with that version"
        )
    return manifest["revision"], dict(manifest["rows"])


def _prepare(connection: sa.Connection, revision: str) -> dict[str, list[str]]:
    """Make the tables as the backup has them, in a database that has none, or has just these and nothing in them."""
    present, tables = revision_of(connection), columns_of(connection)
    if present is None and not tables:
        upgrade(connection, revision)
        return columns_of(connection)
    some = (sa.select(sa.literal(1)).select_from(sa.table(table)).limit(1) for table in tables)
    if present != revision or any(connection.execute(one).all() for one in some):
        raise BadArchive(NOT_EMPTY)
    return tables


def _read_rows(archive: zipfile.ZipFile, connection: sa.Connection, table: str, columns: list[str], count: int) -> None:
    """Insert the rows of one table.

    Raises:
        ValueError: when there are not as many as there should be, or they have other columns, or break a rule.
    """
    with archive.open(_member(table)) as lines:
        names = json.loads(next(lines, b"[]"))
        if sorted(names) != sorted(columns):
            raise ValueError(f"{table}: it has other columns than its revision")
        insert = sa.table(table, *map(sa.column, names)).insert()
        rows = (dict(zip(names, map(from_json, json.loads(line)), strict=True)) for line in lines)
        found = 0
        while some := list(islice(rows, ROWS_AT_ONCE)):
            try:
                connection.execute(insert, some)
            except (sa.exc.DataError, sa.exc.IntegrityError, sa.exc.InterfaceError, sa.exc.ProgrammingError) as error:
                raise ValueError(f"{table}: {error.orig}") from error
            found += len(some)
    if found != count:
        raise ValueError(f"{table}: {found} rows instead of {count}")


def _member(table: str) -> str:
    return f"rows/{table}.jsonl"


def _line(values: list[Any]) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"
