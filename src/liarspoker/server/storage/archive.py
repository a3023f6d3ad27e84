"""Backups: one file with all rows of a database, which can be restored into an empty database of either kind.

The file is a zip archive. `backup.json` contains its format version, the revision of the schema and the number of rows
of each table. `rows/NAME.jsonl` contains the rows of one table: a line with the column names, then one JSON array per
row, with bytes as `{"base64": "..."}`. Seeds stay encrypted, and the key isn't included.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import sqlalchemy as sa

from liarspoker.files import FileExists, check_writable, new_file
from liarspoker.server.journal import table_mark
from liarspoker.server.storage.connection import Among, Connection, Database, Row, database_at
from liarspoker.server.storage.errors import BadArchive, BadDatabase
from liarspoker.server.storage.location import MODE, REMEDY, SQLITE, database_label, sqlite_path
from liarspoker.server.storage.log import from_json, to_json
from liarspoker.server.storage.migrate import (
    LOGS,
    REVISIONS,
    columns,
    columns_of,
    connected,
    reporting_database_errors,
    revision_of,
    upgrade,
)
from liarspoker.server.storage.reading import ALL_TABLES, TABLES_AT_ONCE, damaged_tables

FORM = 1
MANIFEST = "backup.json"
ROWS_AT_ONCE = 1000
RESTORE = "restore an older backup"
NOT_EMPTY = "the database isn't empty: restore into a new one"
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
"""Exceptions that reading a damaged backup, or a file that isn't a backup, can raise."""


Progress = Callable[[int, int], object]
"""Called with the number of rows processed and the total number of rows, 0 if unknown."""


def back_up(
    url: str,
    path: Path,
    overwrite: bool = False,
    left_out: list[str] | None = None,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Write a consistent snapshot of the database at `url` to a new file that only its owner can read.

    Servers can keep writing during a backup. The file appears under its name once it is complete.

    Args:
        url: the database URL.
        path: the file to write.
        overwrite: replace an existing file.
        left_out: a list that receives the ids of damaged tables, which are left out of the backup; `None` to fail if a
            table is damaged.
        progress: called from time to time.

    Returns:
        The number of rows of each database table.

    Raises:
        BadDatabase: the database doesn't exist.
        BadArchive: no server has used the database yet, or it is damaged.
        FileExists: the file exists, and `overwrite` is false.
        CannotWrite: the file can't be written.
    """
    check_writable(path, overwrite)
    database, place = database_at(url), sqlite_path(url)
    if place is not None and not place.exists():
        raise BadDatabase(f"{database_label(url)} can't be opened: unable to open database file; {REMEDY}")
    revision, tables = columns(url)
    if revision is None or not tables.keys() >= LOGS:
        raise BadArchive("nothing to back up: no server has used this database yet")
    try:
        with new_file(path, overwrite, mode=MODE) as file, closing(database.connect()) as connection:
            connection.snapshot()
            sound = _sound_tables(connection, database, tables, left_out)
            counts = _write(file, connection, revision, tables, sound, progress)
            connection.rollback()
            return counts
    except Exception as error:
        if not database.is_damage(error):
            raise
        raise BadArchive(f"the database is damaged ({error}), and no backup was written: {RESTORE}") from error


def restore(url: str, path: Path, progress: Progress | None = None) -> dict[str, int]:
    """Restore a backup into the empty database at `url`, and upgrade its schema.

    This is atomic: it is one transaction, and a new SQLite file appears only once it is complete. All leases are
    expired afterwards.

    Returns:
        The number of rows of each database table.

    Raises:
        BadDatabase: the database can't be opened or written.
        BadArchive: the file isn't a backup, is damaged, or was made by a newer version; or the database isn't empty.
    """
    target = sqlite_path(url)
    with reporting_database_errors(url):
        if target is None or target.exists():
            return _restored(url, path, progress)
        try:
            with _folder(target.parent), new_file(target, mode=MODE) as file:
                return _restored(SQLITE + file.name, path, progress)
        except FileExists:
            raise BadArchive(NOT_EMPTY) from None


def verify(path: Path, counts: Mapping[str, int]) -> None:
    """Read a backup completely, and check that it has this number of rows for each database table.

    Raises:
        BadArchive: it can't be read, or has other numbers of rows.
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
        raise BadArchive(f"{path}: the backup can't be read back ({error})") from None
    if found != counts:
        raise BadArchive(f"{path}: the backup doesn't match the database")


@contextmanager
def _folder(path: Path) -> Iterator[None]:
    """Create a folder and its parents; on an error, remove those that were created."""
    made = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for folder in made:
                folder.rmdir()
        raise


def _restored(url: str, path: Path, progress: Progress | None) -> dict[str, int]:
    """Restore a backup in one transaction."""
    try:
        with zipfile.ZipFile(path) as archive, connected(url) as connection:
            revision, counts = _checked(json.loads(archive.read(MANIFEST)))
            tables = _prepare(connection, revision)
            if counts.keys() != tables.keys():
                raise ValueError("its tables don't match its revision")
            done, total = 0, sum(counts.values())
            for table, count in counts.items():
                for rows in _read_rows(archive, connection, table, tables[table], count):
                    done += rows
                    if progress is not None:
                        progress(done, total)
            upgrade(connection)
            connection.execute(sa.text("UPDATE nodes SET expires = 0"))
            return counts
    except OSError as error:
        raise BadArchive(f"{path}: {error.strerror or error}") from None
    except DAMAGED as error:
        raise BadArchive(f"{path}: not a backup, or damaged ({error})") from None


def _sound_tables(
    connection: Connection, database: Database, tables: Mapping[str, list[str]], left_out: list[str] | None
) -> list[str] | None:
    """Return the ids of the game tables that can be backed up, `None` for all.

    Raises:
        BadArchive: some are damaged, and damaged tables may not be left out.
    """
    if "digest" not in tables["events"]:
        return None
    damaged, faults = damaged_tables(connection, database.is_damage), connection.faults()
    if not damaged and not faults:
        return None
    if left_out is None:
        marks = f"tables {', '.join(map(table_mark, damaged[:10]))}" if damaged else ""
        reasons = "; ".join([*filter(None, [marks]), *(faults or ())[:1]])
        raise BadArchive(
            f"the database is damaged ({reasons}), and no backup was written: {RESTORE}, or back up the undamaged "
            "tables with --leave-out-damaged"
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
    progress: Progress | None,
) -> dict[str, int]:
    counts: dict[str, int] = {}
    # Counting the rows of a damaged database may fail, so where damage is allowed their number stays unknown.
    done, total = 0, 0 if progress is None or sound is not None else _count(connection, tables)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, names in tables.items():
            rows = _rows(connection, table, names, sound if "table_id" in names else None)
            with archive.open(_member(table), "w", force_zip64=True) as member:
                member.write(_line(names))
                counts[table] = 0
                for row in rows:
                    member.write(_line([to_json(value) for value in row]))
                    counts[table] += 1
                    done += 1
                    if progress is not None and done % ROWS_AT_ONCE == 0:
                        progress(done, total)
        archive.writestr(MANIFEST, json.dumps({"form": FORM, "revision": revision, "rows": counts}, indent=1))
    return counts


def _rows(connection: Connection, table: str, names: list[str], table_ids: list[str] | None) -> Iterator[Row]:
    """Yield all rows, or those of some game tables without reading any others."""
    stored = sa.table(table, *(sa.column(name) for name in names))
    if table_ids is None:
        yield from connection.stream(sa.select(stored))
        return
    some = sa.select(stored).where(Among(stored.c["table_id"], "table_ids"))
    for start in range(0, len(table_ids), TABLES_AT_ONCE):
        yield from connection.execute(some, table_ids=connection.array(table_ids[start : start + TABLES_AT_ONCE]))


def _count(connection: Connection, tables: Mapping[str, list[str]]) -> int:
    """Return the number of all rows."""
    counts = (connection.execute(sa.select(sa.func.count()).select_from(sa.table(table))) for table in tables)
    return sum(int(str(count)) for ((count,),) in counts)


def _checked(manifest: Any) -> tuple[str, dict[str, int]]:
    """Return the revision and the numbers of rows in a manifest.

    Raises:
        BadArchive: this version can't restore the backup.
    """
    if manifest["form"] != FORM or manifest["revision"] not in REVISIONS:
        raise BadArchive(
            f"a newer version of liarspoker made this backup (form {manifest['form']}, revision "
            f"{manifest['revision']}): restore it with that version"
        )
    return manifest["revision"], dict(manifest["rows"])


def _prepare(connection: sa.Connection, revision: str) -> dict[str, list[str]]:
    """Create the tables at the backup's revision; the database must be empty, or have these tables without rows."""
    present, tables = revision_of(connection), columns_of(connection)
    if present is None and not tables:
        upgrade(connection, revision)
        return columns_of(connection)
    some = (sa.select(sa.literal(1)).select_from(sa.table(table)).limit(1) for table in tables)
    if present != revision or any(connection.execute(one).all() for one in some):
        raise BadArchive(NOT_EMPTY)
    return tables


def _read_rows(
    archive: zipfile.ZipFile, connection: sa.Connection, table: str, columns: list[str], count: int
) -> Iterator[int]:
    """Insert the rows of one database table in batches, and yield the size of each batch.

    Raises:
        ValueError: the number of rows or the columns don't match, or a row violates a constraint.
    """
    with archive.open(_member(table)) as lines:
        names = json.loads(next(lines, b"[]"))
        if sorted(names) != sorted(columns):
            raise ValueError(f"{table}: its columns don't match its revision")
        insert = sa.table(table, *map(sa.column, names)).insert()
        rows = (dict(zip(names, map(from_json, json.loads(line)), strict=True)) for line in lines)
        found = 0
        while some := list(islice(rows, ROWS_AT_ONCE)):
            try:
                connection.execute(insert, some)
            except (sa.exc.DataError, sa.exc.IntegrityError, sa.exc.InterfaceError, sa.exc.ProgrammingError) as error:
                raise ValueError(f"{table}: {error.orig}") from error
            found += len(some)
            yield len(some)
    if found != count:
        raise ValueError(f"{table}: {found} rows instead of {count}")


def _member(table: str) -> str:
    return f"rows/{table}.jsonl"


def _line(values: list[Any]) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"
