"""A table's log: what is appended to it, how a batch is judged and stored, and the digests by which damage is found.

The digest of an entry covers its fields and the digest of the entry before, so an entry that was changed, lost, moved
or exchanged no longer fits in. Entries of older releases have none; the chain begins with the first entry that has one.
A chain finds damage, and no forger: whoever can write the database can make a chain too.

The tables of a batch are locked first, so that what is then read of them stays true until the transaction ends: an
entry that is accepted cannot fail any more, and one that is refused leaves the others alone.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
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
"""The number of shards. It is fixed: the table `shards` has as many rows."""
PACKED_FORM = b"\x01"


@dataclass(frozen=True, slots=True)
class Listing:
    """A table as the lobby lists it: a projection of its log, stored with the entry that changed it.

    Attributes:
        status: where the table stands, such as `"waiting"`; a word of the server's choice.
        game: the game's id.
        title: what the table is called.
        visibility: who may find it, such as `"public"`; a word of the server's choice.
        seats_taken: how many seats somebody sits on.
        seats: how many there are.
        updated_at: when it changed last, in seconds.
        summary: the rest, as a JSON object.
        owner: the id of the user who owns the table; `None` where that isn't known.
        running: a clock runs, so the table is opened after a restart without anybody asking for it.
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


class Listed(NamedTuple):
    """A listing together with its table."""

    table_id: str
    listing: Listing


@dataclass(frozen=True, slots=True)
class Entry:
    """What one command did to a table, to be stored whole or not at all.

    Attributes:
        table_id: the table.
        version: the version that this makes: 1 for a table's first entry, then one more each.
        epoch: the epoch under which the sender owns the table's shard.
        command_id: what the sender of the command called it, or `None` for what the server did by itself.
        at: when, in seconds.
        body: its events, as JSON. Storage does not look inside.
        seeds: `(deal, seed)` for every seed that this entry draws; kept apart from the log, and sealed.
        listing: how the lobby lists the table from now on; `None` leaves it as it is.
        members_added: ids of the users to whose tables this one belongs from now on.
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


class Stored(NamedTuple):
    """An entry as the log has it; see `Entry` for the fields."""

    table_id: str
    version: int
    epoch: int
    command_id: str | None
    at: float
    body: str


@dataclass(frozen=True, slots=True)
class TableLog:
    """Everything needed to bring a table back.

    Attributes:
        table_id: the table.
        created_at: when it was made, in seconds.
        entries: the whole log, in order of version, without gaps.
        seeds: the seed of each deal, opened. Secret: they never leave the server before the table reveals them.
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
    """The shard of a table, 0 to `SHARD_COUNT` - 1.

    >>> shard_of("T") == shard_of("T"), 0 <= shard_of("T") < SHARD_COUNT
    (True, True)
    """
    return zlib.crc32(table_id.encode()) % SHARD_COUNT


def chained(
    previous: bytes | None, table_id: str, version: int, epoch: int, command_id: str | None, at: float, body: str
) -> bytes:
    r"""The digest of an entry that follows the one whose digest is `previous`; `None` where there is none.

    >>> first = chained(None, "T", 1, 1, "a", 0.0, "[]")
    >>> len(first), first == chained(b"", "T", 1, 1, "a", 0, "[]"), first == chained(None, "T", 1, 1, "b", 0.0, "[]")
    (16, True, False)
    """
    # No stored text has a NUL in it.
    command = "\0" if command_id is None else command_id
    fields = f"{table_id}\0{version}\0{epoch}\0{command}\0{float(at)!r}\0{body}"
    return sha256((previous or b"") + fields.encode()).digest()[:DIGEST_BYTES]


def checked(table_id: str, rows: Iterable[tuple[Any, ...]]) -> tuple[Stored, ...]:
    """The entries of a table's whole log.

    Args:
        table_id: the table.
        rows: the fields of each entry in the order of `Stored`, and its digest; in order of version.

    Raises:
        TableDamaged: an entry was changed, or is missing, or belongs elsewhere.
    """
    entries: list[Stored] = []
    previous: bytes | None = None
    try:
        for version, row in enumerate(rows, 1):
            fields, digest = row[:6], row[6]
            is_old = digest is None and previous is None
            if fields[1] != version or not (is_old or chained(previous, *fields) == digest):
                break
            entries.append(tuple.__new__(Stored, fields))
            previous = digest
        else:
            return tuple(entries)
    except (TypeError, ValueError):  # a field is of another kind
        pass
    raise TableDamaged(table_id, f"entry {len(entries) + 1} does not follow the one before it")


def digest_of(table_id: str, listing: Listing) -> bytes:
    """The digest of a table's row in the lobby; it stands alone."""
    fields = {name: getattr(listing, name) for name in listing.__slots__}
    fields |= {"updated_at": float(listing.updated_at), "running": int(listing.running)}
    text = "\0".join((table_id, *map(str, fields.values())))
    return sha256(text.encode()).digest()[:DIGEST_BYTES]


def pack(columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> bytes:
    """Rows of the named columns, compressed.

    >>> columns, rows = ("version", "at", "body"), [(1, 0.1, "[]"), (2, 0.2, None)]
    >>> unpack(pack(columns, rows), ("at", "version")) == [(0.1, 1), (0.2, 2)]
    True
    """
    stored = {"columns": list(columns), "rows": [[to_json(value) for value in row] for row in rows]}
    return PACKED_FORM + zlib.compress(json.dumps(stored, separators=(",", ":")).encode())


def unpack(packed: bytes, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """The rows that were packed, with the values of these columns; `None` in a column that they were packed without.

    Raises:
        ValueError: the bytes are damaged, or a newer version has packed them.
    """
    if packed[:1] != PACKED_FORM:
        raise ValueError("an archive of an unknown form")
    try:
        stored = json.loads(zlib.decompress(packed[1:]))
    except zlib.error as error:
        raise ValueError(f"a damaged archive: {error}") from error
    places = [stored["columns"].index(name) if name in stored["columns"] else None for name in columns]
    return [tuple(None if place is None else from_json(row[place]) for place in places) for row in stored["rows"]]


def to_json(value: Any) -> Any:
    """A value of the database as JSON has it."""
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def from_json(plain: Any) -> Any:
    """A value of JSON as the database has it."""
    return base64.b64decode(plain["base64"]) if isinstance(plain, dict) else plain


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
        SHARDS.c.shard == value(SHARDS.c.shard),
        SHARDS.c.epoch == value(EVENTS.c.epoch),
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
    sa.func.coalesce(_LAST.with_only_columns(EVENTS.c.version).scalar_subquery(), 0),
    _LAST.with_only_columns(EVENTS.c.digest).scalar_subquery(),
).where(Among(TABLES.c.table_id, "table_ids"))


class Standing(NamedTuple):
    """Where a table stands: the epoch of its shard, its last version, and the digest of that entry if it has one."""

    epoch: int
    last: int
    digest: bytes | None = None


def judge(
    entries: Sequence[Entry], standing: Mapping[str, Standing], known: Mapping[tuple[str, str], int]
) -> list[StorageError | None]:
    """For each entry why it is refused, or `None` where it is to be stored.

    The entries are taken in order, each after those before it that were accepted. A repeated command is told from
    every other fault, so that whoever sends it again learns what it did the first time.

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
    epochs = {} if connection.near else connection.epochs(_shards(entries))  # locked before anything else is read
    stored = _already_stored(connection, entries) if tried_before else frozenset()
    new = [entry for entry in entries if _row(entry) not in stored] if stored else entries
    verdicts = _append_each(connection, new) if connection.near else _append_together(connection, new, epochs)
    _store_beside(connection, [entry for entry, verdict in zip(new, verdicts, strict=True) if verdict is None], sealer)
    judged = iter(verdicts)
    return [None if _row(entry) in stored else next(judged) for entry in entries] if stored else verdicts


def _append_each(connection: Connection, entries: Sequence[Entry]) -> list[StorageError | None]:
    """One by one: a single statement for each that is accepted, as nearly all are, and the others are judged."""
    return [
        None
        if connection.execute(INSERT_NEXT, shard=shard_of(entry.table_id), **_values(entry))
        else _append_together(connection, [entry], connection.epochs(_shards([entry])))[0]
        for entry in entries
    ]


def _append_together(
    connection: Connection, entries: Sequence[Entry], epochs: Mapping[int, int]
) -> list[StorageError | None]:
    """All at once, in a few statements."""
    ids = sorted({entry.table_id for entry in entries})
    standing = _standing(connection, ids, epochs)
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


def _shards(entries: Iterable[Entry]) -> list[int]:
    return sorted({shard_of(entry.table_id) for entry in entries})


def _standing(connection: Connection, table_ids: Sequence[str], epochs: Mapping[int, int]) -> dict[str, Standing]:
    rows = connection.execute(STANDING, table_ids=connection.array(table_ids))
    return {table_id: Standing(epochs[shard_of(table_id)], *stands) for table_id, *stands in rows}


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
