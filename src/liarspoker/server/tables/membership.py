"""This process among those that share a database: its name, its heartbeat, and its leases."""

from __future__ import annotations

import asyncio
import secrets

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.errors import NameTaken
from liarspoker.server.storage.storage import Storage

LEASE_SECONDS = 15.0
HEARTBEAT_SECONDS = 1.0
SILENT_SECONDS = 2.0
"""A server of the same name that has had no heartbeat for so long is dead."""
LOOK_SECONDS = 0.1
"""So often a server that starts looks whether one of its name is alive."""


class Membership:
    """One server process, by an id that no other has.

    Args:
        storage: the database.
        name: what the server's user calls it.

    Attributes:
        instance: the id, by which tables name their owner.
    """

    def __init__(self, storage: Storage, name: str) -> None:
        self.instance = secrets.token_hex(8)
        self._storage = storage
        self._node = leases.Node(self.instance, name)
        self._lapsed = False

    async def enter(self, now: float, alone: bool) -> None:
        """Begin, once it is certain that no other server of this name is alive.

        Args:
            now: the time.
            alone: that is certain already.

        Raises:
            NameTaken: another server of this name is alive.
            Unavailable: the database is away.
        """
        silent, before = 0.0 if alone else SILENT_SECONDS, None
        while living := await self._storage.write(
            lambda connection: leases.enter(connection, self._node, now, LEASE_SECONDS, silent)
        ):
            if before is not None and living != before:
                raise NameTaken(self._node.name)
            before = living
            await asyncio.sleep(LOOK_SECONDS)

    async def beat(self, alive: float | None) -> dict[str, int] | None:
        """Prolong all leases.

        Args:
            alive: until when this process was alive; `None` to store nothing about it.

        Returns:
            `None` where they have never expired. After they had, others may own tables now: the epochs of those tables
            that this process still owns.

        Raises:
            Unavailable: the database is away.
        """

        def beat(connection: Connection) -> None:
            # Remembered here, since the answer may be lost, and the next heartbeat would find all well.
            if not leases.beat(connection, self._node, alive, LEASE_SECONDS):
                self._lapsed = True

        await self._storage.write(beat)
        if not self._lapsed:
            return None
        self._lapsed = False
        try:
            return await self._storage.owned(self.instance)
        except BaseException:
            self._lapsed = True
            raise

    async def leave(self, alive: float | None) -> None:
        """Let all leases expire, so that others may claim the tables at once."""
        await self._storage.write(lambda connection: leases.leave(connection, self._node, alive))
