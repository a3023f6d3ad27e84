"""Connections handed to the node that owns the table they ask for.

Any node accepts any connection. Where the first line of a request names a table that another node owns, the node
connects to the owner, says in one line who the client is, and from then on copies bytes in both directions: a page, a
form, a stream or a WebSocket costs one receive and one send, and nothing of it is parsed twice.

The line has the manner of the PROXY protocol, and is authenticated with a key that the nodes share:
`LP1 <hops> <client's host> <client's port> <mac>`. Whoever owns the table serves the connection as if the client had
connected there. A response of HTTP closes it, since the client's next request may be for another table.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import re
import socket
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import RequestResponseCycle

from liarspoker.server.cluster.door import hand_in
from liarspoker.server.http import RequestTimeoutProtocol
from liarspoker.server.listening import host_and_port

log = logging.getLogger(__name__)

CONNECT_SECONDS = 1.0
"""So long a node may take to accept a connection; after that the request is answered here."""
PREFACE_SECONDS = 5.0
"""So long another node may take to say on whose behalf it has connected."""
STOP_SECONDS = 1.0
"""So long a connection to another node may go on when this one stops, for a response that is under way."""
MOST_HOPS = 3
"""A connection is handed on at most so often, when nodes disagree on who owns a table."""
MOST_HEAD_BYTES = 16 * 1024
"""A longer head is h11's to refuse."""
MOST_PREFACE_BYTES = 200

_TABLE = re.compile(rb"[!-~]{1,20} /(?:api/tables|tables|t)/([A-Za-z0-9_-]{1,100})[/? ]")
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_PREFACE = re.compile(r"LP1 ([1-9]) ([0-9A-Za-z.:%_-]{1,64}) ([0-9]{1,5}) ([0-9a-f]{64})")


class Routes(Protocol):
    """Who owns which table, as far as this node knows.

    Attributes:
        key: the secret that the nodes share, by which they know each other.
    """

    key: bytes

    def owner(self, table_id: str) -> str | None:
        """The `HOST:PORT` at which other nodes reach the owner of a table; `None` if that is this node, or nobody.

        It is asked for every request, and must not wait for anything.
        """


class Forwarding:
    """What the connections of a node know of the others.

    Attributes:
        address: the `HOST:PORT` at which others reach this node; empty where it is alone.
        folder: where nodes on the same machine have their doors.
        routes: who owns which table; `None` until that is known, or where this node is alone.
        unreachable: the nodes to which the last connection failed, which the log has said once.
    """

    def __init__(self, address: str = "", folder: Path | None = None) -> None:
        self.address = address
        self.folder = folder
        self.routes: Routes | None = None
        self.unreachable: set[str] = set()
        self._handed: defaultdict[str, set[Splice]] = defaultdict(set)

    def handed(self, owner: str, splice: Splice) -> None:
        """Know of a connection that was handed to a node."""
        self._handed[owner].add(splice)
        splice.when_lost = partial(self._handed[owner].discard, splice)

    def cut(self, owner: str) -> None:
        """End all that was handed to a node which has died, or stood still so long that others own its tables."""
        for splice in self._handed.pop(owner, set()):
            splice.transport.abort()


def preface(key: bytes, target: str, hops: int, client: tuple[str, int]) -> bytes:
    """The line that a node begins with when it hands a connection on.

    Args:
        key: which the nodes share.
        target: the address of the node that it is handed to, as its owner is found in `Routes`.
        hops: how often the connection has been handed on with this, 1 or more.
        client: the client's address and port.
    """
    host, port = client
    return f"LP1 {hops} {host} {port} {_mac(key, target, hops, host, port)}\r\n".encode("ascii")


def read_preface(line: bytes, key: bytes, address: str) -> tuple[int, tuple[str, int]] | None:
    """How often a connection has been handed on, and the client's address and port; `None` where the line is forged.

    >>> line = preface(b"key", "10.0.0.3:7000", 1, ("192.0.2.7", 50123)).rstrip()
    >>> read_preface(line, b"key", "10.0.0.3:7000")
    (1, ('192.0.2.7', 50123))
    >>> read_preface(line, b"key", "10.0.0.4:7000") is None  # it was said to another node
    True
    """
    found = _PREFACE.fullmatch(line.decode("ascii", "replace"))
    if found is None:
        return None
    hops, host, port, mac = int(found[1]), found[2], int(found[3]), found[4]
    if not hmac.compare_digest(mac, _mac(key, address, hops, host, port)):
        return None
    return hops, (host, port)


def _mac(key: bytes, target: str, hops: int, host: str, port: int) -> str:
    return hmac.new(key, f"LP1 {target} {hops} {host} {port}".encode(), "sha256").hexdigest()


class ForwardingProtocol(RequestTimeoutProtocol):
    """An HTTP connection that is handed to another node as soon as it asks for a table of that one's.

    Attributes:
        hops: how often what is asked on it has been handed on before it came here.
        is_spliced: it comes through another node, which passes on what it reads.
    """

    def __init__(self, forwarding: Forwarding, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hops = 0
        self.is_spliced = False
        self._forwarding = forwarding
        self._head = b""
        self._handing_over: asyncio.Task[None] | None = None

    def data_received(self, data: bytes) -> None:
        """Look where a request belongs before it is read; what follows it goes the same way."""
        if self._handing_over is not None:
            self._head += data
            return
        routes = self._forwarding.routes
        if routes is None or self.conn.their_state is not h11.IDLE or self.conn.trailing_data[0]:
            super().data_received(data)
            return
        self._wait()
        self._unset_keepalive_if_required()
        self._head += data
        may_go_on = len(self._head) <= MOST_HEAD_BYTES and self._head[0] > 0x20  # else it is no request
        if may_go_on and b"\n" not in self._head:
            return
        asked = _TABLE.match(self._head)
        owner = None if asked is None or self.hops >= MOST_HOPS else routes.owner(asked[1].decode())
        if owner is None or self.client is None:
            self._serve_here()
        elif _END_OF_HEAD.search(self._head):
            self.transport.pause_reading()
            self._handing_over = self.loop.create_task(self._hand_over(routes.key, owner, self.client))
        elif not may_go_on:
            self._serve_here()

    def handle_events(self) -> None:
        """Serve what has been read; on a connection that was handed on, a response is the last one."""
        super().handle_events()
        cycle = cast(RequestResponseCycle | None, self.cycle)
        if self.is_spliced and cycle is not None and CLOSE_HEADER not in cycle.default_headers:
            cycle.default_headers = [*cycle.default_headers, CLOSE_HEADER]

    def connection_lost(self, exc: Exception | None) -> None:
        """Connect to nobody any more."""
        if self._handing_over is not None:
            self._handing_over.cancel()
        super().connection_lost(exc)

    def _serve_here(self) -> None:
        head, self._head = self._head, b""
        if not self.is_spliced:
            self.hops = 0
        super().data_received(head)

    async def _hand_over(self, key: bytes, owner: str, client: tuple[str, int]) -> None:
        """Let this connection go on at its owner; serve the request here if the owner cannot be reached."""
        if self._handed_in(key, owner, client):
            return
        there = await self._connected(owner)
        self._handing_over = None
        if there is None:
            self.transport.resume_reading()
            self._serve_here()
            return
        self._wait_no_more()
        self.connections.discard(self)
        here = Splice(there.transport, self.connections)
        here.connection_made(self.transport)
        self._forwarding.handed(owner, here)
        there.other = self.transport
        there.transport.write(preface(key, owner, self.hops + 1, client) + self._head)
        self.transport.set_protocol(here)
        if self.flow.write_paused:  # by a response that the client has not read yet
            here.pause_writing()
        self.transport.resume_reading()

    def _handed_in(self, key: bytes, owner: str, client: tuple[str, int]) -> bool:
        """Whether the owner, on this machine, has the connection now, so that it costs nothing here any more."""
        folder, connection = self._forwarding.folder, self.transport.get_extra_info("socket")
        if folder is None or connection is None or self.transport.get_write_buffer_size():
            return False
        read = preface(key, owner, self.hops + 1, client) + self._head
        if not hand_in(folder, owner, read, connection.fileno()):
            return False
        self._handing_over = None
        self.transport.abort()  # the owner has it open too, so the client notices nothing
        return True

    async def _connected(self, owner: str) -> Splice | None:
        """The side of the owner, once it is connected; `None` if that fails."""
        there, reason = Splice(), "no answer"
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self.loop.create_connection(lambda: there, *host_and_port(owner))
        except TimeoutError:
            pass
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else type(error).__name__
        else:
            if not there.transport.is_closing():
                self._forwarding.unreachable.discard(owner)
                return there
        if owner not in self._forwarding.unreachable:
            self._forwarding.unreachable.add(owner)
            log.warning("a node cannot be reached", extra={"node": owner, "reason": reason})
        return None


class Splice(asyncio.Protocol):
    """One side of a connection that was handed on: what comes from here goes to the other side.

    Args:
        other: the other side; it can follow, as long as nothing comes from here.
        connections: the server's connections that it belongs to; none for the side of the owner.
    """

    transport: asyncio.Transport

    def __init__(self, other: asyncio.Transport | None = None, connections: set[Any] | None = None) -> None:
        self.other = other
        self.when_lost: Callable[[], object] = bool
        self._connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Know this side."""
        self.transport = cast(asyncio.Transport, transport)
        if self._connections is not None:
            self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Pass on what comes."""
        assert self.other is not None
        self.other.write(data)

    def eof_received(self) -> bool:
        """Pass on that the client sends no more, and wait for what the owner says to that; an owner has ended."""
        if self._connections is None or self.other is None or self.other.is_closing():
            return False
        self.other.write_eof()
        return True

    def pause_writing(self) -> None:
        """Take no more from the other side than this side reads."""
        if self.other is not None and not self.other.is_closing():
            self.other.pause_reading()

    def resume_writing(self) -> None:
        """Take more."""
        if self.other is not None and not self.other.is_closing():
            self.other.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the other side, after what it has still to send."""
        self.when_lost()
        if self._connections is not None:
            self._connections.discard(self)
        if self.other is not None:
            self.other.close()

    def shutdown(self) -> None:
        """This node stops: end soon. A stream has no end of its own, and the client comes back elsewhere."""
        asyncio.get_running_loop().call_later(STOP_SECONDS, self.transport.abort)


class Preface(asyncio.Protocol):
    """A connection from another node, until it has said on whose behalf it has come.

    Args:
        forwarding: what this node knows of the others.
        connections: the server's connections.
        serve: makes what serves the connection from then on.
    """

    def __init__(self, forwarding: Forwarding, connections: set[Any], serve: Callable[[], ForwardingProtocol]) -> None:
        self._forwarding = forwarding
        self._connections = connections
        self._serve = serve
        self._read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first line."""
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)
        self._limit = asyncio.get_running_loop().call_later(PREFACE_SECONDS, self._transport.abort)

    def data_received(self, data: bytes) -> None:
        """Serve the client that the line names; close without a word where the line is not another node's."""
        self._read += data
        line, ended, rest = self._read.partition(b"\r\n")
        if not ended and len(self._read) <= MOST_PREFACE_BYTES:
            return
        routes = self._forwarding.routes
        said = None if routes is None else read_preface(line, routes.key, self._forwarding.address)
        if said is None:
            self._transport.abort()
            return
        self.connection_lost(None)
        protocol = self._serve()
        protocol.hops, client = said
        protocol.is_spliced = True
        protocol.connection_made(cast(asyncio.Transport, ClientTransport(self._transport, client)))
        self._transport.set_protocol(protocol)
        if rest:
            protocol.data_received(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._limit.cancel()
        self._connections.discard(self)

    def shutdown(self) -> None:
        """This node stops."""
        self._transport.abort()


class Arrival(asyncio.Protocol):
    """A connection that another node on this machine has handed in whole.

    Args:
        serve: makes what serves it.
        hops: how often it has been handed on.
        read: what has been read of it.
    """

    def __init__(self, serve: Callable[[], ForwardingProtocol], hops: int, read: bytes) -> None:
        self._serve = serve
        self._hops = hops
        self._read = read

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Go on where the other node has stopped."""
        protocol = self._serve()
        protocol.hops = self._hops
        protocol.connection_made(cast(asyncio.Transport, transport))
        cast(asyncio.Transport, transport).set_protocol(protocol)
        protocol.data_received(self._read)


def take_in(
    forwarding: Forwarding, serve: Callable[[], ForwardingProtocol], read: bytes, connection: socket.socket
) -> None:
    """Serve a connection that came through the door; close it where no other node has sent it."""
    line, _, rest = read.partition(b"\r\n")
    said = None if forwarding.routes is None else read_preface(line, forwarding.routes.key, forwarding.address)
    if said is None:
        connection.close()
        return
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    arriving = loop.create_task(loop.connect_accepted_socket(partial(Arrival, serve, said[0], rest), connection))
    _ARRIVING.add(arriving)
    arriving.add_done_callback(_ARRIVING.discard)


_ARRIVING = set[asyncio.Task[Any]]()


class ClientTransport:
    """A transport to another node that knows the client's address as its own other end.

    Args:
        transport: what it is otherwise.
        client: the client's address and port.
    """

    def __init__(self, transport: asyncio.Transport, client: tuple[str, int]) -> None:
        self._transport = transport
        self._instead = {"peername": client, "socket": None}
        self.write = transport.write  # for every message, so not looked up anew

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What the transport knows, but for who is at the other end."""
        return self._instead[name] if name in self._instead else self._transport.get_extra_info(name, default)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
