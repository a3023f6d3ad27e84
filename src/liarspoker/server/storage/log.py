"""The log of a table: its entries, how a batch is validated and stored, and the digests that detect damage.

The digest of an entry covers its fields and the digest of the previous entry, so an entry that was modified, lost,
moved or replaced breaks the chain. Entries of older releases have no digest; the chain begins with the first entry that
has one. The chain detects damage, not tampering: anyone who can write to the database can compute a new chain.

The shards of a batch are locked first, so that what is read about its tables stays valid until the transaction ends: an
accepted entry can't fail any more, and a rejected entry doesn't affect the others.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage.connection import ONE, Among, Connection, Value, Values, insert, value
from liarspoker.server.storage.errors import Conflict, NoSuchTable, NotOwner, Repeated, StorageError, TableDamaged
from liarspoker.server.storage.schema import EVENTS, LISTINGS, MEMBERS, SECRETS, SHARDS, TABLES
from liarspoker.server.storage.sealing import Sealer

DIGEST_BYTES = 16
SHARD_COUNT = 128
"""The number of shards. It is fixed: the table `shards` has one row for each."""
PACKED_FORM = b"\x01"


@dataclass(frozen=True, slots=True)
class Listing:
    """A table as the lobby lists it: a projection of its log, stored with the entry that changed it.

    Attributes:
        status: such as `"waiting"`; chosen by the server.
        game: the id of the game.
        title: the title of the table.
        visibility: who can find it, such as `"public"`; chosen by the server.
        seats_taken: the number of occupied and reserved seats.
        seats: the number of seats.
        updated_at: when it last changed, in seconds.
        summary: further information, as a JSON object.
        owner: the id of the user who owns the table; `None` if unknown.
        running: whether a clock runs, so that the table has to be opened after a restart.
        due: in correspondence play, the deadline of the running clock, in seconds. The table needn't be open before it.
        awaits: in correspondence play, the id of the user whose turn it is.
        since: when that turn began, in seconds.
    """

    status: str
    game: str
    title: str
    visibility: str
    seats_taken: int
    seats: int
    updated_at: float
    summary: str = "{}"
    owner: str | None = None
    running: bool = False
    due: float | None = None
    awaits: str | None = None
    since: float | None = None


class Listed(NamedTuple):
    """A listing and the id of its table."""

    table_id: str
    listing: Listing


@dataclass(frozen=True, slots=True)
class Entry:
    """The effect of one command on a table, which is stored atomically.

    Attributes:
        table_id: the id of the table.
        version: the version that the entry creates: 1 for a table's first entry, then consecutive.
        epoch: the epoch under which the sender owns the table's shard.
        command_id: the id that the sender gave the command; `None` for the server's own actions.
        at: when, in seconds.
        body: its events, as JSON, which the storage doesn't interpret.
        seeds: `(deal, seed)` for every new seed; stored encrypted, separately from the log.
        listing: the new listing in the lobby; `None` for no change.
        members_added: ids of the users who become members of the table.
        also: a job to run in the same transaction if the entry is stored. It can't fail without failing the entry.
    """

    table_id: str
    version: int
    epoch: int
    command_id: str | None
    at: float
    body: str
    seeds: tuple[tuple[int, bytes], ...] = field(default=(), repr=False)
    listing: Listing | None = None
    members_added: tuple[str, ...] = ()
    also: Callable[[Connection], None] | None = None


class Stored(NamedTuple):
    """An entry as it is stored; see `Entry` for the fields."""

    table_id: str
    version: int
    epoch: int
    command_id: str | None
    at: float
    body: str


@dataclass(frozen=True, slots=True)
class TableLog:
    """Everything needed to restore a table.

    Attributes:
        table_id: the id of the table.
        created_at: when it was created, in seconds.
        entries: the complete log, in order of version.
        seeds: the decrypted seed of each deal. Secret: it must not leave the server before the table reveals it.
    """

    table_id: str
    created_at: float
    entries: tuple[Stored, ...]
    seeds: dict[int, bytes] = field(repr=False)

    @property
    def version(self) -> int:
        """The last version, 0 before the first entry."""
        return self.entries[-1].version if self.entries else 0


def shard_of(table_id: str) -> int:
    """Return the shard of a table, 0 to `SHARD_COUNT` - 1.

    >>> shard_of("T") == shard_of("T"), 0 <= shard_of("T") < SHARD_COUNT
    (True, True)
    """
    return zlib.crc32(table_id.encode()) % SHARD_COUNT


def entry_digest(
    previous: bytes | None, table_id: str, version: int, epoch: int, command_id: str | None, at: float, body: str
) -> bytes:
    r"""Return the digest of an entry; `previous` is the digest of the entry before it, `None` if there is none.

    >>> first = entry_digest(None, "T", 1, 1, "a", 0.0, "[]")
    >>> len(first), first == entry_digest(b"", "T", 1, 1, "a", 0, "[]")
    (16, True)
    >>> first == entry_digest(None, "T", 1, 1, "b", 0.0, "[]")
    False
    """
    # Stored strings contain no NUL.
    command = "\0" if command_id is None else command_id
    fields = f"{table_id}\0{version}\0{epoch}\0{command}\0{float(at)!r}\0{body}"
    return sha256((previous or b"") + fields.encode()).digest()[:DIGEST_BYTES]


def verified_entries(
    table_id: str, rows: Iterable[tuple[Any, ...]], start: int = 0, previous: bytes | None = None
) -> tuple[Stored, ...]:
    """Return entries of a table's log after verifying their digests.

    Args:
        table_id: the id of the table.
        rows: the fields of each entry in the order of `Stored`, and its digest; in order of version.
        start: the version of the entry before the first of them, 0 for none.
        previous: the digest of that entry, if it has one.

    Raises:
        TableDamaged: an entry was modified, is missing, or belongs to another table.
    """
    entries: list[Stored] = []
    try:
        for version, row in enumerate(rows, start + 1):
            fields, digest = row[:6], row[6]
            is_old = digest is None and previous is None
            if fields[1] != version or not (is_old or entry_digest(previous, *fields) == digest):
                break
            entries.append(tuple.__new__(Stored, fields))
            previous = digest
        else:
            return tuple(entries)
    except (TypeError, ValueError):  # a field has another type
        pass
    raise TableDamaged(table_id, f"entry {start + len(entries) + 1} doesn't follow the previous entry")


def listing_digest(table_id: str, listing: Listing) -> bytes:
    """Return the digest of a listing, which doesn't depend on other rows."""
    fields = {name: getattr(listing, name) for name in listing.__slots__}
    fields |= {"updated_at": float(listing.updated_at), "running": int(listing.running)}
    for name in ("due", "awaits", "since"):  # listings of older releases don't have them
        if fields[name] is None:
            del fields[name]
    text = "\0".join((table_id, *map(str, fields.values())))
    return sha256(text.encode()).digest()[:DIGEST_BYTES]


def pack(columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> bytes:
    """Compress rows of the named columns.

    >>> columns, rows = ("version", "at", "body"), [(1, 0.1, "[]"), (2, 0.2, None)]
    >>> unpack(pack(columns, rows), ("at", "version")) == [(0.1, 1), (0.2, 2)]
    True
    """
    stored = {"columns": list(columns), "rows": [[to_json(value) for value in row] for row in rows]}
    return PACKED_FORM + zlib.compress(json.dumps(stored, separators=(",", ":")).encode())


def unpack(packed: bytes, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Decompress rows and return the values of these columns; a column that wasn't packed is `None`.

    Raises:
        ValueError: the bytes are damaged, or a newer version packed them.
    """
    if packed[:1] != PACKED_FORM:
        raise ValueError("unknown archive format")
    try:
        stored = json.loads(zlib.decompress(packed[1:]))
    except zlib.error as error:
        raise ValueError(f"damaged archive: {error}") from error
    places = [stored["columns"].index(name) if name in stored["columns"] else None for name in columns]
    return [tuple(None if place is None else from_json(row[place]) for place in places) for row in stored["rows"]]


def to_json(value: Any) -> Any:
    """Convert a database value to JSON."""
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def from_json(plain: Any) -> Any:
    """Convert a JSON value to a database value."""
    return base64.b64decode(plain["base64"]) if isinstance(plain, dict) else plain


ENTRY = tuple(EVENTS.c[name] for name in Stored._fields)
"""The columns of a log entry, without the digest."""
INSERT_EVENT = insert(EVENTS)


def _insert_next() -> sa.Insert:
    """Build the statement that stores an entry if and only if `judge` would accept it."""
    own = EVENTS.c.table_id == value(EVENTS.c.table_id)
    before = sa.select(EVENTS.c.digest).where(own, EVENTS.c.version == value(EVENTS.c.version) - 1).scalar_subquery()
    last = sa.select(sa.func.max(EVENTS.c.version)).where(own).scalar_subquery()
    repeated = sa.exists().where(own, EVENTS.c.command_id == value(EVENTS.c.command_id))
    given = [value(column) for column in ENTRY]
    row = sa.select(*given, sa.func.entry_digest(before, *given)).where(
        TABLES.c.table_id == value(EVENTS.c.table_id),
        SHARDS.c.shard == value(SHARDS.c.shard),
        SHARDS.c.epoch == value(EVENTS.c.epoch),
        value(EVENTS.c.version) == 1 + sa.func.coalesce(last, 0),
        ~repeated,
    )
    return sa.insert(EVENTS).from_select([*ENTRY, EVENTS.c.digest], row).returning(ONE)


INSERT_NEXT = _insert_next()
INSERT_SECRET = insert(SECRETS)
INSERT_MEMBER = insert(MEMBERS).on_conflict_do_nothing()
LISTED = tuple(LISTINGS.c[name] for name in ("table_id", *Listing.__slots__, "digest"))
"""The columns of a row for `reading.listed`."""
_INSERT_LISTING = insert(LISTINGS, *LISTED)
UPSERT_LISTING = _INSERT_LISTING.on_conflict_do_update(
    index_elements=[LISTINGS.c.table_id], set_={one.name: _INSERT_LISTING.excluded[one.name] for one in LISTED[1:]}
)
FIND_ENTRY = sa.select(*ENTRY).where(
    EVENTS.c.table_id == value(EVENTS.c.table_id), EVENTS.c.version == value(EVENTS.c.version)
)
_OF_TABLE = sa.select(EVENTS.c.version, EVENTS.c.digest).where(EVENTS.c.table_id == TABLES.c.table_id)
_LAST = _OF_TABLE.order_by(EVENTS.c.version.desc()).limit(ONE)
LOG_HEADS = sa.select(
    TABLES.c.table_id,
    sa.func.coalesce(_LAST.with_only_columns(EVENTS.c.version).scalar_subquery(), 0),
    _LAST.with_only_columns(EVENTS.c.digest).scalar_subquery(),
).where(Among(TABLES.c.table_id, "table_ids"))


class LogHead(NamedTuple):
    """The end of a table's log.

    Attributes:
        epoch: the epoch of the table's shard.
        last: the last version, 0 if there is none.
        digest: the digest of the last entry, if it has one.
    """

    epoch: int
    last: int
    digest: bytes | None = None


def judge(
    entries: Sequence[Entry], heads: Mapping[str, LogHead], known: Mapping[tuple[str, str], int]
) -> list[StorageError | None]:
    """Return the error for each entry, or `None` if it is to be stored.

    Each entry is validated against the log including the accepted entries before it. A repeated command is reported in
    preference to any other error, so that a client that sends it again gets the original result.

    Args:
        entries: in the order in which they came.
        heads: the end of each table's log, by table id.
        known: the versions of commands that are stored already, by `(table_id, command_id)`.

    >>> first = Entry("T", 1, epoch=1, command_id="a", at=0.0, body="[]")
    >>> again = Entry("T", 2, epoch=1, command_id="a", at=0.0, body="[]")
    >>> [verdict and verdict.code for verdict in judge([first, again, first], {"T": LogHead(1, 0)}, {})]
    [None, 'repeated', 'repeated']
    """
    last = {table_id: head.last for table_id, head in heads.items()}
    made = dict(known)
    verdicts: list[StorageError | None] = []
    for entry in entries:
        table_id, command_id = entry.table_id, entry.command_id
        verdict: StorageError | None = None
        if table_id not in heads:
            verdict = NoSuchTable(f"table {table_id} doesn't exist")
        elif command_id is not None and (version := made.get((table_id, command_id))) is not None:
            verdict = Repeated(table_id, command_id, version)
        elif entry.epoch != heads[table_id].epoch:
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
    """Store the entries that `judge` accepts, in the open transaction.

    Args:
        connection: with an open transaction.
        entries: in the order in which they came.
        sealer: encrypts the seeds.
        tried_before: whether the outcome of an earlier commit of these entries is unknown, so that they may be stored
            already.

    Returns:
        For each entry its error, or `None` if it is stored.
    """
    if not entries:
        return []
    epochs = {} if connection.in_process else connection.epochs(_shards(entries))  # locked before anything else is read
    stored = _already_stored(connection, entries) if tried_before else frozenset()
    new = [entry for entry in entries if _row(entry) not in stored] if stored else entries
    verdicts = _append_each(connection, new) if connection.in_process else _append_together(connection, new, epochs)
    _store_beside(connection, [entry for entry, verdict in zip(new, verdicts, strict=True) if verdict is None], sealer)
    judged = iter(verdicts)
    return [None if _row(entry) in stored else next(judged) for entry in entries] if stored else verdicts


def _append_each(connection: Connection, entries: Sequence[Entry]) -> list[StorageError | None]:
    """Store entries one by one: a single statement for each that is accepted; `judge` finds the error of the others."""
    return [
        None
        if connection.execute(INSERT_NEXT, shard=shard_of(entry.table_id), **_values(entry))
        else _append_together(connection, [entry], connection.epochs(_shards([entry])))[0]
        for entry in entries
    ]


def _append_together(
    connection: Connection, entries: Sequence[Entry], epochs: Mapping[int, int]
) -> list[StorageError | None]:
    """Store entries together, in a few statements."""
    ids = sorted({entry.table_id for entry in entries})
    heads = _heads(connection, ids, epochs)
    verdicts = judge(entries, heads, _known(connection, entries))
    digests = {table_id: head.digest for table_id, head in heads.items()}
    accepted: list[Values] = []
    for entry in (entry for entry, verdict in zip(entries, verdicts, strict=True) if verdict is None):
        digests[entry.table_id] = entry_digest(digests[entry.table_id], *_row(entry))
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
    """Return the stored entries at the versions of these entries."""
    found = (connection.execute(FIND_ENTRY, table_id=entry.table_id, version=entry.version) for entry in entries)
    return frozenset(Stored._make(row) for rows in found for row in rows)


def _shards(entries: Iterable[Entry]) -> list[int]:
    return sorted({shard_of(entry.table_id) for entry in entries})


def _heads(connection: Connection, table_ids: Sequence[str], epochs: Mapping[int, int]) -> dict[str, LogHead]:
    rows = connection.execute(LOG_HEADS, table_ids=connection.array(table_ids))
    return {table_id: LogHead(epochs[shard_of(table_id)], *head) for table_id, *head in rows}


def _known(connection: Connection, entries: Sequence[Entry]) -> dict[tuple[str, str], int]:
    pairs = [(entry.table_id, entry.command_id) for entry in entries if entry.command_id is not None]
    return {(table_id, command_id): version for table_id, command_id, version in connection.known(pairs)}


def _store_beside(connection: Connection, entries: Sequence[Entry], sealer: Sealer) -> None:
    """Store the seeds, listings and members of accepted entries, and run their jobs."""
    secrets: list[Values] = [
        {"table_id": entry.table_id, "deal": deal, "sealed": sealer.seal(seed, entry.table_id, deal)}
        for entry in entries
        for deal, seed in entry.seeds
    ]
    if secrets:
        connection.execute_many(INSERT_SECRET, secrets)
    # If a table has several listings, the last one is stored.
    for table_id, listing in {entry.table_id: entry.listing for entry in entries if entry.listing}.items():
        values = {name: getattr(listing, name) for name in listing.__slots__} | {"running": int(listing.running)}
        connection.execute(UPSERT_LISTING, table_id=table_id, digest=listing_digest(table_id, listing), **values)
    members: list[Values] = [
        {"table_id": entry.table_id, "user_id": user} for entry in entries for user in entry.members_added
    ]
    if members:
        connection.execute_many(INSERT_MEMBER, members)
    for entry in entries:
        if entry.also is not None:
            entry.also(connection)
