"""A complete server without a network, with a controlled clock and random numbers, that records all its output."""

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
from tests.server.leaks.connections import PATIENCE, ClientConnection

PEOPLE = 5
"""Number of logged-in users; the last one never sits down."""

BOT = "bot"
BUS = "bus"
LOG = "log"
METRICS = "/metrics"

_TABLES = ("events", "secrets", "listings", "members", "tables")

Result = TypeVar("Result")


class HeldClock(WallClock):
    """A clock that only tests advance."""

    time = 1000.0

    def now(self) -> float:
        return self.time


class HeldChance:
    """Reproducible random bytes, determined by the number passed to `begin`."""

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
class Output:
    """An output of the server.

    Attributes:
        user: user id of the receiver; `None` for an anonymous one, or if it isn't a user.
        channel: path or socket, or one of `BOT`, `BUS`, `LOG`.
        text: the text.
        sent: what the receiver sent just before, which may be repeated to them.
        table: the table at that time, or at the version that the output contains.
    """

    user: str | None
    channel: str
    text: str
    sent: str
    table: Table


@dataclass(repr=False)
class World:
    """The server and its users."""

    app: Any
    clock: HeldClock
    chance: HeldChance
    runner: asyncio.Runner
    journal: io.StringIO
    outputs: list[Output] = field(default_factory=list)
    users: list[str] = field(default_factory=list)
    versions: dict[int, Table] = field(default_factory=dict)
    actor: TableActor | None = None
    sockets: dict[str | None, ClientConnection] = field(default_factory=dict)
    _cookies: dict[str | None, str] = field(default_factory=dict)
    _sent: dict[str | None, str] = field(default_factory=dict)
    _streams: list[ClientConnection] = field(default_factory=list)
    _numbers: int = 0

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        """Print a short form; Hypothesis prints it with a failing example."""
        printer.text(f"<{type(self).__name__}, {len(self.outputs)} outputs>")

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

    def record_output(self, user: str | None, channel: str, text: str) -> None:
        """Record an output."""
        if self.actor is None:
            return
        table = self.actor.table
        if text.startswith('{"kind":"state"'):
            table = self.versions[json.loads(text)["version"]]
        self.outputs.append(Output(user, channel, text, self._sent.get(user, ""), table))

    def news(self, table_id: str, version: int) -> None:
        """Record a message on the bus."""
        actor = self.registry._actors[table_id]
        self.versions[version] = actor.table
        self.actor = actor
        self.record_output(None, BUS, repr((table_id, version)))

    def number(self) -> str:
        """Return a new command id."""
        self._numbers += 1
        return f"c{self._numbers}"

    def _headers(self, user: str | None) -> dict[str, str]:
        return {} if user is None else {"cookie": self._cookies[user]}

    async def request(self, user: str | None, method: str, path: str, body: object = None) -> ClientConnection:
        """Send a request as a user."""
        given = b"" if body is None else json.dumps(body).encode()
        self._sent[user] = given.decode()
        line = ClientConnection(
            self.app,
            "http",
            path,
            lambda text: self.record_output(user, path, text),
            self._headers(user),
            method,
            given,
        )
        return await line.whole()

    async def get(self, user: str | None, path: str) -> Any:
        return json.loads((await self.request(user, "GET", path)).body or b"null")

    async def ask_for_metrics(self) -> None:
        """Request metrics. Values are removed, because a latency can contain the digits of any number."""

        def record_values(text: str) -> None:
            self.record_output(None, METRICS, re.sub(r" [0-9.e+-]+$", "", text, flags=re.MULTILINE))

        await ClientConnection(self.app, "http", METRICS, record_values, {}).whole()

    async def command(self, user: str, command: dict[str, Any], by_socket: bool = False) -> None:
        """Send a command as a user, and wait for everything that follows automatically."""
        socket = self.sockets.get(user)
        if by_socket and socket is not None and not socket.closed:
            self._sent[user] = json.dumps(command)
            await socket.ask(self.number(), kind="command", command=command)
        else:
            path = f"/api/tables/{self.table.id}/commands"
            await self.request(user, "POST", path, {"id": self.number(), "command": command})
        await self.settle()

    async def settle(self) -> None:
        """Wait until bots and clocks have nothing more to do, and all output has been sent."""
        while tasks := self.registry._tasks:
            await asyncio.wait(tasks)
        for _ in range(12):
            await asyncio.sleep(0)

    async def ring(self, later: float) -> None:
        """Advance the clock."""
        self.clock.time += later
        assert self.actor is not None
        self.actor.schedule()
        await asyncio.sleep(0.001)
        await self.settle()

    async def watch(self, user: str | None) -> None:
        """Open a socket at the table as a user, replacing any open one."""
        if user in self.sockets:
            await self.sockets.pop(user).hang_up()
        path = f"/api/tables/{self.table.id}/socket?protocol=1"
        self.sockets[user] = ClientConnection(
            self.app, "websocket", path, lambda text: self.record_output(user, "socket", text), self._headers(user)
        )
        await self.settle()

    async def stream(self, user: str, path: str) -> None:
        """Open a stream as a user."""
        line = ClientConnection(
            self.app, "http", path, lambda text: self.record_output(user, path, text), self._headers(user)
        )
        self._streams.append(line)
        async with asyncio.timeout(PATIENCE):
            await line.speaks.wait()
        await self.settle()

    async def make(self, user: str, settings: dict[str, Any], number: int) -> None:
        """Create a table with reproducible random numbers, after removing all earlier ones."""
        await self.clear()
        self.chance.begin(number)
        self._numbers = 0
        made = await self.request(user, "POST", "/api/tables", {"settings": settings})
        assert made.status == 201, made.body

    async def clear(self) -> None:
        """Close all connections and delete all tables."""
        for line in [*self.sockets.values(), *self._streams]:
            await line.hang_up()
        self.sockets.clear()
        self._streams.clear()
        await self.settle()
        for actor in list(self.registry._actors.values()):
            self.registry._remove(actor)
        await self.service.storage.write(_delete_all)
        self.actor = None
        self.outputs.clear()
        self.versions.clear()
        self._sent.clear()
        self._written()
        self.clock.time = 1000.0

    def _written(self) -> str:
        """Return what was logged since the last call."""
        text = self.journal.getvalue()
        self.journal.seek(0)
        self.journal.truncate()
        return text

    def read_log(self) -> None:
        """Record what was logged."""
        self.record_output(None, LOG, self._written())

    async def begin(self) -> None:
        # This listener must run before the one that sends views, since outputs refer to versions.
        self.registry.listeners.insert(0, self.news)
        for number in range(PEOPLE):
            made = await self.request(None, "POST", "/api/guest", {"name": f"Guest {'ABCDE'[number]}"})
            user = json.loads(made.body)["user"]
            self.users.append(user)
            self._cookies[user] = made.headers["set-cookie"].partition(";")[0]

    async def rows(self, query: str) -> list[Any]:
        """Return rows of the database."""
        return list(
            await self.service.storage.read(lambda connection: connection.execute(query, table_id=self.table.id))
        )


def _delete_all(connection: Connection) -> None:
    for name in _TABLES:
        connection.execute(f"DELETE FROM {name}")


Kind = TypeVar("Kind", bound=World)


@contextmanager
def running_world(
    folder: Path, kind: type[Kind], mount_pages: Callable[[FastAPI], None] | None = None
) -> Iterator[Kind]:
    """Run a server with its data in `folder`.

    Args:
        folder: the data folder.
        kind: class of the world.
        mount_pages: adds the web pages, if there are any.
    """
    config = Config(with_empty_database(folder), folder, limits=no_limits(), drain=0.0)
    clock, chance, written = HeldClock(), HeldChance(), io.StringIO()
    loggers = [logging.getLogger(name) for name in ("", "liarspoker", "uvicorn", "alembic")]
    before = [(logger, logger.handlers, logger.propagate, logger.level) for logger in loggers]
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as patch, redirect_stderr(written):
        patch.setattr(passphrases, "PasswordHasher", lambda: CHEAP)
        app = application(config, clock, _fail, chance, mount_pages)
        app.state.forwarding = Forwarding()
        world = kind(app, clock, chance, runner, written)
        listen_to_bots(world, patch)
        # Without handlers, Python logs to standard error; pytest's own handlers would prevent that.
        loggers[0].handlers = [logging.StreamHandler(written)]
        journal.begin()
        lifespan = app.router.lifespan_context(app)
        world.run(lifespan.__aenter__())
        try:
            world.run(world.begin())
            yield world
        finally:
            world.run(world.clear())
            world.run(lifespan.__aexit__(None, None, None))
            for logger, handlers, propagate, level in before:
                logger.handlers, logger.propagate = handlers, propagate
                logger.setLevel(level)


def listen_to_bots(world: World, patch: pytest.MonkeyPatch) -> None:
    """Record every byte that is sent to a bot's process."""
    really = Worker.ask

    async def asked(worker: Worker, request: bytes) -> Answer:
        world.record_output(world.table.to_act, BOT, request.decode("latin-1"))
        return await really(worker, request)

    patch.setattr(Worker, "ask", asked)


def _fail(failure: LiarsPokerError) -> None:
    raise AssertionError("the storage failed") from failure
