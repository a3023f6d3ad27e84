"""Server processes on one database and one bus, with controllable faults."""

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

from liarspoker.server.storage.location import address
from liarspoker.server.storage.migrate import migrate
from tests.chance import ROOT
from tests.server.faults.links import Link
from tests.server.faults.players import PATIENCE
from tests.server.nats import NatsServer, start_nats
from tests.server.postgres import Server as Postgres
from tests.server.postgres import binaries
from tests.system_programs import skip_without

AHEAD, FSYNC_FAILS, DISK_FULL = range(3)
"""The switches of `preload.c`."""

Kind = Literal["sqlite", "postgres"]
Bus = Literal["local", "notify", "nats"]


class Shape(NamedTuple):
    """The parts of a world.

    Attributes:
        database: the kind of the database.
        nodes: the number of servers.
        bus: the kind of the bus.
    """

    database: Kind
    nodes: int
    bus: Bus = "local"

    def __str__(self) -> str:
        return f"{self.database} {self.nodes} {self.bus}"


class Switches:
    """The switches of the faults that `preload.c` causes in one process."""

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
        """Set a switch. It takes effect at once, a wrong clock at the next start."""
        self._states[switch] = state
        self._write()

    def _write(self) -> None:
        with self._path.open("r+b" if self._path.exists() else "wb") as file:  # in place, since it is mapped
            self._states.tofile(file)


@dataclass
class Node:
    """A server process that can be restarted on the same port."""

    name: str
    port: int
    words: list[str]
    log: Path
    switches: Switches
    link: Link | None
    process: subprocess.Popen[str] | None = None

    def start(self, *point: str) -> None:
        """Start, and wait until it listens; optionally let it kill itself at the given visit of a point."""
        assert not self.alive, self.name
        self.launch(*point)
        self.listens()

    def listens(self) -> None:
        """Wait until it listens."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert re.match(r"Serving on http://", line), f"{line!r}\n{self.log.read_text()[-3000:]}"

    def launch(self, *point: str) -> None:
        """Start without waiting."""
        if self.process is not None:
            self.wait()
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
        """Whether the process exists, running or suspended."""
        return self.process is not None and self.process.poll() is None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and its descendants."""
        assert self.process is not None
        for process in reversed([self.process.pid, *offspring(self.process.pid)]):
            os.kill(process, number)

    def wait(self, seconds: float = PATIENCE) -> int:
        """Wait for the process to end; return its exit status."""
        assert self.process is not None
        ending = self.process.wait(seconds)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return ending

    def kill(self) -> None:
        """Kill the process and its descendants."""
        if self.alive:
            self.signal(signal.SIGKILL)
            self.wait()

    def stop(self) -> None:
        """Stop it gracefully."""
        assert self.process is not None
        self.process.terminate()
        assert self.wait() in (0, -signal.SIGTERM), f"{self.name} ended with {self.process.returncode}"

    @property
    def memory(self) -> float:
        """The memory of the process and its descendants, in MiB."""
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
        """Return the JSON lines of its log."""
        for line in self.log.read_text().splitlines():
            if line.startswith("{"):
                yield json.loads(line)


def offspring(process: int) -> list[int]:
    """Return the descendants of a process."""
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
        shape: the parts of the world.
        chance: the random generator, for instance for the node that fails.
        folder: the folder of the nodes' data, and of the SQLite file.
        url: the database URL for the audit, which bypasses all faults.
        skewed: whether the nodes' clocks differ.
        people: the table and the cookie of each player.
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
        """The ports of the nodes."""
        return [node.port for node in self.nodes]

    def any_node(self) -> Node:
        """A random node."""
        return self.chance.choice(self.nodes)

    def wait(self, seconds: float) -> None:
        """Let time pass, for leases to expire or during an outage."""
        time.sleep(seconds)

    def keep_logs(self, folder: Path) -> None:
        """Copy the servers' logs into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for node in self.nodes:
            shutil.copy(node.log, folder)

    def waiting(self) -> list[str]:
        """Return PostgreSQL's activities of more than a second, with the processes that block them."""
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
        skip_without("a C compiler", "gcc")
    made = folder / "preload.so"
    source = Path(__file__).with_name("preload.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"], check=True)
    return made


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@asynccontextmanager
async def world(shape: Shape, seed: int) -> AsyncIterator[World]:
    """Create a world with running nodes; at the end, kill and delete everything, except the logs after a failure."""
    chance = Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="lp-world-"))
    folder.chmod(0o755)  # a database that runs as another user needs access to its switches
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
        skip_without("PostgreSQL", "postgresql")
    place = Path(tempfile.mkdtemp(prefix="lp-pg-"))
    made.database_switches = Switches(shim, folder, "postgres", place)
    server = Postgres(place, programs, durable=True, environment=made.database_switches.environment)
    stack.callback(shutil.rmtree, place, ignore_errors=True)
    server.start()
    stack.callback(server.end)
    made.postgres = server
    made.url = server.new_database()


async def _bus(made: World, stack: AsyncExitStack) -> list[str]:
    """Start the bus; return the command-line options of the nodes."""
    if made.shape.bus != "nats":
        return ["--set", f"bus={made.shape.bus}"]
    made.nats = await asyncio.to_thread(start_nats)
    stack.callback(made.nats.stop)
    made.nats_link = Link(made.nats.port, made.chance, nats=True)
    await stack.enter_async_context(made.nats_link.running())
    return ["--set", f"bus=nats://127.0.0.1:{made.nats_link.port}"]
