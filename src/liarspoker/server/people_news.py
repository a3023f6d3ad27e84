"""What users learn at once about each other: new invitations, and chat that a block hides or an unblock shows.

Other nodes are notified over the bus, and read the database then.
"""

from __future__ import annotations

import logging

from liarspoker.core import catalogue
from liarspoker.protocol.codec import Encoded
from liarspoker.protocol.frames import InvitationLine, Invitations
from liarspoker.server.accounts.people import Invitation, People
from liarspoker.server.cluster.bus import Blocks, Bus, Invited, Message
from liarspoker.server.storage.errors import StorageError
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.views import Watcher
from liarspoker.server.tables.watcher_groups import WatcherGroups

log = logging.getLogger(__name__)


class PeopleNews:
    """Sends invitations to the pages and event streams of this node, and applies blocks to its tables."""

    def __init__(self, people: People, registry: TableRegistry, bus: Bus) -> None:
        self._people = people
        self._registry = registry
        self._bus = bus
        self._followers = WatcherGroups[str]()
        people.when_blocked(self._blocked_here)
        bus.listeners.append(self._on_message)
        bus.when_missed.append(people.forget_all_blocks)

    def follow(self, watcher: Watcher) -> None:
        """From now on, send `watcher` its user's invitations whenever there is a new one."""
        if watcher.user is not None:
            self._followers.add(watcher.user, watcher)

    def unfollow(self, watcher: Watcher) -> None:
        """Stop sending to `watcher`."""
        if watcher.user is not None:
            self._followers.discard(watcher.user, watcher)

    def invited(self, user_id: str) -> None:
        """Send a user's invitations to their pages and streams on all nodes."""
        self._bus.publish(Invited(user_id))
        self._registry.spawn(self._send(user_id))

    def _blocked_here(self, user_id: str) -> None:
        self._bus.publish(Blocks(user_id))
        self._registry.spawn(self._hide(user_id))

    def _on_message(self, message: Message) -> None:
        if isinstance(message, Blocks):
            self._people.forget_blocks(message.user_id)
            self._registry.spawn(self._hide(message.user_id))
        elif isinstance(message, Invited) and message.user_id in self._followers:
            self._registry.spawn(self._send(message.user_id))

    async def _hide(self, user_id: str) -> None:
        """Apply a user's blocks to the chats that they have open here."""
        try:
            self._registry.hide(user_id, await self._people.blocked_by(user_id))
        except StorageError as error:  # a page that is opened later applies them
            log.warning("blocks not read", extra={"code": error.code})

    async def _send(self, user_id: str) -> None:
        try:
            lines = tuple(invitation_line(one) for one in (await self._people.inbox(user_id)).received)
        except StorageError as error:  # the lobby shows them
            log.warning("invitations not read", extra={"code": error.code})
            return
        for watcher in self._followers[user_id]:
            watcher.answer(Encoded(Invitations(invitations=lines)))


def invitation_line(one: Invitation) -> InvitationLine:
    """Return an invitation as it is sent."""
    listing = one.table.listing
    return InvitationLine(
        table=one.table.table_id,
        game=listing.game,
        title=listing.title or catalogue.preset(listing.game).title,
        user=one.person.user_id,
        name=one.person.name,
        at=one.person.since,
    )
