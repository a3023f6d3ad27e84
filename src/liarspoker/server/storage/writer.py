"""The writer thread: it takes all that is waiting, stores it in one transaction, and answers after the commit."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
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
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between attempts to reach the database again; each pause is twice the one before."""

FIRST_CUT = 5.0
"""Seconds after which an attempt is broken off to which a database server gives no answer; the next has twice that."""

Job: TypeAlias = Callable[[Connection], Any]
Then: TypeAlias = Callable[[Any], None]
Probe: TypeAlias = Callable[[Literal["before-commit", "after-commit"]], None]


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """An entry to append, or a job to run, and the future that waits for it; who waits no longer has cancelled it."""

    what: Entry | Job
    future: asyncio.Future[Any]
    then: Then | None = None


@dataclass(slots=True)
class _Attempt:
    """How far the storing of one batch has come."""

    tried_before: bool = False
    committing: bool = False
    pause: float = field(default=FIRST_PAUSE)
    since: float = field(default_factory=time.monotonic)
    cut_at: float = inf
    cut_seconds: float = FIRST_CUT


class Writer:
    """Everything that writes to one database from this process, in one thread.

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
        self._queue: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._failed: StorageFailed | None = None
        self._closing = threading.Event()
        self._attempt: _Attempt | None = None
        self.ended: asyncio.Future[None] = loop.create_future()
        threading.Thread(target=self._run, name="liarspoker-writer", daemon=True).start()

    @property
    def waits(self) -> float:
        """For how many seconds it has tried to store what it is at; 0 if there is nothing to store."""
        attempt = self._attempt
        return 0.0 if attempt is None else time.monotonic() - attempt.since

    def ask(self, what: Entry | Job, then: Then | None = None) -> asyncio.Future[Any]:
        """A future that is done after the commit which holds `what`.

        A job may be run twice, when a commit was lost on its way; the second time must come to the same. What nobody
        waits for any more, since its future was cancelled, is left out if it has not been begun.

        Args:
            what: an entry to append, or a job to run.
            then: called with the answer after the commit, in the event loop, also if the future was cancelled.
        """
        future: asyncio.Future[Any] = self._loop.create_future()
        if self._closing.is_set():
            future.set_exception(Unavailable("the storage is closed"))
        else:
            self._queue.put(_Asked(what, future, then))
        return future

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
        return self.ask(entry)

    def look(self) -> None:
        """Break the connection if it has not answered for too long. To be called once in a while."""
        attempt, connection = self._attempt, self._connection
        if attempt is not None and connection is not None and time.monotonic() > attempt.cut_at:
            connection.cut()

    def cut(self) -> None:
        """Break the connection."""
        connection = self._connection
        if connection is not None:
            connection.cut()

    def end(self) -> None:
        """Take nothing more, and end when what is waiting is stored. To be called in the event loop's thread."""
        self._closing.set()
        self._queue.put(None)

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch, going_on = self._take()
            if batch:
                self._store(batch)
        if self._connection is not None and self._failed is None:
            self._connection.close()
        with suppress(RuntimeError):  # the loop has ended before
            self._loop.call_soon_threadsafe(self.ended.set_result, None)

    def _take(self) -> tuple[list[_Asked], bool]:
        """Wait for something to do and take all of it; false with it once the end was asked for."""
        batch: list[_Asked] = []
        asked = self._queue.get()
        while asked is not None:
            if not asked.future.cancelled():
                batch.append(asked)
            if len(batch) == LARGEST_BATCH:
                return batch, True
            try:
                asked = self._queue.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, False

    def _store(self, batch: Sequence[_Asked], tried_before: bool = False) -> None:
        """Store the batch and answer, however often that has to be tried."""
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

    def _try(self, batch: Sequence[_Asked], attempt: _Attempt) -> list[Any]:
        attempt.committing = False
        if self._connection is None:
            self._connection = self._database.connect()
        connection = self._connection
        if not connection.near:
            attempt.cut_at = time.monotonic() + attempt.cut_seconds
            attempt.cut_seconds *= 2
        connection.begin()
        entries = [asked.what for asked in batch if isinstance(asked.what, Entry)]
        outcomes = [None if isinstance(asked.what, Entry) else self._job(connection, asked.what) for asked in batch]
        verdicts = iter(append_all(connection, entries, self._sealer, attempt.tried_before))
        answers = [
            next(verdicts) if isinstance(asked.what, Entry) else outcome
            for asked, outcome in zip(batch, outcomes, strict=True)
        ]
        self._probe("before-commit")
        attempt.committing = True
        connection.commit()
        self._probe("after-commit")
        return answers

    def _job(self, connection: Connection, job: Job) -> Any:
        """What the job answers; where it fails, its error, and nothing of it is stored."""
        connection.execute("SAVEPOINT job")
        try:
            answer = job(connection)
        except Exception as error:
            if self._database.passing(error) or self._database.fatal(error) or self._database.damaged(error):
                raise
            connection.execute("ROLLBACK TO SAVEPOINT job")
            answer = error
        connection.execute("RELEASE SAVEPOINT job")
        return answer

    def _settled(self, error: Exception, batch: Sequence[_Asked], attempt: _Attempt) -> bool:
        """Deal with an error; false where the batch is to be tried again."""
        if self._database.passing(error):
            return self._waited_in_vain(error, batch, attempt)
        if attempt.committing or self._database.fatal(error):
            self._fail(error)
            return False
        self._drop_transaction()
        if len(batch) == 1:
            self._answer(batch, [self._damage(batch[0], error) if self._database.damaged(error) else error])
        else:
            # One of them is to blame; the others shall not suffer for it.
            for asked in batch:
                self._store([asked], attempt.tried_before)
        return True

    def _damage(self, asked: _Asked, error: Exception) -> StorageError:
        """What a damaged page comes to: nothing of what needed it was written, and the rest of the database goes on."""
        if isinstance(asked.what, Entry):
            damage: StorageError = TableDamaged(asked.what.table_id, "its log cannot be written")
        else:
            damage = DatabaseDamaged("a part of the database cannot be read")
        damage.__cause__ = error
        return damage

    def _waited_in_vain(self, error: Exception, batch: Sequence[_Asked], attempt: _Attempt) -> bool:
        """Wait for the database to come back; true where the end was asked for meanwhile, and all was answered."""
        if attempt.pause == FIRST_PAUSE:
            LOG.warning("the database is away, trying again", extra=self._named(error))
        attempt.tried_before = attempt.tried_before or attempt.committing
        self._drop_transaction()
        if self._closing.wait(attempt.pause):
            self._answer(batch, [Unavailable("the database is away, and the storage was closed")] * len(batch))
            return True
        attempt.pause = min(2 * attempt.pause, LONGEST_PAUSE)
        return False

    def _drop_transaction(self) -> None:
        """Leave the transaction, and the connection too: a new one costs little and is surely sound."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _fail(self, error: Exception) -> None:
        """Write nothing any more. The connection is not even closed, since closing may write."""
        self._failed = StorageFailed(f"the database cannot be written any more: {error}")
        self._failed.__cause__ = error
        LOG.critical("the database cannot be written any more", extra={"code": self._failed.code, **self._named(error)})
        self._loop.call_soon_threadsafe(_fail, self._failure, self._failed)

    def _named(self, error: Exception) -> dict[str, str | None]:
        """The fields of a log line about an error of the database, whose own text may hold what was stored."""
        return {"error": type(error).__name__, "reason": self._database.reason(error)}

    def _answer(self, batch: Sequence[_Asked], answers: Sequence[Any]) -> None:
        """Answer all with one call of the loop."""
        try:
            self._loop.call_soon_threadsafe(_resolve, batch, answers)
        except RuntimeError:
            LOG.warning("the event loop ended before all was answered", extra={"count": len(batch)})


def _fail(failure: asyncio.Future[StorageFailed], error: StorageFailed) -> None:
    if not failure.done():
        failure.set_result(error)


def _resolve(batch: Sequence[_Asked], answers: Sequence[Any]) -> None:
    for asked, answer in zip(batch, answers, strict=True):
        failed = isinstance(answer, Exception)
        if asked.then is not None and not failed:
            asked.then(answer)
        if asked.future.done():
            continue
        if failed:
            asked.future.set_exception(answer)
        else:
            asked.future.set_result(answer)


def _check_text(text: str) -> None:
    if "\0" in text:
        raise ValueError("a text with a NUL character cannot be stored")
    if not text.isascii():
        text.encode()


def _check_listing(listing: Listing | None) -> None:
    if listing is not None:
        for text in (listing.status, listing.game, listing.title, listing.visibility, listing.summary):
            _check_text(text)
