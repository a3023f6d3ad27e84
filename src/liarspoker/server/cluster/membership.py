"""One server process among those that share a database: it lives, owns its share of the shards, and gives them away."""

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
from liarspoker.server.storage.leases import LEASE_SECONDS, LOOK_SECONDS, SILENT_SECONDS, Lease, Map, Node, assigned
from liarspoker.server.storage.log import SHARD_COUNT, shard_of
from liarspoker.server.storage.storage import Storage

log = logging.getLogger(__name__)

SETTLE_SECONDS = 2.5
"""So long a process whose own leases had expired takes no shard: where the database was away, the others come back."""
GIVEN_AT_ONCE = 16
"""So many shards a process gives to one that has come, with each heartbeat."""


class Membership:
    """One server process, by an id that no other has.

    Attributes:
        node: how the others know it.
        map: who lives and owns what, as it was read last.
        leases: the shards that this process owns.
        is_cut_off: this process does not reach the database, and others do: they have its shards by now, or soon.
        beaten: when the last heartbeat was stored, in seconds of this process and of the tables' time.
        when_gained: called with shards that this process owns from now on.
        when_lost: called with shards that it owns no more.
        when_died: called with a process that does not live any more.
        when_lapsed: called where all leases had expired, after which some may be left; with the time until which this
            process was alive.
        when_moved: called when shards have a new owner by this process's doing.
    """

    def __init__(self, storage: Storage, config: NodeConfig, clock: WallClock, instance: str) -> None:
        self.node = Node(instance, config.name, config.address)
        self.map = Map({}, [Lease(None, 0, None)] * SHARD_COUNT)
        self.leases: dict[int, Lease] = {}
        self.when_gained: Callable[[Mapping[int, Lease]], None] = lambda gained: None
        self.when_lost: Callable[[Iterable[int]], None] = lambda lost: None
        self.when_died: Callable[[Node], None] = lambda node: None
        self.when_lapsed: Callable[[float], None] = lambda alive: None
        self.when_moved: Callable[[], None] = lambda: None
        self._storage = storage
        self._clock = clock
        self._looking: asyncio.Task[None] | None = None
        self._lapsed_at = -float("inf")
        self.is_cut_off = False
        self.beaten: tuple[float, float] | None = None

    async def enter(self, alone: bool) -> None:
        """Begin, once it is certain that no other server of this name is alive, and own what nobody else does.

        Raises:
            NameTaken: another server of this name is alive.
            OlderNode: a living server is of a version that does not go together with this one.
            Unavailable: the database is away.
        """
        silent, before = 0.0 if alone else SILENT_SECONDS, None
        if self._storage.shared:
            self._clock.set(await self._storage.write(leases.database_time))
        while living := await self._storage.write(
            lambda connection: leases.enter(connection, self.node, self._clock.now(), LEASE_SECONDS, silent)
        ):
            if before is not None and living != before:
                raise NameTaken(self.node.name)
            before = living
            await asyncio.sleep(LOOK_SECONDS)
        await self._read()
        await self._balance()

    async def beat(self, alive: float) -> None:
        """Prolong all leases, note until when this process was `alive`, and take or give what it should.

        Raises:
            Unavailable: the database is away.
        """
        asked = time.monotonic()
        beat = partial(leases.beat, node=self.node, alive=alive, lease_seconds=LEASE_SECONDS)
        kept, now = await self._storage.write(beat)
        answered = time.monotonic()
        if self._storage.shared:
            self._clock.follow(now + (answered - asked) / 2, answered - asked)
        self.is_cut_off = False
        if not kept:
            self._lapsed_at = answered
        await self._read()
        if not kept and self.beaten is not None:
            self.when_lapsed(self.beaten[1])
        self.beaten = answered, alive
        await self._balance()

    @property
    def lapsed(self) -> bool:
        """Whether all leases have expired, since this process stood still or the database was away."""
        return self.beaten is not None and time.monotonic() - self.beaten[0] > LEASE_SECONDS

    async def look(self) -> None:
        """Read who owns what; whoever asks meanwhile waits for the next time.

        Raises:
            Unavailable: the database is away.
        """
        under_way = self._looking
        if under_way is not None:
            await asyncio.wait([under_way])
        if self._looking in (None, under_way):
            self._looking = asyncio.create_task(self._read())
            self._looking.add_done_callback(self._looked)
        await asyncio.shield(self._looking)

    def _looked(self, task: asyncio.Task[None]) -> None:
        if self._looking is task:
            self._looking = None
        if not task.cancelled():
            task.exception()  # whoever waits for it tells

    def owner(self, table_id: str) -> Node | None:
        """The other living process that owns a table, as far as is known; `None` where this one does, or nobody."""
        shard = shard_of(table_id)
        if self.is_cut_off:
            heir = assigned([node.instance for node in self.others()])[shard]
            return self.map.nodes[heir]
        return None if shard in self.leases else self.map.owner(shard)

    async def _read(self) -> None:
        self._adopt(await self._storage.read(leases.look))

    def _adopt(self, found: Map) -> None:
        """Go by the map that was read; an older one, which overtook a newer one on its way, changes nothing."""
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
        """Take what this process should own and nobody living does; give what somebody else should own."""
        living = [node.instance for node in self.map.nodes.values() if not node.leaving]
        if not living:
            return
        desired = assigned(living)
        own = self.node.instance
        orphans = [shard for shard, one in enumerate(desired) if one == own and self.map.owner(shard) is None]
        if orphans and time.monotonic() - self._lapsed_at > SETTLE_SECONDS:
            await self._storage.write(partial(leases.take, instance=own, shards=orphans))
            await self._read()
            log.info("shards taken", extra={"count": len(orphans)})
            self.when_moved()
        given = [shard for shard in self.leases if desired[shard] != own]
        if given:
            await self._give({shard: desired[shard] for shard in given[:GIVEN_AT_ONCE]}, self._clock.now())

    async def _give(self, gifts: Mapping[int, str | None], alive: float) -> None:
        gives = {shard: (self.leases[shard].epoch, instance) for shard, instance in gifts.items()}
        await self._storage.write(partial(leases.give, gifts=gives, alive=alive))
        await self._read()
        log.info("shards given", extra={"count": len(gifts)})
        self.when_moved()

    async def taken_up(self, gained: Mapping[int, Lease]) -> None:
        """Note that the clocks of these shards run again.

        Raises:
            Unavailable: the database is away.
        """
        ours = {
            shard: lease
            for shard, lease in gained.items()
            if shard in self.leases and self.leases[shard].epoch == lease.epoch
        }
        epochs = {shard: lease.epoch for shard, lease in ours.items() if lease.alive is not None}
        if epochs:
            await self._storage.write(partial(leases.taken_up, epochs=epochs))
        for shard, lease in ours.items():
            self.leases[shard] = lease._replace(alive=None)

    def others(self) -> list[Node]:
        """The other processes that live, as far as is known."""
        return [node for node in self.map.nodes.values() if node.instance != self.node.instance]

    @property
    def has_heirs(self) -> bool:
        """Whether others live that would take over what this process leaves."""
        return any(not node.leaving for node in self.others())

    def announce_leaving(self) -> None:
        """Say with the next heartbeat that this process is about to end; from then on it gives its shards away."""
        self.node = self.node._replace(leaving=True)

    async def hand_over(self) -> None:
        """Give every shard to the others that live, while there are any, before this process ends.

        Raises:
            Unavailable: the database is away.
        """
        self.announce_leaving()
        await self.beat(self._clock.now())
        while self.leases and self.has_heirs:
            await self._balance()

    def cut_off(self) -> None:
        """Go without the shards from now on: all leases have lapsed, and others reach the database."""
        self.is_cut_off = True
        lost, self.leases = list(self.leases), {}
        self.when_lost(lost)

    async def leave(self, alive: float) -> None:
        """Let everything go, so that others may take it at once.

        Args:
            alive: until when this process has served its tables, in seconds.
        """
        gives: dict[int, tuple[int, str | None]] = {shard: (lease.epoch, None) for shard, lease in self.leases.items()}

        def leave(connection: Connection) -> None:
            leases.give(connection, gives, alive)
            leases.leave(connection, self.node.instance)

        await self._storage.write(leave)
