"""The reader thread. It has its own connection, so reads don't wait for writes."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.storage.connection import Connection, Database
from liarspoker.server.storage.errors import DatabaseDamaged, Unavailable

PAUSE_SECONDS = 0.1
REFUSING_SECONDS = 1.0
"""After a query has timed out, queries fail immediately for this long, so that one page doesn't wait several times."""

UNREACHABLE = "the database is unreachable"

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, eq=False)
class _Query:
    """A query, and the future of its result, which is cancelled when nobody waits for it any more."""

    query: Callable[[Connection], Any]
    future: asyncio.Future[Any]


class Reader:
    """Runs all queries of this process on one database, in one daemon thread.

    Attributes:
        ended: done when the thread has ended.
    """

    def __init__(self, database: Database, loop: asyncio.AbstractEventLoop, timeout: float | None) -> None:
        self._database = database
        self._loop = loop
        self._timeout = timeout
        self._connection: Connection | None = None
        self._closing = threading.Event()
        self._queue: queue.SimpleQueue[_Query | None] = queue.SimpleQueue()
        self._running: _Query | None = None
        self._refusing_until = 0.0
        self.ended: asyncio.Future[None] = loop.create_future()
        threading.Thread(target=self._run, name="liarspoker-reader", daemon=True).start()

    @property
    def unreachable(self) -> bool:
        """Whether a query has just timed out."""
        return self._loop.time() < self._refusing_until

    async def submit(self, query: Callable[[Connection], Answer], timeout: float | None = None) -> Answer:
        """Run `query` on a consistent snapshot and return its result.

        Raises:
            Unavailable: the result isn't available in time, or the storage is closed.
            DatabaseDamaged: the requested data can't be read; other queries may succeed.
        """
        if self._closing.is_set():
            raise Unavailable("the storage is closed")
        if self.unreachable:
            raise Unavailable(UNREACHABLE)
        pending = _Query(query, self._loop.create_future())
        self._queue.put(pending)
        try:
            await asyncio.wait([pending.future], timeout=self._timeout if timeout is None else timeout)
            if pending.future.done():
                answer: Answer = pending.future.result()
                return answer
        finally:
            pending.future.cancel()
        if timeout is None:
            self._refusing_until = self._loop.time() + REFUSING_SECONDS
        if self._running is pending:
            self.cut()
        raise Unavailable(UNREACHABLE)

    def end(self) -> None:
        """Accept no more queries, and end the thread once the queued ones are answered."""
        self._closing.set()
        self._queue.put(None)

    def cut(self) -> None:
        """Break the connection, so that a query without an answer fails."""
        connection = self._connection
        if connection is not None:
            connection.cut()

    def _run(self) -> None:
        while (query := self._queue.get()) is not None:
            self._running = query
            self._serve(query)
            self._running = None
        self._disconnect()
        with suppress(RuntimeError):  # the loop has been closed
            self._loop.call_soon_threadsafe(_settle, self.ended, None)

    def _serve(self, pending: _Query) -> None:
        """Run a query, and retry after transient errors as long as somebody waits for the result."""
        answer: Any = None
        while not pending.future.cancelled():
            try:
                answer = self._once(pending.query)
            except LiarsPokerError as error:
                answer = error
            except Exception as error:
                self._disconnect()
                if self._database.is_damage(error) or self._database.is_fatal(error):
                    answer = DatabaseDamaged("a part of the database can't be read")
                    answer.__cause__ = error
                elif not self._database.is_transient(error):
                    answer = error
                elif not self._closing.wait(PAUSE_SECONDS):
                    continue
                else:
                    answer = Unavailable(UNREACHABLE)
                    answer.__cause__ = error
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_settle, pending.future, answer)
            return

    def _once(self, query: Callable[[Connection], Answer]) -> Answer:
        if self._connection is None:
            self._connection = self._database.connect()
        self._connection.snapshot()
        try:
            answer = query(self._connection)
        except LiarsPokerError:
            # The query itself raised this error; the connection is still usable.
            self._connection.rollback()
            raise
        self._connection.rollback()
        return answer

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _settle(future: asyncio.Future[Any], answer: Any) -> None:
    if future.done():
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
