"""The asynchronous face of storage: append to tables' logs, lease tables, read them, list them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from liarspoker.server.storage import leases, reading
from liarspoker.server.storage.appending import store_listing, store_members
from liarspoker.server.storage.connection import Connection, Database, database_at
from liarspoker.server.storage.entry import Entry, Lease, Listed, Listing, Stored, TableLog
from liarspoker.server.storage.errors import BadKey, BadPlace, NoSuchTable, StorageFailed, TableExists
from liarspoker.server.storage.place import REMEDY, named
from liarspoker.server.storage.reader import Reader
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.storage.writer import Probe, Writer

Answer = TypeVar("Answer")
TABLES_AT_ONCE = 100
KEY_MARK = "key"


class Storage:
    """One database, which `migrate.migrate` has brought up to date.

    Use it as an asynchronous context manager, or `close` it. Every method that writes answers after the commit that
    holds what was asked; where a database server is away, it waits until the server is back.

    Attributes:
        failure: done, with the error, when a write has failed in such a way that the process has to end: then every
            method that writes raises `StorageFailed`.
    """

    failure: asyncio.Future[StorageFailed]

    def __init__(self, database: Database, sealer: Sealer, probe: Probe | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.failure = loop.create_future()
        self._sealer = sealer
        self._reader = Reader(database)
        self._writer = Writer(database, sealer, loop, self.failure, probe)

    @classmethod
    async def open(cls, url: str, sealer: Sealer, probe: Probe | None = None) -> Storage:
        """Open the database at `url`.

        Args:
            url: as `place.address` makes it.
            sealer: has the key for seeds.
            probe: called around every commit, in the writer's thread; for tests that end the process there.

        Raises:
            BadPlace: when there is no such database.
            BadKey: when what is stored was sealed with another key.
        """
        database = database_at(url)
        await asyncio.to_thread(try_to_connect, url)
        storage = cls(database, sealer, probe)
        try:
            await storage._check_key()
        except BaseException:
            await storage.close()
            raise
        return storage

    async def __aenter__(self) -> Storage:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Store what is waiting, then end both threads."""
        self._writer.end()
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._reader.close)

    async def write(self, job: Callable[[Connection], Answer]) -> Answer:
        """What `job` answers, after the commit that holds what it wrote; an error that it raises undoes it.

        The job runs in the writer's thread. It may run twice, when the connection breaks during the commit, and the
        second time must come to the same.
        """
        answer: Answer = await self._writer.ask(job)
        return answer

    async def read(self, query: Callable[[Connection], Answer]) -> Answer:
        """What `query` finds; it runs in the reader's thread and sees the database at one moment."""
        return await self._reader.ask(query)

    def append(self, entry: Entry) -> asyncio.Future[None]:
        """Store an entry whole, or refuse it; the future is done when the entry is safe.

        Raises:
            ValueError: at once: a text holds a character that cannot be stored.

        The future raises:
            NoSuchTable: there is no such table.
            Repeated: its command took effect before.
            NotOwner: its epoch is not that of the table's lease.
            Conflict: its version is not the table's next one.
            StorageFailed: nothing can be written any more; the entry may or may not be stored.
            Unavailable: the storage was closed while the database was away; so it may or may not.
        """
        _check_text(entry.body)
        _check_text(entry.command_id or "")
        _check_listing(entry.listing)
        return self._writer.ask(entry)

    async def create_table(
        self,
        table_id: str,
        created_at: float,
        node: str,
        lease_seconds: float,
        listing: Listing | None = None,
        members: Sequence[str] = (),
    ) -> int:
        """Make a table, owned by `node`; the epoch of its lease.

        Raises:
            TableExists: the id is taken.
            ValueError: a text holds a character that cannot be stored.
        """
        _check_listing(listing)

        def create(connection: Connection) -> int:
            made = connection.execute(
                "INSERT INTO tables (table_id, created_at, epoch, node, lease_expires) "
                f"VALUES (?, ?, 1, ?, {connection.now} + ?) ON CONFLICT DO NOTHING RETURNING epoch",
                (table_id, created_at, node, lease_seconds),
            )
            if not made:
                # When the commit was lost on its way, the table may be there, just as it is to be made.
                same = "SELECT epoch FROM tables WHERE table_id = ? AND created_at = ? AND node = ? AND epoch = 1"
                made = connection.execute(same, (table_id, created_at, node))
            if not made or connection.execute("SELECT 1 FROM events WHERE table_id = ? LIMIT 1", (table_id,)):
                raise TableExists(f"table {table_id}: there is one already")
            if listing is not None:
                store_listing(connection, table_id, listing)
            store_members(connection, table_id, members)
            return int(made[0][0])

        return await self.write(create)

    async def claim(self, table_id: str, node: str, lease_seconds: float) -> int:
        """Own a table for a while; the epoch of the new lease, under which `node` may append.

        A node that owns the table already gets a new epoch too.

        Raises:
            NoSuchTable: there is no such table.
            Leased: another node's lease has not run out.
        """
        return await self.write(lambda connection: leases.claim(connection, table_id, node, lease_seconds))

    async def renew(self, node: str, lease_seconds: float) -> dict[str, int]:
        """Prolong every lease of a node; the epoch of each table that it still owns."""
        return await self.write(lambda connection: leases.renew(connection, node, lease_seconds))

    async def release(self, table_id: str, epoch: int) -> None:
        """Give up a lease, so that any node can claim the table at once; nothing happens if it is over."""
        await self.write(lambda connection: leases.release(connection, table_id, epoch))

    async def lease(self, table_id: str) -> Lease | None:
        """The lease of a table, also one that has run out; `None` if there is no such table."""
        return await self.read(lambda connection: leases.find(connection, table_id))

    async def log(self, table_id: str) -> TableLog:
        """The whole log of a table and its seeds.

        Raises:
            NoSuchTable: there is no such table.
            BadKey: a seed does not open.
        """
        found = await self.read(lambda connection: reading.logs(connection, self._sealer, [table_id]))
        if table_id not in found:
            raise NoSuchTable(f"table {table_id}: there is none")
        return found[table_id]

    async def logs(self, table_ids: Sequence[str]) -> dict[str, TableLog]:
        """The logs of many tables, as at a start; tables that do not exist are left out."""
        found: dict[str, TableLog] = {}
        for start in range(0, len(table_ids), TABLES_AT_ONCE):
            some = table_ids[start : start + TABLES_AT_ONCE]
            found |= await self.read(partial(reading.logs, sealer=self._sealer, table_ids=some))
        return found

    async def entries_after(self, table_id: str, version: int) -> list[Stored]:
        """The entries of a table that follow `version`, in order."""
        return await self.read(lambda connection: reading.entries_after(connection, table_id, version))

    async def find_command(self, table_id: str, command_id: str) -> Stored | None:
        """The entry that a command made, `None` if it took no effect."""
        return await self.read(lambda connection: reading.command(connection, table_id, command_id))

    async def listings(
        self,
        *,
        status: str | None = None,
        game: str | None = None,
        visibility: str | None = None,
        member: str | None = None,
        before: tuple[float, str] | None = None,
        limit: int = 50,
    ) -> list[Listed]:
        """The listings that fit all that is given, those that changed last first.

        Args:
            status: only with this status.
            game: only of this game.
            visibility: only with this visibility.
            member: only this user's tables.
            before: `(updated_at, table_id)` of the last listing of the page before.
            limit: how many at most.
        """
        return await self.read(
            lambda connection: reading.listings(connection, status, game, visibility, member, before, limit)
        )

    async def listing(self, table_id: str) -> Listing | None:
        """How the lobby lists a table, `None` if it does not."""
        return await self.read(lambda connection: reading.listing(connection, table_id))

    async def members(self, table_id: str) -> frozenset[str]:
        """The ids of the users among whose tables this one is."""
        return await self.read(lambda connection: reading.members(connection, table_id))

    async def _check_key(self) -> None:
        """See that what is stored was sealed with our key; the first start leaves a mark to compare with."""
        mark = self._sealer.seal(KEY_MARK.encode(), KEY_MARK, 0)

        def compare(connection: Connection) -> bytes:
            connection.execute("INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (KEY_MARK, mark))
            return bytes(connection.execute("SELECT value FROM marks WHERE name = ?", (KEY_MARK,))[0][0])

        try:
            self._sealer.open(await self.write(compare), KEY_MARK, 0)
        except BadKey:
            raise BadKey("the seeds in this database were sealed with another key; start with that one") from None


def has_sealed(url: str) -> bool:
    """Whether something in the database at `url`, which has its tables, was sealed with a key already.

    Raises:
        BadPlace: when there is no such database.
    """
    database = database_at(url)
    try_to_connect(url)
    connection = database.connect()
    try:
        return bool(connection.execute("SELECT 1 FROM marks WHERE name = ?", (KEY_MARK,)))
    finally:
        connection.close()


def try_to_connect(url: str) -> None:
    """See that the database at `url` is there; `BadPlace` where it is not."""
    database = database_at(url)
    try:
        database.connect().close()
    except Exception as error:
        if database.passing(error) or database.fatal(error):
            raise BadPlace(f"{named(url)} cannot be opened: {error}; {REMEDY}") from error
        raise


def _check_text(text: str) -> None:
    if "\0" in text:
        raise ValueError("a text with a NUL character cannot be stored")
    if not text.isascii():
        text.encode()


def _check_listing(listing: Listing | None) -> None:
    if listing is not None:
        for text in (listing.status, listing.game, listing.title, listing.visibility, listing.summary):
            _check_text(text)
