"""Sessions and tokens end on all nodes: what was opened with one is closed wherever it was revoked."""

from __future__ import annotations

import asyncio
import logging

from liarspoker.server.accounts.accounts import CREDENTIALS_AT_ONCE, RECENT_SECONDS, Accounts
from liarspoker.server.cluster.bus import Bus, Message, Revoked
from liarspoker.server.quotas import Connections
from liarspoker.server.storage.errors import StorageError

log = logging.getLogger(__name__)


class Revocations:
    """Tells the other nodes what is revoked here, and ends here what is revoked elsewhere.

    What the bus loses, or another program revokes in the database, is found by asking the database about whatever is
    open here: when the bus may have lost something, and every `RECENT_SECONDS` in any case.
    """

    def __init__(self, accounts: Accounts, connections: Connections, bus: Bus) -> None:
        self._accounts = accounts
        self._connections = connections
        self._bus = bus
        self._look = asyncio.Event()
        accounts.when_revoked(self._revoked_here)
        bus.listeners.append(self._hear)
        bus.when_missed.append(self._look.set)

    async def run(self) -> None:
        """Ask the database now and then, for ever."""
        while True:
            try:
                async with asyncio.timeout(RECENT_SECONDS):
                    await self._look.wait()
            except TimeoutError:
                pass
            self._look.clear()
            try:
                await self.look()
            except StorageError as error:  # the next look finds it
                log.warning("revocations not read", extra={"code": error.code})

    async def look(self) -> None:
        """Close what is open here with credentials that have ended.

        Raises:
            StorageError: the database can't be asked now.
        """
        credentials = self._connections.credentials()
        for start in range(0, len(credentials), CREDENTIALS_AT_ONCE):
            for credential in await self._accounts.ended(credentials[start : start + CREDENTIALS_AT_ONCE]):
                self._end(credential)

    def _revoked_here(self, credential: bytes) -> None:
        self._connections.close(credential)
        self._bus.tell(Revoked(credential))

    def _hear(self, message: Message) -> None:
        if isinstance(message, Revoked):
            self._end(message.credential)

    def _end(self, credential: bytes) -> None:
        self._accounts.forget(credential)
        self._connections.close(credential)
