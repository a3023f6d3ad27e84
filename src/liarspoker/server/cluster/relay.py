"""What a node asks of the others: whether they are ready, and their parts of a stream, which it hands on."""

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

LOOK_SECONDS = 0.5
"""So often it is looked whether nodes have come."""
MOST_LINES = 100
"""So many lines wait to be read; then nobody tells any more of them."""
MOST_BYTES = 65536
READY_SECONDS = 1.0
"""So long another node may take to say that it is ready."""

Headers = Sequence[tuple[bytes, bytes]]


@dataclass(slots=True)
class Owners:
    """Where the other nodes are; see `forward.Routes`.

    Attributes:
        membership: of this node, which knows the others.
        key: which the nodes share.
    """

    membership: Membership
    key: bytes = field(repr=False)

    def owner(self, table_id: str) -> str | None:
        """The address of the other node that owns a table; `None` where this one does, or nobody."""
        node = self.membership.owner(table_id)
        return None if node is None else node.address

    async def is_ready(self, node: Node) -> bool:
        """Whether another node answers and reaches the database."""
        if node.address is None:
            return False
        begin = preface(self.key, node.address, 1, ("127.0.0.1", 0))
        with suppress(OSError, h11.RemoteProtocolError):
            async with asyncio.timeout(READY_SECONDS):
                async for _ in _body(node.address, begin, "/ready", ()):
                    return True
        return False


class Relay:
    """What other nodes tell a client of this one.

    Args:
        owners: the other nodes.
        client: the client's address and port.
        headers: of the client's request, by which the others know who asks.
    """

    def __init__(self, owners: Owners, client: tuple[str, int], headers: Headers) -> None:
        self._owners = owners
        self._client = client
        self._headers = headers

    async def merged(self, own: AsyncIterator[str], path: str) -> AsyncIterator[str]:
        """The lines of `own`, until they end, and each line that the other nodes answer with at `path`."""
        lines = asyncio.Queue[str](MOST_LINES)

        async def hand_on() -> None:
            async for line in own:
                await lines.put(line)
            await lines.put("")

        tasks = [asyncio.create_task(hand_on()), asyncio.create_task(self._ask_all(path, lines.put))]
        try:
            while line := await lines.get():
                yield line
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask_all(self, path: str, put: Callable[[str], Awaitable[None]]) -> None:
        """Ask every other node, also those that come later."""
        asked: dict[str, asyncio.Task[None]] = {}
        try:
            while True:
                for node in self._owners.membership.others():
                    if node.address is not None and (node.address not in asked or asked[node.address].done()):
                        asked[node.address] = asyncio.create_task(self._hand_on(node.address, path, put))
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            for task in asked.values():
                task.cancel()

    async def _hand_on(self, address: str, path: str, put: Callable[[str], Awaitable[None]]) -> None:
        unread = b""
        with suppress(OSError, h11.RemoteProtocolError):  # it has gone, and whoever has its tables now tells of them
            async for data in _body(address, preface(self._owners.key, address, 1, self._client), path, self._headers):
                *lines, unread = (unread + data).split(b"\n")
                for line in filter(None, lines):
                    await put(f"{line.decode()}\n")


async def _body(address: str, begin: bytes, path: str, headers: Headers) -> AsyncIterator[bytes]:
    """What a node answers at a path, piece by piece; nothing where it answers with anything but 200.

    Raises:
        OSError: it cannot be reached, or has gone.
        RemoteProtocolError: it has gone in the middle of an answer.
    """
    reader, writer = await asyncio.open_connection(*host_and_port(address))
    with closing(writer):
        connection = h11.Connection(h11.CLIENT)
        request = h11.Request(method="GET", target=path, headers=[(b"host", b"node"), *headers])
        writer.write(begin + b"".join(connection.send(event) or b"" for event in (request, h11.EndOfMessage())))
        while True:
            told = connection.next_event()
            if told is h11.NEED_DATA:
                connection.receive_data(await reader.read(MOST_BYTES))
            elif isinstance(told, h11.Data):
                yield bytes(told.data)
            elif not isinstance(told, h11.Response) or told.status_code != 200:
                return
