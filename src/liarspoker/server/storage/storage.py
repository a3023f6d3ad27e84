"""The asynchronous interface of the storage: append to the logs of tables, read them, and list tables."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from contextvars import copy_context
from functools import partial
from hashlib import sha256
from typing import Literal, TypeAlias, TypeVar

import sqlalchemy as sa

from liarspoker.server.config import CommitTimer, no_probe
from liarspoker.server.storage import reading
from liarspoker.server.storage.connection import ONE, Connection, Database, database_at, insert, value
from liarspoker.server.storage.errors import (
    BadDatabase,
    BadKey,
    DatabaseDamaged,
    NoSuchTable,
    StorageFailed,
    TableDamaged,
    TableExists,
    Unavailable,
)
from liarspoker.server.storage.location import REMEDY, database_label
from liarspoker.server.storage.log import Listed, TableLog
from liarspoker.server.storage.reader import UNREACHABLE, Reader
from liarspoker.server.storage.reading import LogPart
from liarspoker.server.storage.schema import EVENTS, MARKS, TABLES
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.storage.writer import Probe, Writer

Answer = TypeVar("Answer")
CheckResult: TypeAlias = Literal["unknown", "sound", "damaged"]
LOG = logging.getLogger(__name__)
KEY_MARK, SECRET_MARK, SCOPE_MARK, PUSH_MARK, MAIL_MARK = "key", "nodes", "scope", "push", "mail"
SECRET_MARKS = (SECRET_MARK, PUSH_MARK, MAIL_MARK)
"""The marks that hold secrets of the servers, see `Storage.shared_secret`."""
_CREATE = insert(TABLES).on_conflict_do_nothing().returning(ONE)
_SAME = sa.select(ONE).select_from(TABLES).where(*(column == value(column) for column in TABLES.columns))
_HAS_LOG = sa.select(EVENTS.c.version).where(EVENTS.c.table_id == value(EVENTS.c.table_id)).limit(1)
_LEAVE_MARK = insert(MARKS).on_conflict_do_nothing()
_MARK = sa.select(MARKS.c.value).where(MARKS.c.name == value(MARKS.c.name))
PART = 500
"""The number of entries in a part of a log."""
POLL_SECONDS = 0.1
"""Interval between checks whether the database is unreachable while the storage is being closed."""


class Storage:
    """A database whose schema `migrate.migrate` has upgraded.

    Use it as an asynchronous context manager, or `close` it. Methods that write return after the commit. If a database
    server is unreachable, the storage keeps retrying; callers get `Unavailable` after `timeout`, and their write may
    still happen later.

    Attributes:
        append: stores an entry completely or not at all; see `Writer.append`.
        timeout: seconds after which callers get `Unavailable`; `None` for never.
        shared: whether several servers can share the database, and use its clock.
        failure: done, with the error, when a write has failed in such a way that the process has to stop. From then on,
            every method that writes raises `StorageFailed`.
        damaged: the ids of the damaged tables found so far.
        check_result: the result of `check`.
        timer: measures commits.
        sealer: encrypts and decrypts seeds.
        scope: 16 hexadecimal digits that identify this database to all its servers.
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
        self._sealer = self.sealer = sealer
        self._reader = Reader(database, loop, self.timeout)
        self.timer = CommitTimer(probe or no_probe, lambda: self._writer.busy_seconds)
        self._writer = Writer(database, sealer, loop, self.failure, self.timer)
        self.append = self._writer.append

    @classmethod
    async def open(cls, url: str, sealer: Sealer, probe: Probe | None = None, timeout: float | None = None) -> Storage:
        """Open the database at `url`.

        Raises:
            BadDatabase: the database doesn't exist or can't be opened.
            BadKey: the stored data was encrypted with another key.
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
        """Store what is queued, then stop both threads; if the database is unreachable, don't wait for them."""
        self._closed = True
        if self._checking is not None:
            self._checking.interrupt()
        self._writer.end()
        self._reader.end()
        while not self._writer.ended.done() and not self._stalled:
            await asyncio.wait([self._writer.ended], timeout=None if self.timeout is None else POLL_SECONDS)
        await asyncio.wait([self._reader.ended], timeout=POLL_SECONDS if self.unreachable else self.timeout)
        self._writer.cut()
        self._reader.cut()
        await asyncio.wait([self._writer.ended, self._reader.ended], timeout=POLL_SECONDS)

    async def check(self) -> None:
        """Check the structure of the whole database for corruption, concurrently with other work.

        This doesn't find well-formed entries that were modified; `log` does. It reads the whole file and may take long.
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
    def unreachable(self) -> bool:
        """Whether a caller has just waited for the database without success."""
        return self._stalled or self._reader.unreachable

    @property
    def _stalled(self) -> bool:
        """Whether the current write has taken too long."""
        return self.timeout is not None and self._writer.busy_seconds > self.timeout

    async def write(self, job: Callable[[Connection], Answer], then: Callable[[Answer], None] | None = None) -> Answer:
        """Run a job that writes, and return its result after the commit. If it raises, its changes are rolled back.

        Args:
            job: runs in the writer's thread. It may run twice, if the connection breaks during the commit, and must
                have the same effect then.
            then: called with the result after the commit, even if the caller was cancelled.

        Raises:
            Unavailable: the database is unreachable; the job may or may not run later.
        """
        self._writer.break_stalled()
        if self._stalled:
            raise Unavailable(UNREACHABLE)
        if self.timer.queued_at is None:
            self.timer.queued_at = time.monotonic()
        # The job runs with the caller's context, since its errors are in the caller's language.
        context = copy_context()
        answer: Answer = await self.wait_for(self._writer.submit(lambda connection: context.run(job, connection), then))
        return answer

    async def wait_for(self, pending: asyncio.Future[Answer]) -> Answer:
        """Return the result of a write, or cancel it after the timeout.

        Raises:
            Unavailable: the timeout has passed; the write may or may not happen later.
        """
        try:
            await asyncio.wait([pending], timeout=self.timeout)
            if pending.done():
                return pending.result()
        finally:
            pending.cancel()
        raise Unavailable(UNREACHABLE)

    async def read(self, query: Callable[[Connection], Answer], timeout: float | None = None) -> Answer:
        """Run `query` in the reader's thread on a consistent snapshot of the database, and return its result.

        Raises:
            Unavailable: the database is unreachable.
        """
        context = copy_context()  # as for writes
        return await self._reader.submit(lambda connection: context.run(query, connection), timeout)

    async def create_table(self, table_id: str, created_at: float) -> None:
        """Create a table; the owner of its shard may append to it.

        Raises:
            TableExists: the id is taken.
            DatabaseDamaged: a page that is needed for it is corrupt.
        """

        def create(connection: Connection) -> None:
            made = connection.execute(_CREATE, table_id=table_id, created_at=created_at)
            if not made:  # after a commit with unknown outcome, the same table may exist already
                made = connection.execute(_SAME, table_id=table_id, created_at=created_at)
            if not made or connection.execute(_HAS_LOG, table_id=table_id):
                raise TableExists(f"table {table_id} already exists")

        await self.write(create)

    async def log(self, table_id: str) -> TableLog:
        """Return the complete log of a table and its seeds.

        Raises:
            NoSuchTable: the table doesn't exist.
            TableDamaged: the log can't be read, was modified or is incomplete, or the table's own row is missing.
        """
        with self._damage_of(table_id):
            found = await self.read(lambda connection: reading.log(connection, self._sealer, table_id))
        if found is None:
            raise NoSuchTable(f"table {table_id} doesn't exist")
        self.damaged.discard(table_id)
        return found

    async def log_in_parts(self, table_id: str) -> AsyncIterator[TableLog]:
        """Yield the log of a table in parts, so that a long one is never in memory as a whole.

        Every part has all seeds so far, and the last one may be empty.

        Raises:
            NoSuchTable, TableDamaged: see `log`.
        """
        part: LogPart | None = None
        while part is None or not part.is_last:
            with self._damage_of(table_id):
                part = await self.read(
                    partial(reading.part_of_log, sealer=self._sealer, table_id=table_id, before=part, most=PART)
                )
            if part is None:
                raise NoSuchTable(f"table {table_id} doesn't exist")
            yield part.log
        self.damaged.discard(table_id)

    def report_damage(self, damage: TableDamaged) -> None:
        """Record that a table is damaged, and log it the first time."""
        if damage.table_id not in self.damaged:
            self.damaged.add(damage.table_id)
            LOG.error("table damaged", extra={"table": damage.table_id, "code": damage.code, "reason": damage.reason})

    @contextmanager
    def _damage_of(self, table_id: str) -> Iterator[None]:
        """Record any damage found in this context as damage of one table."""
        try:
            yield
        except TableDamaged as damage:
            self.report_damage(damage)
            raise
        except DatabaseDamaged as error:
            unreadable = TableDamaged(table_id, "it can't be read")
            self.report_damage(unreadable)
            raise unreadable from error

    async def listings(
        self,
        *,
        status: str | None = None,
        game: str | None = None,
        visibility: str | None = None,
        member: str | None = None,
        running: bool | None = None,
        awaits: str | None = None,
        due_before: float | None = None,
        before: tuple[float, str] | None = None,
        limit: int = 50,
    ) -> list[Listed]:
        """Return the listings that match all given filters, most recently changed first, without damaged ones.

        Args:
            status: the status of the table.
            game: the id of the game.
            visibility: the visibility of the table.
            member: the id of a user who has played there.
            running: whether a clock runs.
            awaits: the id of the user whose turn it is, in correspondence play.
            due_before: the deadline is earlier, in seconds, in correspondence play.
            before: `(updated_at, table_id)` of the last listing of the previous page.
            limit: the maximum number of listings.
        """
        wanted: dict[str, str | float | None] = {
            "status": status,
            "game": game,
            "visibility": visibility,
            "member": member,
            "running": None if running is None else int(running),
            "awaits": awaits,
            "due_before": due_before,
        }
        return await self.read(lambda connection: reading.listings(connection, limit, before, **wanted))

    async def count_turns(self, user_id: str) -> int:
        """Return the number of correspondence tables that wait for a user's turn."""
        return await self.read(partial(reading.count_turns, user=user_id))

    async def shared_secret(self, name: str = SECRET_MARK) -> bytes:
        """Return a secret that only the servers of this database share: 32 bytes, created on the first call.

        Args:
            name: one of `SECRET_MARKS`.
        """
        sealed = self._sealer.seal(os.urandom(32), name, 0)

        def find(connection: Connection) -> bytes:
            connection.execute(_LEAVE_MARK, name=name, value=sealed)
            return bytes(connection.execute(_MARK, name=name)[0][0])

        return self._sealer.open(await self.write(find), name, 0)

    async def _check_key(self) -> None:
        """Check that the stored data was encrypted with our key; the first start stores a mark for this."""
        mark = self._sealer.seal(KEY_MARK.encode(), KEY_MARK, 0)

        def compare(connection: Connection) -> tuple[bytes, bytes]:
            connection.execute(_LEAVE_MARK, name=KEY_MARK, value=mark)
            stored = mark_of(connection)
            # It doesn't change when the key does, so that all nodes use the same scope.
            connection.execute(_LEAVE_MARK, name=SCOPE_MARK, value=sha256(stored).digest())
            return stored, bytes(connection.execute(_MARK, name=SCOPE_MARK)[0][0])

        stored, scope = await self.write(compare)
        self.scope = scope.hex()[:16]
        _open_mark(self._sealer, stored)

    async def choose_key(self) -> None:
        """From now on, encrypt with the key of the database's mark.

        Raises:
            BadKey: the key isn't known here.
        """
        _open_mark(self._sealer, await self.read(mark_of))

    def knows_key(self, sealed: bytes) -> bool:
        """Return whether a known key decrypts this mark."""
        return self._sealer.opens(sealed, KEY_MARK, 0)


def check_key(connection: Connection, sealer: Sealer) -> None:
    """Check that the stored data was encrypted with a key of `sealer`.

    Raises:
        BadKey: it was encrypted with another key, or nothing has been encrypted yet.
    """
    _open_mark(sealer, mark_of(connection))


def mark_of(connection: Connection, name: str = KEY_MARK) -> bytes:
    """Return a mark that was encrypted with the key of a database; empty before the first start."""
    marks = connection.execute(_MARK, name=name)
    return bytes(marks[0][0]) if marks else b""


def _open_mark(sealer: Sealer, mark: bytes) -> None:
    try:
        sealer.choose(mark, KEY_MARK, 0)
    except BadKey:
        raise BadKey(
            "the seeds in this database were encrypted with another key, or its mark is damaged; use the right key"
        ) from None


def has_sealed(url: str) -> bool:
    """Return whether anything in the database at `url` has been encrypted with a key.

    Raises:
        BadDatabase: the database doesn't exist or can't be opened.
    """
    database = database_at(url)
    try_to_connect(url)
    connection = database.connect()
    try:
        return bool(connection.execute(_MARK, name=KEY_MARK))
    finally:
        connection.close()


def try_to_connect(url: str) -> None:
    """Check that the database at `url` can be opened.

    Raises:
        BadDatabase: it can't.
    """
    database = database_at(url)
    try:
        database.connect().close()
    except Exception as error:
        if database.is_transient(error) or database.is_damage(error) or database.reason(error) is not None:
            raise BadDatabase(f"{database_label(url)} can't be opened: {error}; {REMEDY}") from error
        raise
