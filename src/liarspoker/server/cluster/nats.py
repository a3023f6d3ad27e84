"""The bus over NATS core: at most once, in order per sender, without persistence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from urllib.parse import unquote, urlsplit

from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from liarspoker.server.cluster.bus import MAX_MESSAGE_BYTES, BadBus

MAX_BYTES = 64 * 1024
"""The maximum length of a payload, even if the server accepts more, to limit what a lost payload loses."""
CONNECT_SECONDS, FLUSH_SECONDS = 2, 5
PING_SECONDS, MAX_PINGS = 5, 2
"""The interval between pings, and the maximum number of unanswered ones."""


class NatsLink:
    """A link; see `bus.Link`."""

    def __init__(self, client: Client, subject: str, ended: asyncio.Event) -> None:
        self.max_bytes = min(MAX_BYTES, client.max_payload)
        self._client = client
        self._subject = subject
        self._ended = ended

    async def send(self, payload: bytes) -> None:
        """Send a payload; the server has received it when this returns."""
        await self._client.publish(self._subject, payload)
        await _confirmed(self._client)

    async def lost(self) -> None:
        """Wait until the connection is lost, and raise then."""
        await self._ended.wait()
        raise self._client.last_error or errors.ConnectionClosedError


async def _confirmed(client: Client) -> None:
    """Wait until the server has received everything that was sent.

    The client sends a ping immediately, ahead of its buffer; only a second ping is sent after the buffer.
    """
    for _ in range(2):
        await client.flush(FLUSH_SECONDS)


@asynccontextmanager
async def nats_link(
    servers: Iterator[str], subject: str, receive: Callable[[bytes], None], missed: Callable[[], None]
) -> AsyncIterator[NatsLink]:
    """Connect to the next of `servers`, whose addresses may contain passwords, and subscribe to `subject`.

    The client doesn't reconnect by itself; `bus.RemoteBus` does that for every kind of link.
    """
    parts = urlsplit(next(servers))
    user, password = (None if part is None else unquote(part) for part in (parts.username, parts.password))
    ended, client = asyncio.Event(), Client()

    async def on_message(message: Msg) -> None:
        receive(message.data)

    async def closed() -> None:
        ended.set()

    async def failed(error: Exception) -> None:
        if isinstance(error, errors.SlowConsumerError):
            missed()
        elif client.is_connected:  # for instance, publishing isn't permitted
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
            max_outstanding_pings=MAX_PINGS,
            no_echo=True,
            closed_cb=closed,
            error_cb=failed,
        )
        await client.subscribe(subject, cb=on_message)
        await _confirmed(client)
        if client.max_payload < 2 * MAX_MESSAGE_BYTES:
            raise BadBus(
                f"the NATS server accepts payloads of only {client.max_payload} bytes; increase its max_payload"
            )
        yield NatsLink(client, subject, ended)
    finally:
        await client.close()
