"""Membership of a server process in a cluster: heartbeats, and taking and handing over shards."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from liarspoker.server.config import NodeConfig, WallClock
from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.errors import NameTaken
from liarspoker.server.storage.leases import (
    LEASE_SECONDS,
    POLL_SECONDS,
    SILENT_SECONDS,
    ClusterMap,
    Lease,
    Node,
    assigned,
)
from liarspoker.server.storage.log import SHARD_COUNT, shard_of
from liarspoker.server.storage.storage import Storage

log = logging.getLogger(__name__)

SETTLE_SECONDS = 2.5
"""A process whose leases have expired takes no shards for this long, so that after an outage the others can rejoin."""
HANDOVERS_AT_ONCE = 16
"""The maximum number of shards that a process hands over with each heartbeat."""


class Membership:
    """The membership of this process.

    Attributes:
        node: this process, as other nodes see it.
        map: the running processes and the owners of shards, as last read.
        leases: the leases of the shards that this process owns, by shard.
        is_cut_off: whether this process can't reach the database but others can, so that they take over its shards.
        last_heartbeat: when the last heartbeat was stored, on the monotonic clock and on the tables' clock.
        when_gained: called with the leases of shards that this process has gained.
        when_lost: called with the shards that it has lost.
        when_died: called with a process that has died or stopped.
        when_lapsed: called when all leases had expired, even if no shard was lost, with the time until which this
            process was alive.
        when_moved: called when this process has changed the owner of shards.
    """

    def __init__(self, storage: Storage, config: NodeConfig, clock: WallClock, instance: str) -> None:
        self.node = Node(instance, config.name, config.address)
        self.map = ClusterMap({}, [Lease(None, 0, None)] * SHARD_COUNT)
        self.leases: dict[int, Lease] = {}
        self.when_gained: Callable[[Mapping[int, Lease]], None] = lambda gained: None
        self.when_lost: Callable[[Iterable[int]], None] = lambda lost: None
        self.when_died: Callable[[Node], None] = lambda node: None
        self.when_lapsed: Callable[[float], None] = lambda alive: None
        self.when_moved: Callable[[], None] = lambda: None
        self._storage = storage
        self._clock = clock
        self._refreshing: asyncio.Task[None] | None = None
        self._lapsed_at = -float("inf")
        self.is_cut_off = False
        self.last_heartbeat: tuple[float, float] | None = None

    async def join(self, alone: bool, ended: str = "") -> None:
        """Join the cluster, once it is certain that no other server of this name is alive, and take free shards.

        Args:
            alone: whether no other server can be running on this database.
            ended: the instance of a process of this name that has certainly ended; empty for none.

        Raises:
            NameTaken: another server of this name is running.
            OlderNode: an incompatible older version is running.
            Unavailable: the database is unreachable.
        """
        silent, before = 0.0 if alone else SILENT_SECONDS, None
        if self._storage.shared:
            self._clock.set(await self._storage.write(leases.database_time))
        while alive := await self._storage.write(
            lambda connection: leases.join(connection, self.node, self._clock.now(), LEASE_SECONDS, silent, ended)
        ):
            if before is not None and alive != before:
                raise NameTaken(self.node.name)
            before = alive
            await asyncio.sleep(POLL_SECONDS)
        await self._read()
        await self._balance()

    async def heartbeat(self, alive: float) -> None:
        """Extend all leases, and take or hand over shards.

        Args:
            alive: until when this process has served its tables, in seconds.

        Raises:
            Unavailable: the database is unreachable.
        """
        sent = time.monotonic()
        beat = partial(leases.heartbeat, node=self.node, alive=alive, lease_seconds=LEASE_SECONDS)
        extended, now = await self._storage.write(beat)
        answered = time.monotonic()
        if self._storage.shared:
            self._clock.follow(now + (answered - sent) / 2, answered - sent)
        self.is_cut_off = False
        if not extended:
            self._lapsed_at = answered
        await self._read()
        if not extended and self.last_heartbeat is not None:
            self.when_lapsed(self.last_heartbeat[1])
        self.last_heartbeat = answered, alive
        await self._balance()

    @property
    def lapsed(self) -> bool:
        """Whether all leases have expired, because this process was suspended or the database was unreachable."""
        return self.last_heartbeat is not None and time.monotonic() - self.last_heartbeat[0] > LEASE_SECONDS

    async def refresh(self) -> None:
        """Reread the owners of shards; concurrent calls share the next read.

        Raises:
            Unavailable: the database is unreachable.
        """
        running = self._refreshing
        if running is not None:
            await asyncio.wait([running])
        if self._refreshing in (None, running):
            self._refreshing = asyncio.create_task(self._read())
            self._refreshing.add_done_callback(self._refreshed)
        await asyncio.shield(self._refreshing)

    def _refreshed(self, task: asyncio.Task[None]) -> None:
        if self._refreshing is task:
            self._refreshing = None
        if not task.cancelled():
            task.exception()  # the callers of `refresh` get the error

    def owner(self, table_id: str) -> Node | None:
        """Return the other process known to own a table; `None` for this process, or if there isn't one."""
        shard = shard_of(table_id)
        if self.is_cut_off:
            successor = assigned([node.instance for node in self.others()])[shard]
            return self.map.nodes[successor]
        return None if shard in self.leases else self.map.owner(shard)

    async def _read(self) -> None:
        self._adopt(await self._storage.read(leases.read_map))

    def _adopt(self, found: ClusterMap) -> None:
        """Apply a map that was read, unless it is older than the current one."""
        if any(new.epoch < old.epoch for new, old in zip(found.leases, self.map.leases, strict=True)):
            return
        died = [node for instance, node in self.map.nodes.items() if instance not in found.nodes]
        self.map, before = found, self.leases
        owned = {shard: one for shard, one in enumerate(found.leases) if one.instance == self.node.instance}
        lost = [shard for shard, one in before.items() if shard not in owned or owned[shard].epoch != one.epoch]
        gained = {shard: one for shard, one in owned.items() if shard not in before or before[shard].epoch != one.epoch}
        self.leases = owned
        for node in died:
            self.when_died(node)
        if lost:
            self.when_lost(lost)
        if gained:
            self.when_gained(gained)

    async def _balance(self) -> None:
        """Take the free shards that this process should own, and hand over those that others should own."""
        staying = [node.instance for node in self.map.nodes.values() if not node.leaving]
        if not staying:
            return
        desired = assigned(staying)
        own = self.node.instance
        orphans = [shard for shard, one in enumerate(desired) if one == own and self.map.owner(shard) is None]
        if orphans and time.monotonic() - self._lapsed_at > SETTLE_SECONDS:
            await self._storage.write(partial(leases.take, instance=own, shards=orphans))
            await self._read()
            log.info("shards taken over", extra={"count": len(orphans)})
            self.when_moved()
        given = [shard for shard in self.leases if desired[shard] != own]
        if given:
            await self._hand_over({shard: desired[shard] for shard in given[:HANDOVERS_AT_ONCE]}, self._clock.now())

    async def _hand_over(self, new_owners: Mapping[int, str | None], alive: float) -> None:
        handovers = {shard: (self.leases[shard].epoch, instance) for shard, instance in new_owners.items()}
        await self._storage.write(partial(leases.hand_over, handovers=handovers, alive=alive))
        await self._read()
        log.info("shards handed over", extra={"count": len(new_owners)})
        self.when_moved()

    async def clocks_resumed(self, gained: Mapping[int, Lease]) -> None:
        """Record that the clocks of these shards run again.

        Raises:
            Unavailable: the database is unreachable.
        """
        ours = {
            shard: lease
            for shard, lease in gained.items()
            if shard in self.leases and self.leases[shard].epoch == lease.epoch
        }
        epochs = {shard: lease.epoch for shard, lease in ours.items() if lease.alive is not None}
        if epochs:
            await self._storage.write(partial(leases.clocks_resumed, epochs=epochs))
        for shard, lease in ours.items():
            self.leases[shard] = lease._replace(alive=None)

    def others(self) -> list[Node]:
        """Return the other running processes, as last read."""
        return [node for node in self.map.nodes.values() if node.instance != self.node.instance]

    @property
    def lowest_form(self) -> int:
        """The newest form of the log that all running processes read."""
        return min((node.log_form for node in self.map.nodes.values()), default=self.node.log_form)

    @property
    def has_successors(self) -> bool:
        """Whether other processes are running that can take over this process's shards."""
        return any(not node.leaving for node in self.others())

    def announce_leaving(self) -> None:
        """Announce with the next heartbeat that this process is stopping; from then on it hands over its shards."""
        self.node = self.node._replace(leaving=True)

    async def hand_over(self) -> None:
        """Hand over all shards to other processes, as long as there are any, before this process ends.

        Raises:
            Unavailable: the database is unreachable.
        """
        self.announce_leaving()
        await self.heartbeat(self._clock.now())
        while self.leases and self.has_successors:
            await self._balance()

    def cut_off(self) -> None:
        """Give up all shards: the leases have expired, and other processes reach the database."""
        self.is_cut_off = True
        lost, self.leases = list(self.leases), {}
        self.when_lost(lost)

    async def leave(self, alive: float) -> None:
        """Release all shards and leave the cluster, so that others can take the shards at once.

        Args:
            alive: until when this process has served its tables, in seconds.
        """
        handovers: dict[int, tuple[int, str | None]] = {
            shard: (lease.epoch, None) for shard, lease in self.leases.items()
        }

        def leave(connection: Connection) -> None:
            leases.hand_over(connection, handovers, alive)
            leases.leave(connection, self.node.instance)

        await self._storage.write(leave)
