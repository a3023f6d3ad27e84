"""Who owns which tables: shards of tables, leased to server processes on the database's clock.

A process is an instance with an id that nobody had before, and has one row in `nodes`. A table belongs to a shard by
its id alone, and a shard to the instance that its row names, as long as that one's row has not expired: so a heartbeat
is one row's update, and a takeover a few rows', however many tables there are. Every change of owner counts the shard's
epoch up, which the transaction that appends checks.
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
"""A server of the same name that has had no heartbeat for so long is dead."""
LOOK_SECONDS = 0.1
"""So often a server that starts looks whether one of its name is alive."""
LOG_FORM = 1
"""The form of the log that this version writes and reads. All living nodes write the lowest that one of them reads."""

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
_GIVE = (
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
    """The time by the database's clock, in seconds."""
    return float(connection.execute(sa.select(_NOW))[0][0])


class Node(NamedTuple):
    """A server process.

    Attributes:
        instance: its id, which no other process has, before it or after it.
        name: what its user calls it; only one living process has it.
        address: "host:port" at which the other nodes reach it; `None` where they do not.
        leaving: it is about to stop, and gives its shards away.
        log_form: the form of the log that it reads.
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
        expires: when its leases expire, in seconds of the database's clock; every heartbeat moves it.
    """

    instance: str
    expires: float


class Lease(NamedTuple):
    """Who owns a shard.

    Attributes:
        instance: the process that owns it, `None` for nobody.
        epoch: counts the owners; an entry names the one under which it was made.
        alive: until when its tables were served before this owner, who has yet to take up their clocks, in seconds;
            `None` where that is done, or nobody knows.
    """

    instance: str | None
    epoch: int
    alive: float | None


class Map(NamedTuple):
    """Who lives, and who owns what, at one moment.

    Attributes:
        nodes: the living processes, by instance.
        leases: of each shard, in order.
    """

    nodes: Mapping[str, Node]
    leases: Sequence[Lease]

    def owner(self, shard: int) -> Node | None:
        """The living owner of a shard."""
        instance = self.leases[shard].instance
        return None if instance is None else self.nodes.get(instance)


def new_instance() -> str:
    """The id of a process."""
    return secrets.token_hex(8)


def assigned(instances: Collection[str]) -> list[str]:
    """For each shard the one of the instances that should own it; every node comes to the same.

    When an instance comes or goes, no other shards move than those that it gets or had.

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


def enter(
    connection: Connection, node: Node, now: float, lease_seconds: float, silent_seconds: float
) -> tuple[Namesake, ...]:
    """Store a row for a process that starts, unless another one of its name may be alive.

    Those that are dead lose their shards to whoever takes them first. A namesake without a heartbeat for
    `silent_seconds`, at most `lease_seconds`, is dead; 0 where all are known to be.

    Returns:
        The namesakes that may be alive; nothing is stored if there are any.

    Raises:
        OlderNode: a living node reads only a log of a form that this version cannot write.
    """
    connection.execute(_TAKE_TURNS)  # so that those who start do it one after the other
    named: Values = {"named": node.name, "own": node.instance}
    rows = connection.execute(_FIND_NAMESAKES, seconds=lease_seconds - silent_seconds, **named)
    found = (Namesake(instance, expires) for instance, expires, may_live in rows if may_live)
    living = tuple(found) if silent_seconds else ()  # the clock may have been set back meanwhile
    if living:
        return living
    connection.execute(_END_NAMESAKES, **named)
    connection.execute_many(
        _MAKE, [{"shard": shard, "instance": None, "epoch": 0, "alive": None} for shard in range(SHARD_COUNT)]
    )
    for other in look(connection).nodes.values():
        if other.log_form < LOG_FORM:
            raise OlderNode(other.name)
    beat(connection, node, now, lease_seconds)
    connection.execute(_FORGET_DEAD)
    return ()


def beat(connection: Connection, node: Node, alive: float, lease_seconds: float) -> tuple[bool, float]:
    """Prolong all leases of a process.

    Returns:
        Whether they had not expired meanwhile, so that nobody else can have taken a shard; and the database's time.
    """
    values: Values = {"alive": alive, "leaving": int(node.leaving), "seconds": lease_seconds}
    prolonged = connection.execute(_BEAT, own=node.instance, **values)
    if prolonged:
        return True, float(prolonged[0][0])
    [[now]] = connection.execute(
        _STORE, instance=node.instance, name=node.name, address=node.address, log_form=node.log_form, **values
    )
    return False, float(now)


def look(connection: Connection) -> Map:
    """Who lives and owns what."""
    nodes = {row[0]: Node(row[0], row[1], row[2], bool(row[3]), row[4]) for row in connection.execute(_NODES)}
    return Map(nodes, [Lease(*row[1:]) for row in connection.execute(_MAP)])


def take(connection: Connection, instance: str, shards: Collection[int]) -> None:
    """Own those of the shards whose owner is dead, or that have none."""
    connection.end_stalled(SILENT_SECONDS)
    connection.execute(_TAKE, own=instance, shards=connection.array(sorted(shards)))


def give(connection: Connection, gifts: Mapping[int, tuple[int, str | None]], alive: float) -> None:
    """Let others own shards from now on, each with its epoch and the new owner, or nobody.

    Nothing happens to a shard whose epoch is another one by now.

    Args:
        connection: with a transaction open.
        gifts: by shard, its epoch and its next owner.
        alive: until when their tables were served, in seconds.
    """
    connection.execute_many(
        _GIVE,
        [
            {"shard": shard, "epoch": epoch, "instance": instance, "alive": alive}
            for shard, (epoch, instance) in sorted(gifts.items())
        ],
    )


def taken_up(connection: Connection, epochs: Mapping[int, int]) -> None:
    """Note that the clocks of shards run again, under these epochs."""
    connection.execute_many(_TAKEN_UP, [{"shard": shard, "epoch": epoch} for shard, epoch in sorted(epochs.items())])


def leave(connection: Connection, instance: str) -> None:
    """Delete the row of a process that owns nothing any more."""
    connection.execute(_LEAVE, own=instance)


def hold(connection: Connection, table_id: str, epoch: int) -> None:
    """Keep the shard of a table from changing its owner until the transaction ends.

    Raises:
        NotOwner: its epoch is another one by now.
    """
    shard = shard_of(table_id)
    if connection.epochs([shard]).get(shard) != epoch:
        raise NotOwner(table_id, epoch)
