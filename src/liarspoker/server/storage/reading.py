"""What is asked of the log and the lobby."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import groupby
from operator import itemgetter

import sqlalchemy as sa

from liarspoker.server.storage.connection import LIMIT, ONE, Among, Connection, Row, Value, value
from liarspoker.server.storage.errors import BadKey, TableDamaged
from liarspoker.server.storage.log import ENTRY, Listed, Listing, Stored, TableLog, checked, digest_of, unpack
from liarspoker.server.storage.schema import ARCHIVES, EVENTS, LISTINGS, MEMBERS, SECRETS, TABLES
from liarspoker.server.storage.sealing import Sealer

TABLES_AT_ONCE = 100
_CREATED = sa.select(TABLES.c.created_at).where(TABLES.c.table_id == value(TABLES.c.table_id))
_SEALED = sa.select(SECRETS.c.deal, SECRETS.c.sealed).where(SECRETS.c.table_id == value(SECRETS.c.table_id))
_ARCHIVED = sa.select(ARCHIVES.c.table_id, ARCHIVES.c.packed).where(Among(ARCHIVES.c.table_id, "table_ids"))
_ENTRIES = (
    sa.select(*ENTRY, EVENTS.c.digest)
    .where(Among(EVENTS.c.table_id, "table_ids"))
    .order_by(EVENTS.c.table_id, EVENTS.c.version)
)
_LOGGED = sa.union(sa.select(EVENTS.c.table_id), sa.select(ARCHIVES.c.table_id))
_HAS_ENTRIES = [
    sa.select(ONE).where(sa.exists().where(table.c.table_id == value(table.c.table_id))) for table in (EVENTS, ARCHIVES)
]
ALL_TABLES = sa.select(TABLES.c.table_id).order_by(TABLES.c.table_id)
_BESIDE = [sa.select(table).where(Among(table.c.table_id, "table_ids")) for table in (SECRETS, LISTINGS, MEMBERS)]


def log(connection: Connection, sealer: Sealer, table_id: str) -> TableLog | None:
    """The log of a table with its seeds opened; `None` if there is no such table.

    Raises:
        TableDamaged: something in it was changed, or is missing.
    """
    created = connection.execute(_CREATED, table_id=table_id)
    entries = sound_entries(connection, [table_id])
    try:
        sealed = connection.execute(_SEALED, table_id=table_id)
        seeds = {deal: sealer.open(box, table_id, deal) for deal, box in sealed}
    except BadKey as error:  # the key is the right one, as was seen at the start
        raise TableDamaged(table_id, "a seed does not open") from error
    if created:
        return TableLog(table_id, created[0][0], entries.get(table_id, ()), seeds)
    if has_entries(connection, table_id):
        raise TableDamaged(table_id, "there is nothing of it but its log")
    return None


def sound_entries(connection: Connection, table_ids: Sequence[str]) -> dict[str, tuple[Stored, ...]]:
    """The entries of those of the tables that have any.

    Raises:
        TableDamaged: something in one of these logs was changed, or is missing.
    """
    archives = connection.execute(_ARCHIVED, table_ids=connection.array(table_ids))
    entries = {table_id: checked(table_id, _unpacked(table_id, packed)) for table_id, packed in archives}
    hot = [table_id for table_id in table_ids if table_id not in entries]  # what is left of an archived log has gaps
    rows = connection.execute(_ENTRIES, table_ids=connection.array(hot))
    entries |= {table_id: checked(table_id, found) for table_id, found in groupby(rows, itemgetter(0))}
    lengths = connection.log_lengths(hot)
    if lengths is not None:
        for table_id in hot:
            if len(entries.get(table_id, ())) != lengths.get(table_id, 0):
                raise TableDamaged(table_id, "its last entries are missing")
    return entries


def _unpacked(table_id: str, packed: bytes) -> list[Row]:
    """The rows of the log that an archive holds."""
    try:
        return unpack(bytes(packed), (*Stored._fields, "digest"))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise TableDamaged(table_id, "its archive cannot be read") from error


@contextmanager
def _probing(connection: Connection) -> Iterator[None]:
    """Ask something that may fail; the transaction goes on, which PostgreSQL would end with the first error."""
    connection.execute("SAVEPOINT probe")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK TO SAVEPOINT probe")
        raise
    finally:
        connection.execute("RELEASE SAVEPOINT probe")


def damaged_tables(connection: Connection, is_damage: Callable[[Exception], bool]) -> list[str]:
    """The tables of which something cannot be read, was changed or is missing, as far as that shows without the key."""
    known = [table_id for (table_id,) in connection.execute(ALL_TABLES)]
    try:
        with _probing(connection):
            logged = {table_id for (table_id,) in connection.execute(_LOGGED)}
    except Exception as error:
        if not is_damage(error):
            raise
        logged = set()  # whose log it is, shows below
    # An id that is no text any more belongs to a table whose log nobody owns now, or whose log has a gap.
    damaged = sorted(table_id for table_id in logged - set(known) if isinstance(table_id, str))

    def look(table_ids: Sequence[str]) -> None:
        try:
            with _probing(connection):
                sound_entries(connection, table_ids)
                for beside in _BESIDE:
                    connection.execute(beside, table_ids=connection.array(table_ids))
        except Exception as error:
            if not isinstance(error, TableDamaged) and not is_damage(error):
                raise
            if len(table_ids) == 1:
                damaged.append(table_ids[0])
            else:
                for table_id in table_ids:
                    look([table_id])

    known = [table_id for table_id in known if isinstance(table_id, str)]
    for start in range(0, len(known), TABLES_AT_ONCE):
        look(known[start : start + TABLES_AT_ONCE])
    return damaged


def has_entries(connection: Connection, table_id: str) -> bool:
    """Whether there is a log, be there such a table or not."""
    return any(connection.execute(ask, table_id=table_id) for ask in _HAS_ENTRIES)


@cache
def _select_listings(wanted: frozenset[str]) -> sa.Select[Row]:
    """The listings that fit the values with these names, those that changed last first."""
    ask = sa.select(*(LISTINGS.c[name] for name in ("table_id", *Listing.__slots__, "digest")))
    for name in sorted(wanted & set(LISTINGS.c.keys())):
        ask = ask.where(LISTINGS.c[name] == value(LISTINGS.c[name]))
    if "member" in wanted:
        theirs = sa.select(MEMBERS.c.table_id).where(MEMBERS.c.user_id == value(MEMBERS.c.user_id, "member"))
        ask = ask.where(LISTINGS.c.table_id.in_(theirs))
    if "before_id" in wanted:
        before = value(LISTINGS.c.updated_at, "before_at"), value(LISTINGS.c.table_id, "before_id")
        ask = ask.where(sa.tuple_(LISTINGS.c.updated_at, LISTINGS.c.table_id) < sa.tuple_(*before))
    return ask.order_by(LISTINGS.c.updated_at.desc(), LISTINGS.c.table_id.desc()).limit(LIMIT)


def listings(
    connection: Connection, limit: int, before: tuple[float, str] | None, **wanted: str | int | None
) -> list[Listed]:
    """The listings that fit all that is given, those that changed last first; damaged ones are left out."""
    values: dict[str, Value] = {name: value for name, value in wanted.items() if value is not None}
    if before is not None:
        values |= {"before_at": before[0], "before_id": before[1]}
    rows = connection.execute(_select_listings(frozenset(values)), limit=limit, **values)
    return [listed for row in rows if (listed := _listed(row)) is not None]


def _listed(row: Row) -> Listed | None:
    """A row of the lobby, `None` for one that was damaged."""
    table_id, *fields, running, digest = row
    listing = replace(Listing(*fields), running=bool(running))
    try:
        return Listed(table_id, listing) if digest == digest_of(table_id, listing) else None
    except (TypeError, ValueError):
        return None
