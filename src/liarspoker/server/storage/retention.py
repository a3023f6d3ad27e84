"""Archiving and deletion of ended tables, and the search for abandoned ones, in short transactions.

An archive is one row with the compressed log of an ended table. It is written before the first row of the log is
deleted, and readers prefer it, so a table can be read completely at any moment in between. Several nodes may run these
functions at the same time, and each function may run twice.
"""

from __future__ import annotations

import sqlalchemy as sa

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import LIMIT, ONE, Among, Connection, Row, insert, value
from liarspoker.server.storage.errors import TableDamaged
from liarspoker.server.storage.log import ENTRY, pack, unpack, verified_entries
from liarspoker.server.storage.schema import ARCHIVES, EVENTS, LISTINGS, OF_TABLE

ROWS_AT_ONCE = 500
"""The maximum number of log rows that one transaction deletes."""

_LOG = (*ENTRY, EVENTS.c.digest)
LOG_NAMES = [column.name for column in _LOG]
_OPEN = LISTINGS.c.status != sa.literal_column("'ended'")
_OWN = EVENTS.c.table_id == value(EVENTS.c.table_id)
_PAGE = (
    sa.select(LISTINGS.c.updated_at, LISTINGS.c.table_id)
    .where(
        LISTINGS.c.updated_at < value(LISTINGS.c.updated_at, "before"),
        sa.tuple_(LISTINGS.c.updated_at, LISTINGS.c.table_id)
        > sa.tuple_(value(LISTINGS.c.updated_at, "after_at"), value(LISTINGS.c.table_id, "after_id")),
    )
    .order_by(LISTINGS.c.updated_at, LISTINGS.c.table_id)
    .limit(LIMIT)
)
_INACTIVE = _PAGE.where(LISTINGS.c.status.in_([sa.literal_column("'waiting'"), sa.literal_column("'playing'")]))
_ENDED = _PAGE.where(LISTINGS.c.status == sa.literal_column("'ended'"))
_ENDED_BY_ARCHIVED = {
    True: _ENDED.where(LISTINGS.c.archived_at.is_not(None)),
    False: _ENDED.where(LISTINGS.c.archived_at.is_(None)),
}
_LAST_COMMAND_AT = sa.select(
    sa.func.coalesce(
        sa.func.max(EVENTS.c.at).filter(EVENTS.c.command_id.is_not(None)),
        sa.func.min(EVENTS.c.at),
    )
).where(_OWN)
LOG_OF = sa.select(*_LOG).where(_OWN).order_by(EVENTS.c.version)
_IS_ARCHIVED = sa.select(ONE).select_from(ARCHIVES).where(ARCHIVES.c.table_id == value(ARCHIVES.c.table_id))
_LENGTH = sa.select(sa.func.count()).select_from(EVENTS).where(_OWN)
_ARCHIVE = insert(ARCHIVES).on_conflict_do_nothing()
_FIRST = sa.select(EVENTS.c.version).where(_OWN).order_by(EVENTS.c.version).limit(LIMIT)
_CLEAR = sa.delete(EVENTS).where(_OWN, EVENTS.c.version.in_(_FIRST))
_IS_LEFT = sa.select(ONE).select_from(EVENTS).where(_OWN).limit(ONE)
_IS_CLEARED = (
    sa.update(LISTINGS)
    .values(archived_at=value(LISTINGS.c.archived_at, "now"))
    .where(LISTINGS.c.table_id == value(LISTINGS.c.table_id))
)
_DELETE = [sa.delete(table).where(table.c.table_id == value(table.c.table_id)) for table in OF_TABLE]
_OPEN_TABLES = (
    sa.select(sa.func.count()).select_from(LISTINGS).where(LISTINGS.c.owner == value(LISTINGS.c.owner), _OPEN)
)
_LISTED_TABLES = _OPEN_TABLES.where(
    LISTINGS.c.visibility == sa.literal_column("'open'"),
    LISTINGS.c.updated_at > value(LISTINGS.c.updated_at, "since"),
)
_STILL_OPEN = sa.select(LISTINGS.c.table_id).where(Among(LISTINGS.c.table_id, "table_ids"), _OPEN)


def inactive_tables(
    connection: Connection, before: float, after: tuple[float, str], limit: int
) -> list[tuple[float, str]]:
    """Return up to `limit` open tables whose listings haven't changed since `before`, oldest first."""
    rows = connection.execute(_INACTIVE, before=before, after_at=after[0], after_id=after[1], limit=limit)
    return [(updated_at, table_id) for updated_at, table_id in rows]


def last_command_at(connection: Connection, table_id: str) -> float | None:
    """Return the time of a table's last user command, else of its creation, in seconds; `None` if it has no log."""
    rows = connection.execute(_LAST_COMMAND_AT, table_id=table_id)
    at: float | None = rows[0][0]
    return at


def ended_tables(
    connection: Connection, before: float, after: tuple[float, str], limit: int, archived: bool
) -> list[tuple[float, str]]:
    """Return up to `limit` tables that ended before a time, each as `(updated_at, table_id)`, oldest first."""
    rows = connection.execute(
        _ENDED_BY_ARCHIVED[archived], before=before, after_at=after[0], after_id=after[1], limit=limit
    )
    return [(updated_at, table_id) for updated_at, table_id in rows]


def log_to_archive(connection: Connection, table_id: str) -> list[Row] | None:
    """Return the rows of a table's log; `None` if the table is archived already.

    Raises:
        TableDamaged: something in the log was modified, or is missing, so it must not be archived.
    """
    if connection.execute(_IS_ARCHIVED, table_id=table_id):
        return None
    rows = connection.execute(LOG_OF, table_id=table_id)
    if not verified_entries(table_id, rows):
        raise TableDamaged(table_id, "its log is missing")
    return rows


def packed(rows: list[Row]) -> bytes:
    """Compress a log, which takes a while if it is long.

    Raises:
        ValueError: unpacking the result doesn't give the same rows.
    """
    archive = pack(LOG_NAMES, rows)
    if unpack(archive, LOG_NAMES) != rows:
        raise ValueError("the log can't be packed without loss")
    return archive


def archive(connection: Connection, table_id: str, entries: int, packed: bytes, epoch: int) -> bool:
    """Write the archive of an ended table; return false if its log has changed.

    Raises:
        NotOwner: another node owns the table now.
    """
    leases.lock_shard(connection, table_id, epoch)
    found = connection.execute(_LENGTH, table_id=table_id)[0][0]
    if found != entries:
        return False
    connection.execute(_ARCHIVE, table_id=table_id, entries=entries, packed=packed)
    return True


def clear(connection: Connection, table_id: str, now: float, limit: int = ROWS_AT_ONCE) -> bool:
    """Delete up to `limit` entries of an archived log; return whether nothing is left to delete.

    If two servers do this at the same time, one call may delete fewer entries than remain.
    """
    if not connection.execute(_IS_ARCHIVED, table_id=table_id):
        return True  # the table's new owner has deleted it since
    connection.execute(_CLEAR, table_id=table_id, limit=limit)
    if connection.execute(_IS_LEFT, table_id=table_id):
        return False
    connection.execute(_IS_CLEARED, now=now, table_id=table_id)
    return True


def delete(connection: Connection, table_id: str, epoch: int) -> None:
    """Delete all stored data of an archived table.

    Raises:
        NotOwner: another node owns the table now.
    """
    leases.lock_shard(connection, table_id, epoch)
    for statement in _DELETE:
        connection.execute(statement, table_id=table_id)


def open_tables(connection: Connection, owner: str, listed_since: float | None) -> int:
    """Count a user's open tables, or only those listed in the lobby that have changed since a time."""
    if listed_since is None:
        return int(connection.execute(_OPEN_TABLES, owner=owner)[0][0])
    return int(connection.execute(_LISTED_TABLES, owner=owner, since=listed_since)[0][0])


def still_open(connection: Connection, table_ids: list[str]) -> set[str]:
    """Return those of the tables that haven't ended."""
    return {table_id for (table_id,) in connection.execute(_STILL_OPEN, table_ids=connection.array(table_ids))}
