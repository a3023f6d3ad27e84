"""The writer thread. It stores everything that is queued in one transaction, and answers after the commit."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, TypeAlias

from liarspoker.server.storage.connection import Connection, Database
from liarspoker.server.storage.errors import DatabaseDamaged, StorageError, StorageFailed, TableDamaged, Unavailable
from liarspoker.server.storage.log import Entry, Listing, append_all
from liarspoker.server.storage.sealing import Sealer

LOG = logging.getLogger(__name__)
LARGEST_BATCH = 250
COMMIT_INTERVAL = 0.004
"""While entries of several tables arrive, one transaction begins at most this often, in seconds.

Each transaction costs as much processor time as storing several entries. Nobody notices the wait, and a table that
plays alone doesn't wait."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between attempts to reach the database; the pause doubles after each attempt."""

FIRST_CUT = 5.0
"""Timeout of the first attempt to write to a database server, in seconds; it doubles with each attempt."""

Job: TypeAlias = Callable[[Connection], Any]
Then: TypeAlias = Callable[[Any], None]
Probe: TypeAlias = Callable[[Literal["before-commit", "after-commit"]], None]


@dataclass(frozen=True, slots=True, eq=False)
class _Write:
    """An entry or a job, and the future of its result, which is cancelled when nobody waits for it any more."""

    what: Entry | Job
    future: asyncio.Future[Any]
    then: Then | None = None


@dataclass(slots=True)
class _Attempt:
    """The state of storing one batch."""

    tried_before: bool = False
    committing: bool = False
    pause: float = field(default=FIRST_PAUSE)
    since: float = field(default_factory=time.monotonic)
    cut_at: float = inf
    cut_seconds: float = FIRST_CUT


class Writer:
    """Performs all writes of this process to one database, in one daemon thread.

    Attributes:
        ended: done when the thread has ended.
    """

    def __init__(
        self,
        database: Database,
        sealer: Sealer,
        loop: asyncio.AbstractEventLoop,
        failure: asyncio.Future[StorageFailed],
        probe: Probe | None = None,
    ) -> None:
        self._database = database
        self._sealer = sealer
        self._loop = loop
        self._failure = failure
        self._probe: Probe = probe or (lambda name: None)
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._failed: StorageFailed | None = None
        self._closing = threading.Event()
        self._attempt: _Attempt | None = None
        self._began_at = 0.0
        self._tables: Set[str] = frozenset()
        self.ended: asyncio.Future[None] = loop.create_future()
        threading.Thread(target=self._run, name="liarspoker-writer", daemon=True).start()

    @property
    def busy_seconds(self) -> float:
        """For how many seconds it has been storing the current batch; 0 if there is none."""
        attempt = self._attempt
        return 0.0 if attempt is None else time.monotonic() - attempt.since

    def submit(self, what: Entry | Job, then: Then | None = None) -> asyncio.Future[Any]:
        """Queue a write, and return a future that is done after its commit.

        A job may run twice, if the outcome of a commit is unknown, and must then have the same effect. A write whose
        future is cancelled before it has begun is dropped.

        Args:
            what: an entry to append, or a job to run.
            then: called with the result after the commit, in the event loop, even if the future was cancelled.
        """
        future: asyncio.Future[Any] = self._loop.create_future()
        if self._closing.is_set():
            future.set_exception(Unavailable("the storage is closed"))
        else:
            self._queue.put(_Write(what, future, then))
        return future

    def append(self, entry: Entry) -> asyncio.Future[None]:
        """Store an entry completely or not at all; the future is done when the entry is durable.

        Raises:
            ValueError: immediately, if a string contains a character that can't be stored.

        The future raises:
            NoSuchTable: the table doesn't exist.
            Repeated: the command has taken effect before.
            NotOwner: the table's shard has another epoch.
            Conflict: the version isn't the table's next one.
            StorageFailed: nothing can be written any more; the entry may or may not be stored.
            Unavailable: the storage was closed while the database was unreachable; the entry may or may not be stored.
        """
        _check_text(entry.body)
        _check_text(entry.command_id or "")
        _check_listing(entry.listing)
        return self.submit(entry)

    def break_stalled(self) -> None:
        """Break the connection if the database hasn't answered for too long. Call it from time to time."""
        attempt, connection = self._attempt, self._connection
        if attempt is not None and connection is not None and time.monotonic() > attempt.cut_at:
            connection.cut()

    def cut(self) -> None:
        """Break the connection."""
        connection = self._connection
        if connection is not None:
            connection.cut()

    def end(self) -> None:
        """Accept no more writes, and end the thread once the queued ones are stored.

        Call it in the event loop's thread.
        """
        self._closing.set()
        self._queue.put(None)

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch, going_on = self._take()
            if batch:
                self._began_at = time.monotonic()
                self._tables = {write.what.table_id for write in batch if isinstance(write.what, Entry)}
                self._store(batch)
        if self._connection is not None and self._failed is None:
            self._connection.close()
        with suppress(RuntimeError):  # the loop has been closed
            self._loop.call_soon_threadsafe(self.ended.set_result, None)

    def _take(self) -> tuple[list[_Write], bool]:
        """Wait for writes and take all that are queued; return them, and false after the last ones."""
        batch: list[_Write] = []
        write = self._queue.get()
        if write is not None:
            self._wait_for_others(write)
        while write is not None:
            if not write.future.cancelled():
                batch.append(write)
            if len(batch) == LARGEST_BATCH:
                return batch, True
            try:
                write = self._queue.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, False

    def _wait_for_others(self, first: _Write) -> None:
        """Wait for the interval between transactions if `first` belongs to another table than the last ones."""
        if isinstance(first.what, Entry) and first.what.table_id not in self._tables:
            time.sleep(max(0.0, self._began_at + COMMIT_INTERVAL - time.monotonic()))

    def _store(self, batch: Sequence[_Write], tried_before: bool = False) -> None:
        """Store the batch and answer, retrying after transient errors."""
        self._attempt = attempt = _Attempt(tried_before)
        while self._failed is None:
            try:
                answers = self._try(batch, attempt)
            except Exception as error:
                if not self._settled(error, batch, attempt):
                    continue
            else:
                self._answer(batch, answers)
            break
        else:
            self._answer(batch, [self._failed] * len(batch))
        self._attempt = None

    def _try(self, batch: Sequence[_Write], attempt: _Attempt) -> list[Any]:
        attempt.committing = False
        if self._connection is None:
            self._connection = self._database.connect()
        connection = self._connection
        if not connection.in_process:
            attempt.cut_at = time.monotonic() + attempt.cut_seconds
            attempt.cut_seconds *= 2
        connection.begin()
        entries = [write.what for write in batch if isinstance(write.what, Entry)]
        outcomes = [None if isinstance(write.what, Entry) else self._job(connection, write.what) for write in batch]
        verdicts = iter(append_all(connection, entries, self._sealer, attempt.tried_before))
        answers = [
            next(verdicts) if isinstance(write.what, Entry) else outcome
            for write, outcome in zip(batch, outcomes, strict=True)
        ]
        self._probe("before-commit")
        attempt.committing = True
        connection.commit()
        self._probe("after-commit")
        return answers

    def _job(self, connection: Connection, job: Job) -> Any:
        """Run a job and return its result; if it fails, roll back its changes and return the error."""
        connection.execute("SAVEPOINT job")
        try:
            answer = job(connection)
        except Exception as error:
            if self._database.is_transient(error) or self._database.is_fatal(error) or self._database.is_damage(error):
                raise
            connection.execute("ROLLBACK TO SAVEPOINT job")
            answer = error
        connection.execute("RELEASE SAVEPOINT job")
        return answer

    def _settled(self, error: Exception, batch: Sequence[_Write], attempt: _Attempt) -> bool:
        """Handle an error; return false if the batch has to be retried."""
        if self._database.is_transient(error):
            return self._closed_while_waiting(error, batch, attempt)
        if attempt.committing or self._database.is_fatal(error):
            self._fail(error)
            return False
        self._drop_transaction()
        if len(batch) == 1:
            self._answer(batch, [self._damage(batch[0], error) if self._database.is_damage(error) else error])
        else:
            # One write caused the error; storing them one by one saves the others.
            for write in batch:
                self._store([write], attempt.tried_before)
        return True

    def _damage(self, write: _Write, error: Exception) -> StorageError:
        """Return the error for a write that needs a corrupt page. It wasn't stored; other writes aren't affected."""
        if isinstance(write.what, Entry):
            damage: StorageError = TableDamaged(write.what.table_id, "its log can't be written")
        else:
            damage = DatabaseDamaged("a part of the database can't be read")
        damage.__cause__ = error
        return damage

    def _closed_while_waiting(self, error: Exception, batch: Sequence[_Write], attempt: _Attempt) -> bool:
        """Wait before the next attempt; return true if the storage was closed, in which case the batch was answered."""
        if attempt.pause == FIRST_PAUSE:
            LOG.warning("database unreachable, retrying", extra=self._log_fields(error))
        attempt.tried_before = attempt.tried_before or attempt.committing
        self._drop_transaction()
        if self._closing.wait(attempt.pause):
            self._answer(batch, [Unavailable("the database is unreachable, and the storage was closed")] * len(batch))
            return True
        attempt.pause = min(2 * attempt.pause, LONGEST_PAUSE)
        return False

    def _drop_transaction(self) -> None:
        """Abandon the transaction together with its connection: a new connection is cheap and in a known state."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _fail(self, error: Exception) -> None:
        """Write nothing any more. The connection isn't closed either, since closing may write."""
        self._failed = StorageFailed(f"the database can't be written any more: {error}")
        self._failed.__cause__ = error
        LOG.critical(
            "the database can't be written any more", extra={"code": self._failed.code, **self._log_fields(error)}
        )
        self._loop.call_soon_threadsafe(_fail, self._failure, self._failed)

    def _log_fields(self, error: Exception) -> dict[str, str | None]:
        """Return the log fields for a database error, without its text, which may contain stored data."""
        return {"error": type(error).__name__, "reason": self._database.reason(error)}

    def _answer(self, batch: Sequence[_Write], answers: Sequence[Any]) -> None:
        """Resolve all futures with one call in the event loop."""
        try:
            self._loop.call_soon_threadsafe(_resolve, batch, answers)
        except RuntimeError:
            LOG.warning("event loop closed before all writes were answered", extra={"count": len(batch)})


def _fail(failure: asyncio.Future[StorageFailed], error: StorageFailed) -> None:
    if not failure.done():
        failure.set_result(error)


def _resolve(batch: Sequence[_Write], answers: Sequence[Any]) -> None:
    for write, answer in zip(batch, answers, strict=True):
        failed = isinstance(answer, Exception)
        if write.then is not None and not failed:
            write.then(answer)
        if write.future.done():
            continue
        if failed:
            write.future.set_exception(answer)
        else:
            write.future.set_result(answer)


def _check_text(text: str) -> None:
    if "\0" in text:
        raise ValueError("text with a NUL character can't be stored")
    if not text.isascii():
        text.encode()


def _check_listing(listing: Listing | None) -> None:
    if listing is not None:
        for text in (listing.status, listing.game, listing.title, listing.visibility, listing.summary):
            _check_text(text)
