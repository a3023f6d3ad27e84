"""The bus between the nodes of one installation: short messages that say what to look up again.

The bus carries hints, never state: the database alone decides. A message may be lost, come late or come twice; a node
whose listeners missed something is told so by `Bus.when_missed`, and reads the database. Nothing secret crosses: no
hand, seed, view or passphrase, and of a credential only what the database stores of it.

A payload is a JSON array: the version of the format, the sender's instance, and its messages, each an array that begins
with its tag. Newer versions and unknown tags are ignored, so that nodes of two releases can share a bus for a while.
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
from liarspoker.server.storage.place import sqlite_path

log = logging.getLogger(__name__)

VERSION = 1
"""The version of the format; it rises only when older nodes would misread a payload."""
MOST_WAITING = 10_000
"""So many messages wait to be sent; of more, the oldest are dropped."""
MOST_MESSAGE_BYTES = 2000
"""No message is longer."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
"""Seconds between two attempts to connect: at first, and after many."""
START_SECONDS = 2.0
"""So long a start waits for the bus; then it goes on without it."""
SEND_SECONDS = 5.0
"""A connection whose server confirms nothing for so long is lost."""
CLOSE_SECONDS = 1.0
"""So long a stop waits until what was told has been sent."""

REMEDY = "write local, notify (PostgreSQL's own), or nats://HOST:PORT, several of them separated by commas"


class BadBus(LiarsPokerError):
    """The address of the bus isn't one."""

    code = "bad-bus"


class _Tagged(msgspec.Struct, frozen=True, array_like=True, tag=lambda name: name.lower()):
    """A message of the bus. New fields go last and have a default."""


class Shards(_Tagged, frozen=True):
    """The owners of shards have changed."""


class Revoked(_Tagged, frozen=True):
    """A session or a token was revoked; `credential` is the digest that the database stores of it."""

    credential: bytes


class Counted(_Tagged, frozen=True):
    """A use by `key` was counted against the limit named `limit`."""

    limit: str
    key: str


Message: TypeAlias = Shards | Revoked | Counted
"""Whatever crosses the bus."""


class _Header(msgspec.Struct, array_like=True):
    version: int


class _Payload(msgspec.Struct, array_like=True):
    version: int
    sender: str
    messages: list[msgspec.Raw]


class _Tag(msgspec.Struct, array_like=True):
    tag: str


_SCOPE = re.compile(r"[A-Za-z0-9_-]{1,40}")
_TAGS = frozenset(kind.__struct_config__.tag for kind in (Shards, Revoked, Counted))
_header, _payload, _tag = Reader[_Header](_Header), Reader[_Payload](_Payload), Reader[_Tag](_Tag)
_message = Reader[Message](Message)
_encode = msgspec.json.Encoder().encode


def pack(sender: str, encoded: Iterable[bytes]) -> bytes:
    """The payload of messages that are encoded already."""
    return _encode([VERSION, sender, []])[:-2] + b",".join(encoded) + b"]]"


def unpack(payload: bytes) -> tuple[str, list[Message], int]:
    """The sender, the messages that this release knows, and how many messages or payloads could not be read.

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
            raise Malformed("there is no such version")
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
    """What a node tells the others, and hears from them.

    Attributes:
        instance: the id of this process; its own messages don't come back to it.
        listeners: called in the event loop with every message of another node.
        when_missed: called after messages of others may have been missed: after a connection was lost and is back, or
            something that came in was dropped. Read the database then.
        connected: whether messages cross now.
        dropped: the number of messages told here that nobody will get.
        malformed: the number of payloads and messages that could not be read.
    """

    instance: str
    listeners: list[Callable[[Message], None]]
    when_missed: list[Callable[[], None]]
    connected: bool
    dropped: int
    malformed: int

    def tell(self, message: Message) -> None:
        """Send `message` to all other nodes soon. Call it in the event loop; it neither waits nor fails."""

    async def close(self) -> None:
        """Send what waits, if that is possible soon, and disconnect."""


class LocalBus:
    """The bus of a node that is alone: nobody hears it. See `Bus`."""

    def __init__(self, instance: str) -> None:
        self.instance = instance
        self.listeners: list[Callable[[Message], None]] = []
        self.when_missed: list[Callable[[], None]] = []
        self.connected = True
        self.dropped = self.malformed = 0

    def tell(self, message: Message) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


class Link(Protocol):
    """One connection to whatever carries payloads to all nodes.

    Attributes:
        most_bytes: no payload may be longer; more than twice `MOST_MESSAGE_BYTES`.
    """

    most_bytes: int

    async def send(self, payload: bytes) -> None:
        """Send a payload; once this returns, the server has it. It fails when the connection is lost."""

    async def lost(self) -> None:
        """Wait until the connection is lost, and fail then."""


Connect: TypeAlias = Callable[[Callable[[bytes], None], Callable[[], None]], AbstractAsyncContextManager[Link]]
"""Opens a link, given what to call with each payload that comes in, and what to call when one was dropped."""


class RemoteBus:
    """A bus over a link, which is opened again for ever when it is lost. See `Bus`.

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
        self._told = asyncio.Event()
        self._all_sent = asyncio.Event()
        self._all_sent.set()
        self._tried = asyncio.Event()
        self._running = asyncio.create_task(self._run())

    async def start(self) -> None:
        """Wait until the bus is connected, or seems to be away."""
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                await self._tried.wait()
        self._tried.set()  # whatever connects later may have missed something

    def tell(self, message: Message) -> None:
        """Send `message` to all other nodes soon; where too many wait, the oldest is dropped."""
        try:
            encoded = _encode(message)
        except ValueError:  # half of a sign, which UTF-8 doesn't have
            encoded = b""
        if not 0 < len(encoded) <= MOST_MESSAGE_BYTES:
            self.dropped += 1
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            self.dropped += 1
        self._waiting.append(encoded)
        self._told.set()
        self._all_sent.clear()

    async def close(self) -> None:
        """Send what waits, if that is possible soon, and disconnect."""
        if self.connected:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._all_sent.wait()
        self._running.cancel()
        await asyncio.wait([self._running], timeout=CLOSE_SECONDS)
        self.connected = False

    async def _run(self) -> None:
        """Connect for ever. That the bus is away is logged once, and once that it is back."""
        pause, away = FIRST_PAUSE, False
        while True:
            try:
                async with self._connect(self._receive, self._missed) as link:
                    self.connected, pause = True, FIRST_PAUSE
                    if away or self._tried.is_set():
                        self._missed()
                    if away:
                        log.info("bus is back")
                        away = False
                    self._tried.set()
                    await self._carry(link)
            except Exception as error:  # drivers fail in many ways, and none of them may end the bus
                # The text of the error is not written, since it may hold an address with a password.
                if not away:
                    log.warning("bus lost", extra={"error": type(error).__name__})
                away, self.connected = True, False
                self._tried.set()
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _carry(self, link: Link) -> None:
        """Send what is told until the link is lost, and fail then."""
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
        """Send what is told, as much at once as the link takes; what a lost link has not confirmed, once more."""
        empty = len(pack(self.instance, []))
        if self._underway and self._sent_again:
            self.dropped += len(self._underway)
            self._underway = []
        self._sent_again = bool(self._underway)
        while True:
            if not self._underway:
                while not self._waiting:
                    self._all_sent.set()
                    self._told.clear()
                    await self._told.wait()
                room = link.most_bytes - empty
                while self._waiting and len(self._waiting[0]) < room:
                    self._underway.append(self._waiting.popleft())
                    room -= len(self._underway[-1]) + 1
            async with asyncio.timeout(SEND_SECONDS):
                await link.send(pack(self.instance, self._underway))
            self._underway, self._sent_again = [], False

    def _receive(self, payload: bytes) -> None:
        """Pass on the messages of another node."""
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
    """Call a listener; one that fails keeps nobody else from hearing."""
    try:
        listener(*given)
    except Exception as error:
        log.exception("a listener of the bus failed", extra={"error": type(error).__name__})


def default_address(database: str) -> str:
    """The address of the bus where none is named: what the database at an address has."""
    return "notify" if sqlite_path(database) is None else "local"


async def open_bus(address: str | None, database: str, instance: str, scope: str) -> Bus:
    """The bus at `address`. A bus that is away now doesn't keep a server from starting.

    Args:
        address: `None` or "local": nobody else hears it; "notify": LISTEN and NOTIFY of PostgreSQL; or one or more
            addresses of NATS servers, `nats://[USER:PASSWORD@]HOST[:PORT]` or `tls://...`, separated by commas.
        database: the address of the database, for "notify".
        instance: the id of this process.
        scope: what all nodes of this installation share and no other installation has: 1 to 40 letters, digits, `_`
            and `-`.

    Raises:
        BadBus: the address is none, or there is no such bus with this database.
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
    """What opens links of the bus at `address`, see `open_bus`; `None` for a bus that nobody else hears.

    Raises:
        BadBus: the address is none, or there is no such bus with this database.
    """
    if address in (None, "local"):
        return None
    if address == "notify":
        if sqlite_path(database) is not None:
            raise BadBus("the bus notify is PostgreSQL's own, and this database is SQLite; leave --bus out")
        from liarspoker.server.cluster.notify import notify_link

        return partial(notify_link, database, f"liarspoker_{scope}")
    if not is_address(address):
        # The address is not repeated, since a password may be in it.
        raise BadBus(f"the address of the bus isn't one; {REMEDY}")
    from liarspoker.server.cluster.nats import nats_link

    servers = [one.strip() for one in address.split(",")]
    return partial(nats_link, cycle(servers), f"liarspoker.{scope}")


def is_address(text: str) -> bool:
    """Whether `open_bus` takes an address; "notify" only where the database is PostgreSQL.

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
    except ValueError:  # the port is none
        return False
