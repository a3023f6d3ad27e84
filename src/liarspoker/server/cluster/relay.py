"""Requests from a node to other nodes: whether they are ready, and their parts of a merged stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field

import h11

from liarspoker.server.cluster.forward import preface
from liarspoker.server.cluster.membership import Membership
from liarspoker.server.listening import host_and_port
from liarspoker.server.storage.leases import Node

POLL_SECONDS = 0.5
"""Interval between checks for new nodes."""
MAX_LINES = 100
"""The maximum number of unread lines; while it is reached, the other nodes' streams wait."""
MAX_BYTES = 65536
READY_SECONDS = 1.0
"""Timeout of a request whether another node is ready."""

Headers = Sequence[tuple[bytes, bytes]]


@dataclass(slots=True)
class Owners:
    """The owners of tables, as `forward.Routes` defines them.

    Attributes:
        membership: this node's membership, which knows the other nodes.
        key: the secret that the nodes share.
    """

    membership: Membership
    key: bytes = field(repr=False)

    def owner(self, table_id: str) -> str | None:
        """Return the address of the other node that owns a table; `None` for this node, or if there isn't one."""
        node = self.membership.owner(table_id)
        return None if node is None else node.address

    async def is_ready(self, node: Node) -> bool:
        """Return whether another node answers and reaches the database."""
        if node.address is None:
            return False
        begin = preface(self.key, node.address, 1, ("127.0.0.1", 0))
        with suppress(OSError, h11.RemoteProtocolError):
            async with asyncio.timeout(READY_SECONDS):
                async for _ in _body(node.address, begin, "/ready", ()):
                    return True
        return False


class Relay:
    """Merges the streams of other nodes into the response to a client of this node.

    Args:
        owners: the other nodes.
        client: the client's address and port.
        headers: the headers of the client's request, which authenticate it to the other nodes.
    """

    def __init__(self, owners: Owners, client: tuple[str, int], headers: Headers) -> None:
        self._owners = owners
        self._client = client
        self._headers = headers

    async def merged(self, own: AsyncIterator[str], path: str) -> AsyncIterator[str]:
        """Yield the lines of `own` until it ends, and the lines of the other nodes' responses at `path`."""
        lines = asyncio.Queue[str](MAX_LINES)

        async def copy_own() -> None:
            async for line in own:
                await lines.put(line)
            await lines.put("")

        tasks = [asyncio.create_task(copy_own()), asyncio.create_task(self._copy_all(path, lines.put))]
        try:
            while line := await lines.get():
                yield line
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _copy_all(self, path: str, put: Callable[[str], Awaitable[None]]) -> None:
        """Copy the lines of all other nodes, including those that join later."""
        streams: dict[str, asyncio.Task[None]] = {}
        try:
            while True:
                for node in self._owners.membership.others():
                    if node.address is not None and (node.address not in streams or streams[node.address].done()):
                        streams[node.address] = asyncio.create_task(self._copy(node.address, path, put))
                await asyncio.sleep(POLL_SECONDS)
        finally:
            for task in streams.values():
                task.cancel()

    async def _copy(self, address: str, path: str, put: Callable[[str], Awaitable[None]]) -> None:
        unread = b""
        with suppress(OSError, h11.RemoteProtocolError):  # it has died, and the new owner of its tables reports them
            async for data in _body(address, preface(self._owners.key, address, 1, self._client), path, self._headers):
                *lines, unread = (unread + data).split(b"\n")
                for line in filter(None, lines):
                    await put(f"{line.decode()}\n")


async def _body(address: str, begin: bytes, path: str, headers: Headers) -> AsyncIterator[bytes]:
    """Yield the body of a node's response at a path, in pieces; nothing unless the status is 200.

    Raises:
        OSError: the node is unreachable, or the connection was lost.
        RemoteProtocolError: the connection was lost in the middle of the response.
    """
    reader, writer = await asyncio.open_connection(*host_and_port(address))
    with closing(writer):
        connection = h11.Connection(h11.CLIENT)
        request = h11.Request(method="GET", target=path, headers=[(b"host", b"node"), *headers])
        writer.write(begin + b"".join(connection.send(event) or b"" for event in (request, h11.EndOfMessage())))
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(await reader.read(MAX_BYTES))
            elif isinstance(event, h11.Data):
                yield bytes(event.data)
            elif not isinstance(event, h11.Response) or event.status_code != 200:
                return
