"""What is appended to a table's log, what is read back, and the digests by which damage to it is found.

The digest of an entry covers its fields and the digest of the entry before, so an entry that was changed, lost, moved
or exchanged no longer fits in. Entries of older releases have none; the chain begins with the first entry that has one.
A chain finds damage, and no forger: whoever can write the database can make a chain too.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from liarspoker.server.storage.errors import TableDamaged

DIGEST_BYTES = 16
PACKED_FORM = b"\x01"


@dataclass(frozen=True, slots=True)
class Listing:
    """A table as the lobby lists it: a projection of its log, stored with the entry that changed it.

    Attributes:
        status: where the table stands, such as `"waiting"`; a word of the server's choice.
        game: the game's id.
        title: what the table is called.
        visibility: who may find it, such as `"public"`; a word of the server's choice.
        seats_taken: how many seats somebody sits on.
        seats: how many there are.
        updated_at: when it changed last, in seconds.
        summary: the rest, as a JSON object.
        owner: the id of the user who owns the table; `None` where that isn't known.
        running: a clock runs, so the table is opened after a restart without anybody asking for it.
    """

    status: str
    game: str
    title: str
    visibility: str
    seats_taken: int
    seats: int
    updated_at: float
    summary: str = "{}"
    owner: str | None = None
    running: bool = False


class Listed(NamedTuple):
    """A listing together with its table."""

    table_id: str
    listing: Listing


@dataclass(frozen=True, slots=True)
class Entry:
    """What one command did to a table, to be stored whole or not at all.

    Attributes:
        table_id: the table.
        version: the version that this makes: 1 for a table's first entry, then one more each.
        epoch: the epoch of the lease under which the sender owns the table.
        command_id: what the sender of the command called it, or `None` for what the server did by itself.
        at: when, in seconds.
        body: its events, as JSON. Storage does not look inside.
        seeds: `(deal, seed)` for every seed that this entry draws; kept apart from the log, and sealed.
        listing: how the lobby lists the table from now on; `None` leaves it as it is.
        members_added: ids of the users to whose tables this one belongs from now on.
    """

    table_id: str
    version: int
    epoch: int
    command_id: str | None
    at: float
    body: str
    seeds: tuple[tuple[int, bytes], ...] = field(default=(), repr=False)
    listing: Listing | None = None
    members_added: tuple[str, ...] = ()


class Stored(NamedTuple):
    """An entry as the log has it; see `Entry` for the fields."""

    table_id: str
    version: int
    epoch: int
    command_id: str | None
    at: float
    body: str


@dataclass(frozen=True, slots=True)
class TableLog:
    """Everything needed to bring a table back.

    Attributes:
        table_id: the table.
        created_at: when it was made, in seconds.
        entries: the whole log, in order of version, without gaps.
        seeds: the seed of each deal, opened. Secret: they never leave the server before the table reveals them.
    """

    table_id: str
    created_at: float
    entries: tuple[Stored, ...]
    seeds: dict[int, bytes] = field(repr=False)

    @property
    def version(self) -> int:
        """The last version, 0 before the first entry."""
        return self.entries[-1].version if self.entries else 0


class Lease(NamedTuple):
    """Who owns a table.

    Attributes:
        node: the instance of the process that owns it, or `None` where nobody owns the table.
        epoch: counts the leases; an entry names the one under which it was made.
        alive: until when the owner was alive, in seconds of its own clock; `None` where nobody knows.
        expires: when the lease expires, in seconds of the database's clock; 0 where there is none.
    """

    node: str | None
    epoch: int
    alive: float | None
    expires: float


def chained(
    previous: bytes | None, table_id: str, version: int, epoch: int, command_id: str | None, at: float, body: str
) -> bytes:
    r"""The digest of an entry that follows the one whose digest is `previous`; `None` where there is none.

    >>> first = chained(None, "T", 1, 1, "a", 0.0, "[]")
    >>> len(first), first == chained(b"", "T", 1, 1, "a", 0, "[]"), first == chained(None, "T", 1, 1, "b", 0.0, "[]")
    (16, True, False)
    """
    # No stored text has a NUL in it.
    command = "\0" if command_id is None else command_id
    fields = f"{table_id}\0{version}\0{epoch}\0{command}\0{float(at)!r}\0{body}"
    return sha256((previous or b"") + fields.encode()).digest()[:DIGEST_BYTES]


def checked(table_id: str, rows: Iterable[tuple[Any, ...]]) -> tuple[Stored, ...]:
    """The entries of a table's whole log.

    Args:
        table_id: the table.
        rows: the fields of each entry in the order of `Stored`, and its digest; in order of version.

    Raises:
        TableDamaged: an entry was changed, or is missing, or belongs elsewhere.
    """
    entries: list[Stored] = []
    previous: bytes | None = None
    try:
        for version, row in enumerate(rows, 1):
            fields, digest = row[:6], row[6]
            is_old = digest is None and previous is None
            if fields[1] != version or not (is_old or chained(previous, *fields) == digest):
                break
            entries.append(tuple.__new__(Stored, fields))
            previous = digest
        else:
            return tuple(entries)
    except (TypeError, ValueError):  # a field is of another kind
        pass
    raise TableDamaged(table_id, f"entry {len(entries) + 1} does not follow the one before it")


def digest_of(table_id: str, listing: Listing) -> bytes:
    """The digest of a table's row in the lobby; it stands alone."""
    fields = {name: getattr(listing, name) for name in listing.__slots__}
    fields |= {"updated_at": float(listing.updated_at), "running": int(listing.running)}
    text = "\0".join((table_id, *map(str, fields.values())))
    return sha256(text.encode()).digest()[:DIGEST_BYTES]


def pack(columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> bytes:
    """Rows of the named columns, compressed.

    >>> columns, rows = ("version", "at", "body"), [(1, 0.1, "[]"), (2, 0.2, None)]
    >>> unpack(pack(columns, rows), ("at", "version")) == [(0.1, 1), (0.2, 2)]
    True
    """
    stored = {"columns": list(columns), "rows": [[plain(value) for value in row] for row in rows]}
    return PACKED_FORM + zlib.compress(json.dumps(stored, separators=(",", ":")).encode())


def unpack(packed: bytes, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """The rows that were packed, with the values of these columns; `None` in a column that they were packed without.

    Raises:
        ValueError: the bytes are damaged, or a newer version has packed them.
    """
    if packed[:1] != PACKED_FORM:
        raise ValueError("an archive of an unknown form")
    try:
        stored = json.loads(zlib.decompress(packed[1:]))
    except zlib.error as error:
        raise ValueError(f"a damaged archive: {error}") from error
    places = [stored["columns"].index(name) if name in stored["columns"] else None for name in columns]
    return [tuple(None if place is None else value(row[place]) for place in places) for row in stored["rows"]]


def plain(value: Any) -> Any:
    """A value of the database as JSON has it."""
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def value(plain: Any) -> Any:
    """A value of JSON as the database has it."""
    return base64.b64decode(plain["base64"]) if isinstance(plain, dict) else plain
