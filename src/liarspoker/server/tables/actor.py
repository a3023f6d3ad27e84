"""The actor of a live table, its only writer: it decides and stores each command before it answers and publishes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, deque
from contextlib import suppress
from functools import partial
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from liarspoker.core import catalogue
from liarspoker.language import N_, _, language, speaking
from liarspoker.protocol.codec import Encoded, encode
from liarspoker.protocol.commands import Command, Expire, Extend, Play, React
from liarspoker.protocol.events import Gathered, Joined, Reserved
from liarspoker.protocol.frames import Chat, EncodedState, Reactions, SeatReaction, TableNews
from liarspoker.protocol.http import AnswerResponse
from liarspoker.protocol.settings import EventProof
from liarspoker.server.ratings import rate_table
from liarspoker.server.storage.errors import StorageError, Unavailable
from liarspoker.server.storage.leases import HEARTBEAT_SECONDS
from liarspoker.server.storage.log import Entry
from liarspoker.server.tables.log_reading import EVENT_KEY
from liarspoker.server.tables.views import Presence, SeatReactions, ViewCache, Watcher, listing_of
from liarspoker.tables import view
from liarspoker.tables.decide import CommandContext, Decided, check_reaction, decide
from liarspoker.tables.export import audit_of
from liarspoker.tables.fair.deal import SEED_BYTES
from liarspoker.tables.rated import standing
from liarspoker.tables.reducers import write_entry
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import ENDED, Table, next_deadline

UNSTORED_KEPT = 2_000
"""Number of refusals and reactions that a table remembers. Commands in the log are always remembered."""

if TYPE_CHECKING:
    from liarspoker.server.tables.registry import TableRegistry

log = logging.getLogger(__name__)


_MOVING = N_("the table is moving or the server is stopping; reconnect and try again")
_NO_DATABASE = N_("the database isn't responding; try again with the same id")


Answer = AnswerResponse


class AnsweredCommands:
    """The answers to a table's commands, by command id."""

    def __init__(self, done: dict[str, int] | None = None) -> None:
        self._done = {} if done is None else done
        self._unstored: OrderedDict[str, Answer] = OrderedDict()

    def find(self, command_id: str) -> Answer | None:
        """Return the answer to a command, if it was answered before."""
        version = self._done.get(command_id)
        return Answer(True, version) if version is not None else self._unstored.get(command_id)

    def took_effect(self, command_id: str | None, version: int) -> Answer:
        """Remember a command that produced a version. The table's own commands have no id."""
        if command_id is not None:
            self._done[command_id] = version
        return Answer(True, version)

    def unstored(self, command_id: str, answer: Answer) -> Answer:
        """Remember the answer to a command that isn't in the log: a refused one, or a reaction."""
        self._unstored[command_id] = answer
        if len(self._unstored) > UNSTORED_KEPT:
            self._unstored.popitem(last=False)
        return answer


class _Job(NamedTuple):
    user: str
    name: str
    command_id: str | None
    command: Command
    done: asyncio.Future[Answer]
    language: str


class TableActor:
    """The only writer of a table.

    Args:
        registry: the registry that the table belongs to.
        table: its state.
        epoch: the epoch under which this node owns the table's shard.
        memory: the answers to its commands.
        seed: the seed of a ready phase that the table's first log entry begins; by default a new one.
        event_key: the secret key of the event that the table belongs to; empty for none.

    Attributes:
        asked_at: time of the latest command from a client, in seconds; `None` for none since the table was opened.
        rematching: held while a rematch is opened, so that there is only one.
    """

    def __init__(
        self,
        registry: TableRegistry,
        table: Table,
        epoch: int,
        memory: AnsweredCommands,
        seed: bytes | None = None,
        event_key: bytes = b"",
    ) -> None:
        self.registry = registry
        self.table = table
        self.epoch = epoch
        self.presence = Presence(lambda: {chair.user for chair in self.table.seated})
        self.gone = False
        self.asked_at: float | None = None
        self.rematching = asyncio.Lock()
        self._memory = memory
        # Replaced only when a deal uses it: drawing a seed for every command would cost more than deciding the command.
        self._seed = registry.chance(SEED_BYTES) if seed is None else seed
        self._event_key = event_key
        self._jobs: deque[_Job] = deque()
        self._storing: asyncio.Future[None] | None = None
        self._storing_since = 0.0
        self._storage_check: asyncio.TimerHandle | None = None
        self._overdue = False
        self._timer: asyncio.TimerHandle | None = None
        self._bot_turn: int | None = None
        self._audit: asyncio.Task[str] | None = None
        self._views = ViewCache()
        self._reactions = SeatReactions(self._show_reactions)

    async def ask(self, user: str, name: str, command_id: str | None, command: Command) -> Answer:
        """Decide a command and return the answer after its outcome is stored.

        Args:
            user: user id of the sender; empty for the server.
            name: display name of the sender.
            command_id: a repeated id gets the same answer and takes effect only once; `None` for the server's commands.
            command: the command.

        Raises:
            StorageError: it is unknown whether the command took effect; it can be repeated with the same id.
        """
        if self.gone or self.registry.closing:
            raise Unavailable(_(_MOVING))
        if self._overdue:
            raise Unavailable(_(_NO_DATABASE))
        if command_id is not None:
            self.asked_at = self.registry.clock.now()
        done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._jobs.append(_Job(user, name, command_id and f"{user}/{command_id}", command, done, language()))
        if len(self._jobs) == 1:
            self._work()
        return await done  # cancelling the caller doesn't cancel the command

    def react(self, user: str, command_id: str, command: React) -> Answer:
        """Show a player's reaction to everyone at the table for a few seconds, without storing it.

        The answer is remembered while the table is in memory.

        Raises:
            Refused: the player can't react now.
            Unavailable: the table is moving.
        """
        if self.gone or self.registry.closing:
            raise Unavailable(_(_MOVING))
        check_reaction(self.table, user, command)
        self._reactions.show(SeatReaction(user, command.reaction, self.registry.clock.now()))
        return self._memory.unstored(f"{user}/{command_id}", Answer(True, self.table.version))

    @property
    def busy(self) -> bool:
        """Whether commands are being stored or waiting."""
        return bool(self._jobs)

    def known(self, user: str, command_id: str) -> Answer | None:
        """Return the answer to a user's command, if it was answered before."""
        return self._memory.find(f"{user}/{command_id}")

    def refused(self, user: str, command_id: str, error: Refused) -> Answer:
        """Return and remember the answer to a user's command that was refused before it reached the table."""
        return self._memory.unstored(f"{user}/{command_id}", _refusal(self.table, error))

    async def idle(self) -> None:
        """Wait until all received commands are answered."""
        while self._storing is not None:
            await asyncio.wait([self._storing])

    def fail_pending(self) -> None:
        """Fail all pending commands. Clients repeat them, and the log shows which took effect."""
        for job in self._jobs:
            _fail_unavailable(job, _MOVING)
        self._jobs.clear()

    def _work(self) -> None:
        """Decide pending commands in order until an outcome has to be stored; `_stored` then continues.

        This doesn't run in a task of any client, so a disconnecting client can't interrupt it.
        """
        while self._jobs:
            job = self._jobs[0]
            try:
                answer = self._decide(job)
            except Exception as error:
                self._failed(job, error)
            else:
                if answer is None:
                    return
                _answer(job, answer)
            self._jobs.popleft()

    def _decide(self, job: _Job) -> Answer | None:
        """Return the answer to a command, or `None` if it takes effect and is being stored."""
        if job.command_id is not None:
            known = self._memory.find(job.command_id)
            if known is not None:
                return known
        before, now = self.table, self.registry.clock.now()
        try:
            self.registry.probe("before-decide")
            with speaking(job.language):
                events, after = decide(before, job.command, self._context(job, now))
            self.registry.probe("after-decide")
        except Refused as error:
            refused = _refusal(before, error)
            return refused if job.command_id is None else self._memory.unstored(job.command_id, refused)
        storage, loop = self.registry.storage, asyncio.get_running_loop()
        self._storing = stored = storage.append(self._entry((events, after), job.command_id, now, before))
        stored.add_done_callback(partial(self._stored, job, after))
        self._storing_since = loop.time()
        if storage.timer.queued_at is None:
            storage.timer.queued_at = time.monotonic()
        if storage.timeout is not None and self._storage_check is None:
            self._storage_check = loop.call_later(storage.timeout, self._check_storage, storage.timeout)
        return None

    def _context(self, job: _Job, now: float) -> CommandContext:
        return CommandContext(job.user, job.name, now, self._seed, self._event_key)

    def _check_storage(self, timeout: float) -> None:
        """Fail pending commands if the database hasn't responded for `timeout` seconds; otherwise check again later.

        The write in progress continues; the commands behind it are dropped. One periodic check is cheaper than a timer
        for every command.
        """
        self._storage_check = None
        if self._storing is None:
            return
        loop = asyncio.get_running_loop()
        left = self._storing_since + timeout - loop.time()
        if left > 0:
            self._storage_check = loop.call_later(left, self._check_storage, timeout)
            return
        self._overdue = True
        for job in self._jobs:
            _fail_unavailable(job, _NO_DATABASE)
        self._jobs = deque([self._jobs[0]])

    def _stored(self, job: _Job, after: Table, stored: asyncio.Future[None]) -> None:
        """Answer and publish a command that was stored, and continue with the next ones."""
        self._storing = None
        if self._overdue:  # commands from clocks and bots were dropped, so they have to be repeated
            self._overdue, self._bot_turn = False, None
        error = stored.exception()
        if isinstance(error, StorageError):
            self.registry.lost(self, error)
            _fail(job, error)
            self.fail_pending()  # the state may be outdated, so no further commands can be decided
            return
        try:
            if error is not None:
                raise error
            # The answer comes first, so that its receiver is woken once for the answer and the state together.
            _answer(job, self._memory.took_effect(job.command_id, after.version))
            self._publish(after)
        except Exception as failure:
            self._failed(job, failure)
            self.schedule()
        if self._jobs:
            self._jobs.popleft()
            self._work()

    def _failed(self, job: _Job, error: Exception) -> None:
        log.error("command failed", exc_info=error, extra={"table": self.table.id, "do": job.command.do})
        _fail(job, error)

    async def begin(self, decided: Decided, now: float) -> None:
        """Store and publish a new table."""
        storage = self.registry.storage
        await storage.wait_for(storage.append(self._entry(decided, None, now, None)))
        self._publish(decided[1])

    def _entry(self, decided: Decided, command_id: str | None, now: float, before: Table | None) -> Entry:
        """Return the log entry of a command decided in the state `before`."""
        events, after = decided
        result = standing(after, events) if after.settings.rated else None
        seed_of = CommandContext("", "", now, self._seed, self._event_key).seed_of
        seeds = tuple((event.deal, seed_of(event.deal)) for event in events if isinstance(event, Gathered))
        if before is None and self._event_key:
            seeds = ((EVENT_KEY, self._event_key), *seeds)
        if seeds:
            self._seed = self.registry.chance(SEED_BYTES)
        return Entry(
            after.id,
            after.version,
            self.epoch,
            command_id,
            now,
            write_entry(events),
            seeds=seeds,
            listing=listing_of(after, now) if _lobby_changed(before, after) else None,
            members_added=tuple(
                event.user
                for event in events
                if isinstance(event, Reserved) or (isinstance(event, Joined) and not event.bot)
            ),
            also=None if result is None else rate_table(after.id, now, result),
        )

    def _publish(self, after: Table) -> None:
        """Publish a stored state to all watchers."""
        before, self.table = self.table, after
        if after.settings.days and after.chairs is not before.chairs:
            self.registry.spawn(self._seats_changed())
        if after.event is not None and after.stage == ENDED != before.stage:
            self.registry.on_event_table_ended(after.event.id)
        if after.removed is not before.removed:
            removed = after.removed - before.removed
            self.registry.on_removed(after.id, removed)
            for watcher in tuple(self.presence.watchers):
                if watcher.user in removed and not view.may_watch(after, watcher.user):
                    watcher.close("no-such-table")
        self.registry.probe("before-publish")
        self.registry.publish(after.id, after.version)
        self.registry.probe("after-publish")
        self.schedule()

    def schedule(self) -> None:
        """Set the timer for the next deadline, and ask the bot or notify the user whose turn it is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.gone:
            return
        table = self.table
        deadline = next_deadline(table)
        if deadline is not None:
            delay = max(0.0, deadline - self.registry.clock.now())
            self._timer = asyncio.get_running_loop().call_later(delay, self._time_up, table.turn)
        user = table.to_act
        chair = table.chair_of(user)
        if chair is None or not chair.played_by or chair.leaving or table.paused is not None:
            self._bot_turn = None  # so that the bot is asked again after a pause
        elif self._bot_turn != table.turn:
            self._bot_turn = table.turn
            self.registry.spawn(self._play_bot(table))
        self.registry.on_awaited(self)

    async def _play_bot(self, table: Table) -> None:
        """Ask the bot whose turn it is for an action, and play it. If the bot fails, its time runs out."""
        registry = self.registry
        if registry.node.bot_pause:
            await asyncio.sleep(registry.node.bot_pause)
        sitting, chair = table.sitting, table.chair_of(table.to_act)
        if sitting is None or chair is None or not self._still_waits(table):
            return
        session, deadline = sitting.session, next_deadline(self.table)
        family = catalogue.preset(table.settings.game).family
        left = inf if deadline is None else deadline - registry.clock.now()
        try:
            action = await registry.bots.action(
                chair.played_by, family, session.view(session.to_act), registry.chance(16), left
            )
            if not self._still_waits(table):
                return
            answer = await self.ask(chair.user, chair.name, None, Play(turn=table.turn, action=action))
        except StorageError:
            return
        except Exception as error:
            log.warning("bot failed", extra={"table": table.id, "bot": chair.played_by, "error": type(error).__name__})
            return
        if not answer.ok:
            log.warning("bot refused", extra={"table": table.id, "bot": chair.played_by, "code": answer.code})

    def _still_waits(self, table: Table) -> bool:
        """Whether the table still waits for the same action as in the state `table` and isn't paused."""
        return self.table.turn == table.turn and self.table.paused is None and not self.gone

    def _time_up(self, turn: int) -> None:
        self._timer = None
        if self.registry.membership.lapsed:  # nobody could play, so the deadline is extended first
            self._timer = asyncio.get_running_loop().call_later(HEARTBEAT_SECONDS, self._time_up, turn)
        else:
            self.registry.spawn(self._expire(turn))

    async def _expire(self, turn: int) -> None:
        try:
            if self.table.settings.days:  # in case the table hasn't heard of a vacation
                await self.registry.apply_vacations(self)
            answer = await self.ask("", "", None, Expire(turn=turn))
        except StorageError:
            return
        if not answer.ok:
            self.schedule()

    async def _seats_changed(self) -> None:
        """Ask whether new players are on vacation."""
        with suppress(StorageError):
            await self.registry.apply_vacations(self)

    async def extend_clock(self, stopped: float) -> None:
        """Extend the deadline by the time since `stopped`, in which the server was unavailable."""
        if next_deadline(self.table) is not None:
            await self.ask("", "", None, Extend(stopped=stopped))

    def watch(self, watcher: Watcher) -> None:
        """Send `watcher` the current state, and all changes from now on."""
        if self.gone:
            watcher.close("table-moved")
            return
        watcher.state(self.state_for(watcher.user))
        watcher.chat(self.chat_for(watcher.user, watcher.hidden))
        if self._reactions:
            watcher.reactions(self.reactions_for(watcher.user, watcher.hidden))
        self.presence.add(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        """Stop sending to `watcher`."""
        self.presence.remove(watcher)
        if watcher.user is not None and not self.presence.sockets_of(watcher.user):
            self._views.forget(watcher.user)
            self.registry.on_awaited(self)

    def show(self) -> None:
        """Send the current state to all watchers."""
        view_of = self._views.of_state(self.table, self.registry.clock.now())
        for watcher in self.watchers:
            watcher.behind = view.watches_behind(self.table, watcher.user)
            watcher.state(view_of(watcher.user, watcher.behind))
        self.presence.state_sent()

    def show_chat(self) -> None:
        """Send the chat to all watchers."""
        for watcher in self.watchers:
            watcher.chat(self.chat_for(watcher.user, watcher.hidden))

    def _show_reactions(self) -> None:
        for watcher in self.watchers:
            watcher.reactions(self.reactions_for(watcher.user, watcher.hidden))

    @property
    def watchers(self) -> set[Watcher]:
        """All watchers of the table."""
        return self.presence.watchers

    def chat_for(self, user: str | None, hidden: frozenset[str] = frozenset()) -> Encoded[Chat]:
        """Return the chat as `user` sees it, without the messages of the users in `hidden`."""
        return self._views.of_chat(self.table, user, hidden)

    def reactions_for(self, user: str | None, hidden: frozenset[str] = frozenset()) -> Encoded[Reactions]:
        """Return the reactions as `user` sees them, without those of the users in `hidden`."""
        return self._reactions.of(self.table, user, hidden)

    def state_for(self, user: str | None) -> EncodedState:
        """Return the complete view of `user`."""
        view_of = self._views.of_state(self.table, self.registry.clock.now())
        return view_of(user, view.watches_behind(self.table, user))

    def news_for(self, user: str) -> Encoded[TableNews]:
        """Return the status of the table for a seated user, as a line of their event stream."""
        table = self.table
        waiting = table.ready_phase is not None and user in table.users_of_next and user not in table.ready_phase.ready
        return Encoded(
            TableNews(
                table=table.id,
                version=table.version,
                game=table.settings.game,
                stage=table.stage,
                turn=table.turn,
                your_turn=table.to_act == user,
                ready_wanted=waiting,
            )
        )

    def reveal(self, proof: EventProof) -> None:
        """Reveal the deals of a table that has ended, because all tables of its event have."""
        self.table = self.table._replace(proof=proof)
        self.show()

    async def audit_text(self) -> str:
        """Return the audit document of this table, which must have ended, as JSON. It is created once."""
        if self._audit is None:
            self._audit = asyncio.create_task(asyncio.to_thread(_audit_text, self.table))
        return await asyncio.shield(self._audit)

    def detach(self) -> None:
        """Stop, because another node owns the table now or because nobody needs it."""
        self.gone = True
        for timer in (self._timer, self._storage_check):
            if timer is not None:
                timer.cancel()
        for watcher in self.watchers:
            watcher.close("table-moved")


def _audit_text(table: Table) -> str:
    return encode(audit_of(table))


def _lobby_changed(before: Table | None, after: Table) -> bool:
    """Whether the table's entry in the lobby has to be updated."""
    if before is None:
        return True
    return (
        before.stage != after.stage
        or before.owner != after.owner
        or before.chairs is not after.chairs
        or before.reserved is not after.reserved
        or before.rounds_played != after.rounds_played
        or (next_deadline(before) is None) != (next_deadline(after) is None)
        or (
            bool(after.settings.days)
            and (next_deadline(before), before.awaited) != (next_deadline(after), after.awaited)
        )
    )


def _refusal(table: Table, error: Refused) -> Answer:
    return Answer(False, table.version, error.code, str(error))


def _answer(job: _Job, answer: Answer) -> None:
    if not job.done.done():
        job.done.set_result(answer)


def _fail(job: _Job, error: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(error)


def _fail_unavailable(job: _Job, message: str) -> None:
    with speaking(job.language):  # often in the context of another user's command
        _fail(job, Unavailable(_(message)))
