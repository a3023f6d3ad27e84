"""What a table sends to its watchers and to the lobby.

A view is complete, so a slow watcher needs only the latest one. At most one view, one chat, one presence update,
one set of reactions and a limited number of answers are queued for it, so slow readers don't use more memory. Each part
of a view is built and encoded once, and reused while it is unchanged.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from math import inf
from typing import Any

from liarspoker.language import speaking
from liarspoker.protocol.codec import Encoded
from liarspoker.protocol.frames import Chat, EncodedPublic, EncodedState, Reactions, SeatReaction, State
from liarspoker.protocol.frames import Presence as PresenceFrame
from liarspoker.protocol.views import PrivateView
from liarspoker.server.storage.log import Listing
from liarspoker.tables import view
from liarspoker.tables.state import ENDED, WAITING, Table, next_deadline

MOST_ANSWERS = 1_000
"""A watcher with this number of unread answers is closed."""


def no_wake() -> None:
    """Do nothing; used while nothing waits for a watcher."""


class Watcher:
    """The send queue of one socket or stream.

    Args:
        user: user id; `None` if not logged in.
        behind: the watcher sees the table one round behind.
        hidden: the users whom `user` has blocked, whose chat messages they don't see.
        wake: called when there is something to send, or the watcher was closed.

    Attributes:
        closed: reason for closing, `None` while it is open.
        hidden: the users whose chat messages aren't sent.
        wake: the function passed as `wake`.
    """

    __slots__ = (
        "_answers",
        "_chat",
        "_last_presence",
        "_presence",
        "_reactions",
        "_state",
        "behind",
        "closed",
        "hidden",
        "user",
        "wake",
    )

    def __init__(
        self,
        user: str | None,
        behind: bool,
        wake: Callable[[], None] = no_wake,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        self.user = user
        self.behind = behind
        self.hidden = hidden
        self.closed: str | None = None
        self.wake = wake
        self._state: Encoded[State] | None = None
        self._chat: Encoded[Chat] | None = None
        self._presence: Encoded[PresenceFrame] | None = None
        self._reactions: Encoded[Reactions] | None = None
        self._last_presence: PresenceFrame | None = None
        self._answers: list[Encoded[object]] = []

    def state(self, state: Encoded[State]) -> None:
        """Queue a view, replacing any that is pending."""
        self._state = state
        self.wake()

    def chat(self, chat: Encoded[Chat]) -> None:
        """Queue a chat, replacing any that is pending."""
        self._chat = chat
        self.wake()

    def reactions(self, reactions: Encoded[Reactions]) -> None:
        """Queue the reactions, replacing any that are pending."""
        self._reactions = reactions
        self.wake()

    def presence(self, presence: Encoded[PresenceFrame]) -> None:
        """Queue a presence update, replacing any that is pending, unless it equals the last one sent."""
        self._presence = None if presence.message == self._last_presence else presence
        if self._presence is not None:
            self.wake()

    def answer(self, answer: Encoded[object]) -> None:
        """Queue an answer. Answers keep their order and aren't replaced."""
        if len(self._answers) >= MOST_ANSWERS:
            self.close("too-slow")
            return
        self._answers.append(answer)
        self.wake()

    def close(self, why: str) -> None:
        """Close the watcher for the reason `why`."""
        self.closed = self.closed or why
        self.wake()

    def take(self) -> list[Encoded[object]]:
        """Return the pending messages in order, and clear the queue."""
        messages = self._answers
        for one in (self._state, self._chat, self._presence, self._reactions):
            if one is not None:
                messages.append(one)
        if self._presence is not None:
            self._last_presence = self._presence.message
        self._answers = []
        self._state = self._chat = self._presence = self._reactions = None
        return messages

    async def next(self) -> list[Encoded[object]]:
        """Wait for messages and return them in order; return an empty list once the watcher is closed.

        Only one task may wait at a time.
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
"""Minimum time between two presence updates of a table. An update goes to every watcher, so without a limit the number
of messages would grow with the square of the number of watchers who connect at once."""

MOST_USERS = 50
"""If more users than this watch a table, presence updates list only seated ones."""


class Presence:
    """The watchers of one table, and updates about which users are connected.

    Attributes:
        watchers: all watchers.
    """

    def __init__(self, seated: Callable[[], set[str]]) -> None:
        self.watchers: set[Watcher] = set()
        self._seated = seated
        self._sockets: Counter[str] = Counter()
        self._sent_players: frozenset[str] = frozenset()
        self._sent_at = -inf
        self._timer: asyncio.TimerHandle | None = None

    def add(self, watcher: Watcher) -> None:
        """Add a watcher. It gets a presence update immediately, the others soon."""
        self.watchers.add(watcher)
        if watcher.user is not None:
            self._sockets[watcher.user] += 1
        watcher.presence(self._message())
        self._send_soon()

    def remove(self, watcher: Watcher) -> None:
        """Remove a watcher, if it is there."""
        if watcher not in self.watchers:
            return
        self.watchers.remove(watcher)
        if watcher.user is not None:
            self._sockets[watcher.user] -= 1
            if not self._sockets[watcher.user]:
                del self._sockets[watcher.user]
        self._send_soon()

    def sockets_of(self, user: str | None) -> int:
        """Return the number of watchers that belong to `user`."""
        return 0 if user is None else self._sockets[user]

    def state_sent(self) -> None:
        """Send an update together with a new state, if the connected players have changed."""
        if self._players() != self._sent_players:
            self._send()

    def _send_soon(self) -> None:
        """Send an update now, or as soon as the minimum time since the last one has passed."""
        if not self.watchers or self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        wait = self._sent_at + PRESENCE_SECONDS - loop.time()
        if wait <= 0:
            self._send()
        else:
            self._timer = loop.call_later(wait, self._send)

    def _send(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._sent_players, self._sent_at = self._players(), asyncio.get_running_loop().time()
        message = self._message()
        for watcher in self.watchers:
            watcher.presence(message)

    def _players(self) -> frozenset[str]:
        """The seated users who are connected."""
        return frozenset(self._seated()) & self._sockets.keys()

    def _message(self) -> Encoded[PresenceFrame]:
        users: set[str] | Counter[str] = self._sockets
        if len(users) > MOST_USERS:
            users = set(self._players())
        return Encoded(PresenceFrame(users=tuple(sorted(users)), watchers=len(self.watchers)))


REACTION_SECONDS = 5.0
"""Time for which a seat shows a reaction."""


class SeatReactions:
    """The reactions that the seats of a table show now. They aren't stored, and don't survive a move to another node.

    Args:
        changed: called after every change.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._shown: dict[str, SeatReaction] = {}

    def show(self, reaction: SeatReaction) -> None:
        """Show a reaction in place of the user's last one, and remove it later."""
        self._shown[reaction.user] = reaction
        asyncio.get_running_loop().call_later(REACTION_SECONDS, self._remove, reaction)
        self._changed()

    def _remove(self, reaction: SeatReaction) -> None:
        if self._shown.get(reaction.user) is reaction:
            del self._shown[reaction.user]
            self._changed()

    def of(self, table: Table, user: str | None, hidden: frozenset[str]) -> Encoded[Reactions]:
        """Return the reactions that `user` sees: those of users whose chat messages they would get now."""
        muted, behind = view.chat_filter(table, user, hidden)
        seen = () if behind or not table.chat else self._shown.values()
        return Encoded(Reactions(reactions=tuple(one for one in seen if one.user not in muted)))

    def __bool__(self) -> bool:
        return bool(self._shown)


ViewOf = Callable[[str | None, bool], EncodedState]
"""Returns the complete view, given a user or `None`, and whether they watch one round behind."""


class ViewCache:
    """Cache of a table's encoded views. Their texts are English, in whichever language the last command came."""

    def __init__(self) -> None:
        self._private: dict[str, tuple[object, Encoded[PrivateView]]] = {}
        self._public: dict[bool, tuple[Table, EncodedPublic]] = {}
        self._chats: tuple[Table | None, dict[object, Encoded[Chat]]] = None, {}

    def of_state(self, table: Table, now: float) -> ViewOf:
        """Return a function that gives the views of `table` at the time `now`."""
        anonymous: dict[bool, EncodedState] = {}
        key_of = view.private_view_keys(table)

        def view_of(user: str | None, behind: bool) -> EncodedState:
            public = self._public_of(table, behind)
            if user is not None:
                return EncodedState(now, public, self._private_of(table, user, key_of(user)))
            if behind not in anonymous:
                anonymous[behind] = EncodedState(now, public, None)
            return anonymous[behind]

        return view_of

    def of_chat(self, table: Table, user: str | None, hidden: frozenset[str]) -> Encoded[Chat]:
        """Return the chat of `table` as `user` sees it, without the messages of the users in `hidden`."""
        if self._chats[0] is not table:
            self._chats = table, {}
        chats, chat_filter = self._chats[1], view.chat_filter(table, user, hidden)
        if chat_filter not in chats:
            chats[chat_filter] = Encoded(Chat(lines=view.chat(table, user, hidden)))
        return chats[chat_filter]

    def forget(self, user: str) -> None:
        """Drop the cached view of a user who doesn't watch any more."""
        self._private.pop(user, None)

    def _public_of(self, table: Table, behind: bool) -> EncodedPublic:
        before, known = self._public.get(behind, (None, None))
        if before is table and known is not None:
            return known
        with speaking("en"):
            if before is not None and known is not None and view.same_except_turn(before, table):
                shown = known.after(view.turn_view(table, behind))
            else:
                shown = EncodedPublic(view.public(table, behind))
        self._public[behind] = table, shown
        return shown

    def _private_of(self, table: Table, user: str, key: object) -> Encoded[PrivateView]:
        before, known = (None, None) if key is None else self._private.get(user, (None, None))
        if known is None or key != before:
            with speaking("en"):
                known = Encoded(view.private(table, user))
        if key is not None:
            self._private[user] = key, known
        return known


PLAYING = "playing"
ENDED_STATUS = ENDED
LISTED_SECONDS = 86_400.0
"""An open table that hasn't changed for this time is listed only for its own players."""


def status_of(table: Table) -> str:
    """Return the table's status in the lobby: `waiting`, `playing` or `ended`."""
    return table.stage if table.stage in (WAITING, ENDED) else PLAYING


def listing_of(table: Table, now: float) -> Listing:
    """Return the table's entry in the lobby, which contains no secrets."""
    settings = table.settings
    summary = {
        "players": [{"user": one.user, "name": one.name, "bot": one.bot or None} for one in table.seated],
        "options": dict(settings.options),
        "unit": settings.unit,
        "clock": None if settings.clock is None else settings.clock.turn,
        "spectators": settings.spectators,
        "rounds_played": table.rounds_played,
        "running": next_deadline(table) is not None,
        **({"days": settings.days} if settings.days else {}),
        **({"rated": True} if settings.rated else {}),
        **({"reserved": [one.user for one in table.reserved]} if table.reserved else {}),
        **_round(table),
    }
    return Listing(
        status=status_of(table),
        game=settings.game,
        title=settings.title,
        visibility=settings.visibility,
        seats_taken=len(table.seated) + len(table.reserved),
        seats=len(table.chairs),
        updated_at=now,
        summary=json.dumps(summary),
        owner=table.owner,
        running=next_deadline(table) is not None,
        **_correspondence(table),
    )


def sits_at(listing: Listing, user: str | None) -> bool:
    """Whether `user` has a seat at a table according to its listing."""
    return any(player.get("user") == user for player in json.loads(listing.summary)["players"])


def is_reserved_for(listing: Listing, user: str | None) -> bool:
    """Whether a seat is reserved for `user` at a table according to its listing."""
    return user in json.loads(listing.summary).get("reserved", ())


def is_correspondence(listing: Listing) -> bool:
    """Whether a table is a correspondence table, according to its listing."""
    return "days" in json.loads(listing.summary)


def _correspondence(table: Table) -> dict[str, Any]:
    """Return whose turn it is and until when, at a correspondence table."""
    if not table.settings.days:
        return {}
    awaited = table.awaited
    since = None if awaited is None else table.turn_began
    return {"due": next_deadline(table), "awaits": awaited, "since": since}


def _round(table: Table) -> dict[str, Any]:
    """Return the number of the current round, and its stake or the number of players who are still in."""
    if table.stage == WAITING or table.sitting is None:
        return {}
    shown = view.round_of(table, behind=table.settings.spectators != "live")
    if shown is None:
        return {}
    stake, alive = getattr(shown, "stake", None), getattr(shown, "alive", ())
    return {"round": shown.round, **({"living": len(alive)} if stake is None else {"stake": stake})}
