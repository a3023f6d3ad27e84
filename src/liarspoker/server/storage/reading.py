"""What is asked of the log and the lobby."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from liarspoker.server.storage.appending import COLUMNS
from liarspoker.server.storage.connection import Connection, Row, Value
from liarspoker.server.storage.entry import Listed, Listing, Stored, TableLog
from liarspoker.server.storage.sealing import Sealer

LISTING_COLUMNS = "table_id, status, game, title, visibility, seats_taken, seats, updated_at, summary"

# As `Stored._make`, at a third of the cost: a start reads every log.
_stored: Callable[[Row], Stored] = partial(tuple.__new__, Stored)


def logs(connection: Connection, sealer: Sealer, table_ids: Sequence[str]) -> dict[str, TableLog]:
    """The logs of those of the tables that exist, with their seeds opened."""
    chosen = f"WHERE table_id {connection.among}"
    values = (connection.array(table_ids),)
    created = connection.execute(f"SELECT table_id, created_at FROM tables {chosen}", values)
    rows = connection.execute(f"SELECT {COLUMNS} FROM events {chosen} ORDER BY table_id, version", values)
    entries = {table_id: tuple(map(_stored, found)) for table_id, found in groupby(rows, itemgetter(0))}
    seeds: dict[str, dict[int, bytes]] = defaultdict(dict)
    for table_id, deal, sealed in connection.execute(f"SELECT table_id, deal, sealed FROM secrets {chosen}", values):
        seeds[table_id][deal] = sealer.open(sealed, table_id, deal)
    return {
        table_id: TableLog(table_id, created_at, entries.get(table_id, ()), seeds[table_id])
        for table_id, created_at in created
    }


def entries_after(connection: Connection, table_id: str, version: int) -> list[Stored]:
    """The entries of a table that follow `version`, in order."""
    ask = f"SELECT {COLUMNS} FROM events WHERE table_id = ? AND version > ? ORDER BY version"
    return [Stored._make(row) for row in connection.execute(ask, (table_id, version))]


def command(connection: Connection, table_id: str, command_id: str) -> Stored | None:
    """The entry that a command made, `None` if it took no effect."""
    ask = f"SELECT {COLUMNS} FROM events WHERE table_id = ? AND command_id = ?"
    rows = connection.execute(ask, (table_id, command_id))
    return Stored._make(rows[0]) if rows else None


def listings(
    connection: Connection,
    status: str | None,
    game: str | None,
    visibility: str | None,
    member: str | None,
    before: tuple[float, str] | None,
    limit: int,
) -> list[Listed]:
    """The listings that fit all that is given, those that changed last first."""
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
    return [Listed(table_id, Listing(*rest)) for table_id, *rest in rows]


def listing(connection: Connection, table_id: str) -> Listing | None:
    """How the lobby lists a table, `None` if it does not."""
    rows = connection.execute(f"SELECT {LISTING_COLUMNS} FROM listings WHERE table_id = ?", (table_id,))
    return Listing(*rows[0][1:]) if rows else None


def members(connection: Connection, table_id: str) -> frozenset[str]:
    """The ids of the users among whose tables this one is."""
    rows = connection.execute("SELECT user_id FROM members WHERE table_id = ?", (table_id,))
    return frozenset(user_id for (user_id,) in rows)
