"""The bus over LISTEN and NOTIFY of PostgreSQL, on two connections of its own: one hears while the other sends.

A notification is no row and waits for no disk. Where connections go through a pooler, it has to keep sessions.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection, OperationalError, sql
from psycopg.conninfo import conninfo_to_dict

from liarspoker.server.storage.postgres import TIMEOUTS

MOST_BYTES = 7999
"""PostgreSQL takes no longer payload."""
NAME = {"application_name": "liarspoker bus"}


class NotifyLink:
    """A link; see `bus.Link`."""

    most_bytes = MOST_BYTES

    def __init__(
        self, hears: AsyncConnection, sends: AsyncConnection, channel: str, receive: Callable[[bytes], None]
    ) -> None:
        self._hears = hears
        self._sends = sends
        self._channel = channel
        self._receive = receive

    async def send(self, payload: bytes) -> None:
        """Send a payload; once this returns, the server has it."""
        await self._sends.execute("SELECT pg_notify(%s, %s)", (self._channel, payload.decode()))

    async def lost(self) -> None:
        """Hear what others send until the connection is lost."""
        async for heard in self._hears.notifies():
            self._receive(heard.payload.encode())
        raise OperationalError("the connection has ended")


@asynccontextmanager
async def notify_link(
    database: str, channel: str, receive: Callable[[bytes], None], missed: Callable[[], None]
) -> AsyncIterator[NotifyLink]:
    """Listen on `channel` of the database at an address, which may hold a password."""
    options: dict[str, Any] = TIMEOUTS | NAME | conninfo_to_dict(database)
    async with (
        await AsyncConnection.connect(**options, autocommit=True) as hears,
        await AsyncConnection.connect(**options, autocommit=True) as sends,
    ):
        await hears.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        yield NotifyLink(hears, sends, channel, receive)
