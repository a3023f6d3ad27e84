"""Ownership of tables: shards, leased to server processes by the database's clock.

Every process has a unique instance id and one row in `nodes`. A table's id determines its shard. A shard belongs to the
instance that its row names, as long as the row of that instance hasn't expired. So a heartbeat updates one row, and a
takeover a few rows, regardless of the number of tables. Every change of owner increments the shard's epoch, which each
transaction that appends checks.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage.connection import ONE, Among, Connection, Now, Values, insert, value
from liarspoker.server.storage.errors import NotOwner, OlderNode
from liarspoker.server.storage.log import SHARD_COUNT, shard_of
from liarspoker.server.storage.schema import MARKS, NODES, SHARDS

LEASE_SECONDS = 3.0
HEARTBEAT_SECONDS = 0.5
SILENT_SECONDS = 2.0
"""A server of the same name without a heartbeat for this long is dead."""
POLL_SECONDS = 0.1
"""Interval at which a starting server checks whether another one of its name is alive."""
LOG_FORM = 3
"""The newest log format that this version reads. A node writes a format only while all running nodes read it."""
OLDEST_FORM = 1
"""The oldest log format that this version can write for the sake of older nodes."""

_NOW = Now()
_SECONDS = value(NODES.c.expires, "seconds")
_OWN = NODES.c.instance == value(NODES.c.instance, "own")
_LIVES = NODES.c.expires > _NOW
_NAMESAKES = (NODES.c.name == value(NODES.c.name, "named"), ~_OWN)
_TAKE_TURNS = sa.update(MARKS).values(value=MARKS.c.value).where(MARKS.c.name == sa.literal_column("'key'"))
_FIND_NAMESAKES = (
    sa.select(NODES.c.instance, NODES.c.expires, NODES.c.expires > _NOW + _SECONDS)
    .where(*_NAMESAKES)
    .order_by(NODES.c.expires.desc())
)
_END_NAMESAKES = sa.update(NODES).values(expires=_NOW).where(*_NAMESAKES, _LIVES)
_IS_NAMED = sa.exists().where(SHARDS.c.instance == NODES.c.instance)
_FORGET_DEAD = sa.delete(NODES).where(NODES.c.expires <= _NOW, ~_IS_NAMED)
_BEAT = (
    sa.update(NODES)
    .values(alive=value(NODES.c.alive), leaving=value(NODES.c.leaving), expires=_NOW + _SECONDS)
    .where(_OWN, _LIVES)
    .returning(_NOW)
)
_INSERT_NODE = insert(
    NODES, NODES.c.instance, NODES.c.name, NODES.c.alive, NODES.c.address, NODES.c.leaving, NODES.c.log_form
).values(expires=_NOW + _SECONDS)
_STORE = _INSERT_NODE.on_conflict_do_update(
    index_elements=[NODES.c.instance],
    set_={name: _INSERT_NODE.excluded[name] for name in ("alive", "leaving", "expires")},
).returning(_NOW)
_NODES = sa.select(NODES.c.instance, NODES.c.name, NODES.c.address, NODES.c.leaving, NODES.c.log_form).where(_LIVES)
_MAP = sa.select(SHARDS.c.shard, SHARDS.c.instance, SHARDS.c.epoch, SHARDS.c.alive).order_by(SHARDS.c.shard)
_SOME = Among(SHARDS.c.shard, "shards")
_OWNER = NODES.c.instance == SHARDS.c.instance
_OWNER_ALIVE = sa.select(NODES.c.alive).where(_OWNER).scalar_subquery()
_TAKE = (
    sa.update(SHARDS)
    .values(
        instance=value(SHARDS.c.instance, "own"),
        epoch=SHARDS.c.epoch + ONE,
        alive=sa.func.coalesce(SHARDS.c.alive, _OWNER_ALIVE),
    )
    .where(_SOME, sa.or_(SHARDS.c.instance.is_(None), ~sa.exists().where(_OWNER, _LIVES)))
)
_MAKE = insert(SHARDS).on_conflict_do_nothing()
_MINE = (SHARDS.c.shard == value(SHARDS.c.shard), SHARDS.c.epoch == value(SHARDS.c.epoch))
_HAND_OVER = (
    sa.update(SHARDS)
    .values(
        instance=value(SHARDS.c.instance),
        epoch=SHARDS.c.epoch + ONE,
        alive=sa.func.coalesce(SHARDS.c.alive, value(SHARDS.c.alive)),
    )
    .where(*_MINE)
)
_TAKEN_UP = sa.update(SHARDS).values(alive=sa.null()).where(*_MINE)
_LEAVE = sa.delete(NODES).where(_OWN, ~_IS_NAMED)


def database_time(connection: Connection) -> float:
    """Return the database's time, in seconds."""
    return float(connection.execute(sa.select(_NOW))[0][0])


class Node(NamedTuple):
    """A server process.

    Attributes:
        instance: its unique id.
        name: its configured name, unique among the running nodes.
        address: "host:port" at which other nodes reach it; `None` if they can't.
        leaving: whether it is about to stop, and hands over its shards.
        log_form: the log format that it reads.
    """

    instance: str
    name: str
    address: str | None = None
    leaving: bool = False
    log_form: int = LOG_FORM


class Namesake(NamedTuple):
    """Another process of the same name that may be alive.

    Attributes:
        instance: its id.
        expires: when its leases expire, in seconds of the database's time; every heartbeat extends them.
    """

    instance: str
    expires: float


class Lease(NamedTuple):
    """The owner of a shard.

    Attributes:
        instance: the process that owns it, `None` if there is none.
        epoch: the number of the owner, which every log entry contains.
        alive: until when the previous owner served its tables, in seconds, if the clocks of the tables still have to be
            resumed; `None` otherwise, or if unknown.
    """

    instance: str | None
    epoch: int
    alive: float | None


class ClusterMap(NamedTuple):
    """The running processes and the owners of all shards, at one moment.

    Attributes:
        nodes: the running processes, by instance.
        leases: the lease of each shard, in order.
    """

    nodes: Mapping[str, Node]
    leases: Sequence[Lease]

    def owner(self, shard: int) -> Node | None:
        """Return the running owner of a shard, if any."""
        instance = self.leases[shard].instance
        return None if instance is None else self.nodes.get(instance)


def new_instance() -> str:
    """Return a new instance id."""
    return secrets.token_hex(8)


def assigned(instances: Collection[str]) -> list[str]:
    """Return the instance that should own each shard, by rendezvous hashing; every node computes the same result.

    When an instance joins or leaves, only the shards that it gains or loses move.

    >>> before, after = assigned(["a", "b"]), assigned(["a", "b", "c"])
    >>> {new for old, new in zip(before, after) if old != new}
    {'c'}
    """
    digests = {one: sha256(one.encode()) for one in sorted(instances)}

    def rank(instance: str, shard: int) -> bytes:
        digest = digests[instance].copy()
        digest.update(shard.to_bytes(2, "big"))
        return digest.digest()

    return [max(digests, key=lambda one: rank(one, shard)) for shard in range(SHARD_COUNT)]


def join(
    connection: Connection, node: Node, now: float, lease_seconds: float, silent_seconds: float, ended: str = ""
) -> tuple[Namesake, ...]:
    """Store a row for a starting process, unless another process of its name may be alive.

    The leases of dead namesakes expire, so that any node can take their shards.

    Args:
        connection: with an open transaction.
        node: the process.
        now: the time, in seconds.
        lease_seconds: the duration of a lease.
        silent_seconds: a namesake without a heartbeat for this long is dead, at most `lease_seconds`; 0 if all are
            known to be dead.
        ended: the instance of a namesake that has certainly ended; empty for none.

    Returns:
        The namesakes that may be alive; nothing is stored if there are any.

    Raises:
        OlderNode: a running node reads only an older log format that this version can't write.
    """
    connection.execute(_TAKE_TURNS)  # starting processes do this one after another
    named: Values = {"named": node.name, "own": node.instance}
    rows = connection.execute(_FIND_NAMESAKES, seconds=lease_seconds - silent_seconds, **named)
    found = (Namesake(instance, expires) for instance, expires, may_live in rows if may_live and instance != ended)
    alive = tuple(found) if silent_seconds else ()  # the clock may have been set back since
    if alive:
        return alive
    connection.execute(_END_NAMESAKES, **named)
    connection.execute_many(
        _MAKE, [{"shard": shard, "instance": None, "epoch": 0, "alive": None} for shard in range(SHARD_COUNT)]
    )
    for other in read_map(connection).nodes.values():
        if other.log_form < OLDEST_FORM:
            raise OlderNode(other.name)
    heartbeat(connection, node, now, lease_seconds)
    connection.execute(_FORGET_DEAD)
    return ()


def heartbeat(connection: Connection, node: Node, alive: float, lease_seconds: float) -> tuple[bool, float]:
    """Extend all leases of a process.

    Returns:
        Whether they had not expired, so that no other process can have taken a shard; and the database's time.
    """
    values: Values = {"alive": alive, "leaving": int(node.leaving), "seconds": lease_seconds}
    prolonged = connection.execute(_BEAT, own=node.instance, **values)
    if prolonged:
        return True, float(prolonged[0][0])
    [[now]] = connection.execute(
        _STORE, instance=node.instance, name=node.name, address=node.address, log_form=node.log_form, **values
    )
    return False, float(now)


def read_map(connection: Connection) -> ClusterMap:
    """Return the running processes and the owners of all shards."""
    nodes = {row[0]: Node(row[0], row[1], row[2], bool(row[3]), row[4]) for row in connection.execute(_NODES)}
    return ClusterMap(nodes, [Lease(*row[1:]) for row in connection.execute(_MAP)])


def take(connection: Connection, instance: str, shards: Collection[int]) -> None:
    """Take those of the shards whose owner is dead, or that have none."""
    connection.end_stalled(SILENT_SECONDS)
    connection.execute(_TAKE, own=instance, shards=connection.array(sorted(shards)))


def hand_over(connection: Connection, handovers: Mapping[int, tuple[int, str | None]], alive: float) -> None:
    """Hand shards over to new owners, or release them.

    A shard whose epoch has changed is left alone.

    Args:
        connection: with an open transaction.
        handovers: by shard, its epoch and its next owner, `None` for no owner.
        alive: until when the tables were served, in seconds.
    """
    connection.execute_many(
        _HAND_OVER,
        [
            {"shard": shard, "epoch": epoch, "instance": instance, "alive": alive}
            for shard, (epoch, instance) in sorted(handovers.items())
        ],
    )


def clocks_resumed(connection: Connection, epochs: Mapping[int, int]) -> None:
    """Record that the clocks of shards run again, under these epochs."""
    connection.execute_many(_TAKEN_UP, [{"shard": shard, "epoch": epoch} for shard, epoch in sorted(epochs.items())])


def leave(connection: Connection, instance: str) -> None:
    """Delete the row of a process that owns no shards."""
    connection.execute(_LEAVE, own=instance)


def lock_shard(connection: Connection, table_id: str, epoch: int) -> None:
    """Keep the shard of a table from changing its owner until the transaction ends.

    Raises:
        NotOwner: its epoch has changed.
    """
    shard = shard_of(table_id)
    if connection.epochs([shard]).get(shard) != epoch:
        raise NotOwner(table_id, epoch)
