"""The writer thread: it takes all that is waiting, stores it in one transaction, and answers after the commit."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from liarspoker.server.storage.appending import append_all
from liarspoker.server.storage.connection import Connection, Database
from liarspoker.server.storage.entry import Entry
from liarspoker.server.storage.errors import StorageFailed, Unavailable
from liarspoker.server.storage.sealing import Sealer

LOG = logging.getLogger(__name__)
LARGEST_BATCH = 250
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between attempts to reach the database again; each pause is twice the one before."""

Job: TypeAlias = Callable[[Connection], Any]
Probe: TypeAlias = Callable[[Literal["before-commit", "after-commit"]], None]


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """An entry to append, or a job to run, and the future that waits for it."""

    what: Entry | Job
    future: asyncio.Future[Any]


@dataclass(slots=True)
class _Attempt:
    """How far the storing of one batch has come."""

    tried_before: bool = False
    committing: bool = False
    pause: float = field(default=FIRST_PAUSE)


class Writer:
    """Everything that writes to one database from this process, in one thread.

    Args:
        database: where to write.
        sealer: for seeds.
        loop: the event loop whose tasks wait for answers.
        failure: gets the error when the writer has to stop for good.
        probe: called around every commit, for tests that end the process there.
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
        self._thread = threading.Thread(target=self._run, name="liarspoker-writer", daemon=True)
        self._thread.start()

    def ask(self, what: Entry | Job) -> asyncio.Future[Any]:
        """A future that is done after the commit which holds `what`.

        A job may be run twice, when a commit was lost on its way; the second time must come to the same.
        """
        future: asyncio.Future[Any] = self._loop.create_future()
        if self._closing.is_set():
            future.set_exception(Unavailable("the storage is closed"))
        else:
            self._queue.put(_Asked(what, future))
        return future

    def end(self) -> None:
        """Take nothing more, and end when what is waiting is stored. To be called in the event loop's thread."""
        self._closing.set()
        self._queue.put(None)

    def join(self) -> None:
        """Wait for the end."""
        self._thread.join()

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch, going_on = self._take()
            if batch:
                self._store(batch)
        if self._connection is not None and self._failed is None:
            self._connection.close()

    def _take(self) -> tuple[list[_Asked], bool]:
        """Wait for something to do and take all of it; false with it once the end was asked for."""
        batch: list[_Asked] = []
        asked = self._queue.get()
        while asked is not None:
            batch.append(asked)
            if len(batch) == LARGEST_BATCH:
                return batch, True
            try:
                asked = self._queue.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, False

    def _store(self, batch: Sequence[_Asked]) -> None:
        """Store the batch and answer, however often that has to be tried."""
        attempt = _Attempt()
        while self._failed is None:
            try:
                answers = self._try(batch, attempt)
            except Exception as error:
                if not self._settled(error, batch, attempt):
                    continue
            else:
                self._answer(batch, answers)
            return
        self._answer(batch, [self._failed] * len(batch))

    def _try(self, batch: Sequence[_Asked], attempt: _Attempt) -> list[Any]:
        attempt.committing = False
        if self._connection is None:
            self._connection = self._database.connect()
        connection = self._connection
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
            if self._database.passing(error) or self._database.fatal(error):
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
            self._answer(batch, [error])
        else:
            # One of them is to blame; the others shall not suffer for it.
            for asked in batch:
                self._store([asked])
        return True

    def _waited_in_vain(self, error: Exception, batch: Sequence[_Asked], attempt: _Attempt) -> bool:
        """Wait for the database to come back; true where the end was asked for meanwhile, and all was answered."""
        if attempt.pause == FIRST_PAUSE:
            LOG.warning("the database is away, trying again: %s", type(error).__name__)
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
        LOG.critical("%s", self._failed)
        self._loop.call_soon_threadsafe(_resolve, [(self._failure, self._failed)], False)

    def _answer(self, batch: Sequence[_Asked], answers: Sequence[Any]) -> None:
        """Answer all with one call of the loop."""
        pairs = [(asked.future, answer) for asked, answer in zip(batch, answers, strict=True)]
        try:
            self._loop.call_soon_threadsafe(_resolve, pairs, True)
        except RuntimeError:
            LOG.warning("the event loop ended before %d answers", len(pairs))


def _resolve(pairs: Sequence[tuple[asyncio.Future[Any], Any]], raising: bool) -> None:
    for future, answer in pairs:
        if future.done():
            continue
        if raising and isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
