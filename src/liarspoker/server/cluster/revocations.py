"""Revocation of sessions and tokens on all nodes: connections opened with a revoked credential are closed."""

from __future__ import annotations

import asyncio
import logging

from liarspoker.server.accounts.accounts import RECENT_SECONDS, Accounts
from liarspoker.server.accounts.sql import CREDENTIALS_AT_ONCE
from liarspoker.server.cluster.bus import Bus, Message, Revoked
from liarspoker.server.quotas import Connections
from liarspoker.server.storage.errors import StorageError

log = logging.getLogger(__name__)


class Revocations:
    """Publishes revocations of this node, and applies those of other nodes.

    The credentials of all open connections are also checked in the database: when the bus may have lost messages, and
    every `RECENT_SECONDS`, since other programs may revoke credentials too.
    """

    def __init__(self, accounts: Accounts, connections: Connections, bus: Bus) -> None:
        self._accounts = accounts
        self._connections = connections
        self._bus = bus
        self._check_now = asyncio.Event()
        accounts.when_revoked(self._revoked_here)
        bus.listeners.append(self._on_message)
        bus.when_missed.append(self._check_now.set)

    async def run(self) -> None:
        """Check the database periodically, until cancelled."""
        while True:
            try:
                async with asyncio.timeout(RECENT_SECONDS):
                    await self._check_now.wait()
            except TimeoutError:
                pass
            self._check_now.clear()
            try:
                await self.check()
            except StorageError as error:  # it will be checked next time
                log.warning("revocations not read", extra={"code": error.code})

    async def check(self) -> None:
        """Close connections whose credentials aren't valid any more.

        Raises:
            StorageError: the database can't be read now.
        """
        credentials = self._connections.credentials()
        for start in range(0, len(credentials), CREDENTIALS_AT_ONCE):
            for credential in await self._accounts.invalid_credentials(
                credentials[start : start + CREDENTIALS_AT_ONCE]
            ):
                self._end(credential)

    def _revoked_here(self, credential: bytes) -> None:
        self._connections.close(credential)
        self._bus.publish(Revoked(credential))

    def _on_message(self, message: Message) -> None:
        if isinstance(message, Revoked):
            self._end(message.credential)

    def _end(self, credential: bytes) -> None:
        self._accounts.forget(credential)
        self._connections.close(credential)
