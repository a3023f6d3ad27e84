"""Judging and storing a batch of entries inside one transaction.

The tables of the batch are locked first, so that what is then read of them stays true until the transaction ends: an
entry that is accepted cannot fail any more, and one that is refused leaves the others alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage.connection import ONE, Among, Connection, Value, Values, insert, value
from liarspoker.server.storage.entry import Entry, Listing, Stored, chained, digest_of
from liarspoker.server.storage.errors import Conflict, NoSuchTable, NotOwner, Repeated, StorageError
from liarspoker.server.storage.schema import EVENTS, LISTINGS, MEMBERS, SECRETS, TABLES
from liarspoker.server.storage.sealing import Sealer

ENTRY = tuple(EVENTS.c[name] for name in Stored._fields)
"""The columns of a log's entry, without its digest."""
INSERT_EVENT = insert(EVENTS)


def _insert_next() -> sa.Insert:
    """Store an entry that `judge` would accept, and no other, in one statement."""
    own = EVENTS.c.table_id == value(EVENTS.c.table_id)
    before = sa.select(EVENTS.c.digest).where(own, EVENTS.c.version == value(EVENTS.c.version) - 1).scalar_subquery()
    last = sa.select(sa.func.max(EVENTS.c.version)).where(own).scalar_subquery()
    repeated = sa.exists().where(own, EVENTS.c.command_id == value(EVENTS.c.command_id))
    given = [value(column) for column in ENTRY]
    row = sa.select(*given, sa.func.chained(before, *given)).where(
        TABLES.c.table_id == value(EVENTS.c.table_id),
        TABLES.c.epoch == value(EVENTS.c.epoch),
        value(EVENTS.c.version) == 1 + sa.func.coalesce(last, 0),
        ~repeated,
    )
    return sa.insert(EVENTS).from_select([*ENTRY, EVENTS.c.digest], row).returning(ONE)


INSERT_NEXT = _insert_next()
INSERT_SECRET = insert(SECRETS)
INSERT_MEMBER = insert(MEMBERS).on_conflict_do_nothing()
_LISTED = tuple(LISTINGS.c[name] for name in ("table_id", *Listing.__slots__, "digest"))
_INSERT_LISTING = insert(LISTINGS, *_LISTED)
UPSERT_LISTING = _INSERT_LISTING.on_conflict_do_update(
    index_elements=[LISTINGS.c.table_id], set_={one.name: _INSERT_LISTING.excluded[one.name] for one in _LISTED[1:]}
)
FIND_ENTRY = sa.select(*ENTRY).where(
    EVENTS.c.table_id == value(EVENTS.c.table_id), EVENTS.c.version == value(EVENTS.c.version)
)
_OF_TABLE = sa.select(EVENTS.c.version, EVENTS.c.digest).where(EVENTS.c.table_id == TABLES.c.table_id)
_LAST = _OF_TABLE.order_by(EVENTS.c.version.desc()).limit(ONE)
STANDING = sa.select(
    TABLES.c.table_id,
    TABLES.c.epoch,
    sa.func.coalesce(_LAST.with_only_columns(EVENTS.c.version).scalar_subquery(), 0),
    _LAST.with_only_columns(EVENTS.c.digest).scalar_subquery(),
).where(Among(TABLES.c.table_id, "table_ids"))


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
        None if connection.execute(INSERT_NEXT, **_values(entry)) else _append_together(connection, [entry])[0]
        for entry in entries
    ]


def _append_together(connection: Connection, entries: Sequence[Entry]) -> list[StorageError | None]:
    """All at once, in a few statements."""
    ids = sorted({entry.table_id for entry in entries})
    standing = _standing(connection, ids)
    verdicts = judge(entries, standing, _known(connection, entries))
    digests = {table_id: stands.digest for table_id, stands in standing.items()}
    accepted: list[Values] = []
    for entry in (entry for entry, verdict in zip(entries, verdicts, strict=True) if verdict is None):
        digests[entry.table_id] = chained(digests[entry.table_id], *_row(entry))
        accepted.append({**_values(entry), "digest": digests[entry.table_id]})
    connection.execute_many(INSERT_EVENT, accepted)
    return verdicts


def _row(entry: Entry) -> Stored:
    return Stored(entry.table_id, entry.version, entry.epoch, entry.command_id, entry.at, entry.body)


def _values(entry: Entry) -> dict[str, Value]:
    return {
        "table_id": entry.table_id,
        "version": entry.version,
        "epoch": entry.epoch,
        "command_id": entry.command_id,
        "at": entry.at,
        "body": entry.body,
    }


def _already_stored(connection: Connection, entries: Sequence[Entry]) -> frozenset[Stored]:
    """The rows that the log has at the versions of these entries."""
    found = (connection.execute(FIND_ENTRY, table_id=entry.table_id, version=entry.version) for entry in entries)
    return frozenset(Stored._make(row) for rows in found for row in rows)


def _standing(connection: Connection, table_ids: Sequence[str]) -> dict[str, Standing]:
    rows = connection.execute(STANDING, table_ids=connection.array(table_ids))
    return {table_id: Standing(*stands) for table_id, *stands in rows}


def _known(connection: Connection, entries: Sequence[Entry]) -> dict[tuple[str, str], int]:
    pairs = [(entry.table_id, entry.command_id) for entry in entries if entry.command_id is not None]
    return {(table_id, command_id): version for table_id, command_id, version in connection.known(pairs)}


def _store_beside(connection: Connection, entries: Sequence[Entry], sealer: Sealer) -> None:
    """Store what belongs to accepted entries beside their rows in the log."""
    secrets: list[Values] = [
        {"table_id": entry.table_id, "deal": deal, "sealed": sealer.seal(seed, entry.table_id, deal)}
        for entry in entries
        for deal, seed in entry.seeds
    ]
    if secrets:
        connection.execute_many(INSERT_SECRET, secrets)
    # Of several listings of one table the last one stands.
    for table_id, listing in {entry.table_id: entry.listing for entry in entries if entry.listing}.items():
        values = {name: getattr(listing, name) for name in listing.__slots__} | {"running": int(listing.running)}
        connection.execute(UPSERT_LISTING, table_id=table_id, digest=digest_of(table_id, listing), **values)
    members: list[Values] = [
        {"table_id": entry.table_id, "user_id": user} for entry in entries for user in entry.members_added
    ]
    if members:
        connection.execute_many(INSERT_MEMBER, members)
