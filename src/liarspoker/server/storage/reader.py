"""The reader thread, with a connection of its own: reads wait for no write."""

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
"""After somebody has waited in vain, others are refused at once for so long; so nobody waits twice for one page."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A query, and the future that waits for it; who waits no longer has cancelled it."""

    query: Callable[[Connection], Any]
    future: asyncio.Future[Any]


class Reader:
    """Everything that reads one database in this process, in one thread. No exit waits for that thread.

    Attributes:
        ended: done when the thread has ended.
    """

    def __init__(self, database: Database, loop: asyncio.AbstractEventLoop, timeout: float | None) -> None:
        self._database = database
        self._loop = loop
        self._timeout = timeout
        self._connection: Connection | None = None
        self._closing = threading.Event()
        self._queue: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._running: _Asked | None = None
        self._refusing_until = 0.0
        self.ended: asyncio.Future[None] = loop.create_future()
        threading.Thread(target=self._run, name="liarspoker-reader", daemon=True).start()

    @property
    def away(self) -> bool:
        """Whether somebody has just waited in vain."""
        return self._loop.time() < self._refusing_until

    async def ask(self, query: Callable[[Connection], Answer], timeout: float | None = None) -> Answer:
        """What `query` finds, all of it at one moment.

        Raises:
            Unavailable: when there is no answer in time, or the storage is closed.
            DatabaseDamaged: what is asked for cannot be read; the next query may have more luck.
        """
        if self._closing.is_set():
            raise Unavailable("the storage is closed")
        if self.away:
            raise Unavailable("the database is away")
        asked = _Asked(query, self._loop.create_future())
        self._queue.put(asked)
        try:
            await asyncio.wait([asked.future], timeout=self._timeout if timeout is None else timeout)
            if asked.future.done():
                answer: Answer = asked.future.result()
                return answer
        finally:
            asked.future.cancel()
        if timeout is None:
            self._refusing_until = self._loop.time() + REFUSING_SECONDS
        if self._running is asked:
            self.cut()
        raise Unavailable("the database is away")

    def end(self) -> None:
        """Take nothing more, and end when what is waiting is answered."""
        self._closing.set()
        self._queue.put(None)

    def cut(self) -> None:
        """Break the connection, so that a query that gets no answer fails."""
        connection = self._connection
        if connection is not None:
            connection.cut()

    def _run(self) -> None:
        while (asked := self._queue.get()) is not None:
            self._running = asked
            self._serve(asked)
            self._running = None
        self._disconnect()
        with suppress(RuntimeError):  # the loop has ended before
            self._loop.call_soon_threadsafe(_settle, self.ended, None)

    def _serve(self, asked: _Asked) -> None:
        """Answer, however often that has to be tried, for as long as somebody waits."""
        answer: Any = None
        while not asked.future.cancelled():
            try:
                answer = self._once(asked.query)
            except LiarsPokerError as error:
                answer = error
            except Exception as error:
                self._disconnect()
                if self._database.damaged(error) or self._database.fatal(error):
                    answer = DatabaseDamaged("a part of the database cannot be read")
                    answer.__cause__ = error
                elif not self._database.passing(error):
                    answer = error
                elif not self._closing.wait(PAUSE_SECONDS):
                    continue
                else:
                    answer = Unavailable("the database is away")
                    answer.__cause__ = error
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_settle, asked.future, answer)
            return

    def _once(self, query: Callable[[Connection], Answer]) -> Answer:
        if self._connection is None:
            self._connection = self._database.connect()
        self._connection.snapshot()
        try:
            answer = query(self._connection)
        except LiarsPokerError:
            # The answer is a refusal; the connection is none the worse for it.
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
