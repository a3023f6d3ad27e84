"""Who owns which table: rows that server processes take in turn, on the database's clock.

A process is an instance with an id that nobody had before, and has one row in `nodes`. It owns the tables that name it,
as long as its row has not expired; so a heartbeat is one row's update, however many tables there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.entry import Lease
from liarspoker.server.storage.errors import Leased, NoSuchTable


class Node(NamedTuple):
    """A server process.

    Attributes:
        instance: its id, which no other process has, before it or after it.
        name: what its user calls it; the next process of this name takes its tables up.
    """

    instance: str
    name: str


class Namesake(NamedTuple):
    """Another process of the same name that may be alive.

    Attributes:
        instance: its id.
        expires: when its leases expire, in seconds of the database's clock; every heartbeat moves it.
    """

    instance: str
    expires: float


def enter(
    connection: Connection, node: Node, now: float, lease_seconds: float, silent_seconds: float
) -> tuple[Namesake, ...]:
    """Store a row for a process that starts, unless another one of its name may be alive.

    Those that are dead lose their tables to whoever claims them first. The new process has been alive since its last
    namesake was, until a heartbeat says otherwise: it gives back the time between. Rows that nobody needs are deleted.

    Args:
        connection: with a transaction open.
        node: the process.
        now: the time of its clock.
        lease_seconds: until its leases expire.
        silent_seconds: a namesake without a heartbeat for so long is dead; 0 if every namesake is known to be. At most
            `lease_seconds`.

    Returns:
        The namesakes that may be alive; nothing is stored if there are any.
    """
    connection.execute("UPDATE marks SET value = value WHERE name = 'key'")  # so that those who start take turns
    rows = connection.execute(
        f"SELECT instance, expires, alive, expires > {connection.now} + ? FROM nodes "
        "WHERE name = ? AND instance <> ? ORDER BY expires DESC",
        (lease_seconds - silent_seconds, node.name, node.instance),
    )
    found = (Namesake(instance, expires) for instance, expires, _, may_live in rows if may_live)
    living = tuple(found) if silent_seconds else ()  # the clock may have been set back meanwhile
    if living:
        return living
    connection.execute(
        f"UPDATE nodes SET expires = {connection.now} WHERE name = ? AND instance <> ? AND expires > {connection.now}",
        (node.name, node.instance),
    )
    _store(connection, node, rows[0][2] if rows else now, lease_seconds)
    connection.execute(
        f"DELETE FROM nodes WHERE expires <= {connection.now} "
        "AND NOT EXISTS (SELECT 1 FROM tables WHERE tables.node = nodes.instance)"
    )
    return ()


def beat(connection: Connection, node: Node, alive: float | None, lease_seconds: float) -> bool:
    """Prolong all leases of a process; false if they had expired meanwhile, so that others may have claimed tables.

    Args:
        connection: with a transaction open.
        node: the process.
        alive: until when it was alive, in seconds of its clock; `None` leaves what is stored.
        lease_seconds: until its leases expire.
    """
    prolonged = connection.execute(
        f"UPDATE nodes SET alive = coalesce(?, alive), expires = {connection.now} + ? "
        f"WHERE instance = ? AND expires > {connection.now} RETURNING 1",
        (alive, lease_seconds, node.instance),
    )
    if not prolonged:
        _store(connection, node, alive, lease_seconds)
    return bool(prolonged)


def leave(connection: Connection, node: Node, alive: float | None) -> None:
    """Let all leases of a process that stops expire; until when it was alive is kept, as `beat` does."""
    connection.execute(
        f"UPDATE nodes SET alive = coalesce(?, alive), expires = {connection.now} WHERE instance = ?",
        (alive, node.instance),
    )


def owned(connection: Connection, instance: str) -> dict[str, int]:
    """The epochs of the tables that a process owns, by table."""
    return dict(connection.execute("SELECT table_id, epoch FROM tables WHERE node = ?", (instance,)))


def claim(connection: Connection, table_id: str, instance: str) -> int:
    """Take the lease of a table that nobody else owns; the new epoch."""
    rows = connection.execute(
        f"SELECT tables.node, coalesce(nodes.expires > {connection.now}, FALSE) FROM tables "
        "LEFT JOIN nodes ON nodes.instance = tables.node WHERE table_id = ?",
        (table_id,),
    )
    if not rows:
        raise NoSuchTable(f"table {table_id}: there is none")
    [(owner, living)] = rows
    if owner != instance and living:  # seen before anything is locked for which its owner would have to wait
        raise Leased(table_id, owner)
    connection.lock([table_id])
    [(owner,)] = connection.execute("SELECT node FROM tables WHERE table_id = ?", (table_id,))
    if owner is not None and owner != instance:
        # The owner's row stays as it is until this transaction ends: a heartbeat that finds it expired comes after it,
        # and sees who has claimed what.
        still = f"SELECT expires > {connection.now} FROM nodes WHERE instance = ? {connection.unchanged}"
        if any(alive for (alive,) in connection.execute(still, (owner,))):
            raise Leased(table_id, owner)
    claimed = "UPDATE tables SET epoch = epoch + 1, node = ? WHERE table_id = ? RETURNING epoch"
    return int(connection.execute(claimed, (instance, table_id))[0][0])


def release(connection: Connection, leases: Sequence[tuple[str, int]]) -> None:
    """Give up leases, each by its table and epoch; those that are over stay as they are."""
    connection.execute_many("UPDATE tables SET node = NULL WHERE table_id = ? AND epoch = ?", leases)


def find(connection: Connection, table_id: str) -> Lease | None:
    """The lease of a table as it stands, `None` if there is no such table."""
    rows = connection.execute(
        "SELECT tables.node, tables.epoch, nodes.alive, coalesce(nodes.expires, 0.0) FROM tables "
        "LEFT JOIN nodes ON nodes.instance = tables.node WHERE table_id = ?",
        (table_id,),
    )
    return Lease._make(rows[0]) if rows else None


def _store(connection: Connection, node: Node, alive: float | None, lease_seconds: float) -> None:
    connection.execute(
        f"INSERT INTO nodes (instance, name, alive, expires) VALUES (?, ?, ?, {connection.now} + ?) "
        "ON CONFLICT (instance) DO UPDATE SET alive = coalesce(excluded.alive, nodes.alive), "
        "expires = excluded.expires",
        (node.instance, node.name, alive, lease_seconds),
    )
