"""What a table shows: to everybody who watches it, who of them is there, and to the lobby.

A view is whole, so a watcher that is slow needs only the last one: what waits to be sent is at most one view, one chat,
one list of who is there, and a bounded number of answers. Memory does not grow with a reader's slowness. Each part of a
view is built and encoded once; what has not changed is not built again.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from math import inf
from typing import Any

from liarspoker.protocol.codec import Encoded
from liarspoker.protocol.frames import Chat, EncodedPublic, EncodedState, State
from liarspoker.protocol.frames import Presence as PresenceFrame
from liarspoker.protocol.views import PrivateView
from liarspoker.server.storage.log import Listing
from liarspoker.tables import view
from liarspoker.tables.state import ENDED, WAITING, Table, due

MOST_ANSWERS = 1_000
"""A watcher that leaves so many answers unread is cut off."""


def no_wake() -> None:
    """Nobody waits."""


class Watcher:
    """One socket or stream.

    Args:
        user: whose it is; `None` for somebody who is not known.
        behind: it sees the table one round behind.
        wake: called when there is something to send, or it should be closed.

    Attributes:
        closed: why it should be closed, once it should.
        wake: as above.
    """

    __slots__ = (
        "_answers",
        "_chat",
        "_last_presence",
        "_presence",
        "_state",
        "behind",
        "closed",
        "user",
        "wake",
    )

    def __init__(self, user: str | None, behind: bool, wake: Callable[[], None] = no_wake) -> None:
        self.user = user
        self.behind = behind
        self.closed: str | None = None
        self.wake = wake
        self._state: Encoded[State] | None = None
        self._chat: Encoded[Chat] | None = None
        self._presence: Encoded[PresenceFrame] | None = None
        self._last_presence: PresenceFrame | None = None
        self._answers: list[Encoded[object]] = []

    def state(self, state: Encoded[State]) -> None:
        """Send this view instead of any that waits."""
        self._state = state
        self.wake()

    def chat(self, chat: Encoded[Chat]) -> None:
        """Send this chat instead of any that waits."""
        self._chat = chat
        self.wake()

    def presence(self, presence: Encoded[PresenceFrame]) -> None:
        """Send this list of who is there instead of any that waits, unless it was the last one sent."""
        self._presence = None if presence.message == self._last_presence else presence
        if self._presence is not None:
            self.wake()

    def answer(self, answer: Encoded[object]) -> None:
        """Send this too, in order."""
        if len(self._answers) >= MOST_ANSWERS:
            self.close("too-slow")
            return
        self._answers.append(answer)
        self.wake()

    def close(self, why: str) -> None:
        """Have it closed."""
        self.closed = self.closed or why
        self.wake()

    def take(self) -> list[Encoded[object]]:
        """What is to be sent now, in order; it is not given again."""
        messages = self._answers
        for one in (self._state, self._chat, self._presence):
            if one is not None:
                messages.append(one)
        if self._presence is not None:
            self._last_presence = self._presence.message
        self._answers = []
        self._state = self._chat = self._presence = None
        return messages

    async def next(self) -> list[Encoded[object]]:
        """What is to be sent now, in order; waits until there is something. Empty once it should be closed.

        Only one may wait at a time.
        """
        while not self.closed:
            messages = self.take()
            if messages:
                return messages
            news = asyncio.Event()
            self.wake = news.set
            await news.wait()
        return []


PRESENCE_SECONDS = 1.0
"""The time between two updates at one table, at least. An update goes to every watcher, so without this many who come
or go together would cost as many messages as their number squared."""

MOST_USERS = 50
"""Of more users than this, an update lists only those who sit at the table."""


class Presence:
    """The watchers of one table.

    Attributes:
        watchers: all of them.
    """

    def __init__(self, seated: Callable[[], set[str]]) -> None:
        self.watchers: set[Watcher] = set()
        self._seated = seated
        self._sockets: Counter[str] = Counter()
        self._told_players: frozenset[str] = frozenset()
        self._told_at = -inf
        self._timer: asyncio.TimerHandle | None = None

    def add(self, watcher: Watcher) -> None:
        """A watcher has come: it learns at once who is there, and the others learn of it soon."""
        self.watchers.add(watcher)
        if watcher.user is not None:
            self._sockets[watcher.user] += 1
        watcher.presence(self._message())
        self._tell_soon()

    def remove(self, watcher: Watcher) -> None:
        """A watcher has gone; nothing happens where it was not there."""
        if watcher not in self.watchers:
            return
        self.watchers.remove(watcher)
        if watcher.user is not None:
            self._sockets[watcher.user] -= 1
            if not self._sockets[watcher.user]:
                del self._sockets[watcher.user]
        self._tell_soon()

    def sockets_of(self, user: str | None) -> int:
        """The number of watchers that belong to `user`."""
        return 0 if user is None else self._sockets[user]

    def shown(self) -> None:
        """The table was shown to everybody: that is the moment to tell which players are here, if that has changed."""
        if self._players() != self._told_players:
            self._tell()

    def _tell_soon(self) -> None:
        """Tell everybody, now or when the last update is long enough ago."""
        if not self.watchers or self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        wait = self._told_at + PRESENCE_SECONDS - loop.time()
        if wait <= 0:
            self._tell()
        else:
            self._timer = loop.call_later(wait, self._tell)

    def _tell(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._told_players, self._told_at = self._players(), asyncio.get_running_loop().time()
        message = self._message()
        for watcher in self.watchers:
            watcher.presence(message)

    def _players(self) -> frozenset[str]:
        """Those who sit at the table and watch it."""
        return frozenset(self._seated()) & self._sockets.keys()

    def _message(self) -> Encoded[PresenceFrame]:
        users: set[str] | Counter[str] = self._sockets
        if len(users) > MOST_USERS:
            users = set(self._players())
        return Encoded(PresenceFrame(users=tuple(sorted(users)), watchers=len(self.watchers)))


ViewOf = Callable[[str | None, bool], EncodedState]
"""The whole view of a user, or of nobody known, who watches one round behind or not."""


class Texts:
    """The views of one table, state after state."""

    def __init__(self) -> None:
        self._private: dict[str, tuple[object, Encoded[PrivateView]]] = {}
        self._public: dict[bool, tuple[Table, EncodedPublic]] = {}
        self._chats: tuple[Table | None, dict[object, Encoded[Chat]]] = None, {}

    def of_state(self, table: Table, now: float) -> ViewOf:
        """The views of `table`, at the time `now`."""
        strangers: dict[bool, EncodedState] = {}
        standing_of = view.standings(table)

        def whole(user: str | None, behind: bool) -> EncodedState:
            public = self._public_of(table, behind)
            if user is not None:
                return EncodedState(now, public, self._private_of(table, user, standing_of(user)))
            if behind not in strangers:
                strangers[behind] = EncodedState(now, public, None)
            return strangers[behind]

        return whole

    def of_chat(self, table: Table, user: str | None) -> Encoded[Chat]:
        """The chat of `user` at `table`."""
        if self._chats[0] is not table:
            self._chats = table, {}
        chats, hearing = self._chats[1], view.hearing(table, user)
        if hearing not in chats:
            chats[hearing] = Encoded(Chat(lines=view.chat(table, user)))
        return chats[hearing]

    def forget(self, user: str) -> None:
        """Nobody shows `user` this table any more."""
        self._private.pop(user, None)

    def _public_of(self, table: Table, behind: bool) -> EncodedPublic:
        before, known = self._public.get(behind, (None, None))
        if before is table and known is not None:
            return known
        if before is not None and known is not None and view.lasts(before, table):
            shown = known.after(view.passing(table, behind))
        else:
            shown = EncodedPublic(view.public(table, behind))
        self._public[behind] = table, shown
        return shown

    def _private_of(self, table: Table, user: str, standing: object) -> Encoded[PrivateView]:
        if standing is None:
            return Encoded(view.private(table, user))
        before, known = self._private.get(user, (None, None))
        if known is None or standing != before:
            known = Encoded(view.private(table, user))
            self._private[user] = standing, known
        return known


PLAYING = "playing"
ENDED_STATUS = ENDED
LISTED_SECONDS = 86_400.0
"""An open table at which nothing has happened for so long is in the lobby of its own people only."""


def status_of(table: Table) -> str:
    """`waiting`, `playing` or `ended`."""
    return table.stage if table.stage in (WAITING, ENDED) else PLAYING


def listing_of(table: Table, now: float) -> Listing:
    """The table's row in the lobby; nothing in it is secret."""
    settings = table.settings
    summary = {
        "players": [{"user": one.user, "name": one.name, "bot": one.bot or None} for one in table.seated],
        "options": dict(settings.options),
        "unit": settings.unit,
        "clock": None if settings.clock is None else settings.clock.turn,
        "spectators": settings.spectators,
        "rounds_played": table.rounds_played,
        "running": due(table) is not None,
        **_round(table),
    }
    return Listing(
        status=status_of(table),
        game=settings.game,
        title=settings.title,
        visibility=settings.visibility,
        seats_taken=len(table.seated),
        seats=len(table.chairs),
        updated_at=now,
        summary=json.dumps(summary),
        owner=table.owner,
        running=due(table) is not None,
    )


def _round(table: Table) -> dict[str, Any]:
    """How far the table has come: which round is played, and for what stake, or with how many still living."""
    if table.stage == WAITING or table.sitting is None:
        return {}
    shown = view.round_of(table, behind=table.settings.spectators != "live")
    if shown is None:
        return {}
    stake, alive = getattr(shown, "stake", None), getattr(shown, "alive", ())
    return {"round": shown.round, **({"living": len(alive)} if stake is None else {"stake": stake})}
