"""Who owns which table: rows that server processes take in turn, on the database's clock.

A process is an instance with an id that nobody had before, and has one row in `nodes`. It owns the tables that name it,
as long as its row has not expired; so a heartbeat is one row's update, however many tables there are.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage.connection import ONE, Connection, Now, Values, insert, value
from liarspoker.server.storage.errors import Leased, NameTaken, NoSuchTable
from liarspoker.server.storage.log import Lease
from liarspoker.server.storage.schema import MARKS, NODES, TABLES

if TYPE_CHECKING:
    from liarspoker.server.storage.storage import Storage

LEASE_SECONDS = 15.0
HEARTBEAT_SECONDS = 1.0
SILENT_SECONDS = 2.0
"""A server of the same name that has had no heartbeat for so long is dead."""
LOOK_SECONDS = 0.1
"""So often a server that starts looks whether one of its name is alive."""


_NOW = Now()
_SECONDS = value(NODES.c.expires, "seconds")
_ALIVE = sa.func.coalesce(value(NODES.c.alive, "now_alive"), NODES.c.alive)
_OWN = NODES.c.instance == value(NODES.c.instance, "own")
_NAMESAKES = (
    NODES.c.name == value(NODES.c.name, "named"),
    ~_OWN,
)
_TAKE_TURNS = sa.update(MARKS).values(value=MARKS.c.value).where(MARKS.c.name == sa.literal_column("'key'"))
_FIND_NAMESAKES = (
    sa.select(NODES.c.instance, NODES.c.expires, NODES.c.alive, NODES.c.expires > _NOW + _SECONDS)
    .where(*_NAMESAKES)
    .order_by(NODES.c.expires.desc())
)
_END_NAMESAKES = sa.update(NODES).values(expires=_NOW).where(*_NAMESAKES, NODES.c.expires > _NOW)
_FORGET_DEAD = sa.delete(NODES).where(NODES.c.expires <= _NOW, ~sa.exists().where(TABLES.c.node == NODES.c.instance))
_BEAT = (
    sa.update(NODES).values(alive=_ALIVE, expires=_NOW + _SECONDS).where(_OWN, NODES.c.expires > _NOW).returning(ONE)
)
_LEAVE = sa.update(NODES).values(alive=_ALIVE, expires=_NOW).where(_OWN)
_INSERT_NODE = insert(NODES, NODES.c.instance, NODES.c.name, NODES.c.alive).values(expires=_NOW + _SECONDS)
_STORE = _INSERT_NODE.on_conflict_do_update(
    index_elements=[NODES.c.instance],
    set_={
        "alive": sa.func.coalesce(_INSERT_NODE.excluded.alive, NODES.c.alive),
        "expires": _INSERT_NODE.excluded.expires,
    },
)
OWNED = sa.select(TABLES.c.table_id, TABLES.c.epoch).where(TABLES.c.node == value(TABLES.c.node))
_TABLE = TABLES.c.table_id == value(TABLES.c.table_id)
_WITH_OWNER = TABLES.outerjoin(NODES, NODES.c.instance == TABLES.c.node)
_OWNER = (
    sa.select(TABLES.c.node, sa.func.coalesce(NODES.c.expires > _NOW, sa.false()))
    .select_from(_WITH_OWNER)
    .where(_TABLE)
)
_LEASE = (
    sa.select(TABLES.c.node, TABLES.c.epoch, NODES.c.alive, sa.func.coalesce(NODES.c.expires, sa.literal_column("0.0")))
    .select_from(_WITH_OWNER)
    .where(_TABLE)
)
_OWNER_AFTER_LOCK = sa.select(TABLES.c.node).where(_TABLE)
# The owner's row stays as it is until this transaction ends: a heartbeat that finds it expired comes after it, and sees
# who has claimed what.
_STILL_ALIVE = sa.select(NODES.c.expires > _NOW).where(_OWN).with_for_update(read=True)
_CLAIM = (
    sa.update(TABLES)
    .values(epoch=TABLES.c.epoch + 1, node=value(TABLES.c.node, "instance"))
    .where(_TABLE)
    .returning(TABLES.c.epoch)
)
_RELEASE = sa.update(TABLES).values(node=sa.null()).where(_TABLE, TABLES.c.epoch == value(TABLES.c.epoch, "leased"))


class Node(NamedTuple):
    """A server process.

    Attributes:
        instance: its id, which no other process has, before it or after it.
        name: what its user calls it; the next process of this name takes its tables up.
    """

    instance: str
    name: str


class Namesake(NamedTuple):
    """Another process of the same name that may be alive.

    Attributes:
        instance: its id.
        expires: when its leases expire, in seconds of the database's clock; every heartbeat moves it.
    """

    instance: str
    expires: float


def enter(
    connection: Connection, node: Node, now: float, lease_seconds: float, silent_seconds: float
) -> tuple[Namesake, ...]:
    """Store a row for a process that starts, unless another one of its name may be alive.

    Those that are dead lose their tables to whoever claims them first. The new process has been alive since its last
    namesake was, until a heartbeat says otherwise: it gives back the time between. Rows that nobody needs are deleted.
    A namesake without a heartbeat for `silent_seconds`, at most `lease_seconds`, is dead; 0 where all are known to be.

    Returns:
        The namesakes that may be alive; nothing is stored if there are any.
    """
    connection.execute(_TAKE_TURNS)  # so that those who start do it one after the other
    named: Values = {"named": node.name, "own": node.instance}
    rows = connection.execute(_FIND_NAMESAKES, seconds=lease_seconds - silent_seconds, **named)
    found = (Namesake(instance, expires) for instance, expires, _, may_live in rows if may_live)
    living = tuple(found) if silent_seconds else ()  # the clock may have been set back meanwhile
    if living:
        return living
    connection.execute(_END_NAMESAKES, **named)
    _store(connection, node, rows[0][2] if rows else now, lease_seconds)
    connection.execute(_FORGET_DEAD)
    return ()


def beat(connection: Connection, node: Node, alive: float | None, lease_seconds: float) -> bool:
    """Prolong all leases of a process; false if they had expired meanwhile, so that others may have claimed tables."""
    prolonged = connection.execute(_BEAT, now_alive=alive, seconds=lease_seconds, own=node.instance)
    if not prolonged:
        _store(connection, node, alive, lease_seconds)
    return bool(prolonged)


def claim(connection: Connection, table_id: str, instance: str) -> int:
    """Take the lease of a table that nobody else owns; the new epoch."""
    rows = connection.execute(_OWNER, table_id=table_id)
    if not rows:
        raise NoSuchTable(f"table {table_id}: there is none")
    [(owner, living)] = rows
    if owner != instance and living:  # seen before anything is locked for which its owner would have to wait
        raise Leased(table_id, owner)
    connection.lock([table_id])
    [(owner,)] = connection.execute(_OWNER_AFTER_LOCK, table_id=table_id)
    if (
        owner is not None
        and owner != instance
        and any(alive for (alive,) in connection.execute(_STILL_ALIVE, own=owner))
    ):
        raise Leased(table_id, owner)
    return int(connection.execute(_CLAIM, table_id=table_id, instance=instance)[0][0])


def release(connection: Connection, leases: Sequence[tuple[str, int]]) -> None:
    """Give up leases, each by its table and epoch; those that are over stay as they are."""
    connection.execute_many(_RELEASE, [{"table_id": table_id, "leased": epoch} for table_id, epoch in leases])


def find(connection: Connection, table_id: str) -> Lease | None:
    """The lease of a table as it stands, `None` if there is no such table."""
    rows = connection.execute(_LEASE, table_id=table_id)
    return Lease._make(rows[0]) if rows else None


def _store(connection: Connection, node: Node, alive: float | None, lease_seconds: float) -> None:
    connection.execute(_STORE, instance=node.instance, name=node.name, alive=alive, seconds=lease_seconds)


class Membership:
    """One server process, by an id that no other has.

    Attributes:
        instance: the id, by which tables name their owner.
    """

    def __init__(self, storage: Storage, name: str) -> None:
        self.instance = secrets.token_hex(8)
        self._storage = storage
        self._node = Node(self.instance, name)
        self._lapsed = False

    async def enter(self, now: float, alone: bool) -> None:
        """Begin, once it is certain that no other server of this name is alive.

        Raises:
            NameTaken: another server of this name is alive.
            Unavailable: the database is away.
        """
        silent, before = 0.0 if alone else SILENT_SECONDS, None
        while living := await self._storage.write(
            lambda connection: enter(connection, self._node, now, LEASE_SECONDS, silent)
        ):
            if before is not None and living != before:
                raise NameTaken(self._node.name)
            before = living
            await asyncio.sleep(LOOK_SECONDS)

    async def beat(self, alive: float | None) -> dict[str, int] | None:
        """Prolong all leases, and note until when this process was `alive`; `None` notes nothing.

        Returns:
            `None` where they have never expired. After they had, others may own tables now: the epochs of those tables
            that this process still owns.

        Raises:
            Unavailable: the database is away.
        """

        def prolong(connection: Connection) -> None:
            # Remembered here, since the answer may be lost, and the next heartbeat would find all well.
            if not beat(connection, self._node, alive, LEASE_SECONDS):
                self._lapsed = True

        await self._storage.write(prolong)
        if not self._lapsed:
            return None
        self._lapsed = False
        try:
            return await self._storage.owned(self.instance)
        except BaseException:
            self._lapsed = True
            raise

    async def leave(self, alive: float | None) -> None:
        """Let all leases expire, so that others may claim the tables at once."""
        await self._storage.write(lambda connection: connection.execute(_LEAVE, now_alive=alive, own=self.instance))
