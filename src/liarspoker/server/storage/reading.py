"""Queries on the log and the lobby."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage.connection import LIMIT, ONE, Among, Connection, Row, Value, value
from liarspoker.server.storage.errors import BadKey, TableDamaged
from liarspoker.server.storage.log import (
    ENTRY,
    LISTED,
    Listed,
    Listing,
    Stored,
    TableLog,
    listing_digest,
    unpack,
    verified_entries,
)
from liarspoker.server.storage.schema import ARCHIVES, EVENTS, LISTINGS, MEMBERS, SECRETS, TABLES
from liarspoker.server.storage.sealing import Sealer

TABLES_AT_ONCE = 100
ALL = 2**31 - 1
"""A limit that nothing reaches."""
_END_MISSING = "its last entries are missing"
_CREATED = sa.select(TABLES.c.created_at).where(TABLES.c.table_id == value(TABLES.c.table_id))
_SEALED = sa.select(SECRETS.c.deal, SECRETS.c.sealed).where(SECRETS.c.table_id == value(SECRETS.c.table_id))
_ARCHIVED = sa.select(ARCHIVES.c.table_id, ARCHIVES.c.packed).where(Among(ARCHIVES.c.table_id, "table_ids"))
_ENTRIES = (
    sa.select(*ENTRY, EVENTS.c.digest)
    .where(Among(EVENTS.c.table_id, "table_ids"))
    .order_by(EVENTS.c.table_id, EVENTS.c.version)
)
_NEXT = (
    sa.select(*ENTRY, EVENTS.c.digest)
    .where(EVENTS.c.table_id == value(EVENTS.c.table_id), EVENTS.c.version > value(EVENTS.c.version))
    .order_by(EVENTS.c.version)
    .limit(LIMIT)
)
_LOGGED = sa.union(sa.select(EVENTS.c.table_id), sa.select(ARCHIVES.c.table_id))
_HAS_ENTRIES = [
    sa.select(ONE).where(sa.exists().where(table.c.table_id == value(table.c.table_id))) for table in (EVENTS, ARCHIVES)
]
ALL_TABLES = sa.select(TABLES.c.table_id).order_by(TABLES.c.table_id)
_OTHER_DATA = [sa.select(table).where(Among(table.c.table_id, "table_ids")) for table in (SECRETS, LISTINGS, MEMBERS)]


def log(connection: Connection, sealer: Sealer, table_id: str) -> TableLog | None:
    """Return the log of a table with its seeds decrypted; `None` if the table doesn't exist.

    Raises:
        TableDamaged: something in it was modified, or is missing.
    """
    whole = part_of_log(connection, sealer, table_id, None, ALL)
    return None if whole is None else whole.log


class LogPart(NamedTuple):
    """A part of a log.

    Attributes:
        log: the table's log with the entries of this part only, but with all seeds.
        is_last: whether no entries follow.
        digest: the digest of the last entry, if it has one.
    """

    log: TableLog
    is_last: bool
    digest: bytes | None


def part_of_log(
    connection: Connection, sealer: Sealer, table_id: str, before: LogPart | None, most: int
) -> LogPart | None:
    """Return the next part of a table's log; `None` if the table doesn't exist.

    Args:
        connection: the database.
        sealer: decrypts the seeds.
        table_id: the id of the table.
        before: the part before this one; `None` for the first.
        most: the number of entries, if there are that many. An archived log isn't divided.

    Raises:
        TableDamaged: something in it was modified, or is missing.
    """
    start, digest = (0, None) if before is None else (before.log.version, before.digest)
    archives = connection.execute(_ARCHIVED, table_ids=connection.array([table_id]))
    if archives:
        rows, is_last = _unpacked(table_id, archives[0][1])[start:], True
    else:
        rows = connection.execute(_NEXT, table_id=table_id, version=start, limit=most)
        is_last = len(rows) < most
    entries = verified_entries(table_id, rows, start, digest)
    end, digest = start + len(entries), rows[-1][-1] if rows else digest
    if is_last and not archives:
        lengths = connection.log_lengths([table_id])
        if lengths is not None and lengths.get(table_id, 0) != end:
            raise TableDamaged(table_id, _END_MISSING)
    try:  # after the entries: a seed is stored together with its entry
        sealed = connection.execute(_SEALED, table_id=table_id)
        seeds = {deal: sealer.open(box, table_id, deal) for deal, box in sealed}
    except BadKey as error:  # the key itself was verified at the start
        raise TableDamaged(table_id, "a seed can't be decrypted") from error
    if before is not None:
        return LogPart(replace(before.log, entries=entries, seeds=seeds), is_last, digest)
    created = connection.execute(_CREATED, table_id=table_id)
    if created:
        return LogPart(TableLog(table_id, created[0][0], entries, seeds), is_last, digest)
    if entries or has_entries(connection, table_id):
        raise TableDamaged(table_id, "only its log is left")
    return None


def sound_entries(connection: Connection, table_ids: Sequence[str]) -> dict[str, tuple[Stored, ...]]:
    """Return the verified entries of those tables that have any.

    Raises:
        TableDamaged: something in one of the logs was modified, or is missing.
    """
    archives = connection.execute(_ARCHIVED, table_ids=connection.array(table_ids))
    entries = {table_id: verified_entries(table_id, _unpacked(table_id, packed)) for table_id, packed in archives}
    hot = [table_id for table_id in table_ids if table_id not in entries]  # what remains of an archived log has gaps
    rows = connection.execute(_ENTRIES, table_ids=connection.array(hot))
    entries |= {table_id: verified_entries(table_id, found) for table_id, found in groupby(rows, itemgetter(0))}
    lengths = connection.log_lengths(hot)
    if lengths is not None:
        for table_id in hot:
            if len(entries.get(table_id, ())) != lengths.get(table_id, 0):
                raise TableDamaged(table_id, _END_MISSING)
    return entries


def _unpacked(table_id: str, packed: bytes) -> list[Row]:
    """Return the rows of the log in an archive."""
    try:
        return unpack(bytes(packed), (*Stored._fields, "digest"))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise TableDamaged(table_id, "its archive can't be read") from error


@contextmanager
def _savepoint(connection: Connection) -> Iterator[None]:
    """Run queries that may fail. Without a savepoint, PostgreSQL would abort the transaction at the first error."""
    connection.execute("SAVEPOINT probe")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK TO SAVEPOINT probe")
        raise
    finally:
        connection.execute("RELEASE SAVEPOINT probe")


def damaged_tables(connection: Connection, is_damage: Callable[[Exception], bool]) -> list[str]:
    """Return the ids of damaged tables: those with unreadable, modified or missing data, except for encrypted seeds."""
    known = [table_id for (table_id,) in connection.execute(ALL_TABLES)]
    try:
        with _savepoint(connection):
            logged = {table_id for (table_id,) in connection.execute(_LOGGED)}
    except Exception as error:
        if not is_damage(error):
            raise
        logged = set()  # the checks below find the damaged log
    # A corrupt id that isn't text belongs to a log that has lost its table or has a gap, which is found too.
    damaged = sorted(table_id for table_id in logged - set(known) if isinstance(table_id, str))

    def check(table_ids: Sequence[str]) -> None:
        try:
            with _savepoint(connection):
                sound_entries(connection, table_ids)
                for query in _OTHER_DATA:
                    connection.execute(query, table_ids=connection.array(table_ids))
        except Exception as error:
            if not isinstance(error, TableDamaged) and not is_damage(error):
                raise
            if len(table_ids) == 1:
                damaged.append(table_ids[0])
            else:
                for table_id in table_ids:
                    check([table_id])

    known = [table_id for table_id in known if isinstance(table_id, str)]
    for start in range(0, len(known), TABLES_AT_ONCE):
        check(known[start : start + TABLES_AT_ONCE])
    return damaged


def has_entries(connection: Connection, table_id: str) -> bool:
    """Return whether a log exists for this id, even if the table doesn't."""
    return any(connection.execute(query, table_id=table_id) for query in _HAS_ENTRIES)


_TURNS = sa.select(sa.func.count()).select_from(LISTINGS).where(LISTINGS.c.awaits == value(LISTINGS.c.awaits, "user"))


def count_turns(connection: Connection, user: str) -> int:
    """Return the number of correspondence tables that wait for a user's turn."""
    return int(connection.execute(_TURNS, user=user)[0][0])


@cache
def _select_listings(wanted: frozenset[str]) -> sa.Select[Row]:
    """Build the query for listings that match the values with these names, most recently changed first."""
    query = sa.select(*LISTED)
    for name in sorted(wanted & set(LISTINGS.c.keys())):
        query = query.where(LISTINGS.c[name] == value(LISTINGS.c[name]))
    if "due_before" in wanted:
        query = query.where(LISTINGS.c.due < value(LISTINGS.c.due, "due_before"))
    if "member" in wanted:
        theirs = sa.select(MEMBERS.c.table_id).where(MEMBERS.c.user_id == value(MEMBERS.c.user_id, "member"))
        query = query.where(LISTINGS.c.table_id.in_(theirs))
    if "before_id" in wanted:
        before = value(LISTINGS.c.updated_at, "before_at"), value(LISTINGS.c.table_id, "before_id")
        query = query.where(sa.tuple_(LISTINGS.c.updated_at, LISTINGS.c.table_id) < sa.tuple_(*before))
    return query.order_by(LISTINGS.c.updated_at.desc(), LISTINGS.c.table_id.desc()).limit(LIMIT)


def listings(
    connection: Connection, limit: int, before: tuple[float, str] | None, **wanted: str | float | None
) -> list[Listed]:
    """Return the listings that match all given filters, most recently changed first, without damaged ones."""
    values: dict[str, Value] = {name: value for name, value in wanted.items() if value is not None}
    if before is not None:
        values |= {"before_at": before[0], "before_id": before[1]}
    rows = connection.execute(_select_listings(frozenset(values)), limit=limit, **values)
    return [found for row in rows if (found := listed(row)) is not None]


def listed(row: Row) -> Listed | None:
    """Return the listing in a row of the columns `LISTED`, `None` if it is damaged."""
    table_id, *fields, digest = row
    listing = Listing(*fields)
    listing = replace(listing, running=bool(listing.running))
    try:
        return Listed(table_id, listing) if digest == listing_digest(table_id, listing) else None
    except (TypeError, ValueError):
        return None
