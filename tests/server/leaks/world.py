"""A whole server without a network, on a clock and a chance that the test holds, and all that it tells anybody."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from fastapi import FastAPI

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server import journal
from liarspoker.server.accounts import passphrases
from liarspoker.server.app import application
from liarspoker.server.bots.worker import Answer
from liarspoker.server.bots.workers import Worker
from liarspoker.server.cluster.forward import Forwarding
from liarspoker.server.config import Config, WallClock, no_limits
from liarspoker.server.service import Service
from liarspoker.server.storage.connection import Connection
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables.state import Table
from tests.server.inprocess import CHEAP, with_empty_database
from tests.server.leaks.lines import PATIENCE, Line

PEOPLE = 5
"""How many have a name; the last of them never sits down."""

BOT = "bot"
BUS = "bus"
LOG = "log"
METRICS = "/metrics"

_TABLES = ("events", "secrets", "listings", "members", "tables")

Result = TypeVar("Result")


class HeldClock(WallClock):
    """A clock that stands still until it is put forward."""

    time = 1000.0

    def now(self) -> float:
        return self.time


class HeldChance:
    """Chance that the test knows: the same after every `begin` with the same number."""

    def __init__(self) -> None:
        self.begin(0)

    def begin(self, number: int) -> None:
        self._random = Random(number)
        self.seeds: list[bytes] = []

    def __call__(self, count: int) -> bytes:
        given = self._random.randbytes(count)
        if count == 32:
            self.seeds.append(given)
        return given


@dataclass(frozen=True)
class Told:
    """Something that was told to somebody.

    Attributes:
        user: whose id it was told to; `None` for somebody unknown, or for no person at all.
        channel: the path or the socket through which, or one of `BOT`, `BUS`, `LOG`.
        text: every sign of it.
        sent: what the receiver himself has sent just before, which may be told back to him.
        table: the table when it was told, or of the version that it tells.
    """

    user: str | None
    channel: str
    text: str
    sent: str
    table: Table


@dataclass(repr=False)
class World:
    """The server and the people who talk to it."""

    app: Any
    clock: HeldClock
    chance: HeldChance
    runner: asyncio.Runner
    journal: io.StringIO
    told: list[Told] = field(default_factory=list)
    users: list[str] = field(default_factory=list)
    versions: dict[int, Table] = field(default_factory=dict)
    actor: TableActor | None = None
    sockets: dict[str | None, Line] = field(default_factory=dict)
    _cookies: dict[str | None, str] = field(default_factory=dict)
    _sent: dict[str | None, str] = field(default_factory=dict)
    _streams: list[Line] = field(default_factory=list)
    _numbers: int = 0

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        """In a few words; where a law is broken, Hypothesis tells this beside the numbers that break it."""
        printer.text(f"<{type(self).__name__}, {len(self.told)} things told>")

    @property
    def service(self) -> Service:
        service: Service = self.app.state.service
        return service

    @property
    def registry(self) -> TableRegistry:
        return self.service.registry

    @property
    def table(self) -> Table:
        assert self.actor is not None
        return self.actor.table

    def run(self, work: Awaitable[Result]) -> Result:
        async def awaited() -> Result:
            return await work

        return self.runner.run(awaited())

    def hear(self, user: str | None, channel: str, text: str) -> None:
        """Note what is told to somebody."""
        if self.actor is None:
            return
        table = self.actor.table
        if text.startswith('{"kind":"state"'):
            table = self.versions[json.loads(text)["version"]]
        self.told.append(Told(user, channel, text, self._sent.get(user, ""), table))

    def news(self, table_id: str, version: int) -> None:
        """What the bus tells."""
        actor = self.registry._actors[table_id]
        self.versions[version] = actor.table
        self.actor = actor
        self.hear(None, BUS, repr((table_id, version)))

    def number(self) -> str:
        """An id for a command."""
        self._numbers += 1
        return f"c{self._numbers}"

    def _headers(self, user: str | None) -> dict[str, str]:
        return {} if user is None else {"cookie": self._cookies[user]}

    async def request(self, user: str | None, method: str, path: str, body: object = None) -> Line:
        """A request by somebody."""
        given = b"" if body is None else json.dumps(body).encode()
        self._sent[user] = given.decode()
        line = Line(
            self.app, "http", path, lambda text: self.hear(user, path, text), self._headers(user), method, given
        )
        return await line.whole()

    async def get(self, user: str | None, path: str) -> Any:
        return json.loads((await self.request(user, "GET", path)).body or b"null")

    async def ask_for_metrics(self) -> None:
        """Prometheus asks for metrics. Their values are passed over: a latency may have the digits of any number."""

        def hear(text: str) -> None:
            self.hear(None, METRICS, re.sub(r" [0-9.e+-]+$", "", text, flags=re.MULTILINE))

        await Line(self.app, "http", METRICS, hear, {}).whole()

    async def command(self, user: str, command: dict[str, Any], by_socket: bool = False) -> None:
        """Somebody sends a command, and everything that follows by itself happens."""
        socket = self.sockets.get(user)
        if by_socket and socket is not None and not socket.closed:
            self._sent[user] = json.dumps(command)
            await socket.ask(self.number(), kind="command", command=command)
        else:
            path = f"/api/tables/{self.table.id}/commands"
            await self.request(user, "POST", path, {"id": self.number(), "command": command})
        await self.settle()

    async def settle(self) -> None:
        """Wait until bots and clocks have nothing more to do, and everybody has been told."""
        while tasks := self.registry._tasks:
            await asyncio.wait(tasks)
        for _ in range(12):
            await asyncio.sleep(0)

    async def ring(self, later: float) -> None:
        """Let time pass."""
        self.clock.time += later
        assert self.actor is not None
        self.actor.wind()
        await asyncio.sleep(0.001)
        await self.settle()

    async def watch(self, user: str | None) -> None:
        """Open a socket at the table for somebody, instead of the one that he may have."""
        if user in self.sockets:
            await self.sockets.pop(user).hang_up()
        path = f"/api/tables/{self.table.id}/socket?protocol=1"
        self.sockets[user] = Line(
            self.app, "websocket", path, lambda text: self.hear(user, "socket", text), self._headers(user)
        )
        await self.settle()

    async def stream(self, user: str, path: str) -> None:
        """Open a stream for somebody."""
        line = Line(self.app, "http", path, lambda text: self.hear(user, path, text), self._headers(user))
        self._streams.append(line)
        async with asyncio.timeout(PATIENCE):
            await line.speaks.wait()
        await self.settle()

    async def make(self, user: str, settings: dict[str, Any], number: int) -> None:
        """A new table, with chance that begins anew; nothing of any table before is left."""
        await self.clear()
        self.chance.begin(number)
        self._numbers = 0
        made = await self.request(user, "POST", "/api/tables", {"settings": settings})
        assert made.status == 201, made.body

    async def clear(self) -> None:
        """Close everything that is open and forget every table."""
        for line in [*self.sockets.values(), *self._streams]:
            await line.hang_up()
        self.sockets.clear()
        self._streams.clear()
        await self.settle()
        for actor in list(self.registry._actors.values()):
            self.registry._forget(actor)
        await self.service.storage.write(_delete_all)
        self.actor = None
        self.told.clear()
        self.versions.clear()
        self._sent.clear()
        self._written()
        self.clock.time = 1000.0

    def _written(self) -> str:
        """What has been written to the log since the last time."""
        text = self.journal.getvalue()
        self.journal.seek(0)
        self.journal.truncate()
        return text

    def read_log(self) -> None:
        """Note what has been written to the log."""
        self.hear(None, LOG, self._written())

    async def begin(self) -> None:
        # Views are shown by a listener too; what is told must find its version known.
        self.registry.listeners.insert(0, self.news)
        for number in range(PEOPLE):
            made = await self.request(None, "POST", "/api/guest", {"name": f"Guest {'ABCDE'[number]}"})
            user = json.loads(made.body)["user"]
            self.users.append(user)
            self._cookies[user] = made.headers["set-cookie"].partition(";")[0]

    async def rows(self, query: str) -> list[Any]:
        """What is in the database."""
        return list(
            await self.service.storage.read(lambda connection: connection.execute(query, table_id=self.table.id))
        )


def _delete_all(connection: Connection) -> None:
    for name in _TABLES:
        connection.execute(f"DELETE FROM {name}")


Kind = TypeVar("Kind", bound=World)


@contextmanager
def world(folder: Path, kind: type[Kind], mount_pages: Callable[[FastAPI], None] | None = None) -> Iterator[Kind]:
    """A server whose data is in `folder`.

    Args:
        folder: where its data is.
        kind: who listens.
        mount_pages: adds the pages for people, where there are any.
    """
    config = Config(with_empty_database(folder), folder, limits=no_limits(), drain=0.0)
    clock, chance, written = HeldClock(), HeldChance(), io.StringIO()
    loggers = [logging.getLogger(name) for name in ("", "liarspoker", "uvicorn", "alembic")]
    before = [(logger, logger.handlers, logger.propagate, logger.level) for logger in loggers]
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as patch, redirect_stderr(written):
        patch.setattr(passphrases, "PasswordHasher", lambda: CHEAP)
        app = application(config, clock, _fail, chance, mount_pages)
        app.state.forwarding = Forwarding()
        somewhere = kind(app, clock, chance, runner, written)
        listen_to_bots(somewhere, patch)
        # What no handler takes, Python writes to standard error as it is; pytest has handlers of its own in the way.
        loggers[0].handlers = [logging.StreamHandler(written)]
        journal.begin()
        lifespan = app.router.lifespan_context(app)
        somewhere.run(lifespan.__aenter__())
        try:
            somewhere.run(somewhere.begin())
            yield somewhere
        finally:
            somewhere.run(somewhere.clear())
            somewhere.run(lifespan.__aexit__(None, None, None))
            for logger, handlers, propagate, level in before:
                logger.handlers, logger.propagate = handlers, propagate
                logger.setLevel(level)


def listen_to_bots(somewhere: World, patch: pytest.MonkeyPatch) -> None:
    """Note every byte that goes to the process of a bot, on its way."""
    really = Worker.ask

    async def asked(worker: Worker, request: bytes) -> Answer:
        somewhere.hear(somewhere.table.to_act, BOT, request.decode("latin-1"))
        return await really(worker, request)

    patch.setattr(Worker, "ask", asked)


def _fail(failure: LiarsPokerError) -> None:
    raise AssertionError("the storage failed") from failure
