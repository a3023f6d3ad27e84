"""Judging and storing a batch of entries inside one transaction.

The tables of the batch are locked first, so that what is then read of them stays true until the transaction ends: an
entry that is accepted cannot fail any more, and one that is refused leaves the others alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from liarspoker.server.storage.chain import chained, digest_of
from liarspoker.server.storage.connection import Connection, Row
from liarspoker.server.storage.entry import Entry, Listing, Stored
from liarspoker.server.storage.errors import Conflict, NoSuchTable, NotOwner, Repeated, StorageError
from liarspoker.server.storage.sealing import Sealer

COLUMNS = "table_id, version, epoch, command_id, at, body"
INSERT_EVENT = f"INSERT INTO events ({COLUMNS}, digest) VALUES (?, ?, ?, ?, ?, ?, ?)"
INSERT_NEXT = (
    f"INSERT INTO events ({COLUMNS}, digest) SELECT ?1, ?2, ?3, ?4, ?5, ?6, "
    "chained((SELECT digest FROM events WHERE table_id = ?1 AND version = ?2 - 1), ?1, ?2, ?3, ?4, ?5, ?6) "
    "FROM tables WHERE table_id = ?1 AND epoch = ?3 "
    "AND ?2 = 1 + coalesce((SELECT max(version) FROM events WHERE table_id = ?1), 0) "
    "AND NOT EXISTS (SELECT 1 FROM events WHERE table_id = ?1 AND command_id = ?4) RETURNING 1"
)
"""Stores an entry that `judge` would accept, and no other; for databases that are near, which know numbered values."""
INSERT_SECRET = "INSERT INTO secrets (table_id, deal, sealed) VALUES (?, ?, ?)"
INSERT_MEMBER = "INSERT INTO members (table_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
DELETE_MEMBER = "DELETE FROM members WHERE table_id = ? AND user_id = ?"
UPSERT_LISTING = (
    "INSERT INTO listings (table_id, status, game, title, visibility, seats_taken, seats, updated_at, summary, owner, "
    "digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (table_id) DO UPDATE SET status = excluded.status, "
    "game = excluded.game, title = excluded.title, visibility = excluded.visibility, "
    "seats_taken = excluded.seats_taken, seats = excluded.seats, updated_at = excluded.updated_at, "
    "summary = excluded.summary, owner = excluded.owner, digest = excluded.digest"
)


class Standing(NamedTuple):
    """Where a table stands: the epoch of its lease, its last version, and the digest of that entry if it has one."""

    epoch: int
    last: int
    digest: bytes | None = None


def judge(
    entries: Sequence[Entry], standing: Mapping[str, Standing], known: Mapping[tuple[str, str], int]
) -> list[StorageError | None]:
    """For each entry why it is refused, or `None` where it is to be stored.

    The entries are taken in order, each after those before it that were accepted. A repeated command is told from
    every other fault, so that whoever sends it again learns what it did the first time.

    Args:
        entries: in the order in which they came.
        standing: of every table that exists and has an entry here.
        known: the version that a command made, by table and command.

    >>> first = Entry("T", 1, epoch=1, command_id="a", at=0.0, body="[]")
    >>> again = Entry("T", 2, epoch=1, command_id="a", at=0.0, body="[]")
    >>> [verdict and verdict.code for verdict in judge([first, again, first], {"T": Standing(1, 0)}, {})]
    [None, 'repeated', 'repeated']
    """
    last = {table_id: stands.last for table_id, stands in standing.items()}
    made = dict(known)
    verdicts: list[StorageError | None] = []
    for entry in entries:
        table_id, command_id = entry.table_id, entry.command_id
        verdict: StorageError | None = None
        if table_id not in standing:
            verdict = NoSuchTable(f"table {table_id}: there is none")
        elif command_id is not None and (version := made.get((table_id, command_id))) is not None:
            verdict = Repeated(table_id, command_id, version)
        elif entry.epoch != standing[table_id].epoch:
            verdict = NotOwner(table_id, entry.epoch)
        elif entry.version != last[table_id] + 1:
            verdict = Conflict(table_id, entry.version, last[table_id])
        else:
            last[table_id] = entry.version
            if command_id is not None:
                made[table_id, command_id] = entry.version
        verdicts.append(verdict)
    return verdicts


def append_all(
    connection: Connection, entries: Sequence[Entry], sealer: Sealer, tried_before: bool
) -> list[StorageError | None]:
    """Store those of the entries that `judge` accepts, in the transaction that is open.

    Args:
        connection: with a transaction open.
        entries: in the order in which they came.
        sealer: for the seeds.
        tried_before: whether a commit of the same entries was lost on its way, so that they may be stored already.

    Returns:
        For each entry why it was refused, or `None` where it is stored.
    """
    if not entries:
        return []
    ids = sorted({entry.table_id for entry in entries})
    connection.lock(ids)
    stored = _already_stored(connection, entries) if tried_before else frozenset()
    new = [entry for entry in entries if _row(entry) not in stored] if stored else entries
    verdicts = (_append_each if connection.near else _append_together)(connection, new)
    _store_beside(connection, [entry for entry, verdict in zip(new, verdicts, strict=True) if verdict is None], sealer)
    judged = iter(verdicts)
    return [None if _row(entry) in stored else next(judged) for entry in entries] if stored else verdicts


def _append_each(connection: Connection, entries: Sequence[Entry]) -> list[StorageError | None]:
    """One by one: a single statement for each that is accepted, as nearly all are, and the others are judged."""
    return [
        None if connection.execute(INSERT_NEXT, _row(entry)) else _append_together(connection, [entry])[0]
        for entry in entries
    ]


def _append_together(connection: Connection, entries: Sequence[Entry]) -> list[StorageError | None]:
    """All at once, in a few statements."""
    ids = sorted({entry.table_id for entry in entries})
    standing = _standing(connection, ids)
    verdicts = judge(entries, standing, _known(connection, entries))
    digests = {table_id: stands.digest for table_id, stands in standing.items()}
    accepted: list[Row] = []
    for entry in (entry for entry, verdict in zip(entries, verdicts, strict=True) if verdict is None):
        row = _row(entry)
        digests[entry.table_id] = chained(digests[entry.table_id], *row)
        accepted.append((*row, digests[entry.table_id]))
    connection.execute_many(INSERT_EVENT, accepted)
    return verdicts


def _row(entry: Entry) -> Stored:
    return Stored(entry.table_id, entry.version, entry.epoch, entry.command_id, entry.at, entry.body)


def _already_stored(connection: Connection, entries: Sequence[Entry]) -> frozenset[Stored]:
    """The rows that the log has at the versions of these entries."""
    ask = f"SELECT {COLUMNS} FROM events WHERE table_id = ? AND version = ?"
    found = (connection.execute(ask, (entry.table_id, entry.version)) for entry in entries)
    return frozenset(Stored._make(row) for rows in found for row in rows)


def _standing(connection: Connection, table_ids: Sequence[str]) -> dict[str, Standing]:
    rows = connection.execute(
        "SELECT table_id, epoch, "
        "coalesce((SELECT max(version) FROM events WHERE events.table_id = tables.table_id), 0), "
        "(SELECT digest FROM events WHERE events.table_id = tables.table_id ORDER BY version DESC LIMIT 1) "
        f"FROM tables WHERE table_id {connection.among}",
        (connection.array(table_ids),),
    )
    return {table_id: Standing(*stands) for table_id, *stands in rows}


def _known(connection: Connection, entries: Sequence[Entry]) -> dict[tuple[str, str], int]:
    pairs = [(entry.table_id, entry.command_id) for entry in entries if entry.command_id is not None]
    return {(table_id, command_id): version for table_id, command_id, version in connection.known(pairs)}


def _store_beside(connection: Connection, entries: Sequence[Entry], sealer: Sealer) -> None:
    """Store what belongs to accepted entries beside their rows in the log."""
    secrets = [
        (entry.table_id, deal, sealer.seal(seed, entry.table_id, deal))
        for entry in entries
        for deal, seed in entry.seeds
    ]
    if secrets:
        connection.execute_many(INSERT_SECRET, secrets)
    # Of several listings of one table the last one stands.
    for table_id, listing in {entry.table_id: entry.listing for entry in entries if entry.listing}.items():
        store_listing(connection, table_id, listing)
    for entry in entries:
        store_members(connection, entry.table_id, entry.members_added)
        if entry.members_removed:
            connection.execute_many(DELETE_MEMBER, [(entry.table_id, user_id) for user_id in entry.members_removed])


def store_listing(connection: Connection, table_id: str, listing: Listing) -> None:
    """List the table so from now on, in the transaction that is open."""
    values = (getattr(listing, name) for name in listing.__slots__)
    connection.execute(UPSERT_LISTING, (table_id, *values, digest_of(table_id, listing)))


def store_members(connection: Connection, table_id: str, user_ids: Sequence[str]) -> None:
    """Count the table among those of the users, in the transaction that is open."""
    if user_ids:
        connection.execute_many(INSERT_MEMBER, [(table_id, user_id) for user_id in user_ids])
