"""The chain of digests through a table's log: an entry that was changed, lost, moved or exchanged no longer fits in.

The digest of an entry covers its fields and the digest of the entry before. Entries of older releases have none; the
chain begins with the first entry that has one. A chain finds damage, and no forger: whoever can write the database can
make a chain too.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from liarspoker.server.storage.connection import Row
from liarspoker.server.storage.entry import Listing, Stored
from liarspoker.server.storage.errors import TableDamaged

DIGEST_BYTES = 16


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


def checked(table_id: str, rows: Iterable[Row]) -> tuple[Stored, ...]:
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
    fields = {name: getattr(listing, name) for name in listing.__slots__} | {"updated_at": float(listing.updated_at)}
    text = "\0".join((table_id, *map(str, fields.values())))
    return sha256(text.encode()).digest()[:DIGEST_BYTES]
