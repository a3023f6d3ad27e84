"""Controllable links between processes: proxies that delay, drop or corrupt what they forward."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Literal

Manner = Literal["pass", "hold", "swallow", "break", "garble"]
"""The mode of a link: everything passes; data is held until the link is restored (a network partition); data is lost (a
firewall that has dropped the connection); existing and new connections break; or NATS messages are dropped, duplicated
and reordered.
"""


class Link:
    """A proxy for a socket.

    Args:
        target: the path of a Unix socket, or a local port.
        chance: the random generator for corrupted messages.
        nats: whether the protocol is NATS.
    """

    def __init__(self, target: Path | int, chance: Random, nats: bool = False) -> None:
        self.port = 0
        self._target = target
        self._chance = chance
        self._nats = nats
        self._manner: Manner = "pass"
        self._flows = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.get_running_loop()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Link]:
        """Serve on a free port."""
        async with await asyncio.start_server(self._connected, "127.0.0.1", 0) as server:
            self.port = server.sockets[0].getsockname()[1]
            self._set("pass")
            try:
                yield self
            finally:
                self._set("break")

    def set(self, manner: Manner) -> None:
        """Change the mode of the link; can be called from any thread."""
        self._loop.call_soon_threadsafe(self._set, manner)

    def _set(self, manner: Manner) -> None:
        self._manner = manner
        if manner == "hold":
            self._flows.clear()
        else:
            self._flows.set()
        if manner == "break":
            for writer in self._writers:
                writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._flows.wait()
        opened = asyncio.open_unix_connection if isinstance(self._target, Path) else asyncio.open_connection
        place = (self._target,) if isinstance(self._target, Path) else ("127.0.0.1", self._target)
        try:
            if self._manner == "break":
                raise ConnectionError
            there, back = await opened(*place)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back}
        both = [asyncio.create_task(self._pass_on(reader, back)), asyncio.create_task(self._pass_down(there, writer))]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            pass  # asyncio.run ends; the callback that asyncio adds to this task can't handle the cancellation
        finally:
            for end in (writer, back):
                end.close()
                self._writers.discard(end)
            for task in both:
                task.cancel()

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(1 << 16):
                await self._flows.wait()
                if self._manner != "swallow":
                    target.write(data)

    async def _pass_down(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        if not self._nats:
            await self._pass_on(source, target)
            return
        late = b""
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                message = await source.readuntil(b"\r\n")
                if message.startswith((b"MSG ", b"HMSG ")):
                    message += await source.readexactly(int(message.split()[-1]) + 2)
                    if self._manner == "garble":
                        fate = self._chance.randrange(4)
                        if fate == 0:
                            continue
                        if fate == 1:
                            message *= 2
                        elif fate == 2 and not late:
                            late = message
                            continue
                await self._flows.wait()
                if self._manner != "swallow":
                    target.write(message + late)
                    late = b""
