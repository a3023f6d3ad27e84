"""Which users are online: connected to a node, or using its pages.

Each node announces its users over the bus, so that friends are shown as online whichever node they use.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from liarspoker.server.cluster.bus import Bus, Message, Online
from liarspoker.server.config import remember
from liarspoker.server.quotas import Connections

ONLINE_SECONDS = 60.0
"""How long a user stays online after a request, or after another node has announced them."""
ANNOUNCE_SECONDS = 20.0
"""The interval of announcements."""
USERS_AT_ONCE = 50
"""The number of users in a message, which must be shorter than `MAX_MESSAGE_BYTES`."""


class OnlineUsers:
    """The users who are online at any node."""

    def __init__(self, connections: Connections, now: Callable[[], float], bus: Bus) -> None:
        self._connections = connections
        self._now = now
        self._bus = bus
        self._here: OrderedDict[str, float] = OrderedDict()
        self._elsewhere: OrderedDict[str, float] = OrderedDict()
        bus.listeners.append(self._on_message)

    def seen(self, user_id: str) -> None:
        """Note a request of a user to this node; announce them at once if they weren't online here."""
        is_new = not self._is_here(user_id)
        remember(self._here, user_id, self._now())
        if is_new:
            self._bus.publish(Online((user_id,)))

    def has(self, user_id: str) -> bool:
        """Return whether a user is online."""
        return self._is_here(user_id) or self._is_recent(self._elsewhere, user_id)

    def announce(self) -> None:
        """Announce the users of this node to the other nodes."""
        users = tuple(self._connections.users().union(user for user in self._here if self._is_recent(self._here, user)))
        for first in range(0, len(users), USERS_AT_ONCE):
            self._bus.publish(Online(users[first : first + USERS_AT_ONCE]))

    async def run(self) -> None:
        """Announce the users of this node regularly."""
        while True:
            await asyncio.sleep(ANNOUNCE_SECONDS)
            self.announce()

    def _on_message(self, message: Message) -> None:
        if isinstance(message, Online):
            for user_id in message.user_ids:
                remember(self._elsewhere, user_id, self._now())

    def _is_here(self, user_id: str) -> bool:
        return self._connections.has(user_id) or self._is_recent(self._here, user_id)

    def _is_recent(self, seen: OrderedDict[str, float], user_id: str) -> bool:
        return seen.get(user_id, -ONLINE_SECONDS) > self._now() - ONLINE_SECONDS
