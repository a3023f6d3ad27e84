"""The message bus between the nodes of an installation.

Messages are hints to reread the database, which alone is authoritative. A message may be lost, delayed or duplicated; a
node that may have missed messages is notified by `Bus.when_missed`, and rereads the database. Messages contain no
secrets: no hands, seeds, views or passphrases, and of a credential only the hash that the database stores.

A payload is a JSON array of the format version, the sender's instance id and the messages, which are arrays that begin
with a tag. Newer versions and unknown tags are ignored, so that nodes of two releases can share a bus during an
upgrade.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from itertools import cycle
from typing import Protocol, TypeAlias
from urllib.parse import urlsplit

import msgspec

from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol.codec import Malformed, Reader
from liarspoker.server.storage.location import sqlite_path

log = logging.getLogger(__name__)

VERSION = 1
"""The format version; it changes only if older nodes would misread a payload."""
MAX_WAITING = 10_000
"""The maximum number of queued messages; beyond it, the oldest are dropped."""
MAX_MESSAGE_BYTES = 2000
"""The maximum length of a message."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
"""The minimum and maximum seconds between attempts to connect."""
START_SECONDS = 2.0
"""How long a starting server waits for the bus; then it continues without it."""
SEND_SECONDS = 5.0
"""A connection without confirmation for this long is considered lost."""
CLOSE_SECONDS = 1.0
"""How long a stopping server waits for queued messages to be sent."""

REMEDY = "use local, notify (PostgreSQL only), or one or more nats://HOST:PORT separated by commas"


class BadBus(LiarsPokerError):
    """The address of the bus is invalid."""

    code = "bad-bus"


class _Tagged(msgspec.Struct, frozen=True, array_like=True, tag=lambda name: name.lower()):
    """A message of the bus. New fields go last and have a default."""


class Shards(_Tagged, frozen=True):
    """The owners of shards have changed."""


class Revoked(_Tagged, frozen=True):
    """A session or token was revoked; `credential` is the hash that the database stores."""

    credential: bytes


class Counted(_Tagged, frozen=True):
    """A use by `key` counts towards the limit named `limit`."""

    limit: str
    key: str


class Blocks(_Tagged, frozen=True):
    """A user has blocked or unblocked somebody."""

    user_id: str


class Invited(_Tagged, frozen=True):
    """A user was invited to a table."""

    user_id: str


class VacationChanged(_Tagged, frozen=True):
    """A user's vacation has begun or ended."""

    user: str


class Online(_Tagged, frozen=True):
    """Users who are online at the sender."""

    user_ids: tuple[str, ...]


class EventStarted(_Tagged, frozen=True):
    """A duplicate event was started, so the owners of its tables make them."""

    event_id: str


Message: TypeAlias = Shards | Revoked | Counted | Blocks | Invited | VacationChanged | Online | EventStarted
"""A message of the bus."""


class _Header(msgspec.Struct, array_like=True):
    version: int


class _Payload(msgspec.Struct, array_like=True):
    version: int
    sender: str
    messages: list[msgspec.Raw]


class _Tag(msgspec.Struct, array_like=True):
    tag: str


_SCOPE = re.compile(r"[A-Za-z0-9_-]{1,40}")
_KINDS = (Shards, Revoked, Counted, Blocks, Invited, VacationChanged, Online, EventStarted)
_TAGS = frozenset(kind.__struct_config__.tag for kind in _KINDS)
_header, _payload, _tag = Reader[_Header](_Header), Reader[_Payload](_Payload), Reader[_Tag](_Tag)
_message = Reader[Message](Message)
_encode = msgspec.json.Encoder().encode


def pack(sender: str, encoded: Iterable[bytes]) -> bytes:
    """Return the payload of encoded messages."""
    return _encode([VERSION, sender, []])[:-2] + b",".join(encoded) + b"]]"


def unpack(payload: bytes) -> tuple[str, list[Message], int]:
    """Return the sender, the known messages, and the number of malformed messages or payloads.

    >>> unpack(pack("a", [b'["counted","logins","ann"]', b'["weather","rain"]', b'["counted"]']))
    ('a', [Counted(limit='logins', key='ann')], 1)
    """
    messages: list[Message] = []
    malformed = 0
    try:
        if (version := _header.read(payload).version) > VERSION:
            return "", [], 0
        read = _payload.read(payload)
        if version < 1:
            raise Malformed("invalid version")
    except Malformed:
        return "", [], 1
    for raw in read.messages:
        try:
            if _tag.read(raw).tag in _TAGS:
                messages.append(_message.read(raw))
        except Malformed:
            malformed += 1
    return read.sender, messages, malformed


class Bus(Protocol):
    """The connection of a node to the bus.

    Attributes:
        instance: the id of this process, which doesn't receive its own messages.
        listeners: called in the event loop with every message of another node.
        when_missed: called when messages may have been missed, because the connection was restored or an incoming
            message was dropped. Reread the database then.
        connected: whether the bus is connected.
        dropped: the number of messages published here that were dropped.
        malformed: the number of malformed payloads and messages.
    """

    instance: str
    listeners: list[Callable[[Message], None]]
    when_missed: list[Callable[[], None]]
    connected: bool
    dropped: int
    malformed: int

    def publish(self, message: Message) -> None:
        """Queue `message` for all other nodes. Call it in the event loop; it neither blocks nor raises."""

    async def close(self) -> None:
        """Send the queued messages, if that is possible soon, and disconnect."""


class LocalBus:
    """The bus of a single node, which sends nothing. See `Bus`."""

    def __init__(self, instance: str) -> None:
        self.instance = instance
        self.listeners: list[Callable[[Message], None]] = []
        self.when_missed: list[Callable[[], None]] = []
        self.connected = True
        self.dropped = self.malformed = 0

    def publish(self, message: Message) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


class Link(Protocol):
    """A connection to the transport of the bus.

    Attributes:
        max_bytes: the maximum length of a payload, more than twice `MAX_MESSAGE_BYTES`.
    """

    max_bytes: int

    async def send(self, payload: bytes) -> None:
        """Send a payload; the server has received it when this returns. Raises if the connection is lost."""

    async def lost(self) -> None:
        """Wait until the connection is lost, and raise then."""


Connect: TypeAlias = Callable[[Callable[[bytes], None], Callable[[], None]], AbstractAsyncContextManager[Link]]
"""Opens a link, given a function to call with each received payload, and a function to call when one was dropped."""


class RemoteBus:
    """A bus over a link, which is reopened whenever it is lost. See `Bus`.

    Args:
        connect: opens a link.
        instance: the id of this process.
    """

    def __init__(self, connect: Connect, instance: str) -> None:
        self.instance = instance
        self.listeners: list[Callable[[Message], None]] = []
        self.when_missed: list[Callable[[], None]] = []
        self.connected = False
        self.dropped = self.malformed = 0
        self._connect = connect
        self._waiting: deque[bytes] = deque()
        self._underway: list[bytes] = []
        self._sent_again = False
        self._published = asyncio.Event()
        self._all_sent = asyncio.Event()
        self._all_sent.set()
        self._tried = asyncio.Event()
        self._running = asyncio.create_task(self._run())

    async def start(self) -> None:
        """Wait until the bus is connected, or seems unreachable."""
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                await self._tried.wait()
        self._tried.set()  # a later connection may have missed messages

    def publish(self, message: Message) -> None:
        """Queue `message` for all other nodes; if too many are queued, drop the oldest."""
        try:
            encoded = _encode(message)
        except ValueError:  # a lone surrogate can't be encoded
            encoded = b""
        if not 0 < len(encoded) <= MAX_MESSAGE_BYTES:
            self.dropped += 1
            return
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.popleft()
            self.dropped += 1
        self._waiting.append(encoded)
        self._published.set()
        self._all_sent.clear()

    async def close(self) -> None:
        """Send the queued messages, if that is possible soon, and disconnect."""
        if self.connected:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._all_sent.wait()
        self._running.cancel()
        await asyncio.wait([self._running], timeout=CLOSE_SECONDS)
        self.connected = False

    async def _run(self) -> None:
        """Keep the bus connected, until cancelled. Each loss and each recovery is logged once."""
        pause, is_lost = FIRST_PAUSE, False
        while True:
            try:
                async with self._connect(self._receive, self._missed) as link:
                    self.connected, pause = True, FIRST_PAUSE
                    if is_lost or self._tried.is_set():
                        self._missed()
                    if is_lost:
                        log.info("bus restored")
                        is_lost = False
                    self._tried.set()
                    await self._carry(link)
            except Exception as error:  # drivers raise many kinds of errors, and none may end the bus
                # The text of the error isn't logged, since it may contain an address with a password.
                if not is_lost:
                    log.warning("bus lost", extra={"error": type(error).__name__})
                is_lost, self.connected = True, False
                self._tried.set()
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _carry(self, link: Link) -> None:
        """Send queued messages until the link is lost, and raise then."""
        both = [asyncio.create_task(self._send(link)), asyncio.create_task(link.lost())]
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in both:
                task.cancel()
            await asyncio.wait(both)

    async def _send(self, link: Link) -> None:
        """Send queued messages in payloads as large as possible; resend once what a lost link hasn't confirmed."""
        empty = len(pack(self.instance, []))
        if self._underway and self._sent_again:
            self.dropped += len(self._underway)
            self._underway = []
        self._sent_again = bool(self._underway)
        while True:
            if not self._underway:
                while not self._waiting:
                    self._all_sent.set()
                    self._published.clear()
                    await self._published.wait()
                room = link.max_bytes - empty
                while self._waiting and len(self._waiting[0]) < room:
                    self._underway.append(self._waiting.popleft())
                    room -= len(self._underway[-1]) + 1
            async with asyncio.timeout(SEND_SECONDS):
                await link.send(pack(self.instance, self._underway))
            self._underway, self._sent_again = [], False

    def _receive(self, payload: bytes) -> None:
        """Pass the messages of another node to the listeners."""
        sender, messages, malformed = unpack(payload)
        self.malformed += malformed
        if sender != self.instance:
            for message in messages:
                for listener in self.listeners:
                    _call(listener, message)

    def _missed(self) -> None:
        for listener in self.when_missed:
            _call(listener)


def _call(listener: Callable[..., None], *given: Message) -> None:
    """Call a listener; an error doesn't affect the other listeners."""
    try:
        listener(*given)
    except Exception as error:
        log.exception("bus listener failed", extra={"error": type(error).__name__})


def default_address(database: str) -> str:
    """Return the default address of the bus for a database URL."""
    return "notify" if sqlite_path(database) is None else "local"


async def open_bus(address: str | None, database: str, instance: str, scope: str) -> Bus:
    """Open the bus at `address`. This succeeds even if the bus is unreachable now.

    Args:
        address: `None` or "local" for a single node; "notify" for PostgreSQL's LISTEN and NOTIFY; or one or more
            addresses of NATS servers, `nats://[USER:PASSWORD@]HOST[:PORT]` or `tls://...`, separated by commas.
        database: the database URL, for "notify".
        instance: the id of this process.
        scope: the id of this installation: 1 to 40 letters, digits, `_` and `-`.

    Raises:
        BadBus: the address is invalid, or isn't possible with this database.
    """
    if not _SCOPE.fullmatch(scope):
        raise ValueError(f"the scope {scope!r} must be 1 to 40 letters, digits, _ and -")
    connect = connector(address, database, scope)
    if connect is None:
        return LocalBus(instance)
    bus = RemoteBus(connect, instance)
    await bus.start()
    return bus


def connector(address: str | None, database: str, scope: str) -> Connect | None:
    """Return the function that opens links of the bus at `address`, see `open_bus`; `None` for a local bus.

    Raises:
        BadBus: the address is invalid, or isn't possible with this database.
    """
    if address in (None, "local"):
        return None
    if address == "notify":
        if sqlite_path(database) is not None:
            raise BadBus("the bus notify requires PostgreSQL, but this database is SQLite; omit --bus")
        from liarspoker.server.cluster.notify import notify_link

        return partial(notify_link, database, f"liarspoker_{scope}")
    if not is_address(address):
        # The message doesn't repeat the address, which may contain a password.
        raise BadBus(f"the address of the bus is invalid; {REMEDY}")
    from liarspoker.server.cluster.nats import nats_link

    servers = [one.strip() for one in address.split(",")]
    return partial(nats_link, cycle(servers), f"liarspoker.{scope}")


def is_address(text: str) -> bool:
    """Return whether an address is valid for `open_bus`; "notify" also requires a PostgreSQL database.

    >>> is_address("nats://ann:secret@one:4222, nats://two"), is_address("nats:two")
    (True, False)
    """
    return text in ("local", "notify") or all(_is_nats(one.strip()) for one in text.split(","))


def _is_nats(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return (
            parts.scheme in ("nats", "tls") and bool(parts.hostname) and parts.port != 0 and not parts.path.strip("/")
        )
    except ValueError:  # the port is invalid
        return False
