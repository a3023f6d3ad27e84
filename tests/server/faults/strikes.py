"""The faults: each strikes a world in which people play, and cures it."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, ClassVar, Literal

import httpx2
import psycopg

from liarspoker.server.storage.place import sqlite_path
from tests.server.damage.evenings import DAMAGES
from tests.server.faults.links import Manner
from tests.server.faults.node import POINTS
from tests.server.faults.world import AHEAD, DISK_FULL, FSYNC_FAILS, Bus, Kind, Node, Shape, World
from tests.server.postgres import Server as Postgres

AWAY = 3.0
"""Seconds for which something is away that nothing can replace."""


class Fault:
    """Something that fails.

    Attributes:
        name: what it is called in reports.
        databases: the kinds of databases that it concerns.
        nodes: how many servers it takes at least.
        bus: the bus that it concerns, if only one.
        survived: play goes on between the strike and the cure; else only after it.
        limit: seconds after which play must go on: from the strike where it is survived, and from the cure.
        unowned: a server that cannot be reached keeps its tables for a lease, which comes on top after the strike.
        rested: nobody plays between the strike and the cure.
        dark: from the strike on, something is away; else servers end in order first, and clocks run until then.
        may_say: the codes of errors that servers log for it, or what else is in those lines.
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
        """Whether this can happen in a world of a shape."""
        return shape.database in self.databases and shape.nodes >= self.nodes and self.bus in (None, shape.bus)

    def strike(self, world: World) -> None:
        """Let it happen."""

    def cure(self, world: World) -> None:
        """Put it right."""


class Kill(Fault):
    """A server is killed and started again at once."""

    name = "kill"

    def strike(self, world: World) -> None:
        node = world.any_node()
        node.kill()
        node.start()


class KillAtPoint(Fault):
    """A server is killed in the middle of a write, before or after its commit."""

    name = "kill in a write"
    dark = False

    def strike(self, world: World) -> None:
        node = world.any_node()
        node.kill()
        node.start(world.chance.choice(POINTS), str(world.chance.randrange(5, 60)))
        node.wait()
        node.start()

    survived = False


class Lost(Fault):
    """A server is killed, and comes back only after others have taken its tables."""

    name = "kill for long"
    nodes = 2
    unowned = True

    def strike(self, world: World) -> None:
        self._node = world.any_node()
        self._node.kill()

    def cure(self, world: World) -> None:
        self._node.start()


class Gone(Lost):
    """A server is killed, and nobody has its tables until it comes back."""

    name = "gone for a while"
    nodes = 1
    survived = False
    unowned = False

    def cure(self, world: World) -> None:
        world.wait(2 * AWAY)
        super().cure(world)


class Freeze(Fault):
    """A server stands still for longer than its lease, and goes on as if nothing had happened."""

    name = "freeze beyond the lease"
    nodes = 2
    unowned = True

    def strike(self, world: World) -> None:
        self._node = world.any_node()
        self._node.signal(signal.SIGSTOP)

    def cure(self, world: World) -> None:
        self._node.signal(signal.SIGCONT)


class ShortFreeze(Freeze):
    """A server stands still for less than its lease."""

    name = "freeze"
    nodes = 1
    survived = False
    unowned = False

    def cure(self, world: World) -> None:
        world.wait(AWAY)
        super().cure(world)


class Drain(Fault):
    """A server is told to stop, and started again when it has."""

    name = "drain"
    dark = False

    def strike(self, world: World) -> None:
        node = world.any_node()
        node.stop()
        node.start()


class RollingRestart(Fault):
    """All servers are told to stop and started again, one after the other."""

    name = "rolling restart"
    dark = False
    nodes = 2
    survived = False

    def strike(self, world: World) -> None:
        for node in world.nodes:
            node.stop()
            node.start()


class Namesake(Fault):
    """Somebody starts a second server of the same name."""

    name = "namesake"
    may_say = frozenset({"name-taken", "on.send:121", "Application startup failed"})

    def strike(self, world: World) -> None:
        node = world.any_node()
        second = Node(node.name, 0, node.words, node.log, node.switches, node.link)
        second.launch()
        assert second.wait() == 1, "a second server of the same name runs"
        assert node.alive


class Skew(Fault):
    """A server's clock is a minute ahead, or behind."""

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
    """The server that carries news is killed and started again."""

    name = "bus restart"
    bus = "nats"

    def strike(self, world: World) -> None:
        assert world.nats is not None
        world.nats.stop()

    def cure(self, world: World) -> None:
        assert world.nats is not None
        world.nats.start()


class Garbled(Fault):
    """News are dropped, doubled and exchanged."""

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
    """No news get through for a while."""

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
    """The database server is away for a while."""

    name = "database away"

    def cure(self, world: World) -> None:
        world.wait(2 * AWAY)
        super().cure(world)


class Cut(Fault):
    """A server does not reach the database for longer than its lease, and then does: what it had sent arrives."""

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
    """The same, and what was sent is lost while connections seem to live."""

    name = "swallowed by the network"
    manner = "swallow"


class Broken(Cut):
    """All connections of a server with the database break, and new ones too, for a while."""

    name = "connections break"
    nodes = 1
    survived = False
    unowned = False
    manner = "break"

    def cure(self, world: World) -> None:
        world.wait(AWAY)
        super().cure(world)


class BadDisk(Fault):
    """Something is wrong with the disk: servers or the database refuse or stop, and start again once it is right."""

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
                assert node.wait() == 1, "a service that ends like this is not started again by itself"
                node.start()


class FullDisk(BadDisk):
    name = "full disk"
    switch = DISK_FULL


class FailingFsync(BadDisk):
    name = "failing fsync"
    switch = FSYNC_FAILS


class DamagedPages(Fault):
    """Pages are damaged while the database rests: each table is as it was or refused, until a copy is restored."""

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
        with damaged.open("r+b") as file:  # in place, so that it stays its owner's
            file.truncate(len(data))
            file.write(data)
        self._start(world)
        for place, (_, was) in before.items():
            status, view = _ask(world, *place)
            assert status in (200, 404, 500, 503), status
            # A bot or a clock may have had its turn since.
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
            assert status in (404, 500, 503) or again == answer, "what was acknowledged is gone, and nobody says so"

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


"""
"""


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
    """The database server of a world."""
    assert world.postgres is not None
    return world.postgres


def _storage(world: World) -> Path:
    """The folder that holds the database."""
    return world.folder if world.postgres is None else world.postgres.folder / "data"


def _files(world: World) -> list[Path]:
    """The files that hold what is stored of tables."""
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
    """Copy a folder with everything in it, which stays its owner's."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def _ask(world: World, table: str, cookie: str, path: str = "", body: object = None) -> tuple[int, Any]:
    """Ask any server that runs for something of a table: the status, 503 where nobody answers, and the answer."""
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
