"""Administrative orders, as a server carries them out; every server polls the database for them.

An order about a table is carried out by the server that owns it. It takes effect once, since the order's id is also the
id of the command. Any other order is for every server, for example to reload what the database stores about a user.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from functools import partial

from liarspoker.language import N_
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
from liarspoker.server.storage.redaction import Erasure, redact
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables.state import ENDED

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
"""Interval between polls for orders."""
COUNT_SECONDS = 60.0
"""Interval between audit trail entries with the number of failed logins."""

BAN, UNBAN, REVOKE = "ban", "unban", "revoke"
END_TABLE = "end-table"

DELETE_USER, REDACT, UPKEEP = "delete-user", "redact", "upkeep"
FIND_KEY, USE_KEY = "find-key", "use-key"

ABOUT_USERS = (BAN, UNBAN, REVOKE, DELETE_USER)


class Orders:
    """Carries out orders on one server."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._storage = service.storage
        self._polled_at = time.monotonic()
        self._counted_at = time.monotonic()

    async def run(self) -> None:
        """Poll for orders, until cancelled."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.poll()
            except StorageError:
                continue
            except Exception as error:
                log.exception("orders failed", extra={"error": type(error).__name__})

    async def poll(self) -> None:
        """Carry out the orders that wait for this server.

        A server that hasn't polled for the duration of a lease counts as dead, and orders don't wait for it. Then it
        reloads all users who have a connection open here, in case it missed an order.
        """
        now = time.monotonic()
        if now - self._polled_at > LEASE_SECONDS:
            await self._storage.choose_key()
            for user_id in self._service.connections.users():
                await self._close_revoked(user_id)
        for order in await self._storage.read(orders.waiting):
            try:
                await self._carry_out(order)
            except StorageError as error:
                log.warning("order postponed", extra={"do": order.what, "code": error.code})
        self._polled_at = now
        if now - self._counted_at > COUNT_SECONDS:
            self._counted_at = now
            await self._record_failed_logins()

    async def _carry_out(self, order: Order) -> None:
        registry = self._service.registry
        if order.table_id is not None:
            if shard_of(order.table_id) in registry.membership.leases:
                await carry_out_at_table(registry, order)
            return
        if registry.instance not in order.seen_by:
            if not await self._carry_out_here(order):
                return
            log.info("order carried out", extra={"do": order.what})
        elif not registry.membership.map.nodes.keys() <= order.seen_by:
            return  # another server has yet to carry it out
        await self._storage.write(partial(orders.mark_seen, order_id=order.order_id, instance=registry.instance))

    async def _carry_out_here(self, order: Order) -> bool:
        """Carry out an order for every server; return false if that isn't possible here yet."""
        if order.what in ABOUT_USERS and order.user_id is not None:
            await self._close_revoked(order.user_id)
        elif order.what == FIND_KEY:
            return self._storage.knows_key(base64.b64decode(order.details["mark"]))
        elif order.what == USE_KEY:
            await self._storage.choose_key()
        elif order.what == UPKEEP:
            await upkeep(self._service.registry, self._service.accounts, self._service.config.limits)
        return True

    async def _close_revoked(self, user_id: str) -> None:
        """Close the connections of a user whose credentials aren't valid any more."""
        good, ban = await self._service.accounts.valid_credentials(user_id)
        why = "revoked" if ban is None else "banned"
        self._service.connections.close_user(user_id, good if ban is None else (), why)

    async def _record_failed_logins(self) -> None:
        """Record how many login attempts failed since the last call, without the users' names."""
        counts, order_id = self._service.logins.take_counts(), orders.new_order_id()
        if counts:
            await self._storage.write(
                partial(orders.record, order_id=order_id, actor=orders.SERVER, what="failed-logins", details=counts)
            )


async def carry_out_at_table(registry: TableRegistry, order: Order) -> None:
    """Carry out an order about a table that this process owns, and store the outcome.

    Raises:
        StorageError: the order has to be retried.
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
    reason = str(order.details.get("reason") or N_("the server's administrator has closed the table"))
    answer = await actor.ask("", "", order.order_id, Close(reason=reason))
    return DONE if answer.ok else answer.code or "refused"


async def _redact(registry: TableRegistry, order: Order, table_id: str) -> str:
    """Remove a user from a table, and their name from its log."""
    user_id = order.user_id or ""
    name = await registry.storage.read(partial(orders.name_of, user_id=user_id))
    actor = await registry.table(table_id)
    if actor.table.stage != ENDED and actor.table.chair_of(user_id) is not None:
        await actor.ask(user_id, name, order.order_id, Leave())
    await actor.idle()
    registry.evict(table_id)
    erased = Erasure(user_id, name, bool(order.details.get("chat")))
    lease = registry.membership.leases.get(shard_of(table_id))
    if lease is None:
        raise Leased(table_id, None)
    await registry.storage.write(partial(redact, table_id=table_id, erased=erased, epoch=lease.epoch))
    registry.evict(table_id)  # it may have been opened with the old name since
    return DONE


async def upkeep(registry: TableRegistry, accounts: Accounts, limits: Limits) -> None:
    """Archive and delete everything that is due at the tables of this process, now."""
    work = Maintenance(registry, accounts, limits)
    while await work.once():
        await asyncio.sleep(0)
