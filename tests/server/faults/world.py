"""Server processes on one database and one bus, with everything between them that can fail."""

from __future__ import annotations

import array
import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import psycopg

from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import address
from tests.chance import ROOT
from tests.needs import leave_out
from tests.server.faults.links import Link
from tests.server.faults.players import PATIENCE
from tests.server.nats import NatsServer, start_nats
from tests.server.postgres import Server as Postgres
from tests.server.postgres import binaries

AHEAD, FSYNC_FAILS, DISK_FULL = range(3)
"""The switches of `preload.c`."""

Kind = Literal["sqlite", "postgres"]
Bus = Literal["local", "notify", "nats"]


class Shape(NamedTuple):
    """What a world is made of.

    Attributes:
        database: the kind of the database.
        nodes: the number of servers.
        bus: what carries news between them.
    """

    database: Kind
    nodes: int
    bus: Bus = "local"

    def __str__(self) -> str:
        return f"{self.database} {self.nodes} {self.bus}"


class Switches:
    """The faults of one process that `preload.c` makes."""

    def __init__(self, library: Path, folder: Path, name: str, under: Path) -> None:
        self._path = folder / f"{name}.switches"
        self._states = array.array("i", [0, 0, 0])
        self._write()
        self.environment = {
            "LD_PRELOAD": str(library),
            "FAULTS_CONTROL": str(self._path),
            "FAULTS_UNDER": str(under.resolve()),
        }

    def set(self, switch: int, state: int) -> None:
        """Set a switch; the process sees it at once, a clock that is wrong from its next start."""
        self._states[switch] = state
        self._write()

    def _write(self) -> None:
        with self._path.open("r+b" if self._path.exists() else "wb") as file:  # in place, since it is mapped
            self._states.tofile(file)


@dataclass
class Node:
    """A server process, which can be started again on the same port."""

    name: str
    port: int
    words: list[str]
    log: Path
    switches: Switches
    link: Link | None
    process: subprocess.Popen[str] | None = None

    def start(self, *point: str) -> None:
        """Start, and wait until it listens; it ends itself when it comes to a point for so many times."""
        assert not self.alive, self.name
        self.launch(*point)
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert re.match(r"Serving on http://", line), f"{line!r}\n{self.log.read_text()[-3000:]}"

    def launch(self, *point: str) -> None:
        """Start, and wait for nothing."""
        program = ["tests.server.faults.node", *point] if point else ["liarspoker"]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *program, "serve", "--port", str(self.port), *self.words],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT,
                env={**os.environ, **self.switches.environment, "PYTHONUTF8": "1"},
            )

    @property
    def alive(self) -> bool:
        """Whether the process runs, or is stopped."""
        return self.process is not None and self.process.poll() is None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and to all that it has started."""
        assert self.process is not None
        for process in reversed([self.process.pid, *offspring(self.process.pid)]):
            os.kill(process, number)

    def wait(self, seconds: float = PATIENCE) -> int:
        """Wait for the process to end; its exit status."""
        assert self.process is not None
        ending = self.process.wait(seconds)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return ending

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.alive:
            self.signal(signal.SIGKILL)
            self.wait()

    def stop(self) -> None:
        """End it gracefully."""
        assert self.process is not None
        self.process.terminate()
        assert self.wait() in (0, -signal.SIGTERM), f"{self.name} ended with {self.process.returncode}"

    @property
    def memory(self) -> float:
        """What the process and all that it has started have in memory, in MiB."""
        if not self.alive or self.process is None:
            return 0.0
        pages = 0
        for process in (self.process.pid, *offspring(self.process.pid)):
            try:
                pages += int(Path(f"/proc/{process}/statm").read_text().split()[1])
            except OSError:
                continue
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def lines(self) -> Iterator[dict[str, Any]]:
        """All lines of its log that are JSON."""
        for line in self.log.read_text().splitlines():
            if line.startswith("{"):
                yield json.loads(line)


def offspring(process: int) -> list[int]:
    """All processes that a process has started, and those that they have started."""
    found = []
    for tasks in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = [int(word) for word in tasks.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child, *offspring(child)]
    return found


@dataclass
class World:
    """Servers, their database and their bus.

    Attributes:
        shape: what it is made of.
        chance: which node is struck, and so on.
        folder: of the nodes' data, and of the file of SQLite.
        url: the database as the audit reaches it, whatever is cut.
        skewed: the nodes' clocks differ.
        people: the table and the cookie of everybody who plays.
    """

    shape: Shape
    chance: Random
    folder: Path
    url: str
    nodes: list[Node] = field(default_factory=list)
    postgres: Postgres | None = None
    database_switches: Switches | None = None
    nats: NatsServer | None = None
    nats_link: Link | None = None
    skewed: bool = False
    people: list[tuple[str, str]] = field(default_factory=list)

    @property
    def ports(self) -> list[int]:
        """Where the nodes listen."""
        return [node.port for node in self.nodes]

    def any_node(self) -> Node:
        """One of the nodes."""
        return self.chance.choice(self.nodes)

    def wait(self, seconds: float) -> None:
        """Let time pass: for leases to expire, or while something is away."""
        time.sleep(seconds)

    def keep_logs(self, folder: Path) -> None:
        """Copy the servers' logs into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for node in self.nodes:
            shutil.copy(node.log, folder)

    def waiting(self) -> list[str]:
        """What PostgreSQL has been doing for more than a second, and for whom somebody waits."""
        if self.postgres is None:
            return []
        try:
            with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
                rows = connection.execute(
                    "SELECT pid, state, wait_event, pg_blocking_pids(pid), clock_timestamp() - state_change, "
                    "left(query, 80) FROM pg_stat_activity WHERE backend_type = 'client backend' AND "
                    "state <> 'idle' AND state_change < clock_timestamp() - interval '1s'"
                ).fetchall()
        except psycopg.OperationalError as error:
            return [f"PostgreSQL: {error}"]
        return [f"PostgreSQL: {row}" for row in rows]


def library(folder: Path) -> Path:
    """Compile `preload.c` into a folder; without a compiler the test is skipped, or fails in continuous integration."""
    compiler = shutil.which("cc")
    if compiler is None:
        leave_out("a C compiler", "gcc")
    made = folder / "preload.so"
    source = Path(__file__).with_name("preload.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"], check=True)
    return made


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@asynccontextmanager
async def world(shape: Shape, seed: int) -> AsyncIterator[World]:
    """A world whose nodes run; at the end all of it is killed and deleted, but the logs where something failed."""
    chance = Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="lp-world-"))
    folder.chmod(0o755)  # a database that runs as another user finds its switches there
    async with AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        data, shim = folder / "data", library(folder)
        data.mkdir()
        made = World(shape, chance, data, address(data))
        if shape.database == "postgres":
            await asyncio.to_thread(_start_postgres, made, shim, folder, stack)
        else:
            await asyncio.to_thread(migrate, made.url)
        words = ["--data", str(data), "--bot-pause", "0", "--no-limits", *await _bus(made, stack)]
        for number in range(shape.nodes):
            name, link, place = f"node-{number}", None, list[str]()
            if made.postgres is not None:
                link = Link(made.postgres.folder / ".s.PGSQL.5432", chance)
                await stack.enter_async_context(link.running())
                path = made.url.partition("?")[0].rpartition("/")[2]
                place = ["--database", f"postgresql://postgres@127.0.0.1:{link.port}/{path}"]
            switches = Switches(shim, folder, name, data)
            log = folder / f"{name}.log"
            node = Node(name, free_port(), [*words, *place, "--node", name], log, switches, link)
            made.nodes.append(node)
            stack.callback(node.kill)
        await asyncio.gather(*(asyncio.to_thread(node.start) for node in made.nodes))
        yield made


def _start_postgres(made: World, shim: Path, folder: Path, stack: AsyncExitStack) -> None:
    programs = binaries()
    if programs is None:
        leave_out("PostgreSQL", "postgresql")
    place = Path(tempfile.mkdtemp(prefix="lp-pg-"))
    made.database_switches = Switches(shim, folder, "postgres", place)
    server = Postgres(place, programs, durable=True, environment=made.database_switches.environment)
    stack.callback(shutil.rmtree, place, ignore_errors=True)
    server.start()
    stack.callback(server.end)
    made.postgres = server
    made.url = server.new_database()


async def _bus(made: World, stack: AsyncExitStack) -> list[str]:
    """Start what carries news; the words that tell the nodes of it."""
    if made.shape.bus != "nats":
        return ["--set", f"bus={made.shape.bus}"]
    made.nats = await asyncio.to_thread(start_nats)
    stack.callback(made.nats.stop)
    made.nats_link = Link(made.nats.port, made.chance, nats=True)
    await stack.enter_async_context(made.nats_link.running())
    return ["--set", f"bus=nats://127.0.0.1:{made.nats_link.port}"]
