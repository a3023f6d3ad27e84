"""One live table: its only writer. A command is judged, stored, and only then answered and shown."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, deque
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from liarspoker.core import catalogue
from liarspoker.protocol.codec import Encoded, encode
from liarspoker.protocol.commands import Command, Expire, Extend, Play
from liarspoker.protocol.events import Gathered, Joined
from liarspoker.protocol.frames import Chat, EncodedState, TableNews
from liarspoker.protocol.http import AnswerResponse
from liarspoker.server.storage.errors import StorageError, Unavailable
from liarspoker.server.storage.leases import HEARTBEAT_SECONDS
from liarspoker.server.storage.log import Entry, TableLog
from liarspoker.server.tables.views import Presence, Texts, Watcher, listing_of
from liarspoker.tables import view
from liarspoker.tables.decide import Asker, Decided, decide
from liarspoker.tables.export import audit_of
from liarspoker.tables.fair.deal import SEED_BYTES
from liarspoker.tables.fold import fold_entry, read_entry, write_entry
from liarspoker.tables.refused import Refused
from liarspoker.tables.seating import BOT_PREFIX
from liarspoker.tables.state import Table, due

REFUSALS_KEPT = 2_000
"""How many refusals a table remembers; commands that took effect it remembers for ever, since they are in its log."""

if TYPE_CHECKING:
    from liarspoker.server.tables.registry import TableRegistry

log = logging.getLogger(__name__)


_GONE = "this table is being moved or the server stops; connect again and ask once more"
_AWAY = "the database does not answer; ask again with the same id"


Answer = AnswerResponse


class Memory:
    """The answers of one table, by the command's id."""

    def __init__(self, done: dict[str, int] | None = None) -> None:
        self._done = {} if done is None else done
        self._refused: OrderedDict[str, Answer] = OrderedDict()

    def find(self, command_id: str) -> Answer | None:
        """The answer that this command has had, if any."""
        version = self._done.get(command_id)
        return Answer(True, version) if version is not None else self._refused.get(command_id)

    def took_effect(self, command_id: str | None, version: int) -> Answer:
        """Remember a command that made a version; what a table does by itself has no id."""
        if command_id is not None:
            self._done[command_id] = version
        return Answer(True, version)

    def was_refused(self, command_id: str, answer: Answer) -> Answer:
        """Remember a command that changed nothing."""
        self._refused[command_id] = answer
        if len(self._refused) > REFUSALS_KEPT:
            self._refused.popitem(last=False)
        return answer


class _Job(NamedTuple):
    user: str
    name: str
    command_id: str | None
    command: Command
    done: asyncio.Future[Answer]


class TableActor:
    """The one writer of a table.

    Attributes:
        asked_at: when somebody sent it a command last, in seconds; `None` for not since it was opened.
    """

    def __init__(self, registry: TableRegistry, table: Table, epoch: int, memory: Memory) -> None:
        self.registry = registry
        self.table = table
        self.epoch = epoch
        self.presence = Presence(lambda: {chair.user for chair in self.table.seated})
        self.gone = False
        self.asked_at: float | None = None
        self._memory = memory
        # Fresh until a deal uses it up: drawing one for every command would cost more than judging the command.
        self._seed = registry.chance(SEED_BYTES)
        self._jobs: deque[_Job] = deque()
        self._storing: asyncio.Future[None] | None = None
        self._storing_since = 0.0
        self._look: asyncio.TimerHandle | None = None
        self._overdue = False
        self._timer: asyncio.TimerHandle | None = None
        self._bot_turn: int | None = None
        self._audit: asyncio.Task[str] | None = None
        self._texts = Texts()

    async def ask(self, user: str, name: str, command_id: str | None, command: Command) -> Answer:
        """What `command` comes to; the answer is given when its outcome is safely stored.

        Args:
            user: who asks; empty for the table's own clock.
            name: what he is called.
            command_id: the same id gets the same answer, and takes effect once. `None` for the table's own doings.
            command: what is asked.

        Raises:
            StorageError: whether it took effect cannot be told now; ask again with the same id.
        """
        if self.gone or self.registry.closing:
            raise Unavailable(_GONE)
        if self._overdue:
            raise Unavailable(_AWAY)
        if command_id is not None:
            self.asked_at = self.registry.clock.now()
        done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._jobs.append(_Job(user, name, command_id and f"{user}/{command_id}", command, done))
        if len(self._jobs) == 1:
            self._work()
        return await done  # who goes away meanwhile ends this wait, and nothing else

    @property
    def busy(self) -> bool:
        """Whether something that was asked is being stored."""
        return bool(self._jobs)

    def known(self, user: str, command_id: str) -> Answer | None:
        """The answer that a command of `user` has had, if any."""
        return self._memory.find(f"{user}/{command_id}")

    def refused(self, user: str, command_id: str, error: Refused) -> Answer:
        """The answer to a command of `user` that need not be judged; the same id gets it again."""
        return self._memory.was_refused(f"{user}/{command_id}", _refusal(self.table, error))

    async def idle(self) -> None:
        """Wait until every command that has come in is answered."""
        while self._storing is not None:
            await asyncio.wait([self._storing])

    def give_up(self) -> None:
        """Answer nothing more: whoever has asked must ask again, and the log will know what took effect."""
        for job in self._jobs:
            _fail(job, Unavailable(_GONE))
        self._jobs.clear()

    def _work(self) -> None:
        """Judge what has been asked, one after the other, until an outcome has to be stored; `_stored` goes on then.

        No task does this, so that nobody's going away can interrupt it.
        """
        while self._jobs:
            job = self._jobs[0]
            try:
                answer = self._judge(job)
            except Exception as error:
                self._failed(job, error)
            else:
                if answer is None:
                    return
                _tell(job, answer)
            self._jobs.popleft()

    def _judge(self, job: _Job) -> Answer | None:
        """The answer to a command; `None` where it takes effect, which is being stored then."""
        if job.command_id is not None:
            known = self._memory.find(job.command_id)
            if known is not None:
                return known
        before, now = self.table, self.registry.clock.now()
        try:
            self.registry.probe("before-decide")
            events, after = decide(before, job.command, Asker(job.user, job.name, now, self._seed))
            self.registry.probe("after-decide")
        except Refused as error:
            refused = _refusal(before, error)
            return refused if job.command_id is None else self._memory.was_refused(job.command_id, refused)
        storage, loop = self.registry.storage, asyncio.get_running_loop()
        self._storing = stored = storage.append(self._entry((events, after), job.command_id, now, before))
        stored.add_done_callback(partial(self._stored, job, after))
        self._storing_since = loop.time()
        if storage.timer.asked_at is None:
            storage.timer.asked_at = time.monotonic()
        if storage.timeout is not None and self._look is None:
            self._look = loop.call_later(storage.timeout, self._look_at_storage, storage.timeout)
        return None

    def _look_at_storage(self, timeout: float) -> None:
        """Let nobody wait longer for a database that is away, or look again when it may have come to that.

        What is being stored goes on, and the rest will not be judged. A timer for every command would cost some
        hundredths of its time; one look in so many seconds costs nothing.
        """
        self._look = None
        if self._storing is None:
            return
        loop = asyncio.get_running_loop()
        left = self._storing_since + timeout - loop.time()
        if left > 0:
            self._look = loop.call_later(left, self._look_at_storage, timeout)
            return
        self._overdue = True
        for job in self._jobs:
            _fail(job, Unavailable(_AWAY))
        self._jobs = deque([self._jobs[0]])

    def _stored(self, job: _Job, after: Table, stored: asyncio.Future[None]) -> None:
        """Answer and show what is stored now, and go on with what has been asked since."""
        self._storing = None
        if self._overdue:  # what clocks and bots asked meanwhile was not judged, so they are to ask again
            self._overdue, self._bot_turn = False, None
        error = stored.exception()
        if isinstance(error, StorageError):
            self.registry.lost(self, error)
            _fail(job, error)
            self.give_up()  # what else was asked is not to be judged by a state that may be an old one
            return
        try:
            if error is not None:
                raise error
            # The answer first: so its receiver is woken once, for the answer and the state together.
            _tell(job, self._memory.took_effect(job.command_id, after.version))
            self._publish(after)
        except Exception as failure:
            self._failed(job, failure)
            self.wind()
        if self._jobs:
            self._jobs.popleft()
            self._work()

    def _failed(self, job: _Job, error: Exception) -> None:
        log.error("command failed", exc_info=error, extra={"table": self.table.id, "do": job.command.do})
        _fail(job, error)

    async def begin(self, decided: Decided, now: float) -> None:
        """Store and show a table that was just made."""
        storage = self.registry.storage
        await storage.wait_for(storage.append(self._entry(decided, None, now, None)))
        self._publish(decided[1])

    def _entry(self, decided: Decided, command_id: str | None, now: float, before: Table | None) -> Entry:
        """What is to be stored of what was decided after `before`."""
        events, after = decided
        seeds = tuple((event.deal, self._seed) for event in events if isinstance(event, Gathered))
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
            members_added=tuple(event.user for event in events if isinstance(event, Joined) and not event.bot),
        )

    def _publish(self, after: Table) -> None:
        """Let everybody see what is stored."""
        before, self.table = self.table, after
        if after.removed is not before.removed:
            self.registry.when_removed(after.id, after.removed - before.removed)
        self.registry.probe("before-publish")
        self.registry.publish(after.id, after.version)
        self.registry.probe("after-publish")
        self.wind()

    def wind(self) -> None:
        """Set the alarm for what happens next by itself, and wake the bot whose turn it is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.gone:
            return
        table = self.table
        deadline = due(table)
        if deadline is not None:
            delay = max(0.0, deadline - self.registry.clock.now())
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring, table.turn)
        user = table.to_act
        if user is None or not user.startswith(BOT_PREFIX) or table.paused is not None:
            self._bot_turn = None  # after a pause it is asked again
        elif self._bot_turn != table.turn:
            self._bot_turn = table.turn
            self.registry.spawn(self._play_bot(table))

    async def _play_bot(self, table: Table) -> None:
        """Ask the bot whose turn it is, and play what it says; if it fails, the clock plays for it."""
        registry = self.registry
        if registry.node.bot_pause:
            await asyncio.sleep(registry.node.bot_pause)
        sitting, chair = table.sitting, table.chair_of(table.to_act)
        if sitting is None or chair is None or not self._waits_still(table):
            return
        session = sitting.session
        family = catalogue.row(table.settings.game).family
        try:
            action = await registry.bots.action(chair.bot, family, session.view(session.to_act), registry.chance(16))
            if not self._waits_still(table):
                return
            answer = await self.ask(chair.user, chair.name, None, Play(turn=table.turn, action=action))
        except StorageError:
            return
        except Exception as error:
            log.warning("bot failed", extra={"table": table.id, "bot": chair.bot, "error": type(error).__name__})
            return
        if not answer.ok:
            log.warning("bot refused", extra={"table": table.id, "bot": chair.bot, "code": answer.code})

    def _waits_still(self, table: Table) -> bool:
        """Whether the table waits for the same bot as in the state `table`, and no pause has come between."""
        return self.table.turn == table.turn and self.table.paused is None and not self.gone

    def _ring(self, turn: int) -> None:
        self._timer = None
        if self.registry.membership.lapsed:  # nobody could play, so the time is given back first
            self._timer = asyncio.get_running_loop().call_later(HEARTBEAT_SECONDS, self._ring, turn)
        else:
            self.registry.spawn(self._expire(turn))

    async def _expire(self, turn: int) -> None:
        try:
            answer = await self.ask("", "", None, Expire(turn=turn))
        except StorageError:
            return
        if not answer.ok:
            self.wind()

    async def give_back(self, stopped: float) -> None:
        """Give back the time since `stopped`, in which nobody could play because the server was away."""
        if due(self.table) is not None:
            await self.ask("", "", None, Extend(stopped=stopped))

    def watch(self, watcher: Watcher) -> None:
        """From now on tell `watcher` what changes, beginning with all there is."""
        if self.gone:
            watcher.close("table-moved")
            return
        watcher.state(self.state_for(watcher.user))
        watcher.chat(self.chat_for(watcher.user))
        self.presence.add(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        """Tell `watcher` no more."""
        self.presence.remove(watcher)
        if watcher.user is not None and not self.presence.sockets_of(watcher.user):
            self._texts.forget(watcher.user)

    def show(self) -> None:
        """Tell everybody who watches what there is now."""
        texts = self._texts.of_state(self.table, self.registry.clock.now())
        for watcher in self.watchers:
            watcher.behind = view.watches_behind(self.table, watcher.user)
            watcher.state(texts(watcher.user, watcher.behind))
        self.presence.shown()

    def show_chat(self) -> None:
        """Tell everybody who watches what has been said."""
        for watcher in self.watchers:
            watcher.chat(self.chat_for(watcher.user))

    @property
    def watchers(self) -> set[Watcher]:
        """Everybody who watches."""
        return self.presence.watchers

    def chat_for(self, user: str | None) -> Encoded[Chat]:
        """The chat of `user`."""
        return self._texts.of_chat(self.table, user)

    def state_for(self, user: str | None) -> EncodedState:
        """The whole view of `user`."""
        texts = self._texts.of_state(self.table, self.registry.clock.now())
        return texts(user, view.watches_behind(self.table, user))

    def news_for(self, user: str) -> Encoded[TableNews]:
        """How the table stands for somebody who sits here, in one line: what an event stream tells."""
        table = self.table
        waiting = table.gathering is not None and user in table.users_of_next and user not in table.gathering.ready
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

    async def audit_text(self) -> str:
        """What lets everybody check the deals of this table, which has ended, as JSON; it is made once."""
        if self._audit is None:
            self._audit = asyncio.create_task(asyncio.to_thread(_audit_text, self.table))
        return await asyncio.shield(self._audit)

    def detach(self) -> None:
        """Stop: somebody else owns the table now, or nobody needs it."""
        self.gone = True
        for timer in (self._timer, self._look):
            if timer is not None:
                timer.cancel()
        for watcher in self.watchers:
            watcher.close("table-moved")


def _audit_text(table: Table) -> str:
    return encode(audit_of(table))


def _lobby_changed(before: Table | None, after: Table) -> bool:
    """Whether the lobby has to know of it; not every move is worth a row."""
    if before is None:
        return True
    return (
        before.stage != after.stage
        or before.owner != after.owner
        or before.chairs is not after.chairs
        or before.rounds_played != after.rounds_played
        or (due(before) is None) != (due(after) is None)
    )


def _refusal(table: Table, error: Refused) -> Answer:
    return Answer(False, table.version, error.code, str(error))


def _tell(job: _Job, answer: Answer) -> None:
    if not job.done.done():
        job.done.set_result(answer)


def _fail(job: _Job, error: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(error)


def read_log(stored: TableLog) -> tuple[Table, Memory]:
    """The table that a log tells, and the answers that its commands have had.

    Raises:
        ValueError: the log is newer than this program, or damaged.
    """
    table: Table | None = None
    seed_of = stored.seeds.__getitem__
    for version, entry in enumerate(stored.entries, 1):
        if entry.version != version:
            raise ValueError(f"table {stored.table_id}: entry {entry.version}: there is a gap before it")
        try:
            table = fold_entry(table, read_entry(entry.body), seed_of)
        except Exception as error:
            raise ValueError(f"table {stored.table_id}: entry {version} cannot be read") from error
    if table is None:
        raise ValueError(f"table {stored.table_id}: its log is empty")
    memory = Memory({entry.command_id: entry.version for entry in stored.entries if entry.command_id is not None})
    return table, memory
