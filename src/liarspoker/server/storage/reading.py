"""What is asked of the log and the lobby."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter

from liarspoker.server.storage.appending import COLUMNS
from liarspoker.server.storage.chain import checked, digest_of
from liarspoker.server.storage.connection import Connection, Row, Value
from liarspoker.server.storage.entry import Listed, Listing, Stored, TableLog
from liarspoker.server.storage.errors import BadKey, TableDamaged
from liarspoker.server.storage.packing import unpack
from liarspoker.server.storage.sealing import Sealer

TABLES_AT_ONCE = 100
LISTING_COLUMNS = "table_id, status, game, title, visibility, seats_taken, seats, updated_at, summary, owner, digest"


def logs(connection: Connection, sealer: Sealer, table_ids: Sequence[str]) -> dict[str, TableLog]:
    """The logs of those of the tables that exist, with their seeds opened.

    Raises:
        TableDamaged: one of them is.
    """
    chosen = f"WHERE table_id {connection.among}"
    values = (connection.array(table_ids),)
    created = connection.execute(f"SELECT table_id, created_at FROM tables {chosen}", values)
    entries = sound_entries(connection, table_ids)
    seeds: dict[str, dict[int, bytes]] = defaultdict(dict)
    for table_id, deal, sealed in connection.execute(f"SELECT table_id, deal, sealed FROM secrets {chosen}", values):
        try:
            seeds[table_id][deal] = sealer.open(sealed, table_id, deal)
        except BadKey as error:  # the key is the right one, as was seen at the start
            raise TableDamaged(table_id, "a seed does not open") from error
    return {
        table_id: TableLog(table_id, created_at, entries.get(table_id, ()), seeds[table_id])
        for table_id, created_at in created
    }


def sound_entries(connection: Connection, table_ids: Sequence[str]) -> dict[str, tuple[Stored, ...]]:
    """The entries of those of the tables that have any.

    Raises:
        TableDamaged: something in one of these logs was changed, or is missing.
    """
    archives = connection.execute(
        f"SELECT table_id, packed FROM archives WHERE table_id {connection.among}", (connection.array(table_ids),)
    )
    entries = {table_id: checked(table_id, _unpacked(table_id, packed)) for table_id, packed in archives}
    hot = [table_id for table_id in table_ids if table_id not in entries]  # what is left of an archived log has gaps
    rows = connection.execute(
        f"SELECT {COLUMNS}, digest FROM events WHERE table_id {connection.among} ORDER BY table_id, version",
        (connection.array(hot),),
    )
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


def _archived(connection: Connection, table_id: str) -> tuple[Stored, ...]:
    """The log of a table that is archived; nothing for any other."""
    rows = connection.execute("SELECT packed FROM archives WHERE table_id = ?", (table_id,))
    return checked(table_id, _unpacked(table_id, rows[0][0])) if rows else ()


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
    """The tables of which something cannot be read, was changed or is missing, as far as that shows without the key.

    Args:
        connection: with a transaction open that reads.
        is_damage: whether an error means that what was asked for is damaged.
    """
    known = [table_id for (table_id,) in connection.execute("SELECT table_id FROM tables ORDER BY table_id")]
    try:
        with _probing(connection):
            rows = connection.execute("SELECT table_id FROM events UNION SELECT table_id FROM archives")
            logged = {table_id for (table_id,) in rows}
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
                for other in ("secrets", "listings", "members"):
                    connection.execute(
                        f"SELECT * FROM {other} WHERE table_id {connection.among}", (connection.array(table_ids),)
                    )
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
    ask = "SELECT 1 WHERE EXISTS (SELECT 1 FROM {0} WHERE table_id = ?)"
    return any(connection.execute(ask.format(name), (table_id,)) for name in ("events", "archives"))


def entries_after(connection: Connection, table_id: str, version: int) -> list[Stored]:
    """The entries of a table that follow `version`, in order."""
    if archived := _archived(connection, table_id):
        return list(archived[version:])
    ask = f"SELECT {COLUMNS} FROM events WHERE table_id = ? AND version > ? ORDER BY version"
    return [Stored._make(row) for row in connection.execute(ask, (table_id, version))]


def command(connection: Connection, table_id: str, command_id: str) -> Stored | None:
    """The entry that a command made, `None` if it took no effect."""
    ask = f"SELECT {COLUMNS} FROM events WHERE table_id = ? AND command_id = ?"
    rows = connection.execute(ask, (table_id, command_id))
    if rows:
        return Stored._make(rows[0])
    return next((entry for entry in _archived(connection, table_id) if entry.command_id == command_id), None)


def listings(
    connection: Connection,
    status: str | None,
    game: str | None,
    visibility: str | None,
    member: str | None,
    before: tuple[float, str] | None,
    limit: int,
) -> list[Listed]:
    """The listings that fit all that is given, those that changed last first; damaged ones are left out."""
    conditions, values = ["1 = 1"], list[Value]()
    for column, wanted in (("status", status), ("game", game), ("visibility", visibility)):
        if wanted is not None:
            conditions.append(f"{column} = ?")
            values.append(wanted)
    if member is not None:
        conditions.append("table_id IN (SELECT table_id FROM members WHERE user_id = ?)")
        values.append(member)
    if before is not None:
        conditions.append("(updated_at, table_id) < (?, ?)")
        values.extend(before)
    rows = connection.execute(
        f"SELECT {LISTING_COLUMNS} FROM listings WHERE {' AND '.join(conditions)} "
        "ORDER BY updated_at DESC, table_id DESC LIMIT ?",
        (*values, limit),
    )
    return [listed for row in rows if (listed := _listed(row)) is not None]


def listing(connection: Connection, table_id: str) -> Listing | None:
    """How the lobby lists a table, `None` if it does not."""
    rows = connection.execute(f"SELECT {LISTING_COLUMNS} FROM listings WHERE table_id = ?", (table_id,))
    found = _listed(rows[0]) if rows else None
    return None if found is None else found.listing


def _listed(row: Row) -> Listed | None:
    """A row of the lobby, `None` for one that was damaged."""
    table_id, *fields, digest = row
    listing = Listing(*fields)
    try:
        return Listed(table_id, listing) if digest == digest_of(table_id, listing) else None
    except (TypeError, ValueError):
        return None


def members(connection: Connection, table_id: str) -> frozenset[str]:
    """The ids of the users among whose tables this one is."""
    rows = connection.execute("SELECT user_id FROM members WHERE table_id = ?", (table_id,))
    return frozenset(user_id for (user_id,) in rows)
