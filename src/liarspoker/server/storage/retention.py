"""The statements that archive and delete finished tables and find quiet ones, each for a short transaction.

An archive is one compressed row that holds the whole log of a finished table. It is written before the first row of the
log is deleted, and readers prefer it, so that a table can be read whole at any moment in between. Several nodes may run
these statements at once, and each may run twice.
"""

from __future__ import annotations

import sqlalchemy as sa

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import LIMIT, ONE, Among, Connection, Row, insert, value
from liarspoker.server.storage.errors import TableDamaged
from liarspoker.server.storage.log import ENTRY, checked, pack, unpack
from liarspoker.server.storage.schema import ARCHIVES, EVENTS, LISTINGS, MEMBERS, SECRETS, TABLES

ROWS_AT_ONCE = 500
"""How many rows of a log one transaction deletes at most."""

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
_QUIET = _PAGE.where(LISTINGS.c.status.in_([sa.literal_column("'waiting'"), sa.literal_column("'playing'")]))
_ENDED = _PAGE.where(LISTINGS.c.status == sa.literal_column("'ended'"))
_FINISHED = {
    True: _ENDED.where(LISTINGS.c.archived_at.is_not(None)),
    False: _ENDED.where(LISTINGS.c.archived_at.is_(None)),
}
_ASKED_AT = sa.select(
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
_DELETE = [
    sa.delete(table).where(table.c.table_id == value(table.c.table_id))
    for table in (EVENTS, ARCHIVES, SECRETS, MEMBERS, LISTINGS, TABLES)
]
_OPEN_TABLES = (
    sa.select(sa.func.count()).select_from(LISTINGS).where(LISTINGS.c.owner == value(LISTINGS.c.owner), _OPEN)
)
_LISTED_TABLES = _OPEN_TABLES.where(
    LISTINGS.c.visibility == sa.literal_column("'open'"),
    LISTINGS.c.updated_at > value(LISTINGS.c.updated_at, "since"),
)
_STILL_OPEN = sa.select(LISTINGS.c.table_id).where(Among(LISTINGS.c.table_id, "table_ids"), _OPEN)


def quiet(connection: Connection, before: float, after: tuple[float, str], limit: int) -> list[tuple[float, str]]:
    """Up to `limit` tables that have not ended, whose listings are older than `before`, the oldest first."""
    rows = connection.execute(_QUIET, before=before, after_at=after[0], after_id=after[1], limit=limit)
    return [(updated_at, table_id) for updated_at, table_id in rows]


def asked_at(connection: Connection, table_id: str) -> float | None:
    """When somebody's command took effect last, or else when the table was made, in seconds; `None` without a log."""
    rows = connection.execute(_ASKED_AT, table_id=table_id)
    at: float | None = rows[0][0]
    return at


def finished(
    connection: Connection, before: float, after: tuple[float, str], limit: int, archived: bool
) -> list[tuple[float, str]]:
    """Up to `limit` tables that ended before a time, each as `(updated_at, table_id)`, the oldest first."""
    rows = connection.execute(_FINISHED[archived], before=before, after_at=after[0], after_id=after[1], limit=limit)
    return [(updated_at, table_id) for updated_at, table_id in rows]


def log_to_archive(connection: Connection, table_id: str) -> list[Row] | None:
    """The log of a table that has no archive yet; `None` where it has one.

    Raises:
        TableDamaged: something in it was changed, or is missing, so that its entries must stay where they are.
    """
    if connection.execute(_IS_ARCHIVED, table_id=table_id):
        return None
    rows = connection.execute(LOG_OF, table_id=table_id)
    if not checked(table_id, rows):
        raise TableDamaged(table_id, "it has no log")
    return rows


def packed(rows: list[Row]) -> bytes:
    """A log as its archive holds it; for long logs that takes a while.

    Raises:
        ValueError: it would be read back as something else.
    """
    archive = pack(LOG_NAMES, rows)
    if unpack(archive, LOG_NAMES) != rows:
        raise ValueError("a log that cannot be packed")
    return archive


def archive(connection: Connection, table_id: str, entries: int, packed: bytes, epoch: int) -> bool:
    """Write the archive of a finished table; false where its log has changed.

    Raises:
        NotOwner: another node owns the table by now.
    """
    leases.hold(connection, table_id, epoch)
    found = connection.execute(_LENGTH, table_id=table_id)[0][0]
    if found != entries:
        return False
    connection.execute(_ARCHIVE, table_id=table_id, entries=entries, packed=packed)
    return True


def clear(connection: Connection, table_id: str, now: float, limit: int = ROWS_AT_ONCE) -> bool:
    """Delete up to `limit` entries of a log that is archived; whether nothing is left to delete.

    Two servers may do this at once, and then one of them may delete less than the other leaves.
    """
    if not connection.execute(_IS_ARCHIVED, table_id=table_id):
        return True  # another server, which has it now, has deleted the table meanwhile
    connection.execute(_CLEAR, table_id=table_id, limit=limit)
    if connection.execute(_IS_LEFT, table_id=table_id):
        return False
    connection.execute(_IS_CLEARED, now=now, table_id=table_id)
    return True


def delete(connection: Connection, table_id: str, epoch: int) -> None:
    """Delete everything that is stored of an archived table.

    Raises:
        NotOwner: another node owns it by now.
    """
    leases.hold(connection, table_id, epoch)
    for statement in _DELETE:
        connection.execute(statement, table_id=table_id)


def open_tables(connection: Connection, owner: str, listed_since: float | None) -> int:
    """How many tables a user owns that have not ended; or of these, those that the lobby lists since a time."""
    if listed_since is None:
        return int(connection.execute(_OPEN_TABLES, owner=owner)[0][0])
    return int(connection.execute(_LISTED_TABLES, owner=owner, since=listed_since)[0][0])


def still_open(connection: Connection, table_ids: list[str]) -> set[str]:
    """Those of the tables that have not ended."""
    return {table_id for (table_id,) in connection.execute(_STILL_OPEN, table_ids=connection.array(table_ids))}
