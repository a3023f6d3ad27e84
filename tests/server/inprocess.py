"""A server on a free port, in a thread of this process, and people who talk to it over HTTP and sockets."""

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
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import FILE, address

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Passphrases are hashed in no time."""

PATIENCE = 20.0
"""Seconds after which what does not come is missing."""


def eventually(done: Callable[[], bool]) -> None:
    """Wait until the server has noticed."""
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until, "it does not come about"


class MovedClock(WallClock):
    """A clock that can be put forward."""

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
        """The next message of this kind with these values; others are passed over."""
        while True:
            told: dict[str, Any] = json.loads(self.raw.recv(timeout=PATIENCE))
            if told["kind"] == kind and wanted.items() <= told.items():
                return told

    def ask(self, command_id: str, **command: object) -> dict[str, Any]:
        """Send a command; its answer."""
        self.send({"kind": "command", "id": command_id, "command": command})
        return self.until("answer", id=command_id)

    def end(self) -> tuple[int, str]:
        """The code and the reason with which the server closes; what comes before is passed over."""
        try:
            while True:
                self.raw.recv(timeout=PATIENCE)
        except ConnectionClosed as closed:
            ended = closed.rcvd
        assert ended is not None, "the connection broke without a close"
        return ended.code, ended.reason


@dataclass
class Person:
    """Somebody with a client of his own, which keeps his cookie."""

    server: Running
    http: httpx2.Client
    user: str = ""
    tokens: dict[str, str] = field(default_factory=dict)
    address: str = "127.0.0.1"

    def post(self, path: str, body: object = None, **kwargs: Any) -> httpx2.Response:
        return self.http.post(path, json=body, **kwargs)

    def ask(self, table: str, **command: object) -> dict[str, Any]:
        """Send a command over HTTP; its answer."""
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
        """What shows who he is: his cookie, or his token."""
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
    """A server that runs."""

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
        """Somebody new, who comes from `address`: a guest called `name`, or nobody known."""
        way = httpx2.HTTPTransport(
            local_address=address, verify=False
        )  # no certificates need to be read for plain HTTP
        client = httpx2.Client(base_url=self.url, headers=headers, timeout=PATIENCE, transport=way)
        self.clients.append(client)
        somebody = Person(self, client, address=address)
        if name is not None:
            made = somebody.post("/api/guest", {"name": name})
            assert made.status_code == 200, made.text
            somebody.user = made.json()["user"]
        return somebody

    def table(self, owner: Person, *others: Person, bots: tuple[str, ...] = (), **settings: object) -> str:
        """A table that `owner` has made, at which the others sit."""
        made = owner.post("/api/tables", {"settings": {"game": "dollar-bill", **settings}, "bots": bots})
        assert made.status_code == 201, made.text
        table: str = made.json()["table"]
        for other in others:
            assert other.ask(table, do="join")["ok"]
        return table

    def hosted(self, *others: Person, bots: tuple[str, ...] = (), **settings: Any) -> tuple[Person, str]:
        """Somebody new, and a table of theirs."""
        ann = self.person("Ann")
        return ann, self.table(ann, *others, bots=bots, **settings)

    def in_a_round(self, **settings: Any) -> tuple[Person, Person, str]:
        """Two people who have been dealt to, and their table."""
        bob = self.person("Bob")
        ann, table = self.hosted(bob, **settings)
        assert ann.ask(table, do="start")["ok"]
        assert bob.ask(table, do="ready")["ok"]
        return ann, bob, table


@contextmanager
def written_lines() -> Iterator[io.StringIO]:
    """What the program writes to standard error, from the root logger down."""
    text, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers, root.level
    try:
        journal.begin(logging.DEBUG, text)
        yield text
    finally:
        root.handlers, root.level = handlers, level


@cache
def empty_database() -> bytes:
    """A database with all its tables and nothing in them; to make one takes much longer than to copy it."""
    with TemporaryDirectory() as folder:
        migrate(address(Path(folder)))
        return (Path(folder) / FILE).read_bytes()


def with_empty_database(folder: Path) -> str:
    """The address of the database in a folder, which is a new one if there is none."""
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
    """A server without limits whose data is in `folder`; `changes` change its configuration."""
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
        assert listens.wait(PATIENCE), "the server does not start"
        server = Running(config, clock, listening.getsockname()[1], raw, loops[0], iter(range(10**9)))
        try:
            yield server
        finally:
            for client in server.clients:
                client.close()
            raw.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the server does not stop"
