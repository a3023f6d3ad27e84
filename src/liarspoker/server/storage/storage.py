"""The asynchronous face of storage: append to tables' logs, lease tables, read them, list them."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import Literal, TypeAlias, TypeVar

import sqlalchemy as sa

from liarspoker.server.config import CommitTimer, no_probe
from liarspoker.server.storage import reading
from liarspoker.server.storage.connection import ONE, Connection, Database, database_at, insert, value
from liarspoker.server.storage.errors import (
    BadKey,
    BadPlace,
    DatabaseDamaged,
    NoSuchTable,
    StorageFailed,
    TableDamaged,
    TableExists,
    Unavailable,
)
from liarspoker.server.storage.log import Listed, TableLog
from liarspoker.server.storage.place import REMEDY, named
from liarspoker.server.storage.reader import Reader
from liarspoker.server.storage.schema import EVENTS, MARKS, TABLES
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.storage.writer import Probe, Writer

Answer = TypeVar("Answer")
CheckResult: TypeAlias = Literal["unknown", "sound", "damaged"]
LOG = logging.getLogger(__name__)
KEY_MARK, SECRET_MARK, SCOPE_MARK = "key", "nodes", "scope"
_CREATE = insert(TABLES).on_conflict_do_nothing().returning(ONE)
_SAME = sa.select(ONE).select_from(TABLES).where(*(column == value(column) for column in TABLES.columns))
_HAS_LOG = sa.select(EVENTS.c.version).where(EVENTS.c.table_id == value(EVENTS.c.table_id)).limit(1)
_LEAVE_MARK = insert(MARKS).on_conflict_do_nothing()
_MARK = sa.select(MARKS.c.value).where(MARKS.c.name == value(MARKS.c.name))
LOOK_SECONDS = 0.1
"""So often a storage that is being closed looks whether the database is away."""


class Storage:
    """One database, which `migrate.migrate` has brought up to date.

    Use it as an asynchronous context manager, or `close` it. Every method that writes answers after the commit that
    holds what was asked. Where a database server is away, it waits for the server's return, and whoever has asked waits
    for `timeout`; then nobody can say whether what was asked is done later.

    Attributes:
        append: stores an entry whole, or refuses it; see `Writer.append`.
        timeout: seconds after which whoever waits is told that the database is away; `None` for never.
        shared: the database has a clock of its own, by which several servers go.
        failure: done, with the error, when a write has failed in such a way that the process has to end: then every
            method that writes raises `StorageFailed`.
        damaged: the tables that were asked for and are damaged.
        check_result: what `check` has found.
        timer: measures commits.
        scope: what all servers of this database share, and no other database has; 16 hexadecimal digits.
    """

    failure: asyncio.Future[StorageFailed]
    check_result: CheckResult = "unknown"
    scope = ""
    _closed = False

    def __init__(
        self,
        database: Database,
        sealer: Sealer,
        probe: Probe | None = None,
        timeout: float | None = None,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.timeout = None if timeout == math.inf else database.timeout if timeout is None else timeout
        self.failure = loop.create_future()
        self.damaged: set[str] = set()
        self.shared = database.shared
        self._database = database
        self._checking: Connection | None = None
        self._sealer = sealer
        self._reader = Reader(database, loop, self.timeout)
        self.timer = CommitTimer(probe or no_probe, lambda: self._writer.waits)
        self._writer = Writer(database, sealer, loop, self.failure, self.timer)
        self.append = self._writer.append

    @classmethod
    async def open(cls, url: str, sealer: Sealer, probe: Probe | None = None, timeout: float | None = None) -> Storage:
        """Open the database at `url`.

        Raises:
            BadPlace: when there is no such database.
            BadKey: when what is stored was sealed with another key.
        """
        database = database_at(url)
        await asyncio.to_thread(try_to_connect, url)
        storage = cls(database, sealer, probe, timeout)
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
        """Store what is waiting, then end both threads; where the database is away, they are left to themselves."""
        self._closed = True
        if self._checking is not None:
            self._checking.interrupt()
        self._writer.end()
        self._reader.end()
        while not self._writer.ended.done() and not self._gone:
            await asyncio.wait([self._writer.ended], timeout=None if self.timeout is None else LOOK_SECONDS)
        await asyncio.wait([self._reader.ended], timeout=LOOK_SECONDS if self.away else self.timeout)
        self._writer.cut()
        self._reader.cut()
        await asyncio.wait([self._writer.ended, self._reader.ended], timeout=LOOK_SECONDS)

    async def check(self) -> None:
        """Look through the structure of the whole database for damage, beside all other work.

        This finds no entry that is another one but well-formed; `log` does. It reads the whole file: so the result is
        for whoever runs the server, and nobody waits for it.
        """
        try:
            faults = await asyncio.to_thread(self._faults)
        except Exception as error:
            if self._closed:
                return
            faults = [self._database.reason(error) or type(error).__name__]
        if faults is not None:
            self.check_result = "damaged" if faults else "sound"
        for fault in faults or ():
            LOG.error("the database is damaged; restore a backup", extra={"code": "database-damaged", "reason": fault})

    def _faults(self) -> list[str] | None:
        with closing(self._database.connect()) as connection:
            self._checking = connection
            try:
                return connection.faults()
            finally:
                self._checking = None

    @property
    def away(self) -> bool:
        """Whether somebody has just waited in vain for the database."""
        return self._gone or self._reader.away

    @property
    def _gone(self) -> bool:
        """Whether what is being written has taken too long."""
        return self.timeout is not None and self._writer.waits > self.timeout

    async def write(self, job: Callable[[Connection], Answer], then: Callable[[Answer], None] | None = None) -> Answer:
        """What `job` answers, after the commit that holds what it wrote; an error that it raises undoes it.

        Args:
            job: runs in the writer's thread. It may run twice, when the connection breaks during the commit, and the
                second time must come to the same.
            then: called with the answer after the commit, also where whoever has asked waits no longer.

        Raises:
            Unavailable: the database is away; the job may or may not be done later.
        """
        self._writer.look()
        if self._gone:
            raise Unavailable("the database is away")
        if self.timer.asked_at is None:
            self.timer.asked_at = time.monotonic()
        answer: Answer = await self.wait_for(self._writer.ask(job, then))
        return answer

    async def wait_for(self, asked: asyncio.Future[Answer]) -> Answer:
        """What comes of something that is to be written, if it comes in time; else it is cancelled.

        Raises:
            Unavailable: it does not; it may or may not be written later.
        """
        try:
            await asyncio.wait([asked], timeout=self.timeout)
            if asked.done():
                return asked.result()
        finally:
            asked.cancel()
        raise Unavailable("the database is away")

    async def read(self, query: Callable[[Connection], Answer], timeout: float | None = None) -> Answer:
        """What `query` finds; it runs in the reader's thread and sees the database at one moment.

        Raises:
            Unavailable: the database is away.
        """
        return await self._reader.ask(query, timeout)

    async def create_table(self, table_id: str, created_at: float) -> None:
        """Make a table; whoever owns its shard may append to it.

        Raises:
            TableExists: the id is taken.
            DatabaseDamaged: a page that is needed for it is damaged.
        """

        def create(connection: Connection) -> None:
            made = connection.execute(_CREATE, table_id=table_id, created_at=created_at)
            if not made:  # when the commit was lost on its way, the table may be there, just as it is to be made
                made = connection.execute(_SAME, table_id=table_id, created_at=created_at)
            if not made or connection.execute(_HAS_LOG, table_id=table_id):
                raise TableExists(f"table {table_id}: there is one already")

        await self.write(create)

    async def log(self, table_id: str) -> TableLog:
        """The whole log of a table and its seeds.

        Raises:
            NoSuchTable: there is no such table.
            TableDamaged: it cannot be read, or something in it was changed or is missing, or it has a log and nothing
                else.
        """
        with self._damage_of(table_id):
            found = await self.read(lambda connection: reading.log(connection, self._sealer, table_id))
        if found is None:
            raise NoSuchTable(f"table {table_id}: there is none")
        self.damaged.discard(table_id)
        return found

    def refuse(self, damage: TableDamaged) -> None:
        """Note that a table is damaged, and write it to the log the first time."""
        if damage.table_id not in self.damaged:
            self.damaged.add(damage.table_id)
            LOG.error("table damaged", extra={"table": damage.table_id, "code": damage.code, "reason": damage.reason})

    @contextmanager
    def _damage_of(self, table_id: str) -> Iterator[None]:
        """Note any damage that shows here as that of one table."""
        try:
            yield
        except TableDamaged as damage:
            self.refuse(damage)
            raise
        except DatabaseDamaged as error:
            unreadable = TableDamaged(table_id, "it cannot be read")
            self.refuse(unreadable)
            raise unreadable from error

    async def listings(
        self,
        *,
        status: str | None = None,
        game: str | None = None,
        visibility: str | None = None,
        member: str | None = None,
        running: bool | None = None,
        before: tuple[float, str] | None = None,
        limit: int = 50,
    ) -> list[Listed]:
        """The listings that fit all that is given, those that changed last first; damaged ones are left out.

        The next page begins `before` the last listing of this one, which is given as `(updated_at, table_id)`.
        """
        wanted = {"status": status, "game": game, "visibility": visibility, "member": member}
        is_running = None if running is None else int(running)
        return await self.read(
            lambda connection: reading.listings(connection, limit, before, running=is_running, **wanted)
        )

    async def shared_secret(self) -> bytes:
        """What all servers on this database, and nobody else, know: 32 bytes, made by the first that asks."""
        sealed = self._sealer.seal(os.urandom(32), SECRET_MARK, 0)

        def find(connection: Connection) -> bytes:
            connection.execute(_LEAVE_MARK, name=SECRET_MARK, value=sealed)
            return bytes(connection.execute(_MARK, name=SECRET_MARK)[0][0])

        return self._sealer.open(await self.write(find), SECRET_MARK, 0)

    async def _check_key(self) -> None:
        """See that what is stored was sealed with our key; the first start leaves a mark to compare with."""
        mark = self._sealer.seal(KEY_MARK.encode(), KEY_MARK, 0)

        def compare(connection: Connection) -> tuple[bytes, bytes]:
            connection.execute(_LEAVE_MARK, name=KEY_MARK, value=mark)
            stored = mark_of(connection)
            # It stays as it is when the key changes, so that all nodes have the same.
            connection.execute(_LEAVE_MARK, name=SCOPE_MARK, value=sha256(stored).digest())
            return stored, bytes(connection.execute(_MARK, name=SCOPE_MARK)[0][0])

        stored, scope = await self.write(compare)
        self.scope = scope.hex()[:16]
        _open_mark(self._sealer, stored)

    async def choose_key(self) -> None:
        """From now on seal with the key that the database's mark was sealed with.

        Raises:
            BadKey: it is not known here.
        """
        _open_mark(self._sealer, await self.read(mark_of))

    def knows_key(self, sealed: bytes) -> bool:
        """Whether a mark that was sealed with some key opens here."""
        return self._sealer.opens(sealed, KEY_MARK, 0)


def check_key(connection: Connection, sealer: Sealer) -> None:
    """See that what is stored was sealed with a key.

    Raises:
        BadKey: it was sealed with another one, or nothing has been sealed yet.
    """
    _open_mark(sealer, mark_of(connection))


def mark_of(connection: Connection, name: str = KEY_MARK) -> bytes:
    """A mark that was sealed with the key of a database, empty before the first start."""
    marks = connection.execute(_MARK, name=name)
    return bytes(marks[0][0]) if marks else b""


def _open_mark(sealer: Sealer, mark: bytes) -> None:
    try:
        sealer.choose(mark, KEY_MARK, 0)
    except BadKey:
        raise BadKey(
            "the seeds in this database were sealed with another key, or its mark is damaged; start with that one"
        ) from None


def has_sealed(url: str) -> bool:
    """Whether something in the database at `url`, which has its tables, was sealed with a key already.

    Raises:
        BadPlace: when there is no such database.
    """
    database = database_at(url)
    try_to_connect(url)
    connection = database.connect()
    try:
        return bool(connection.execute(_MARK, name=KEY_MARK))
    finally:
        connection.close()


def try_to_connect(url: str) -> None:
    """See that the database at `url` is there; `BadPlace` where it is not."""
    database = database_at(url)
    try:
        database.connect().close()
    except Exception as error:
        if database.passing(error) or database.damaged(error) or database.reason(error) is not None:
            raise BadPlace(f"{named(url)} cannot be opened: {error}; {REMEDY}") from error
        raise
