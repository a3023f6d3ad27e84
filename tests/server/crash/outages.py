"""Outages of a database: its server is killed or unreachable."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from tests.server.inprocess import PATIENCE
from tests.server.postgres import Server as Postgres


@dataclass
class Outage:
    """A database with a controllable outage.

    Attributes:
        url: its URL.
        begin: begins the outage.
        end: ends the outage.
    """

    url: str
    begin: Callable[[], None]
    end: Callable[[], None]


class BlackHole:
    """A proxy for PostgreSQL that can drop all data while connections stay open."""

    def __init__(self, postgres: Postgres) -> None:
        self._socket = str(postgres.folder / ".s.PGSQL.5432")
        self._swallowing = False
        self.port = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve in a thread."""
        listens, loops, over = threading.Event(), list[asyncio.AbstractEventLoop](), asyncio.Event()

        async def serve() -> None:
            loops.append(asyncio.get_running_loop())
            async with await asyncio.start_server(self._connected, "127.0.0.1", 0) as server:
                self.port = server.sockets[0].getsockname()[1]
                listens.set()
                await over.wait()

        thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
        thread.start()
        assert listens.wait(PATIENCE)
        try:
            yield
        finally:
            loops[0].call_soon_threadsafe(over.set)
            thread.join(PATIENCE)

    def begin(self) -> None:
        """Drop all data from now on."""
        self._swallowing = True

    def end(self) -> None:
        """Forward data again; dropped data stays lost."""
        self._swallowing = False

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        both = [asyncio.create_task(self._pass_on(reader, back)), asyncio.create_task(self._pass_on(there, writer))]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in (writer, back):
                end.close()
            for task in both:
                task.cancel()

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(1 << 16):
                if not self._swallowing:
                    target.write(data)


@contextmanager
def outage(postgres: Postgres, kind: str) -> Iterator[Outage]:
    """Create a database with a controllable outage: `killed` or `unreachable`. Its server runs again at the end."""
    url = postgres.new_database()
    if kind == "unreachable":
        hole = BlackHole(postgres)
        with hole.running():
            reached = url.replace(f"host={postgres.folder}", f"host=127.0.0.1&port={hole.port}")
            yield Outage(reached, hole.begin, hole.end)
        return
    try:
        yield Outage(url, lambda: postgres.stop("immediate"), postgres.start)
    finally:
        postgres.start()
