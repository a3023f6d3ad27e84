"""A server on a free port, in a thread of this process, and clients over HTTP and WebSockets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import pytest
from argon2 import PasswordHasher
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from liarspoker.server import journal
from liarspoker.server.accounts import passphrases
from liarspoker.server.config import Config, WallClock, no_limits
from liarspoker.server.listening import listen
from liarspoker.server.run import MountPages, Server
from liarspoker.server.service import Service
from liarspoker.server.storage.connection import Values, insert
from liarspoker.server.storage.location import FILE, address
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.schema import BANS

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""A password hasher that is fast, for tests."""

PATIENCE = 120.0
"""Timeout in seconds for anything that is awaited."""


def eventually(done: Callable[[], bool]) -> None:
    """Wait until the server has reached a condition."""
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until, "the condition isn't reached"


class MovedClock(WallClock):
    """A clock that tests can advance."""

    ahead = 0.0

    def now(self) -> float:
        return super().now() + self.ahead


@dataclass
class Socket:
    """A client's end of a socket."""

    raw: ClientConnection

    def send(self, message: object) -> None:
        self.raw.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def until(self, kind: str, **wanted: object) -> dict[str, Any]:
        """Return the next message of this kind with these values, skipping others."""
        while True:
            told: dict[str, Any] = json.loads(self.raw.recv(timeout=PATIENCE))
            if told["kind"] == kind and wanted.items() <= told.items():
                return told

    def ask(self, command_id: str, **command: object) -> dict[str, Any]:
        """Send a command, and return its answer."""
        self.send({"kind": "command", "id": command_id, "command": command})
        return self.until("answer", id=command_id)

    def end(self) -> tuple[int, str]:
        """Return the close code and reason, skipping messages before."""
        try:
            while True:
                self.raw.recv(timeout=PATIENCE)
        except ConnectionClosed as closed:
            ended = closed.rcvd
        assert ended is not None, "the connection broke without a close"
        return ended.code, ended.reason


@dataclass
class Person:
    """A user with their own HTTP client, which keeps their cookie."""

    server: Running
    http: httpx2.Client
    user: str = ""
    tokens: dict[str, str] = field(default_factory=dict)
    address: str = "127.0.0.1"

    def post(self, path: str, body: object = None, **kwargs: Any) -> httpx2.Response:
        return self.http.post(path, json=body, **kwargs)

    def ask(self, table: str, **command: object) -> dict[str, Any]:
        """Send a command over HTTP, and return its answer."""
        asked = {"id": f"c{next(self.server.numbers)}", "command": command}
        response = self.post(f"/api/tables/{table}/commands", asked)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def view(self, table: str) -> dict[str, Any]:
        told: dict[str, Any] = self.http.get(f"/api/tables/{table}").json()
        return told

    @property
    def headers(self) -> dict[str, str]:
        """The user's credential: their cookie or token."""
        shown = dict(self.http.headers)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)
        return {
            **({"Cookie": cookies} if cookies else {}),
            **({"Authorization": shown["authorization"]} if "authorization" in shown else {}),
        }

    @contextmanager
    def socket(self, table: str, query: str = "?protocol=1", **headers: str) -> Iterator[Socket]:
        url = f"ws://127.0.0.1:{self.server.port}/api/tables/{table}/socket{query}"
        with connect(
            url,
            additional_headers={**self.headers, **headers},
            open_timeout=PATIENCE,
            close_timeout=1,
            source_address=(self.address, 0),
        ) as raw:
            yield Socket(raw)


@dataclass
class Running:
    """A running server."""

    config: Config
    clock: MovedClock
    port: int
    raw: Server
    loop: asyncio.AbstractEventLoop
    numbers: Iterator[int]
    clients: list[httpx2.Client] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def service(self) -> Service:
        service: Service = self.raw.application.state.service
        return service

    def person(self, name: str | None = None, *, address: str = "127.0.0.1", **headers: str) -> Person:
        """Create a client from `address`: a guest called `name`, or an anonymous one."""
        way = httpx2.HTTPTransport(local_address=address, verify=False)  # plain HTTP needs no certificates
        client = httpx2.Client(base_url=self.url, headers=headers, timeout=PATIENCE, transport=way)
        self.clients.append(client)
        somebody = Person(self, client, address=address)
        if name is not None:
            made = somebody.post("/api/guest", {"name": name})
            assert made.status_code == 200, made.text
            somebody.user = made.json()["user"]
        return somebody

    def table(self, owner: Person, *others: Person, bots: tuple[str, ...] = (), **settings: object) -> str:
        """Create a table owned by `owner` at which the others are seated."""
        wanted = {"settings": {"game": "dollar-bill", **settings}, "bots": bots}
        made = owner.post("/api/tables", wanted)
        until = time.monotonic() + PATIENCE
        while made.status_code == 503 and time.monotonic() < until:  # shards are moving between servers
            made = owner.post("/api/tables", wanted)
        assert made.status_code == 201, made.text
        table: str = made.json()["table"]
        for other in others:
            assert other.ask(table, do="join")["ok"]
        return table

    def ban(self, person: Person) -> None:
        """Ban a user permanently, in the database only."""
        row: Values = {"user_id": person.user, "until": None, "reason": "", "made_at": 0.0}
        writing = self.service.storage.write(lambda connection: connection.execute(insert(BANS), **row))
        asyncio.run_coroutine_threadsafe(writing, self.loop).result(PATIENCE)

    def hosted(self, *others: Person, bots: tuple[str, ...] = (), **settings: Any) -> tuple[Person, str]:
        """Create a user with a table."""
        ann = self.person("Ann")
        return ann, self.table(ann, *others, bots=bots, **settings)

    def in_a_round(self, **settings: Any) -> tuple[Person, Person, str]:
        """Create a table where two users have been dealt in."""
        bob = self.person("Bob")
        ann, table = self.hosted(bob, **settings)
        assert ann.ask(table, do="start")["ok"]
        assert bob.ask(table, do="ready")["ok"]
        return ann, bob, table


@contextmanager
def written_lines() -> Iterator[io.StringIO]:
    """Capture what the program writes to standard error, including the root logger."""
    text, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers, root.level
    try:
        journal.begin(logging.DEBUG, text)
        yield text
    finally:
        root.handlers, root.level = handlers, level


@cache
def empty_database() -> bytes:
    """A migrated database without data. Copying it is much faster than creating one."""
    with TemporaryDirectory() as folder:
        migrate(address(Path(folder)))
        return (Path(folder) / FILE).read_bytes()


def with_empty_database(folder: Path) -> str:
    """Return the address of the database in a folder; create it if there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / FILE).exists():
        (folder / FILE).write_bytes(empty_database())
    return address(folder)


@contextmanager
def running(
    folder: Path,
    mount_pages: MountPages | None = None,
    new_loop: Callable[[], asyncio.AbstractEventLoop] | None = None,
    **changes: Any,
) -> Iterator[Running]:
    """Run a server without limits with its data in `folder`; `changes` override its configuration."""
    config = replace(Config(with_empty_database(folder), folder, limits=no_limits(), drain=0.0), **changes)
    clock, listens = MovedClock(), threading.Event()
    with listen("127.0.0.1", 0) as listening, pytest.MonkeyPatch.context() as patch:
        patch.setattr(passphrases, "PasswordHasher", lambda: CHEAP)
        raw = Server(config, listens.set, clock, mount_pages)
        loops: list[asyncio.AbstractEventLoop] = []

        async def serve() -> None:
            loops.append(asyncio.get_running_loop())
            await raw.serve(sockets=[listening])

        def run() -> None:
            with asyncio.Runner(loop_factory=new_loop) as runner:
                runner.run(serve())

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        assert listens.wait(PATIENCE), "the server doesn't start"
        server = Running(config, clock, listening.getsockname()[1], raw, loops[0], iter(range(10**9)))
        try:
            yield server
        finally:
            for client in server.clients:
                client.close()
            raw.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the server doesn't stop"
