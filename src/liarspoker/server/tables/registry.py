"""All live tables of this node: opened when somebody asks for them, kept while somebody needs them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from liarspoker.protocol.commands import Abandon, Command
from liarspoker.protocol.settings import Settings
from liarspoker.server.cluster.membership import Membership
from liarspoker.server.config import Chance, NodeConfig, WallClock, no_probe
from liarspoker.server.storage.errors import (
    DatabaseDamaged,
    Leased,
    NoSuchTable,
    NotOwner,
    StorageError,
    TableDamaged,
    Unavailable,
)
from liarspoker.server.storage.leases import HEARTBEAT_SECONDS, Lease, Node, new_instance
from liarspoker.server.storage.log import Listed, shard_of
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import Memory, TableActor, read_log
from liarspoker.server.tables.views import PLAYING, Watcher
from liarspoker.tables.decide import Asker, decide, make
from liarspoker.tables.fair.deal import SEED_BYTES
from liarspoker.tables.state import WAITING, due

log = logging.getLogger(__name__)

CLOSE_SECONDS = 1.5
"""So long a stop waits for the database, unless that is known to be away."""
HAND_OVER_SECONDS = 2.0
"""So long a stop gives tables away at most."""
MOST_ATTEMPTS = 3
"""So many ids a table is given at most, while shards change their owners."""
TAKEN_UP_AT_ONCE = 20
"""So many tables are opened at a time after a start; between them others have their turn."""
IDLE_SECONDS = 300.0
"""A table at which nobody looks and no clock runs is forgotten after so long; its log brings it back."""


class Bots(Protocol):
    """Whatever answers for the bots at the tables."""

    async def action(self, bot: str, family: str, view: Any, seed: bytes) -> int:
        """The action of a bot that sees `view`."""

    async def close(self) -> None:
        """End."""


async def nobody_is_ready(node: Node) -> bool:
    """There is no way to ask."""
    return False


class TableRegistry:
    """All live tables of this node.

    Attributes:
        membership: which tables are this node's.
        listeners: called with a table's id and its version whenever it has reached one.
        is_ready: asks another node whether it reaches the database.
        when_removed: called with a table's id and the users whom its others have just removed.
    """

    def __init__(
        self,
        storage: Storage,
        bots: Bots,
        clock: WallClock,
        node: NodeConfig,
        probe: Callable[[str], None] = no_probe,
        chance: Chance = secrets.token_bytes,
    ) -> None:
        self.storage = storage
        self.clock = clock
        self.node = node
        self.probe = probe
        self.chance = chance
        self.listeners: list[Callable[[str, int], None]] = [self._show]
        self.closing = False
        self._waiting: dict[int, Lease] = {}
        self.is_ready: Callable[[Node], Awaitable[bool]] = nobody_is_ready
        self.when_removed: Callable[[str, frozenset[str]], None] = lambda table_id, users: None
        self.bots = bots
        self.membership = Membership(storage, node, clock, new_instance())
        self.membership.when_gained = self._gained
        self.membership.when_lost = self._lost
        self.membership.when_lapsed = self._lapsed
        self._actors: dict[str, TableActor] = {}
        self._opening: dict[str, asyncio.Task[TableActor]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._last_needed: dict[str, float] = {}
        self._chats: dict[str, int] = {}
        self._stopped: float | None = None
        self._followers: dict[str, set[Watcher]] = {}
        self._heart: asyncio.Task[None] | None = None

    @property
    def instance(self) -> str:
        """The id of this server process, by which shards name their owner."""
        return self.membership.node.instance

    async def start(self, alone: bool) -> None:
        """Be ready at once, and take up the tables on which a clock runs in the background.

        While nobody can reach this node no time may count, so nothing is waited for here. A table that somebody asks
        for is opened before its turn.

        Args:
            alone: it is certain that no other server of this name is alive; else the database tells.

        Raises:
            NameTaken: another server of this name is alive.
            Unavailable: the database is away.
        """
        await self.membership.enter(alone)
        self._heart = asyncio.create_task(self._keep_alive())

    @property
    def all_taken_up(self) -> bool:
        """Whether every table of this node on which a clock runs has been opened."""
        return not self._waiting

    def _gained(self, gained: Mapping[int, Lease]) -> None:
        """Take up the tables of shards that are this node's from now on."""
        waits = bool(self._waiting)
        self._waiting |= gained
        if not waits:
            self.spawn(self._take_up_all())

    async def _take_up_all(self) -> None:
        """Open the tables on which a clock runs, each with the time given back in which nobody served it."""
        while self._waiting:
            gained, running = dict(self._waiting), list[str]()
            try:
                async for page in self._listed(PLAYING, running=True):
                    running += [listed.table_id for listed in page if shard_of(listed.table_id) in gained]
            except DatabaseDamaged as error:  # a table still opens when somebody asks for it
                log.error("the lobby is damaged, so not every running table is opened", extra={"code": error.code})
            except Unavailable:
                await asyncio.sleep(HEARTBEAT_SECONDS)
                continue
            for start in range(0, len(running), TAKEN_UP_AT_ONCE):  # together, so that they share their commits
                await asyncio.gather(*map(self._take_up, running[start : start + TAKEN_UP_AT_ONCE]))
            with suppress(Unavailable):  # whoever owns them next gives back more than need be
                await self.membership.taken_up(gained)
            for shard, lease in gained.items():
                if self._waiting.get(shard) is lease:
                    del self._waiting[shard]

    def _lapsed(self, alive: float) -> None:
        """Give back the time in which this node or its database stood still, at the tables that it still has."""
        for actor in list(self._actors.values()):
            self.spawn(self._give_back(actor, alive))

    async def _give_back(self, actor: TableActor, alive: float) -> None:
        with suppress(StorageError):
            await actor.give_back(alive)

    def _lost(self, shards: Iterable[int]) -> None:
        """Forget the tables of shards that others own by now."""
        gone = set(shards)
        for shard in gone:
            self._waiting.pop(shard, None)
        for table_id, actor in list(self._actors.items()):
            if shard_of(table_id) in gone:
                self._forget(actor)
                actor.give_up()

    async def _take_up(self, table_id: str) -> None:
        """Open a table on which a clock runs; one that cannot be opened does not keep the others from it."""
        while not self.closing:
            try:
                await self.table(table_id)
            except Unavailable:
                await asyncio.sleep(HEARTBEAT_SECONDS)  # its clock is to run on when the database is back
                continue
            except StorageError as error:
                log.warning("table not opened", extra={"table": table_id, "code": error.code})
            except Exception as error:
                log.exception("table not opened", extra={"table": table_id, "error": type(error).__name__})
            return

    async def hand_over(self) -> None:
        """Give all tables to the other nodes, before this one stops; there they are played on."""
        try:
            async with asyncio.timeout(HAND_OVER_SECONDS):
                await self.membership.hand_over()
        except (TimeoutError, StorageError) as error:
            log.warning("stopped without the database", extra={"error": type(error).__name__})

    def stop(self) -> None:
        """Take nothing new; from now on no time counts at any table."""
        self.closing = True
        if self._stopped is None:
            self._stopped = self.clock.now()

    async def close(self) -> None:
        """Take nothing new, finish what has come in, and leave a mark of the time that is given back at the start.

        Where the database is away, what has come in stays unanswered; whoever asked will ask again.
        """
        self.stop()
        if self._heart is not None:
            self._heart.cancel()
        try:
            async with asyncio.timeout(0 if self.storage.away else CLOSE_SECONDS):
                for actor in list(self._actors.values()):
                    await actor.idle()
                await self.membership.leave(self._stopped or self.clock.now())
        except (TimeoutError, StorageError) as error:
            log.warning("stopped without the database", extra={"error": type(error).__name__})
        for actor in list(self._actors.values()):
            actor.detach()
            actor.give_up()
        for task in [*self._tasks, *self._opening.values()]:
            task.cancel()
        await self.bots.close()

    async def create(self, user: str, name: str, settings: Settings, doings: Sequence[Command] = ()) -> TableActor:
        """Make a table, where `user` sits down as its owner and does `doings`; all of it happens, or nothing.

        Raises:
            Refused: the settings cannot be played, or one of the doings cannot be done.
            StorageError: it could not be stored.
        """
        for _ in range(MOST_ATTEMPTS):
            if self.closing:
                raise Unavailable("the server stops; ask again in a moment")
            try:
                return await self._create(user, name, settings, doings)
            except (Leased, NotOwner):  # its shard has got another owner just now, and nothing of the table is stored
                await self.membership.look()
        raise Unavailable("tables change their servers now; ask again in a moment")

    async def _create(self, user: str, name: str, settings: Settings, doings: Sequence[Command]) -> TableActor:
        table_id, now = self._new_id(), self.clock.now()
        events, table = make(table_id, settings, Asker(user, name, now, self.chance(SEED_BYTES)))
        for command in doings:
            more, table = decide(table, command, Asker(user, name, now, self.chance(SEED_BYTES)))
            events += more
        table = table._replace(version=1)
        await self.storage.create_table(table_id, now)
        actor = TableActor(self, table, self._lease(table_id).epoch, Memory())
        self._actors[table_id] = actor
        self._last_needed[table_id] = now
        try:
            await actor.begin((events, table), now)
        except BaseException:
            self._forget(actor)
            raise
        return actor

    def _new_id(self) -> str:
        """The id of a table that will be this node's, with 16 bytes of chance.

        Raises:
            Unavailable: this node owns nothing, since it has just come or is about to go.
        """
        if not self.membership.leases:
            raise Unavailable("the server has no share of the tables now; ask again in a moment")
        while True:
            table_id = urlsafe_b64encode(self.chance(16)).rstrip(b"=").decode()
            if shard_of(table_id) in self.membership.leases:
                return table_id

    def _lease(self, table_id: str) -> Lease:
        """The lease under which this node owns a table.

        Raises:
            Leased: another node does, or nobody.
        """
        shard = shard_of(table_id)
        lease = self.membership.leases.get(shard)
        if lease is None:
            raise Leased(table_id, self.membership.map.leases[shard].instance)
        return lease

    async def table(self, table_id: str) -> TableActor:
        """The table of this id.

        Raises:
            NoSuchTable: there is none.
            StorageError: it cannot be read now, or another node owns it.
        """
        actor = self._actors.get(table_id)
        if actor is None:
            if table_id not in self._opening:
                self._opening[table_id] = asyncio.create_task(self._open(table_id))
            actor = await asyncio.shield(self._opening[table_id])
        self._last_needed[table_id] = self.clock.now()
        return actor

    def at_hand(self, table_id: str) -> TableActor | None:
        """The table of this id, if it is in memory; nothing is opened for this."""
        return self._actors.get(table_id)

    async def abandon(self, table_id: str, before: float) -> bool:
        """Close a table without a running clock to which nobody has said anything since `before`, in seconds.

        Nothing happens while somebody looks at it.

        Returns:
            Whether the table was closed.

        Raises:
            StorageError: it cannot be opened now, or another node owns it.
        """
        actor = await self.table(table_id)
        present = actor.watchers or any(chair.user in self._followers for chair in actor.table.seated)
        if present or (actor.asked_at is not None and actor.asked_at >= before) or due(actor.table) is not None:
            return False
        closed = (await actor.ask("", "", None, Abandon())).ok
        if closed and not actor.watchers and not actor.busy:
            self._forget(actor)
        return closed

    def let_go(self, table_id: str) -> bool:
        """Keep nothing of a table in memory; false where somebody looks at it, or it is being opened."""
        actor = self._actors.get(table_id)
        if table_id in self._opening or (actor is not None and actor.watchers):
            return False
        if actor is not None:
            self._forget(actor)
        return True

    def reopen(self, table_id: str) -> None:
        """Keep nothing of a table in memory; whoever watches it connects again, and reads what is stored then."""
        actor = self._actors.get(table_id)
        if actor is not None:
            self._forget(actor)
            actor.give_up()

    def publish(self, table_id: str, version: int) -> None:
        """Tell all listeners that a table has reached a version."""
        for listener in self.listeners:
            listener(table_id, version)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something happen in the background; it is cancelled when the registry closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def lost(self, actor: TableActor, error: StorageError) -> None:
        """Forget a table whose storage has failed, or that another node owns; the log will tell how it stands."""
        log.warning("table lost", extra={"table": actor.table.id, "code": error.code})
        self._forget(actor)
        if isinstance(error, NotOwner):
            self.look()

    def look(self) -> None:
        """Read in the background which tables are this node's, since that may have changed."""
        self.spawn(self._look())

    async def _look(self) -> None:
        with suppress(StorageError):
            await self.membership.look()

    def _forget(self, actor: TableActor) -> None:
        """Keep nothing of a table in memory."""
        if self._actors.get(actor.table.id) is actor:
            for known in (self._actors, self._last_needed, self._chats):
                known.pop(actor.table.id, None)
        actor.detach()

    async def _open(self, table_id: str) -> TableActor:
        try:
            if shard_of(table_id) not in self.membership.leases:
                await self.membership.look()  # it may have become this node's just now
            lease = self._lease(table_id)
            stored = await self.storage.log(table_id)
            if not stored.entries:
                raise NoSuchTable(f"table {table_id}: it was never made")
            try:
                table, memory = read_log(stored)
            except ValueError as error:
                damage = TableDamaged(table_id, "its log cannot be replayed")
                self.storage.refuse(damage)
                raise damage from error
            actor = TableActor(self, table, lease.epoch, memory)
            # A table that this process has lost and has again has stood still since it was lost.
            last = stored.entries[-1].at
            try:
                await actor.give_back(last if lease.alive is None else max(last, lease.alive))
                if self._lease(table_id).epoch != lease.epoch:
                    raise NotOwner(table_id, lease.epoch)
            except BaseException:
                actor.detach()
                raise
            self._actors[table_id] = actor  # from now on its clocks are right, so others may see it
            actor.wind()
            self._show(table_id, actor.table.version)
            return actor
        finally:
            del self._opening[table_id]

    def _show(self, table_id: str, version: int) -> None:
        """News from the bus: show the table to those who watch it here."""
        actor = self._actors.get(table_id)
        if actor is None:
            return
        if self._followers:
            for chair in actor.table.seated:
                followers = self._followers.get(chair.user)
                if followers:
                    news = actor.news_for(chair.user)
                    for follower in followers:
                        follower.answer(news)
        if not actor.watchers:
            return
        actor.show()
        said = len(actor.table.lines) and hash(actor.table.lines[-1])
        if self._chats.get(table_id) != said:
            self._chats[table_id] = said
            actor.show_chat()

    async def follow(self, watcher: Watcher) -> AsyncIterator[None]:
        """From now on tell `watcher` what happens at its user's tables here, beginning with how they stand.

        However many tables there are, a watcher keeps only so much unread: what waits is to be read whenever this
        yields.

        Raises:
            Unavailable: the database is away.
        """
        assert watcher.user is not None
        self._followers.setdefault(watcher.user, set()).add(watcher)
        for status in (PLAYING, WAITING):
            async for page in self._listed(status, watcher.user):
                for listed in page:
                    if shard_of(listed.table_id) not in self.membership.leases:
                        continue  # whoever owns it tells of it
                    try:
                        actor = await self.table(listed.table_id)
                    except Unavailable:
                        raise
                    except StorageError:
                        continue  # the others are told all the same
                    watcher.answer(actor.news_for(watcher.user))
                    yield

    async def _listed(
        self, status: str, member: str | None = None, running: bool | None = None
    ) -> AsyncIterator[list[Listed]]:
        """All listings with a status, of all tables, of one user's or of those on which a clock runs, page by page."""
        before: tuple[float, str] | None = None
        while page := await self.storage.listings(
            status=status, member=member, running=running, before=before, limit=500
        ):
            yield page
            before = (page[-1].listing.updated_at, page[-1].table_id)

    def unfollow(self, watcher: Watcher) -> None:
        """Tell `watcher` no more."""
        assert watcher.user is not None
        followers = self._followers.get(watcher.user, set())
        followers.discard(watcher)
        if not followers:
            self._followers.pop(watcher.user, None)

    async def _keep_alive(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            try:
                await self.membership.beat(self.clock.now() if self._stopped is None else self._stopped)
                self._forget_idle()
            except StorageError:
                await self._look_whether_cut_off()
            except Exception as error:  # without a heartbeat this server would lose its tables
                log.exception("heartbeat failed", extra={"error": type(error).__name__})

    async def _look_whether_cut_off(self) -> None:
        """Let people play on at the other nodes where those reach the database, and this one doesn't."""
        if self.membership.lapsed and not self.membership.is_cut_off:
            for node in self.membership.others():
                if await self.is_ready(node):
                    log.warning("cut off from the database, which others reach")
                    self.membership.cut_off()
                    return

    def _forget_idle(self) -> None:
        """Forget the tables that nobody needs."""
        now = self.clock.now()
        for table_id, actor in list(self._actors.items()):
            idle = now - self._last_needed.setdefault(table_id, now) > IDLE_SECONDS
            if idle and not actor.watchers and not actor.busy and due(actor.table) is None:
                self._forget(actor)
