"""Backups: one file that holds all rows of a database, to be restored into an empty one of either kind.

The file is a zip archive. `backup.json` tells its form, the revision of the tables and how many rows there are of each;
`rows/NAME.jsonl` holds the rows of one table: the names of the columns, then one JSON array a row, bytes as
`{"base64": "..."}`. Seeds stay sealed, and the key is not in it.
"""

from __future__ import annotations

import base64
import io
import json
import os
import zipfile
from collections.abc import Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from liarspoker.server.storage.connection import Connection, database_at
from liarspoker.server.storage.errors import BadArchive
from liarspoker.server.storage.migrate import columns, migrate, scripts
from liarspoker.server.storage.storage import try_to_connect

FORM = 1
MANIFEST = "backup.json"
ROWS_AT_ONCE = 1000


def back_up(url: str, path: Path, overwrite: bool = False) -> dict[str, int]:
    """Write all rows of the database at `url`, as they are at one moment, into a new file that its owner can read.

    A server may go on writing meanwhile. The file appears under its name when it is complete.

    Returns:
        How many rows there are of each table.

    Raises:
        BadPlace: when there is no such database.
        BadArchive: when the database was never made ready, or the file cannot be written.
    """
    database = database_at(url)
    try_to_connect(url)
    revision, tables = columns(url)
    if revision is None:
        raise BadArchive("there is nothing to back up: no server has used this database")
    draft = path.with_name(path.name + ".partial")
    try:
        if path.exists() and not overwrite:
            raise FileExistsError
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file, closing(database.connect()) as connection:
            counts = _write(file, connection, revision, tables)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except FileExistsError:
        raise BadArchive(f"{path}: exists already; --force overwrites it") from None
    except OSError as error:
        raise BadArchive(f"{path}: {error.strerror or error}") from None
    finally:
        draft.unlink(missing_ok=True)
    return counts


def restore(url: str, path: Path) -> dict[str, int]:
    """Put all rows of a backup into the database at `url`, which has none; then bring it up to date. All or nothing.

    Nobody owns a table afterwards.

    Returns:
        How many rows there are of each table.

    Raises:
        BadPlace: when the database cannot be opened.
        BadArchive: when the file is no backup, was damaged, or a newer version made it; or the database is not empty.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            revision, counts = _checked(manifest)
            tables = _prepare(url, revision)
            if counts.keys() != tables.keys():
                raise ValueError("it has other tables than its revision")
            with closing(database_at(url).connect()) as connection:
                connection.begin()
                for table, count in counts.items():
                    _read_rows(archive, connection, table, tables[table], count)
                connection.execute("UPDATE tables SET node = NULL, lease_expires = 0")
                connection.commit()
    except OSError as error:
        raise BadArchive(f"{path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise BadArchive(f"{path}: this is no backup, or it was damaged ({error})") from None
    migrate(url)
    return counts


def _write(
    file: io.BufferedIOBase, connection: Connection, revision: str, tables: Mapping[str, list[str]]
) -> dict[str, int]:
    counts = {}
    connection.snapshot()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, names in tables.items():
            rows = connection.stream(f"SELECT {', '.join(names)} FROM {table}")
            with archive.open(_member(table), "w", force_zip64=True) as member:
                member.write(_line(names))
                counts[table] = 0
                for row in rows:
                    member.write(_line([_plain(value) for value in row]))
                    counts[table] += 1
        archive.writestr(MANIFEST, json.dumps({"form": FORM, "revision": revision, "rows": counts}, indent=1))
    connection.rollback()
    return counts


def _checked(manifest: Any) -> tuple[str, dict[str, int]]:
    """The revision and the numbers of rows that a manifest tells, if this version can restore them."""
    if manifest["form"] != FORM or manifest["revision"] not in {known.revision for known in scripts().walk_revisions()}:
        raise BadArchive(
            f"a newer version of liarspoker made this backup (form {manifest['form']}, revision "
            f"{manifest['revision']}): restore it with that version"
        )
    return manifest["revision"], dict(manifest["rows"])


def _prepare(url: str, revision: str) -> dict[str, list[str]]:
    """Make the tables as the backup has them, in a database that has none, or has just these and nothing in them."""
    present, tables = columns(url)
    if present is None and not tables:
        migrate(url, revision)
        return columns(url)[1]
    with closing(database_at(url).connect()) as connection:
        if present != revision or any(connection.execute(f"SELECT 1 FROM {table} LIMIT 1") for table in tables):
            raise BadArchive("the database is not empty: restore into a new one")
    return tables


def _read_rows(archive: zipfile.ZipFile, connection: Connection, table: str, columns: list[str], count: int) -> None:
    """Insert the rows of one table.

    Raises:
        ValueError: when there are not as many as there should be, or they have other columns.
    """
    with archive.open(_member(table)) as lines:
        names = json.loads(next(lines))
        if sorted(names) != sorted(columns):
            raise ValueError(f"{table}: it has other columns than its revision")
        insert = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        rows = (tuple(_value(plain) for plain in json.loads(line)) for line in lines)
        found = 0
        while some := list(islice(rows, ROWS_AT_ONCE)):
            connection.execute_many(insert, some)
            found += len(some)
    if found != count:
        raise ValueError(f"{table}: {found} rows instead of {count}")


def _member(table: str) -> str:
    return f"rows/{table}.jsonl"


def _line(values: list[Any]) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _value(plain: Any) -> Any:
    """A value as the database has it."""
    return base64.b64decode(plain["base64"]) if isinstance(plain, dict) else plain
