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

from liarspoker.protocol.commands import Close, Leave
from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.config import Limits
from liarspoker.server.maintenance import Maintenance
from liarspoker.server.service import Service
from liarspoker.server.storage import orders
from liarspoker.server.storage.errors import DatabaseDamaged, Leased, NoSuchTable, StorageError, TableDamaged
from liarspoker.server.storage.leases import LEASE_SECONDS
from liarspoker.server.storage.log import shard_of
from liarspoker.server.storage.orders import DONE, Order
from liarspoker.server.storage.redaction import Erased, redact
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables.state import ENDED

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""So often a server looks for orders."""
COUNT_SECONDS = 60.0
"""So often it notes how many logins have failed."""

BAN, UNBAN, REVOKE = "ban", "unban", "revoke"
END_TABLE = "end-table"

DELETE_USER, REDACT, UPKEEP = "delete-user", "redact", "upkeep"
FIND_KEY, USE_KEY = "find-key", "use-key"

ABOUT_USERS = (BAN, UNBAN, REVOKE, DELETE_USER)


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
        elif order.what == UPKEEP:
            await upkeep(self._service.registry, self._service.accounts, self._service.config.limits)
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
        outcome = await (_redact if order.what == REDACT else _end)(registry, order, order.table_id)
    except (NoSuchTable, TableDamaged, DatabaseDamaged) as error:
        outcome = error.code
    registry.probe("order-carried-out")
    await registry.storage.write(partial(orders.finish, order_id=order.order_id, outcome=outcome))
    log.info("order carried out", extra={"do": order.what, "table": order.table_id, "code": outcome})


async def _end(registry: TableRegistry, order: Order, table_id: str) -> str:
    actor = await registry.table(table_id)
    reason = str(order.details.get("reason") or "whoever runs this server has closed the table")
    answer = await actor.ask("", "", order.order_id, Close(reason=reason))
    return DONE if answer.ok else answer.code or "refused"


async def _redact(registry: TableRegistry, order: Order, table_id: str) -> str:
    """Take a user's name out of a table, from which the user gets up first."""
    user_id = order.user_id or ""
    name = await registry.storage.read(partial(orders.name_of, user_id=user_id))
    actor = await registry.table(table_id)
    if actor.table.stage != ENDED and actor.table.chair_of(user_id) is not None:
        await actor.ask(user_id, name, order.order_id, Leave())
    await actor.idle()
    registry.reopen(table_id)
    erased = Erased(user_id, name, bool(order.details.get("chat")))
    lease = registry.membership.leases.get(shard_of(table_id))
    if lease is None:
        raise Leased(table_id, None)
    await registry.storage.write(partial(redact, table_id=table_id, erased=erased, epoch=lease.epoch))
    registry.reopen(table_id)  # somebody may have opened it meanwhile, with the name
    return DONE


async def upkeep(registry: TableRegistry, accounts: Accounts, limits: Limits) -> None:
    """Archive and delete all that is due at the tables of this process, now."""
    work = Maintenance(registry, accounts, limits)
    while await work.once():
        await asyncio.sleep(0)
