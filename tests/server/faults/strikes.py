"""The faults: each breaks something in a world with players, and repairs it."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, ClassVar, Literal

import httpx2
import psycopg

from liarspoker.server.storage.location import sqlite_path
from tests.server.damage.evenings import DAMAGES
from tests.server.faults.links import Manner
from tests.server.faults.node import POINTS
from tests.server.faults.world import AHEAD, DISK_FULL, FSYNC_FAILS, Bus, Kind, Node, Shape, World
from tests.server.postgres import Server as Postgres

WRITES_WITHIN = 10.0
"""Seconds within which a server that owns a table writes."""

AWAY = 3.0
"""The duration of an outage of something that can't be replaced, in seconds."""


class Fault:
    """A fault.

    Attributes:
        name: its name in reports.
        databases: the kinds of databases that it applies to.
        nodes: the minimum number of servers.
        bus: the bus that it applies to, if only one.
        survived: whether play resumes before the repair.
        limit: the maximum seconds until play resumes, after the strike if `survived`, and after the repair.
        unowned: whether an unreachable server keeps its tables for a lease, which is added to the limit.
        rested: whether players pause between the strike and the repair.
        dark: whether the outage begins with the strike; otherwise servers stop gracefully first, and clocks run until
            then.
        may_say: the error codes, or other contents, of log lines that the fault may cause.
    """

    name: ClassVar[str]
    databases: ClassVar[tuple[Kind, ...]] = ("sqlite", "postgres")
    nodes: ClassVar[int] = 1
    bus: ClassVar[Bus | None] = None
    survived: ClassVar[bool] = True
    limit: ClassVar[float] = 5.0
    unowned: ClassVar[bool] = False
    rested: ClassVar[bool] = False
    dark: ClassVar[bool] = True
    may_say: ClassVar[frozenset[str]] = frozenset()

    def fits(self, shape: Shape) -> bool:
        """Return whether the fault applies to a world of this shape."""
        return shape.database in self.databases and shape.nodes >= self.nodes and self.bus in (None, shape.bus)

    def strike(self, world: World) -> None:
        """Cause the fault."""

    def cure(self, world: World) -> None:
        """Repair the fault."""


class Kill(Fault):
    """A server is killed and restarted immediately."""

    name = "kill"

    def strike(self, world: World) -> None:
        self._node = world.any_node()
        self._node.kill()
        self._node.launch()

    def cure(self, world: World) -> None:
        self._node.listens()


class KillAtPoint(Fault):
    """A server is killed in the middle of a write, before or after its commit."""

    name = "kill in a write"
    dark = False

    def strike(self, world: World) -> None:
        node = world.any_node()
        node.kill()
        # A server with few tables of slow players writes seldom, so it is one of the first writes.
        # It may be one while it starts, when it takes tables over.
        node.launch(world.chance.choice(POINTS), str(world.chance.randrange(5, 20)))
        try:
            node.wait(WRITES_WITHIN)
        except subprocess.TimeoutExpired:  # it owns none of the tables, so it writes nothing
            node.kill()
        node.start()

    survived = False


class Lost(Fault):
    """A server is killed, and restarted only after others have taken its tables."""

    name = "kill for long"
    nodes = 2
    unowned = True

    def strike(self, world: World) -> None:
        self._node = world.any_node()
        self._node.kill()

    def cure(self, world: World) -> None:
        self._node.start()


class Gone(Lost):
    """The only server is killed, and restarted later."""

    name = "gone for a while"
    nodes = 1
    survived = False
    unowned = False

    def cure(self, world: World) -> None:
        world.wait(2 * AWAY)
        super().cure(world)


class Freeze(Fault):
    """A server is suspended for longer than its lease, and then resumed."""

    name = "freeze beyond the lease"
    nodes = 2
    unowned = True

    def strike(self, world: World) -> None:
        self._node = world.any_node()
        self._node.signal(signal.SIGSTOP)

    def cure(self, world: World) -> None:
        self._node.signal(signal.SIGCONT)


class ShortFreeze(Freeze):
    """A server is suspended for less than its lease."""

    name = "freeze"
    nodes = 1
    survived = False
    unowned = False

    def cure(self, world: World) -> None:
        world.wait(AWAY)
        super().cure(world)


class Drain(Fault):
    """A server is stopped gracefully and restarted."""

    name = "drain"
    dark = False

    def strike(self, world: World) -> None:
        self._node = world.any_node()
        self._node.stop()
        self._node.launch()

    def cure(self, world: World) -> None:
        self._node.listens()


class RollingRestart(Fault):
    """All servers are stopped gracefully and restarted, one after another."""

    name = "rolling restart"
    dark = False
    nodes = 2
    survived = False

    def strike(self, world: World) -> None:
        for node in world.nodes:
            node.stop()
            node.start()


class Namesake(Fault):
    """A second server with the same name is started."""

    name = "namesake"
    may_say = frozenset({"name-taken"})

    def strike(self, world: World) -> None:
        node = world.any_node()
        self._first, self._second = node, Node(node.name, 0, node.words, node.log, node.switches, node.link)
        self._second.launch()

    def cure(self, world: World) -> None:
        assert self._second.wait() == 1, "a second server of the same name runs"
        assert self._first.alive


class Skew(Fault):
    """A server's clock is a minute fast or slow."""

    name = "skewed clock"
    survived = False

    def strike(self, world: World) -> None:
        world.skewed = True
        self._node = world.any_node()
        self._restart(world.chance.choice((-60, 60)))

    def cure(self, world: World) -> None:
        world.wait(AWAY)
        self._restart(0)

    def _restart(self, ahead: int) -> None:
        self._node.stop()
        self._node.switches.set(AHEAD, ahead)
        self._node.start()


class BusRestart(Fault):
    """The bus server is killed and restarted."""

    name = "bus restart"
    bus = "nats"

    def strike(self, world: World) -> None:
        assert world.nats is not None
        world.nats.stop()

    def cure(self, world: World) -> None:
        assert world.nats is not None
        world.nats.start()


class Garbled(Fault):
    """Bus messages are dropped, duplicated and reordered."""

    name = "garbled bus"
    bus = "nats"
    manner: ClassVar[Manner] = "garble"

    def strike(self, world: World) -> None:
        assert world.nats_link is not None
        world.nats_link.set(self.manner)

    def cure(self, world: World) -> None:
        assert world.nats_link is not None
        world.wait(AWAY)
        world.nats_link.set("pass")


class BusCut(Garbled):
    """The bus is interrupted for a while."""

    name = "cut from the bus"
    manner = "hold"


class DatabaseRestart(Fault):
    """The database server is restarted."""

    databases = ("postgres",)
    survived = False
    limit = 10.0
    how: ClassVar[Literal["fast", "immediate"]]

    def strike(self, world: World) -> None:
        database(world).stop(self.how)

    def cure(self, world: World) -> None:
        database(world).start()


class FastRestart(DatabaseRestart):
    name = "database restart, fast"
    how = "fast"


class ImmediateRestart(DatabaseRestart):
    name = "database restart, immediate"
    how = "immediate"


class DatabaseAway(ImmediateRestart):
    """The database server is down for a while."""

    name = "database away"

    def cure(self, world: World) -> None:
        world.wait(2 * AWAY)
        super().cure(world)


class Cut(Fault):
    """A server can't reach the database for longer than its lease; then the held data arrives."""

    name = "cut from the database"
    databases = ("postgres",)
    nodes = 2
    unowned = True
    limit = 10.0
    manner: ClassVar[Manner] = "hold"

    def strike(self, world: World) -> None:
        self._node = world.any_node()
        assert self._node.link is not None
        self._node.link.set(self.manner)

    def cure(self, world: World) -> None:
        assert self._node.link is not None
        self._node.link.set("pass")


class Swallow(Cut):
    """The same, but the sent data is lost, while connections seem open."""

    name = "swallowed by the network"
    manner = "swallow"


class Broken(Cut):
    """All connections of a server to the database break for a while, including new ones."""

    name = "connections break"
    nodes = 1
    survived = False
    unowned = False
    manner = "break"

    def cure(self, world: World) -> None:
        world.wait(AWAY)
        super().cure(world)


class BadDisk(Fault):
    """The disk fails: servers or the database return errors or stop, and are restarted after the repair."""

    survived = False
    limit = 10.0
    may_say = frozenset({"storage-failed"})
    switch: ClassVar[int]

    def strike(self, world: World) -> None:
        if world.database_switches is not None:
            world.database_switches.set(self.switch, 1)
        for node in world.nodes:
            node.switches.set(self.switch, 1)
        world.wait(AWAY)

    def cure(self, world: World) -> None:
        if world.database_switches is not None:
            world.database_switches.set(self.switch, 0)
            database(world).end()
            database(world).start()
        for node in world.nodes:
            node.switches.set(self.switch, 0)
            if not node.alive:
                assert node.wait() == 1, "a service that ends like this isn't restarted automatically"
                node.start()


class FullDisk(BadDisk):
    name = "full disk"
    switch = DISK_FULL


class FailingFsync(BadDisk):
    name = "failing fsync"
    switch = FSYNC_FAILS


class DamagedPages(Fault):
    """Pages are damaged while the database is idle; damaged tables are refused until a copy is restored."""

    name = "damaged pages"
    rested = True
    dark = False
    survived = False
    limit = 10.0
    may_say = frozenset({"table-damaged", "database-damaged", "storage-failed", "bad-key", "unavailable"})

    def strike(self, world: World) -> None:
        before = {place: _ask(world, *place) for place in world.people}
        assert all(status == 200 for status, _ in before.values())
        damaged = world.chance.choice(_files(world))
        for node in world.nodes:
            node.stop()
        if world.postgres is not None:
            world.postgres.stop("fast")
        self._sound = world.folder.parent / "sound"
        _copy(_storage(world), self._sound)
        data = bytearray(damaged.read_bytes())
        world.chance.choice(DAMAGES)(data, world.chance)
        with damaged.open("r+b") as file:  # in place, to preserve the owner
            file.truncate(len(data))
            file.write(data)
        self._start(world)
        for place, (_, was) in before.items():
            status, view = _ask(world, *place)
            assert status in (200, 404, 500, 503), status
            # A bot or a clock may have acted since.
            same = status != 200 or view["version"] > was["version"] or view["public"] == was["public"]
            assert same, f"a table is not as it was: {was}, {view}"
        said = {}
        for place in before:
            line = {"id": f"damaged-{world.chance.random()}", "command": {"do": "say", "text": "still here"}}
            status, answer = _ask(world, *place, "/commands", line)
            if status == 200 and answer["ok"]:
                said[place, line["id"]] = line, answer
        for node in world.nodes:
            node.kill()
        self._start(world)
        for (place, _), (line, answer) in said.items():
            status, again = _ask(world, *place, "/commands", line)
            assert status in (404, 500, 503) or again == answer, "acknowledged commands are lost without an error"

    def cure(self, world: World) -> None:
        for node in world.nodes:
            node.kill()
        if world.postgres is not None:
            world.postgres.end()
        shutil.rmtree(_storage(world))
        _copy(self._sound, _storage(world))
        shutil.rmtree(self._sound)
        self._start(world)
        assert all(node.alive for node in world.nodes)

    def _start(self, world: World) -> None:
        if world.postgres is not None:
            world.postgres.start()
        for node in world.nodes:
            node.launch()
            assert node.process is not None
            assert node.process.stdout is not None
            if not node.process.stdout.readline():
                assert node.wait() == 1


FAULTS: tuple[type[Fault], ...] = (
    Kill,
    KillAtPoint,
    Lost,
    Gone,
    Freeze,
    ShortFreeze,
    Drain,
    RollingRestart,
    Namesake,
    Skew,
    BusRestart,
    Garbled,
    BusCut,
    FastRestart,
    ImmediateRestart,
    DatabaseAway,
    Cut,
    Swallow,
    Broken,
    FullDisk,
    FailingFsync,
    DamagedPages,
)


def database(world: World) -> Postgres:
    """Return the database server of a world."""
    assert world.postgres is not None
    return world.postgres


def _storage(world: World) -> Path:
    """Return the folder of the database."""
    return world.folder if world.postgres is None else world.postgres.folder / "data"


def _files(world: World) -> list[Path]:
    """Return the files with the data of tables."""
    path = sqlite_path(world.url)
    if path is not None:
        return [path]
    with psycopg.connect(world.url, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT pg_relation_filepath(oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace "
            "AND relkind IN ('r', 'i') AND pg_relation_size(oid) >= 8192 AND relname ~ 'events|tables|listings|members'"
        ).fetchall()
    return [_storage(world) / place for (place,) in rows]


def _copy(source: Path, target: Path) -> None:
    """Copy a folder recursively, preserving owners."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def _ask(world: World, table: str, cookie: str, path: str = "", body: object = None) -> tuple[int, Any]:
    """Send a request about a table to any running server; return the status, 503 without an answer, and the answer."""
    for node in world.nodes:
        if node.alive:
            url = f"http://127.0.0.1:{node.port}/api/tables/{table}{path}"
            headers = {"cookie": cookie}
            try:
                with httpx2.Client(timeout=10, verify=False, headers=headers) as client:
                    answer = client.get(url) if body is None else client.post(url, json=body)
            except httpx2.HTTPError:
                continue
            return answer.status_code, answer.json()
    return 503, None
