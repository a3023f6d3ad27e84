"""What an administrator orders, as this server carries it out; it looks for orders all the time.

An order about a table is the affair of the server that owns it; it takes effect once, since its id is that of the
command. Any other order is for every server: they look up again what the database says of a user, for example.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from functools import partial

from liarspoker.protocol.commands import Close
from liarspoker.server.service import Service
from liarspoker.server.storage import orders
from liarspoker.server.storage.errors import DatabaseDamaged, NoSuchTable, StorageError, TableDamaged
from liarspoker.server.storage.leases import LEASE_SECONDS
from liarspoker.server.storage.log import shard_of
from liarspoker.server.storage.orders import DONE, Order
from liarspoker.server.tables.registry import TableRegistry

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""So often a server looks for orders."""
COUNT_SECONDS = 60.0
"""So often it notes how many logins have failed."""

BAN, UNBAN, REVOKE = "ban", "unban", "revoke"
END_TABLE = "end-table"

FIND_KEY, USE_KEY = "find-key", "use-key"

ABOUT_USERS = (BAN, UNBAN, REVOKE)


class Orders:
    """What one server does of what an administrator orders."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._storage = service.storage
        self._looked = time.monotonic()
        self._counted = time.monotonic()

    async def run(self) -> None:
        """Look for orders, for ever."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except StorageError:
                continue
            except Exception as error:
                log.exception("orders failed", extra={"error": type(error).__name__})

    async def look(self) -> None:
        """Carry out what waits for this server.

        Whoever has not looked for as long as a lease lasts counts as dead, and nobody waits for its answer; so it looks
        up everybody who has something open here.
        """
        now = time.monotonic()
        if now - self._looked > LEASE_SECONDS:
            await self._storage.choose_key()
            for user_id in self._service.connections.users():
                await self._look_up(user_id)
        for order in await self._storage.read(orders.waiting):
            try:
                await self._carry_out(order)
            except StorageError as error:
                log.warning("an order waits", extra={"do": order.what, "code": error.code})
        self._looked = now
        if now - self._counted > COUNT_SECONDS:
            self._counted = now
            await self._count_logins()

    async def _carry_out(self, order: Order) -> None:
        registry = self._service.registry
        if order.table_id is not None:
            if shard_of(order.table_id) in registry.membership.leases:
                await at_table(registry, order)
            return
        if registry.instance not in order.seen_by:
            if not await self._done_here(order):
                return
            log.info("order carried out", extra={"do": order.what})
        elif not registry.membership.map.nodes.keys() <= order.seen_by:
            return  # another server has yet to see it
        await self._storage.write(partial(orders.saw, order_id=order.order_id, instance=registry.instance))

    async def _done_here(self, order: Order) -> bool:
        """Do what every server does for an order; false where it cannot be done here yet."""
        if order.what in ABOUT_USERS and order.user_id is not None:
            await self._look_up(order.user_id)
        elif order.what == FIND_KEY:
            return self._storage.knows_key(base64.b64decode(order.details["mark"]))
        elif order.what == USE_KEY:
            await self._storage.choose_key()
        return True

    async def _look_up(self, user_id: str) -> None:
        """Close what a user has open here and may not have any more."""
        good, ban = await self._service.accounts.standing(user_id)
        why = "revoked" if ban is None else "banned"
        self._service.connections.close_user(user_id, good if ban is None else (), why)

    async def _count_logins(self) -> None:
        """Note how many logins have failed since the last time, without whose they were."""
        counts, order_id = self._service.logins.take_counts(), orders.new_order_id()
        if counts:
            await self._storage.write(
                partial(orders.record, order_id=order_id, actor=orders.SERVER, what="failed-logins", details=counts)
            )


async def at_table(registry: TableRegistry, order: Order) -> None:
    """Carry out an order about a table that this process owns, and note what has come of it.

    Raises:
        StorageError: it is to be tried again.
    """
    assert order.table_id is not None
    try:
        actor = await registry.table(order.table_id)
        reason = str(order.details.get("reason") or "whoever runs this server has closed the table")
        answer = await actor.ask("", "", order.order_id, Close(reason=reason))
        outcome = DONE if answer.ok else answer.code or "refused"
    except (NoSuchTable, TableDamaged, DatabaseDamaged) as error:
        outcome = error.code
    registry.probe("order-carried-out")
    await registry.storage.write(partial(orders.finish, order_id=order.order_id, outcome=outcome))
    log.info("order carried out", extra={"do": order.what, "table": order.table_id, "code": outcome})
