"""Forwarding of connections to the node that owns the requested table.

Every node accepts all connections. If the first line of a request names a table that another node owns, the node
connects to the owner, sends a line with the client's address, and from then on copies bytes in both directions. So a
page, a form, a stream or a WebSocket costs one receive and one send per piece, and nothing is parsed twice.

The line resembles the PROXY protocol, and is authenticated with a key that the nodes share: `LP1 <hops> <client's host>
<client's port> <mac>`. The owner serves the connection as if the client had connected to it directly. It closes the
connection after an HTTP response, since the client's next request may be for another table.
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
from urllib.parse import unquote

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import RequestResponseCycle

from liarspoker.server.cluster.handoff import send_connection
from liarspoker.server.http import RequestTimeoutProtocol
from liarspoker.server.listening import host_and_port

log = logging.getLogger(__name__)

CONNECT_SECONDS = 1.0
"""Timeout of a connection to another node; after it, the request is served here."""
PREFACE_SECONDS = 5.0
"""Timeout for the first line of a connection from another node."""
STOP_SECONDS = 1.0
"""How long connections to other nodes stay open when this node stops, so that responses can be completed."""
MAX_HOPS = 3
"""The maximum number of times that a connection is forwarded, if nodes disagree on the owner of a table."""
MAX_HEAD_BYTES = 16 * 1024
"""Longer request heads are passed to h11, which rejects them."""
MAX_PREFACE_BYTES = 200

_TABLE = re.compile(rb"[!-~]{1,20} /(?:api/tables|tables|t)/([A-Za-z0-9_%-]{1,300})[/? ]")
_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_PREFACE = re.compile(r"LP1 ([1-9]) ([0-9A-Za-z.:%_-]{1,64}) ([0-9]{1,5}) ([0-9a-f]{64})")


class Routes(Protocol):
    """The owners of tables, as known to this node.

    Attributes:
        key: the secret that the nodes share to authenticate each other.
    """

    key: bytes

    def owner(self, table_id: str) -> str | None:
        """Return the `HOST:PORT` of a table's owner; `None` for this node, or if the table has no owner.

        It is called for every request, and must not block.
        """


class Forwarding:
    """What the connections of a node know about other nodes.

    Attributes:
        address: the `HOST:PORT` at which others reach this node; empty for a single node.
        folder: the folder with the handoff sockets of the nodes on this machine.
        routes: the owners of tables; `None` until they are known, or for a single node.
        unreachable: the nodes to which the last connection failed, which was logged once.
    """

    def __init__(self, address: str = "", folder: Path | None = None) -> None:
        self.address = address
        self.folder = folder
        self.routes: Routes | None = None
        self.unreachable: set[str] = set()
        self._splices: defaultdict[str, set[Splice]] = defaultdict(set)

    def add(self, owner: str, splice: Splice) -> None:
        """Register a connection that is forwarded to a node."""
        self._splices[owner].add(splice)
        splice.when_lost = partial(self._splices[owner].discard, splice)

    def cut(self, owner: str) -> None:
        """Abort all connections forwarded to a node that has died, or has been suspended and lost its tables."""
        for splice in self._splices.pop(owner, set()):
            splice.transport.abort()


def preface(key: bytes, target: str, hops: int, client: tuple[str, int]) -> bytes:
    """Return the first line of a forwarded connection.

    Args:
        key: the secret that the nodes share.
        target: the address of the node that it is forwarded to, from `Routes.owner`.
        hops: how often the connection has been forwarded, including this time.
        client: the client's address and port.
    """
    host, port = client
    return f"LP1 {hops} {host} {port} {_mac(key, target, hops, host, port)}\r\n".encode("ascii")


def read_preface(line: bytes, key: bytes, address: str) -> tuple[int, tuple[str, int]] | None:
    """Return the number of hops, and the client's address and port; `None` if the line isn't authentic.

    >>> line = preface(b"key", "10.0.0.3:7000", 1, ("192.0.2.7", 50123)).rstrip()
    >>> read_preface(line, b"key", "10.0.0.3:7000")
    (1, ('192.0.2.7', 50123))
    >>> read_preface(line, b"key", "10.0.0.4:7000") is None  # the line is for another node
    True
    """
    found = _PREFACE.fullmatch(line.decode("ascii", "replace"))
    if found is None:
        return None
    hops, host, port, mac = int(found[1]), found[2], int(found[3]), found[4]
    if not hmac.compare_digest(mac, _mac(key, address, hops, host, port)):
        return None
    return hops, (host, port)


def _table_in(head: bytes) -> str | None:
    """Return the id of the table that a request names, in which a client may have escaped characters."""
    found = _TABLE.match(head)
    table_id = "" if found is None else unquote(found[1].decode())
    return table_id if _TABLE_ID.fullmatch(table_id) else None


def _mac(key: bytes, target: str, hops: int, host: str, port: int) -> str:
    return hmac.new(key, f"LP1 {target} {hops} {host} {port}".encode(), "sha256").hexdigest()


class ForwardingProtocol(RequestTimeoutProtocol):
    """An HTTP connection that is forwarded to another node as soon as it requests a table of that node.

    Attributes:
        hops: how often the connection was forwarded before it came here.
        is_spliced: whether it comes through another node that copies its bytes.
    """

    def __init__(self, forwarding: Forwarding, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hops = 0
        self.is_spliced = False
        self._forwarding = forwarding
        self._head = b""
        self._handing_over: asyncio.Task[None] | None = None

    def data_received(self, data: bytes) -> None:
        """Find the owner of the requested table before the request is parsed; what follows goes to the same node."""
        if self._handing_over is not None:
            self._head += data
            return
        routes = self._forwarding.routes
        if routes is None or self.conn.their_state is not h11.IDLE or self.conn.trailing_data[0]:
            super().data_received(data)
            return
        self._start_timeout()
        self._unset_keepalive_if_required()
        self._head += data
        may_go_on = len(self._head) <= MAX_HEAD_BYTES and self._head[0] > 0x20  # otherwise it isn't a request
        if may_go_on and b"\n" not in self._head:
            return
        table_id = _table_in(self._head)
        owner = None if table_id is None or self.hops >= MAX_HOPS else routes.owner(table_id)
        if owner is None or self.client is None:
            self._serve_here()
        elif _END_OF_HEAD.search(self._head):
            self.transport.pause_reading()
            self._handing_over = self.loop.create_task(self._hand_over(routes.key, owner, self.client))
        elif not may_go_on:
            self._serve_here()

    def handle_events(self) -> None:
        """Serve the parsed requests; on a forwarded connection, close after the response."""
        super().handle_events()
        cycle = cast(RequestResponseCycle | None, self.cycle)
        if self.is_spliced and cycle is not None and CLOSE_HEADER not in cycle.default_headers:
            cycle.default_headers = [*cycle.default_headers, CLOSE_HEADER]

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel a handover that is in progress."""
        if self._handing_over is not None:
            self._handing_over.cancel()
        super().connection_lost(exc)

    def _serve_here(self) -> None:
        head, self._head = self._head, b""
        if not self.is_spliced:
            self.hops = 0
        super().data_received(head)

    async def _hand_over(self, key: bytes, owner: str, client: tuple[str, int]) -> None:
        """Continue this connection on the table's owner; serve the request here if the owner is unreachable."""
        if self._sent_whole(key, owner, client):
            return
        there = await self._connected(owner)
        self._handing_over = None
        if there is None:
            self.transport.resume_reading()
            self._serve_here()
            return
        self._stop_timeout()
        self.connections.discard(self)
        here = Splice(there.transport, self.connections)
        here.connection_made(self.transport)
        self._forwarding.add(owner, here)
        there.other = self.transport
        there.transport.write(preface(key, owner, self.hops + 1, client) + self._head)
        self.transport.set_protocol(here)
        if self.flow.write_paused:  # by a response that the client has not read yet
            here.pause_writing()
        self.transport.resume_reading()

    def _sent_whole(self, key: bytes, owner: str, client: tuple[str, int]) -> bool:
        """Send the connection to the owner if it runs on this machine; return whether that succeeded."""
        folder, connection = self._forwarding.folder, self.transport.get_extra_info("socket")
        if folder is None or connection is None or self.transport.get_write_buffer_size():
            return False
        read = preface(key, owner, self.hops + 1, client) + self._head
        if not send_connection(folder, owner, read, connection.fileno()):
            return False
        self._handing_over = None
        self.transport.abort()  # the owner has it open too, so it isn't closed for the client
        return True

    async def _connected(self, owner: str) -> Splice | None:
        """Connect to the owner; return its side of the splice, or `None` if that fails."""
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
            log.warning("node unreachable", extra={"node": owner, "reason": reason})
        return None


class Splice(asyncio.Protocol):
    """One side of a forwarded connection, which copies what it receives to the other side.

    Args:
        other: the other side; it can be set later, as long as nothing is received.
        connections: the server's connections, which include the client's side; `None` for the owner's side.
    """

    transport: asyncio.Transport

    def __init__(self, other: asyncio.Transport | None = None, connections: set[Any] | None = None) -> None:
        self.other = other
        self.when_lost: Callable[[], object] = bool
        self._connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport of this side."""
        self.transport = cast(asyncio.Transport, transport)
        if self._connections is not None:
            self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Copy data to the other side."""
        assert self.other is not None
        self.other.write(data)

    def eof_received(self) -> bool:
        """Forward the client's end of data and wait for the owner's response; close if the owner's data has ended."""
        if self._connections is None or self.other is None or self.other.is_closing():
            return False
        self.other.write_eof()
        return True

    def pause_writing(self) -> None:
        """Stop reading from the other side, since this side doesn't read fast enough."""
        if self.other is not None and not self.other.is_closing():
            self.other.pause_reading()

    def resume_writing(self) -> None:
        """Resume reading from the other side."""
        if self.other is not None and not self.other.is_closing():
            self.other.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the other side after its remaining data is sent."""
        self.when_lost()
        if self._connections is not None:
            self._connections.discard(self)
        if self.other is not None:
            self.other.close()

    def shutdown(self) -> None:
        """Close soon, since this node stops. Endless streams are cut, and their clients reconnect to another node."""
        asyncio.get_running_loop().call_later(STOP_SECONDS, self.transport.abort)


class Preface(asyncio.Protocol):
    """A connection from another node, until its first line has been received.

    Args:
        forwarding: what this node knows about other nodes.
        connections: the server's connections.
        serve: creates the protocol that serves the connection from then on.
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
        """Serve the client named in the line; abort the connection if the line isn't authentic."""
        self._read += data
        line, ended, rest = self._read.partition(b"\r\n")
        if not ended and len(self._read) <= MAX_PREFACE_BYTES:
            return
        routes = self._forwarding.routes
        origin = None if routes is None else read_preface(line, routes.key, self._forwarding.address)
        if origin is None:
            self._transport.abort()
            return
        self.connection_lost(None)
        protocol = self._serve()
        protocol.hops, client = origin
        protocol.is_spliced = True
        protocol.connection_made(cast(asyncio.Transport, ClientTransport(self._transport, client)))
        self._transport.set_protocol(protocol)
        if rest:
            protocol.data_received(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout."""
        self._limit.cancel()
        self._connections.discard(self)

    def shutdown(self) -> None:
        """Abort the connection, since this node stops."""
        self._transport.abort()


class Arrival(asyncio.Protocol):
    """A connection received from another node on this machine.

    Args:
        serve: creates the protocol that serves it.
        hops: how often it has been forwarded.
        read: the bytes that were already read from it.
    """

    def __init__(self, serve: Callable[[], ForwardingProtocol], hops: int, read: bytes) -> None:
        self._serve = serve
        self._hops = hops
        self._read = read

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Continue where the other node stopped."""
        protocol = self._serve()
        protocol.hops = self._hops
        protocol.connection_made(cast(asyncio.Transport, transport))
        cast(asyncio.Transport, transport).set_protocol(protocol)
        protocol.data_received(self._read)


def receive_connection(
    forwarding: Forwarding, serve: Callable[[], ForwardingProtocol], read: bytes, connection: socket.socket
) -> None:
    """Serve a connection from the handoff socket; close it if it isn't authentic."""
    line, _, rest = read.partition(b"\r\n")
    origin = None if forwarding.routes is None else read_preface(line, forwarding.routes.key, forwarding.address)
    if origin is None:
        connection.close()
        return
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    arriving = loop.create_task(loop.connect_accepted_socket(partial(Arrival, serve, origin[0], rest), connection))
    _ARRIVING.add(arriving)
    arriving.add_done_callback(_ARRIVING.discard)


_ARRIVING = set[asyncio.Task[Any]]()


class ClientTransport:
    """A transport to another node that reports the client's address as its peer.

    Args:
        transport: the transport to wrap.
        client: the client's address and port.
    """

    def __init__(self, transport: asyncio.Transport, client: tuple[str, int]) -> None:
        self._transport = transport
        self._instead = {"peername": client, "socket": None}
        self.write = transport.write  # called for every message, so avoid `__getattr__`

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return information about the transport, with the client's address as the peer."""
        return self._instead[name] if name in self._instead else self._transport.get_extra_info(name, default)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
