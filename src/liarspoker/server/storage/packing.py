"""Rows as JSON, for backups, and a table's whole log as one compressed value, for its archive."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

from liarspoker.server.storage.connection import Row

FORM = b"\x01"


def pack(columns: Sequence[str], rows: Sequence[Row]) -> bytes:
    """Rows of the named columns, compressed.

    >>> columns, rows = ("version", "at", "body"), [(1, 0.1, "[]"), (2, 0.2, None)]
    >>> unpack(pack(columns, rows), ("at", "version")) == [(0.1, 1), (0.2, 2)]
    True
    """
    told = {"columns": list(columns), "rows": [[plain(value) for value in row] for row in rows]}
    return FORM + zlib.compress(json.dumps(told, separators=(",", ":")).encode())


def unpack(packed: bytes, columns: Sequence[str]) -> list[Row]:
    """The rows that were packed, with the values of these columns; `None` in a column that they were packed without.

    Raises:
        ValueError: the bytes are damaged, or a newer version has packed them.
    """
    if packed[:1] != FORM:
        raise ValueError("an archive of an unknown form")
    try:
        told = json.loads(zlib.decompress(packed[1:]))
    except zlib.error as error:
        raise ValueError(f"a damaged archive: {error}") from error
    places = [told["columns"].index(name) if name in told["columns"] else None for name in columns]
    return [tuple(None if place is None else value(row[place]) for place in places) for row in told["rows"]]


def plain(value: Any) -> Any:
    """A value of the database as JSON has it."""
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def value(plain: Any) -> Any:
    """A value of JSON as the database has it."""
    return base64.b64decode(plain["base64"]) if isinstance(plain, dict) else plain
