"""Who owns which table, and until when: rows that nodes take in turn, on the database's clock."""

from __future__ import annotations

from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.entry import Lease
from liarspoker.server.storage.errors import Leased, NoSuchTable


def claim(connection: Connection, table_id: str, node: str, seconds: float) -> int:
    """Take the lease of a table that nobody else owns; the new epoch."""
    taken = connection.execute(
        f"UPDATE tables SET epoch = epoch + 1, node = ?, lease_expires = {connection.now} + ? WHERE table_id = ? "
        f"AND (node IS NULL OR node = ? OR lease_expires <= {connection.now}) RETURNING epoch",
        (node, seconds, table_id, node),
    )
    if taken:
        return int(taken[0][0])
    lease = find(connection, table_id)
    if lease is None:
        raise NoSuchTable(f"table {table_id}: there is none")
    raise Leased(table_id, lease.node or "")


def renew(connection: Connection, node: str, seconds: float) -> dict[str, int]:
    """Prolong all leases of a node; the epochs by table."""
    rows = connection.execute(
        f"UPDATE tables SET lease_expires = {connection.now} + ? WHERE node = ? RETURNING table_id, epoch",
        (seconds, node),
    )
    return dict(rows)


def release(connection: Connection, table_id: str, epoch: int) -> None:
    """Give a lease up, if it still is the table's."""
    connection.execute(
        "UPDATE tables SET node = NULL, lease_expires = 0 WHERE table_id = ? AND epoch = ?", (table_id, epoch)
    )


def find(connection: Connection, table_id: str) -> Lease | None:
    """The lease of a table as it stands, `None` if there is no such table."""
    rows = connection.execute("SELECT node, epoch, lease_expires FROM tables WHERE table_id = ?", (table_id,))
    return Lease._make(rows[0]) if rows else None
