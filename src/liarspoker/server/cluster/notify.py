"""The bus over PostgreSQL's LISTEN and NOTIFY, with one connection to receive and one to send.

Notifications aren't stored. A connection pooler has to be in session mode.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection, OperationalError, sql
from psycopg.conninfo import conninfo_to_dict

from liarspoker.server.storage.postgres import TIMEOUTS

MAX_BYTES = 7999
"""PostgreSQL's maximum length of a payload."""
NAME = {"application_name": "liarspoker bus"}


class NotifyLink:
    """A link; see `bus.Link`."""

    max_bytes = MAX_BYTES

    def __init__(
        self, listener: AsyncConnection, sender: AsyncConnection, channel: str, receive: Callable[[bytes], None]
    ) -> None:
        self._listener = listener
        self._sender = sender
        self._channel = channel
        self._receive = receive

    async def send(self, payload: bytes) -> None:
        """Send a payload; the server has received it when this returns."""
        await self._sender.execute("SELECT pg_notify(%s, %s)", (self._channel, payload.decode()))

    async def lost(self) -> None:
        """Receive notifications until the connection is lost, and raise then."""
        async for notification in self._listener.notifies():
            self._receive(notification.payload.encode())
        raise OperationalError("the connection has ended")


@asynccontextmanager
async def notify_link(
    database: str, channel: str, receive: Callable[[bytes], None], missed: Callable[[], None]
) -> AsyncIterator[NotifyLink]:
    """Listen on `channel` of the database at a URL, which may contain a password."""
    options: dict[str, Any] = TIMEOUTS | NAME | conninfo_to_dict(database)
    async with (
        await AsyncConnection.connect(**options, autocommit=True) as listener,
        await AsyncConnection.connect(**options, autocommit=True) as sender,
    ):
        await listener.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        yield NotifyLink(listener, sender, channel, receive)
