"""The reader thread, with a connection of its own: reads wait for no write."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from liarspoker.rules.errors import LiarsPokerError
from liarspoker.server.storage.connection import Connection, Database
from liarspoker.server.storage.errors import Unavailable

PATIENCE_SECONDS = 15.0
PAUSE_SECONDS = 0.1

Answer = TypeVar("Answer")


class Reader:
    """Everything that reads one database in this process, in one thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(1, "liarspoker-reader")

    async def ask(self, query: Callable[[Connection], Answer]) -> Answer:
        """What `query` finds, all of it at one moment.

        Raises:
            Unavailable: when the database has been away for too long, or the storage is closed.
        """
        if self._closing.is_set():
            raise Unavailable("the storage is closed")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._read, query)

    def close(self) -> None:
        """End the thread; waits for the query that is running."""
        self._closing.set()
        self._thread.submit(self._disconnect)
        self._thread.shutdown()

    def _read(self, query: Callable[[Connection], Answer]) -> Answer:
        give_up = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self._once(query)
            except LiarsPokerError:
                raise
            except Exception as error:
                self._disconnect()
                if not self._database.passing(error):
                    raise
                if time.monotonic() > give_up or self._closing.wait(PAUSE_SECONDS):
                    raise Unavailable("the database is away") from error

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
