"""The statements that archive and delete finished tables and find quiet ones, each for a short transaction.

An archive is one compressed row that holds the whole log of a finished table. It is written before the first row of the
log is deleted, and readers prefer it, so that a table can be read whole at any moment in between. Several nodes may run
these statements at once, and each may run twice.
"""

from __future__ import annotations

from liarspoker.server.storage import leases
from liarspoker.server.storage.appending import COLUMNS
from liarspoker.server.storage.chain import checked
from liarspoker.server.storage.connection import Connection, Row
from liarspoker.server.storage.errors import Leased, NoSuchTable, TableDamaged
from liarspoker.server.storage.packing import pack, unpack

ROWS_AT_ONCE = 500
"""How many rows of a log one transaction deletes at most."""

_NAMES = [*COLUMNS.split(", "), "digest"]


def quiet(connection: Connection, before: float, after: tuple[float, str], limit: int) -> list[tuple[float, str]]:
    """Up to `limit` tables that have not ended, whose listings are older than `before`, the oldest first.

    Args:
        connection: to read from.
        before: a time in seconds.
        after: `(updated_at, table_id)` of the last one of the page before.
        limit: how many at most.
    """
    rows = connection.execute(
        "SELECT updated_at, table_id FROM listings WHERE status IN ('waiting', 'playing') AND updated_at < ? "
        "AND (updated_at, table_id) > (?, ?) ORDER BY updated_at, table_id LIMIT ?",
        (before, *after, limit),
    )
    return [(updated_at, table_id) for updated_at, table_id in rows]


def asked_at(connection: Connection, table_id: str) -> float | None:
    """When somebody's command took effect last, or else when the table was made, in seconds; `None` without a log."""
    rows = connection.execute(
        "SELECT coalesce(max(at) FILTER (WHERE command_id IS NOT NULL), min(at)) FROM events WHERE table_id = ?",
        (table_id,),
    )
    at: float | None = rows[0][0]
    return at


def finished(
    connection: Connection, before: float, after: tuple[float, str], limit: int, archived: bool
) -> list[tuple[float, str]]:
    """Up to `limit` tables that ended before a time, each as `(updated_at, table_id)`, the oldest first.

    Args:
        connection: to read from.
        before: a time in seconds.
        after: the last one of the page before.
        limit: how many at most.
        archived: those that are archived, or else those that are not.
    """
    rows = connection.execute(
        "SELECT updated_at, table_id FROM listings WHERE status = 'ended' AND updated_at < ? AND archived_at IS "
        f"{'NOT NULL' if archived else 'NULL'} AND (updated_at, table_id) > (?, ?) "
        "ORDER BY updated_at, table_id LIMIT ?",
        (before, *after, limit),
    )
    return [(updated_at, table_id) for updated_at, table_id in rows]


def log_to_archive(connection: Connection, table_id: str) -> list[Row] | None:
    """The log of a table that has no archive yet; `None` where it has one.

    Raises:
        TableDamaged: something in it was changed, or is missing, so that its entries must stay where they are.
    """
    if connection.execute("SELECT 1 FROM archives WHERE table_id = ?", (table_id,)):
        return None
    rows = connection.execute(f"SELECT {COLUMNS}, digest FROM events WHERE table_id = ? ORDER BY version", (table_id,))
    if not checked(table_id, rows):
        raise TableDamaged(table_id, "it has no log")
    return rows


def packed(rows: list[Row]) -> bytes:
    """A log as its archive holds it; for long logs that takes a while.

    Raises:
        ValueError: it would be read back as something else.
    """
    archive = pack(_NAMES, rows)
    if unpack(archive, _NAMES) != rows:
        raise ValueError("a log that cannot be packed")
    return archive


def archive(connection: Connection, table_id: str, entries: int, packed: bytes, instance: str) -> bool:
    """Write the archive of a finished table; false where its log has changed, or another node owns the table.

    Args:
        connection: with a transaction open.
        table_id: the table.
        entries: how many entries its log has.
        packed: the log as `packed` makes it.
        instance: the server process that does this.
    """
    if not _give_up(connection, table_id, instance):
        return False
    found = connection.execute("SELECT count(*) FROM events WHERE table_id = ?", (table_id,))[0][0]
    if found != entries:
        return False
    insert = "INSERT INTO archives (table_id, entries, packed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    connection.execute(insert, (table_id, entries, packed))
    return True


def clear(connection: Connection, table_id: str, now: float, limit: int = ROWS_AT_ONCE) -> bool:
    """Delete up to `limit` entries of a log that is archived; whether nothing is left to delete.

    Two servers may do this at once, and then one of them may delete less than the other leaves.
    """
    if not connection.execute("SELECT 1 FROM archives WHERE table_id = ?", (table_id,)):
        return True  # another server has deleted the table meanwhile
    connection.execute(
        "DELETE FROM events WHERE table_id = ? AND version IN (SELECT version FROM events WHERE table_id = ? "
        "ORDER BY version LIMIT ?)",
        (table_id, table_id, limit),
    )
    if connection.execute("SELECT 1 FROM events WHERE table_id = ? LIMIT 1", (table_id,)):
        return False
    connection.execute("UPDATE listings SET archived_at = ? WHERE table_id = ?", (now, table_id))
    return True


def delete(connection: Connection, table_id: str, instance: str) -> bool:
    """Delete everything that is stored of an archived table; false where another node owns it."""
    if not _give_up(connection, table_id, instance):
        return False
    for kind in ("events", "archives", "secrets", "members", "listings", "tables"):
        connection.execute(f"DELETE FROM {kind} WHERE table_id = ?", (table_id,))
    return True


def open_tables(connection: Connection, owner: str) -> int:
    """How many tables a user owns that have not ended."""
    return _count(connection, "owner = ? AND status <> 'ended'", owner)


def listed_tables(connection: Connection, owner: str, since: float) -> int:
    """How many of a user's open tables the lobby lists: those whose listings have changed since a time in seconds."""
    return _count(
        connection, "owner = ? AND status <> 'ended' AND visibility = 'open' AND updated_at > ?", owner, since
    )


def still_open(connection: Connection, table_ids: list[str]) -> set[str]:
    """Those of the tables that have not ended."""
    ask = f"SELECT table_id FROM listings WHERE table_id {connection.among} AND status <> 'ended'"
    return {table_id for (table_id,) in connection.execute(ask, (connection.array(table_ids),))}


def _count(connection: Connection, condition: str, *values: str | float) -> int:
    return int(connection.execute(f"SELECT count(*) FROM listings WHERE {condition}", values)[0][0])


def _give_up(connection: Connection, table_id: str, instance: str) -> bool:
    """Take the lease of a table and release it, so that nobody appends; false where another node has it, or no table.

    The table's row stays locked until the transaction ends.
    """
    try:
        epoch = leases.claim(connection, table_id, instance)
    except (Leased, NoSuchTable):
        return False
    leases.release(connection, [(table_id, epoch)])
    return True
