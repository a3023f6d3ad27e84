"""The registry of live tables of this node, which opens tables on demand and unloads idle ones."""

from __future__ import annotations

import asyncio
import logging
import secrets
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol

from liarspoker.language import N_, _
from liarspoker.protocol.commands import Abandon, Command, TakeVacation
from liarspoker.protocol.settings import Settings, TableEvent
from liarspoker.server.cluster.membership import Membership
from liarspoker.server.config import NodeConfig, RandomBytes, WallClock, no_probe
from liarspoker.server.storage import vacations
from liarspoker.server.storage.errors import (
    Leased,
    NoSuchTable,
    NotOwner,
    StorageError,
    TableDamaged,
    Unavailable,
)
from liarspoker.server.storage.leases import HEARTBEAT_SECONDS, Lease, Node, new_instance
from liarspoker.server.storage.log import shard_of
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import AnsweredCommands, TableActor
from liarspoker.server.tables.log_reading import read_log_in_turns
from liarspoker.server.tables.running import IDLE_SECONDS, RunningTables, listed
from liarspoker.server.tables.views import PLAYING, Watcher, is_correspondence
from liarspoker.server.tables.watcher_groups import WatcherGroups
from liarspoker.tables.decide import CommandContext, Decided, Seat, decide, make, make_of_event
from liarspoker.tables.fair.deal import SEED_BYTES
from liarspoker.tables.state import WAITING, Table, next_deadline

log = logging.getLogger(__name__)

CLOSE_SECONDS = 1.5
"""Time limit for the database when the server stops, unless it is known to be unavailable."""
HAND_OVER_SECONDS = 2.0
"""Time limit for handing tables over to other nodes when the server stops."""
MOST_ATTEMPTS = 3
"""Number of ids that are tried for a new table while shards change owners."""
_STOPPING = N_("the server is stopping; try again in a moment")


class Bots(Protocol):
    """Interface that chooses actions for bots."""

    async def action(self, bot: str, family: str, view: Any, seed: bytes, left: float) -> int:
        """Return the action of a bot, given its view and the seconds that are left for it."""

    async def close(self) -> None:
        """Stop, and release resources."""


async def nobody_is_ready(node: Node) -> bool:
    """Return `False`; used when other nodes can't be reached."""
    return False


class PlannedTable(NamedTuple):
    """A table of an event, which is made when it is first opened.

    Attributes:
        event: the event.
        settings: settings of the table.
        seats: who takes each seat.
        key: the secret key of the event.
        planned_at: when the event was started, in seconds.
    """

    event: TableEvent
    settings: Settings
    seats: Sequence[Seat]
    key: bytes
    planned_at: float


async def nothing_planned(table_id: str) -> None:
    """Return `None`; used without events."""


class TableRegistry:
    """The live tables of this node.

    Attributes:
        membership: this node's share of the tables.
        listeners: functions called with the id and version of a table whenever it reaches a new version.
        is_ready: asks another node whether it can reach the database.
        on_removed: called with a table's id and the users who were just removed from it.
        on_awaited: called with a table that may wait for a user who has no socket there; see `watch_turns`.
        on_event_table_ended: called with the id of an event, one of whose tables has ended.
        planned: returns what is planned for a table that doesn't exist yet; the owner of its shard makes it.
    """

    def __init__(
        self,
        storage: Storage,
        bots: Bots,
        clock: WallClock,
        node: NodeConfig,
        probe: Callable[[str], None] = no_probe,
        chance: RandomBytes = secrets.token_bytes,
    ) -> None:
        self.storage = storage
        self.clock = clock
        self.node = node
        self.probe = probe
        self.chance = chance
        self.listeners: list[Callable[[str, int], None]] = [self._show]
        self.closing = False
        self.is_ready: Callable[[Node], Awaitable[bool]] = nobody_is_ready
        self.on_removed: Callable[[str, frozenset[str]], None] = lambda table_id, users: None
        self.on_awaited: Callable[[TableActor], None] = lambda actor: None
        self.on_event_table_ended: Callable[[str], None] = lambda event_id: None
        self.planned: Callable[[str], Awaitable[PlannedTable | None]] = nothing_planned
        self.bots = bots
        self.membership = Membership(storage, node, clock, new_instance())
        self.membership.when_lost = self._lost
        self.membership.when_lapsed = self._lapsed
        self._actors: dict[str, TableActor] = {}
        self._opening: dict[str, asyncio.Task[TableActor]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._last_needed: dict[str, float] = {}
        self._chats: dict[str, int] = {}
        self._stopped: float | None = None
        self._followers = WatcherGroups[str]()
        self._heart: asyncio.Task[None] | None = None
        self._running = RunningTables(storage, self.membership, clock, self.table, self.spawn)
        self.membership.when_gained = self._running.gained

    @property
    def instance(self) -> str:
        """The id of this server process, by which shards name their owner."""
        return self.membership.node.instance

    async def start(self, alone: bool, ended: str = "") -> None:
        """Start immediately, and open the tables with running clocks in the background.

        Clocks run while tables can't be used, so this doesn't wait for all tables. A table that a client requests is
        opened first.

        Args:
            alone: it is certain that no other server with this name is running; otherwise the database is asked.
            ended: the instance of a process of this name that has certainly ended; empty for none.

        Raises:
            NameTaken: another server with this name is running.
            Unavailable: the database is unavailable.
        """
        await self.membership.join(alone, ended)
        self._heart = asyncio.create_task(self._keep_alive())

    @property
    def all_opened(self) -> bool:
        """Whether all tables of this node with running clocks have been opened."""
        return self._running.all_opened

    def vacation_changed(self, user: str) -> None:
        """Tell a user's correspondence tables on this node, in the background, that a vacation has begun or ended."""
        self.spawn(self._vacation_changed(user))

    async def _vacation_changed(self, user: str) -> None:
        with suppress(StorageError):
            for status in (WAITING, PLAYING):
                async for page in listed(self.storage, status, user):
                    for one in page:
                        if shard_of(one.table_id) in self.membership.leases and is_correspondence(one.listing):
                            await self.apply_vacations(await self.table(one.table_id))

    async def apply_vacations(self, actor: TableActor) -> None:
        """Tell a correspondence table about the vacations of its players, as the database has them.

        Raises:
            StorageError: the database can't be read, or it is unknown whether the table has stored it.
        """
        known = {chair.user: chair.vacation for chair in actor.table.people}
        latest = await self.storage.read(partial(vacations.latest_of, user_ids=list(known)))
        for user, (begins, until) in latest.items():
            if until != known[user] and max(until, known[user]) > actor.table.turn_began:
                await actor.ask("", "", None, TakeVacation(user=user, begins=begins, until=until))

    def _lapsed(self, alive: float) -> None:
        """Extend the deadlines of all loaded tables by the time in which this node or its database hung."""
        for actor in list(self._actors.values()):
            self.spawn(self._extend_clock(actor, alive))

    async def _extend_clock(self, actor: TableActor, alive: float) -> None:
        with suppress(StorageError):
            await actor.extend_clock(alive)

    def _lost(self, shards: Iterable[int]) -> None:
        """Unload the tables of shards that other nodes own now."""
        gone = set(shards)
        for shard in gone:
            self._running.lost(shard)
        for table_id, actor in list(self._actors.items()):
            if shard_of(table_id) in gone:
                self._remove(actor)
                actor.fail_pending()

    async def hand_over(self) -> None:
        """Hand over all tables to other nodes before this one stops."""
        try:
            async with asyncio.timeout(HAND_OVER_SECONDS):
                await self.membership.hand_over()
        except (TimeoutError, StorageError) as error:
            log.warning("stopped without the database", extra={"error": type(error).__name__})

    def stop(self) -> None:
        """Refuse new commands. Time from now until the restart doesn't count on any clock."""
        self.closing = True
        self._running.stop()
        if self._stopped is None:
            self._stopped = self.clock.now()

    async def close(self) -> None:
        """Finish pending commands, and store the time from which clocks are extended after the restart.

        If the database is unavailable, pending commands aren't answered; clients repeat them.
        """
        self.stop()
        if self._heart is not None:
            self._heart.cancel()
        try:
            async with asyncio.timeout(0 if self.storage.unreachable else CLOSE_SECONDS):
                for actor in list(self._actors.values()):
                    await actor.idle()
                await self.membership.leave(self._stopped or self.clock.now())
        except (TimeoutError, StorageError) as error:
            log.warning("stopped without the database", extra={"error": type(error).__name__})
        for actor in list(self._actors.values()):
            actor.detach()
            actor.fail_pending()
        for task in [*self._tasks, *self._opening.values()]:
            task.cancel()
        await self.bots.close()

    async def create(
        self,
        user: str,
        name: str,
        settings: Settings,
        owner_commands: Sequence[Command] = (),
        before: Table | None = None,
    ) -> TableActor:
        """Create a table with `user` as its owner, and execute `owner_commands` in the same transaction.

        With `before`, the table is a rematch of that one.

        Raises:
            Refused: the settings aren't valid, or one of the commands is refused.
            StorageError: the table couldn't be stored.
        """
        for _attempt in range(MOST_ATTEMPTS):
            if self.closing:
                raise Unavailable(_(_STOPPING))
            try:
                return await self._create(user, name, settings, owner_commands, before)
            except (Leased, NotOwner):  # the shard has just moved to another node, and nothing was stored
                await self.membership.refresh()
        raise Unavailable(_("tables are moving between servers; try again in a moment"))

    async def _create(
        self, user: str, name: str, settings: Settings, owner_commands: Sequence[Command], before: Table | None
    ) -> TableActor:
        table_id, now, seed = self._new_id(), self.clock.now(), self.chance(SEED_BYTES)
        context = CommandContext(user, name, now, seed)
        events, table = make(table_id, settings, context, before)
        for command in owner_commands:
            more, table = decide(table, command, context)
            events += more
        table = table._replace(version=1)
        await self.storage.create_table(table_id, now)
        actor = TableActor(self, table, self._lease(table_id).epoch, AnsweredCommands(), seed)
        return await self._begin(actor, (events, table), now)

    async def _begin(self, actor: TableActor, decided: Decided, now: float) -> TableActor:
        """Store and publish a new table."""
        self._actors[actor.table.id] = actor
        self._last_needed[actor.table.id] = now
        try:
            await actor.begin(decided, now)
        except BaseException:
            self._remove(actor)
            raise
        return actor

    async def _make_planned(self, table_id: str, lease: Lease) -> TableActor:
        """Make a table of an event. Repeating this after a crash makes the same table.

        Raises:
            NoSuchTable: no such table is planned.
            StorageError: the table couldn't be stored, or another node owns it.
        """
        planned = await self.planned(table_id)
        if planned is None:
            raise NoSuchTable(f"no such table: {table_id}")
        now = self.clock.now()
        context = CommandContext("", "", now, b"", planned.key)
        decided = make_of_event(table_id, planned.settings, planned.event, planned.seats, context)
        await self.storage.create_table(table_id, planned.planned_at)
        actor = TableActor(self, decided[1], lease.epoch, AnsweredCommands(), event_key=planned.key)
        return await self._begin(actor, decided, now)

    def _new_id(self) -> str:
        """Return a random 128-bit table id in a shard of this node.

        Raises:
            Unavailable: this node owns no shards, because it has just started or is about to stop.
        """
        if not self.membership.leases:
            raise Unavailable(_("this server owns no tables right now; try again in a moment"))
        while True:
            table_id = urlsafe_b64encode(self.chance(16)).rstrip(b"=").decode()
            if shard_of(table_id) in self.membership.leases:
                return table_id

    def _lease(self, table_id: str) -> Lease:
        """Return this node's lease on the table.

        Raises:
            Leased: this node doesn't own the table.
        """
        shard = shard_of(table_id)
        lease = self.membership.leases.get(shard)
        if lease is None:
            raise Leased(table_id, self.membership.map.leases[shard].instance)
        return lease

    async def table(self, table_id: str) -> TableActor:
        """Return a table, opening it if necessary.

        Raises:
            NoSuchTable: the table doesn't exist.
            StorageError: the table can't be read now, or another node owns it.
        """
        actor = self._actors.get(table_id)
        if actor is None:
            if table_id not in self._opening:
                self._opening[table_id] = asyncio.create_task(self._open(table_id))
            opening, task = self._opening[table_id], asyncio.current_task()
            try:
                actor = await asyncio.shield(opening)
            except asyncio.CancelledError:
                if not opening.cancelled() or (task is not None and task.cancelling()):
                    raise
                raise Unavailable(_(_STOPPING)) from None
        self._last_needed[table_id] = self.clock.now()
        return actor

    def loaded(self, table_id: str) -> TableActor | None:
        """Return a table if it is loaded, without opening it."""
        return self._actors.get(table_id)

    async def abandon(self, table_id: str, before: float) -> bool:
        """Close a table that has no running clock, no watchers and no commands since `before`, in seconds.

        Returns:
            Whether the table was closed.

        Raises:
            StorageError: the table can't be opened now, or another node owns it.
        """
        actor = await self.table(table_id)
        present = actor.watchers or any(chair.user in self._followers for chair in actor.table.seated)
        if (
            present
            or (actor.asked_at is not None and actor.asked_at >= before)
            or next_deadline(actor.table) is not None
        ):
            return False
        closed = (await actor.ask("", "", None, Abandon())).ok
        if closed and not actor.watchers and not actor.busy:
            self._remove(actor)
        return closed

    def unload(self, table_id: str) -> bool:
        """Unload a table. Returns `False`, without unloading, if it has watchers or is being opened."""
        actor = self._actors.get(table_id)
        if table_id in self._opening or (actor is not None and actor.watchers):
            return False
        if actor is not None:
            self._remove(actor)
        return True

    def evict(self, table_id: str) -> None:
        """Unload a table even if it has watchers, who then reconnect and get the stored state."""
        actor = self._actors.get(table_id)
        if actor is not None:
            self._remove(actor)
            actor.fail_pending()

    def publish(self, table_id: str, version: int) -> None:
        """Notify all listeners that a table has reached a version."""
        for listener in self.listeners:
            listener(table_id, version)

    def watch_turns(self, listener: Callable[[TableActor], None]) -> None:
        """Call `listener` now with every table, and from now on when its turn or its watchers change."""
        self.on_awaited = listener
        for actor in self._actors.values():
            listener(actor)

    def hide(self, user_id: str, hidden: frozenset[str]) -> None:
        """Hide the chat messages of the users in `hidden` from a user's watchers, and show those of all others."""
        for actor in self._actors.values():
            for watcher in actor.watchers:
                if watcher.user == user_id:
                    watcher.hidden = hidden
                    watcher.chat(actor.chat_for(user_id, hidden))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background. It is cancelled when the registry closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def lost(self, actor: TableActor, error: StorageError) -> None:
        """Unload a table after a storage error or when another node owns it; the log has its state."""
        log.warning("table lost", extra={"table": actor.table.id, "code": error.code})
        self._remove(actor)
        if isinstance(error, NotOwner):
            self.refresh_ownership()

    def refresh_ownership(self) -> None:
        """Check in the background which tables this node owns now."""
        self.spawn(self._refresh_ownership())

    async def _refresh_ownership(self) -> None:
        with suppress(StorageError):
            await self.membership.refresh()

    def _remove(self, actor: TableActor) -> None:
        """Remove a table from memory and stop its actor."""
        if self._actors.get(actor.table.id) is actor:
            for known in (self._actors, self._last_needed, self._chats):
                known.pop(actor.table.id, None)
        actor.detach()

    async def _open(self, table_id: str) -> TableActor:
        try:
            if shard_of(table_id) not in self.membership.leases:
                await self.membership.refresh()  # this node may have just acquired it
            lease = self._lease(table_id)
            try:
                found = await read_log_in_turns(self.storage.log_in_parts(table_id))
            except NoSuchTable:
                return await self._make_planned(table_id, lease)
            except ValueError as error:
                damage = TableDamaged(table_id, "its log can't be replayed")
                self.storage.report_damage(damage)
                raise damage from error
            if found.is_empty:
                return await self._make_planned(table_id, lease)
            table, memory = found.table, AnsweredCommands(found.answered)
            actor = TableActor(self, table, lease.epoch, memory, event_key=found.event_key)
            # If this process lost the table and acquired it again, its clocks were stopped in between.
            try:
                if lease.alive is not None or not table.settings.days:  # not after unloading a correspondence table
                    await actor.extend_clock(found.last_at if lease.alive is None else max(found.last_at, lease.alive))
                if table.settings.days:
                    await self.apply_vacations(actor)
                if self._lease(table_id).epoch != lease.epoch:
                    raise NotOwner(table_id, lease.epoch)
            except BaseException:
                actor.detach()
                raise
            self._actors[table_id] = actor  # visible from now on, because its clocks are correct
            actor.schedule()
            self._show(table_id, actor.table.version)
            return actor
        finally:
            del self._opening[table_id]

    def _show(self, table_id: str, version: int) -> None:
        """Send a table's new version to its watchers and to the followers of its players."""
        actor = self._actors.get(table_id)
        if actor is None:
            return
        if self._followers:
            table = actor.table
            for user in (*(chair.user for chair in table.seated), *(kept.user for kept in table.reserved)):
                if user in self._followers:
                    news = actor.news_for(user)
                    for follower in self._followers[user]:
                        follower.answer(news)
        if not actor.watchers:
            return
        actor.show()
        said = len(actor.table.lines) and hash(actor.table.lines[-1])
        if self._chats.get(table_id) != said:
            self._chats[table_id] = said
            actor.show_chat()

    async def follow(self, watcher: Watcher) -> AsyncIterator[None]:
        """Send `watcher` the status of its user's tables on this node, and all changes from now on.

        A watcher queues a limited number of messages, so the caller must send the pending ones whenever this yields.

        Raises:
            Unavailable: the database is unavailable.
        """
        assert watcher.user is not None
        self._followers.add(watcher.user, watcher)
        for status in (PLAYING, WAITING):
            async for page in listed(self.storage, status, watcher.user):
                for one in page:
                    if shard_of(one.table_id) not in self.membership.leases:
                        continue  # another node reports it
                    try:
                        actor = await self.table(one.table_id)
                    except Unavailable:
                        raise
                    except StorageError:
                        continue  # still report the other tables
                    watcher.answer(actor.news_for(watcher.user))
                    yield

    def unfollow(self, watcher: Watcher) -> None:
        """Stop sending to `watcher`."""
        assert watcher.user is not None
        self._followers.discard(watcher.user, watcher)

    async def _keep_alive(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            try:
                await self.membership.heartbeat(self.clock.now() if self._stopped is None else self._stopped)
                self._unload_idle()
                self._running.open_due()
            except StorageError:
                await self._check_cut_off()
            except Exception as error:  # without a heartbeat this server would lose its tables
                log.exception("heartbeat failed", extra={"error": type(error).__name__})

    async def _check_cut_off(self) -> None:
        """Give up this node's tables if it can't reach the database but another node can."""
        if self.membership.lapsed and not self.membership.is_cut_off:
            for node in self.membership.others():
                if await self.is_ready(node):
                    log.warning("lost the database, which other nodes can reach")
                    self.membership.cut_off()
                    return

    def _unload_idle(self) -> None:
        """Unload tables that nobody needs."""
        now = self.clock.now()
        for table_id, actor in list(self._actors.items()):
            idle = now - self._last_needed.setdefault(table_id, now) > IDLE_SECONDS
            deadline = next_deadline(actor.table)
            far = deadline is None or (bool(actor.table.settings.days) and deadline > now + IDLE_SECONDS)
            if idle and far and not actor.watchers and not actor.busy:
                self._remove(actor)
