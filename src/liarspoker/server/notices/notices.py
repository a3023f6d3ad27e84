"""Notices to users who have no page of a table open.

The node that owns a table decides about notices of turns, since all sockets of the table end there. A notice is sent
after a delay if the user still has no socket there and it is still their turn. Each turn is claimed in the database
before it is sent, so that it is sent at most once, whichever node owns the table. Nothing here delays a move: the
actor of a table only calls `Notices.consider`, which starts a timer.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, get_args

from liarspoker.core import catalogue
from liarspoker.language import _
from liarspoker.server.config import Limiter
from liarspoker.server.storage import notices as queries
from liarspoker.server.storage.errors import StorageError
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables.state import Table, next_deadline

log = logging.getLogger(__name__)

RETRY_SECONDS = (5.0, 30.0, 120.0)
"""Pauses before a delivery that failed is repeated; after the last attempt, it is given up."""
LONGEST_PAUSE = 600.0
"""The longest pause, in seconds, that a channel may ask for."""
INVITATION_SECONDS = 3600.0
"""A user is invited to the same table at most once in this time."""

Kind: TypeAlias = Literal["turn", "invitation"]
"""What a notice is about."""
KINDS: tuple[Kind, ...] = get_args(Kind)

Outcome: TypeAlias = Literal["sent", "gone", "refused"]
"""The outcome of a delivery: `gone` if the address doesn't exist any more, `refused` if it can't succeed."""

Address = TypeVar("Address")


class Notice(NamedTuple):
    """A notice to a user. Its text contains nothing about a hand.

    Attributes:
        user: id of the user.
        kind: what it is about.
        table: id of the table.
        version: a number that grows; at most one notice of each version is sent, and none after a later one.
        game: catalogue id of the table's game.
        named: the title of the table; empty if it has none.
        by: the name of the user who invites; empty otherwise.
        until: when it becomes pointless, in seconds; `None` for never.
    """

    user: str
    kind: Kind
    table: str
    version: int
    game: str
    named: str
    by: str = ""
    until: float | None = None

    @property
    def title(self) -> str:
        """A title in the current language, such as "Your turn"."""
        return _("{name} invites you", name=self.by) if self.kind == "invitation" else _("Your turn")

    @property
    def body(self) -> str:
        """What it is about: the title of the table, or the game in the current language."""
        return self.named or _(catalogue.preset(self.game).title)

    @property
    def path(self) -> str:
        """The path of the table's page."""
        return f"/t/{self.table}"


class TryAgain(Exception):
    """A delivery failed, but may succeed later.

    Attributes:
        after: the minimum pause before the next attempt, in seconds.
    """

    def __init__(self, after: float = 0.0) -> None:
        super().__init__()
        self.after = after


class Channel(Protocol[Address]):
    """A way to deliver notices, such as Web Push.

    Attributes:
        name: its name in metrics, in log lines and in the users' settings.
    """

    name: str

    async def addresses(self, user: str) -> Sequence[Address]:
        """Return the addresses of a user; none if the user can't be reached over this channel."""

    async def deliver(self, address: Address, notice: Notice) -> Outcome:
        """Deliver a notice to one address.

        Raises:
            TryAgain: it failed, but may succeed later.
        """

    async def close(self) -> None:
        """Release resources."""


class Notices:
    """Decides about notices, and delivers them over all channels in the background.

    Args:
        registry: the live tables of this node.
        seconds: how long a user's pages must be closed before they are notified of their turn.
        limiter: limits notices per user; `None` for no limit.

    Attributes:
        limiter: the argument.
        channels: the channels; without any, nothing is sent.
        outcomes: the number of deliveries, by channel and outcome; the outcome `failed` follows the last attempt.
    """

    def __init__(self, registry: TableRegistry, seconds: float, limiter: Limiter | None) -> None:
        self.channels: list[Channel[Any]] = []
        self.outcomes: Counter[tuple[str, ...]] = Counter()
        self._registry = registry
        self._storage = registry.storage
        self._seconds = seconds
        self.limiter = limiter
        self._timers: dict[str, tuple[str, int, asyncio.TimerHandle]] = {}

    async def muted(self, user: str) -> frozenset[tuple[str, str]]:
        """Return the name of the channel and the kind of all notices that a user has turned off."""
        return await self._storage.read(partial(queries.mutes, user_id=user))

    async def mute(self, user: str, channel: str, kind: Kind, on: bool) -> None:
        """Turn a kind of notices to a user over a channel off, or on again."""
        change = partial(queries.mute, user_id=user, channel=channel, kind=kind, on=on)
        await self._storage.write(change)

    def start(self, *channels: Channel[Any]) -> None:
        """Use these channels, and notify the users whose turn it is or will be at the tables of this node."""
        self.channels += channels
        if self.channels:
            self._registry.watch_turns(self.consider)

    async def close(self) -> None:
        """Forget the notices that are due, and close the channels."""
        for _user, _turn, timer in self._timers.values():
            timer.cancel()
        for channel in self.channels:
            await channel.close()

    def consider(self, actor: TableActor) -> None:
        """Notify the user whose turn it is at a table, after the delay, unless they have a page of it open."""
        table = actor.table
        user = table.to_act
        if user is None or not _waits_for(actor, user, table.turn):
            return
        known = self._timers.get(table.id)
        if known is not None:
            if known[:2] == (user, table.turn):
                return
            known[2].cancel()
        timer = asyncio.get_running_loop().call_later(self._seconds, self._due, table.id)
        self._timers[table.id] = user, table.turn, timer

    def invite(self, user: str, by: str, table: Table) -> None:
        """Notify a user that the user named `by` invites them to a table.

        Whether `by` may invite them is the caller's to check.
        """
        version = int(self._registry.clock.now() // INVITATION_SECONDS)
        notice = Notice(user, "invitation", table.id, version, table.settings.game, table.settings.title, by)
        self._registry.spawn(self.send(notice))

    def _due(self, table_id: str) -> None:
        user, turn, _timer = self._timers.pop(table_id)
        actor = self._registry.loaded(table_id)
        if actor is None or not _waits_for(actor, user, turn):
            return
        table = actor.table
        notice = Notice(
            user, "turn", table_id, turn, table.settings.game, table.settings.title, until=next_deadline(table)
        )
        self._registry.spawn(self.send(notice, lambda: _waits_for(actor, user, turn)))

    async def send(self, notice: Notice, is_due: Callable[[], bool] = lambda: True) -> None:
        """Deliver a notice to every address that the user hasn't turned off, unless it was sent before.

        Args:
            notice: the notice.
            is_due: returns whether it should still be delivered; asked again before every attempt.
        """
        try:
            muted = await self.muted(notice.user)
            found: list[tuple[Channel[Any], Any]] = [
                (channel, address)
                for channel in self.channels
                if (channel.name, notice.kind) not in muted
                for address in await channel.addresses(notice.user)
            ]
            if not found or (self.limiter is not None and self.limiter.wait(notice.user)):
                return
            claim = partial(
                queries.claim,
                user_id=notice.user,
                table_id=notice.table,
                kind=notice.kind,
                version=notice.version,
                now=self._registry.clock.now(),
            )
            if not await self._storage.write(claim):
                return
        except StorageError as error:
            log.warning("notice not sent", extra={"code": error.code, "table": notice.table, "user": notice.user})
            return
        await asyncio.gather(*(self._deliver(*one, notice, is_due) for one in found))

    async def _deliver(self, channel: Channel[Any], address: Any, notice: Notice, is_due: Callable[[], bool]) -> None:
        """Deliver a notice to one address, with retries."""
        for pause in (*RETRY_SECONDS, None):
            if not is_due():
                return
            outcome: Outcome | Literal["failed"] = "failed"
            after = 0.0
            try:
                outcome = await channel.deliver(address, notice)
            except TryAgain as again:
                after = again.after
            except Exception as error:
                log.exception("notice failed", extra={"do": channel.name, "error": type(error).__name__})
                break
            if outcome != "failed" or pause is None:
                break
            await asyncio.sleep(max(pause, min(after, LONGEST_PAUSE)))
        self.outcomes[channel.name, outcome] += 1
        if outcome in ("failed", "refused"):
            log.warning("notice not delivered", extra={"do": channel.name, "code": outcome, "user": notice.user})


def _waits_for(actor: TableActor, user: str, turn: int) -> bool:
    """Whether a table still waits for this turn of a user who has no page of it open."""
    return not actor.gone and (actor.table.to_act, actor.table.turn) == (user, turn) and _is_away(actor, user)


def _is_away(actor: TableActor, user: str) -> bool:
    """Whether the user to act is a person who could act now, but has no page of the table open."""
    chair = actor.table.chair_of(user)
    return (
        chair is not None
        and not chair.played_by
        and not chair.leaving
        and actor.table.paused is None
        and not actor.presence.sockets_of(user)
    )
