"""The bus over the core of NATS: at most once, in order from each sender, nothing is stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from urllib.parse import unquote, urlsplit

from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from liarspoker.server.cluster.bus import MOST_MESSAGE_BYTES, BadBus

MOST_BYTES = 64 * 1024
"""No payload is longer, even where the server would take more: one that is lost loses less."""
CONNECT_SECONDS, FLUSH_SECONDS = 2, 5
PING_SECONDS, MOST_PINGS = 5, 2
"""So often the server is asked whether it is there, and so many questions may wait for an answer."""


class NatsLink:
    """A link; see `bus.Link`."""

    def __init__(self, client: Client, subject: str, ended: asyncio.Event) -> None:
        self.most_bytes = min(MOST_BYTES, client.max_payload)
        self._client = client
        self._subject = subject
        self._ended = ended

    async def send(self, payload: bytes) -> None:
        """Send a payload; once this returns, the server has it."""
        await self._client.publish(self._subject, payload)
        await _confirmed(self._client)

    async def lost(self) -> None:
        """Wait until the connection is lost."""
        await self._ended.wait()
        raise self._client.last_error or errors.ConnectionClosedError


async def _confirmed(client: Client) -> None:
    """Wait until the server has everything that was sent.

    The client writes a ping at once, and ahead of what its buffer holds; only the second ping comes behind that.
    """
    for _ in range(2):
        await client.flush(FLUSH_SECONDS)


@asynccontextmanager
async def nats_link(
    servers: Iterator[str], subject: str, receive: Callable[[bytes], None], missed: Callable[[], None]
) -> AsyncIterator[NatsLink]:
    """Connect to the next of `servers`, whose addresses may hold passwords, and subscribe to `subject`.

    The client doesn't connect again by itself: `bus.RemoteBus` does, for every kind of link.
    """
    parts = urlsplit(next(servers))
    user, password = (None if part is None else unquote(part) for part in (parts.username, parts.password))
    ended, client = asyncio.Event(), Client()

    async def hear(message: Msg) -> None:
        receive(message.data)

    async def closed() -> None:
        ended.set()

    async def failed(error: Exception) -> None:
        if isinstance(error, errors.SlowConsumerError):
            missed()
        elif client.is_connected:  # such as: may not publish to this subject
            ended.set()

    try:
        await client.connect(
            f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}",
            user=None if password is None else user,
            password=password,
            token=user if password is None else None,
            name="liarspoker",
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=CONNECT_SECONDS,
            ping_interval=PING_SECONDS,
            max_outstanding_pings=MOST_PINGS,
            no_echo=True,
            closed_cb=closed,
            error_cb=failed,
        )
        await client.subscribe(subject, cb=hear)
        await _confirmed(client)
        if client.max_payload < 2 * MOST_MESSAGE_BYTES:
            raise BadBus(f"the NATS server takes payloads of {client.max_payload} bytes; raise its max_payload")
        yield NatsLink(client, subject, ended)
    finally:
        await client.close()
