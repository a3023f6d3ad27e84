"""Administrative actions. Each is recorded in the audit trail in the same transaction.

Actions that affect running servers are orders that wait until the servers have carried them out. If no server is
running, an order about a table is carried out here, by a registry that temporarily owns the tables.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, NoReturn

import sqlalchemy as sa

from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.accounts.credentials import BadName
from liarspoker.server.admin.queries import ID_PREFIX_LENGTH, JsonObject, NotFound, session_name, sessions
from liarspoker.server.config import Limits, NodeConfig, WallClock
from liarspoker.server.orders import BAN, END_TABLE, REVOKE, UNBAN, carry_out_at_table, upkeep
from liarspoker.server.storage import leases, orders
from liarspoker.server.storage.connection import Connection, Now, insert, value
from liarspoker.server.storage.errors import FileInUse, Unavailable
from liarspoker.server.storage.location import only_server
from liarspoker.server.storage.orders import Order
from liarspoker.server.storage.schema import BANS, SESSIONS, TOKENS
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.registry import TableRegistry

POLL_SECONDS = 0.1
"""Interval between checks whether an order has been carried out."""
LONGEST_REASON = 200
DAY = 86400.0

_BAN = insert(BANS, BANS.c.user_id, BANS.c.until, BANS.c.reason).values(made_at=Now())
_BAN = _BAN.on_conflict_do_update(
    index_elements=[BANS.c.user_id],
    set_={name: _BAN.excluded[name] for name in ("made_at", "until", "reason")},
)
_UNBAN = sa.delete(BANS).where(BANS.c.user_id == value(BANS.c.user_id)).returning(BANS.c.user_id)
_REVOKE = [
    sa.update(table).values(revoked_at=Now()).where(key == value(key, "key"), table.c.revoked_at.is_(None))
    for table, key in ((SESSIONS, SESSIONS.c.session_hash), (TOKENS, TOKENS.c.token_id))
]
_OWN_HASHES = sa.select(SESSIONS.c.session_hash).where(
    SESSIONS.c.user_id == value(SESSIONS.c.user_id), SESSIONS.c.revoked_at.is_(None)
)


def actor() -> str:
    """Return the name of the operating system's user, who is recorded as the actor."""
    with suppress(OSError, KeyError):
        return getpass.getuser()
    return f"uid {os.getuid()}" if hasattr(os, "getuid") else "unknown"


def clean_reason(text: str) -> str:
    """Normalize the white space of a reason.

    Raises:
        BadName: it is too long, or contains unprintable characters.
    """
    reason = " ".join(text.split())
    if len(reason) > LONGEST_REASON or not reason.isprintable():
        raise BadName(f"the reason must have at most {LONGEST_REASON} printable characters")
    return reason


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Run a transaction that writes; roll it back on an error."""
    connection.begin()
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def audit(connection: Connection, what: str, **about: Any) -> str:
    """Add an entry to the audit trail in the open transaction, and return its id."""
    order_id = orders.new_order_id()
    orders.record(connection, order_id, actor(), what, **about)
    return order_id


def ban(connection: Connection, user_id: str, days: float | None, reason: str) -> str:
    """Ban a user for a number of days, or permanently if `None`; return the id of the order to the servers."""
    reason = clean_reason(reason)
    with transaction(connection):
        until = None if days is None else leases.database_time(connection) + days * DAY
        connection.execute(_BAN, user_id=user_id, until=until, reason=reason)
        return audit(connection, BAN, user_id=user_id, details={"until": until, "reason": reason}, waits=True)


def unban(connection: Connection, user_id: str) -> str:
    """Lift a user's ban; return the id of the order to the servers.

    Raises:
        NotFound: the user isn't banned.
    """
    with transaction(connection):
        if not connection.execute(_UNBAN, user_id=user_id):
            raise NotFound(f"user {user_id} isn't banned")
        return audit(connection, UNBAN, user_id=user_id, waits=True)


def revoke(connection: Connection, user_id: str, which: str | None) -> tuple[JsonObject, str]:
    """Revoke one of a user's sessions or tokens, or all.

    Args:
        connection: to the database, without a transaction.
        user_id: the user.
        which: the beginning of an id from `queries.sessions`; `None` for all.

    Returns:
        The numbers of revoked sessions and tokens, and the id of the order to the servers.

    Raises:
        NotFound: the user has no such session or token, or more than one.
    """
    with transaction(connection):
        shown = sessions(connection, user_id)
        names = {"sessions": "session", "tokens": "token"}
        chosen = {
            kind: [one[name] for one in shown[kind] if which is None or one[name].startswith(which)]
            for kind, name in names.items()
        }
        found = sum(map(len, chosen.values()))
        if which is not None and found != 1:
            raise NotFound(
                f"the user has no session or token {which!r}"
                if not found
                else f"{which!r} is ambiguous: give more of it"
            )
        hashes = [bytes(one) for (one,) in connection.execute(_OWN_HASHES, user_id=user_id)]
        keys: list[list[Any]] = [[one for one in hashes if session_name(one) in chosen["sessions"]], chosen["tokens"]]
        for statement, some in zip(_REVOKE, keys, strict=True):
            for key in some:
                connection.execute(statement, key=key)
        counts = {kind: len(some) for kind, some in chosen.items()}
        return counts, audit(connection, REVOKE, user_id=user_id, details=counts, waits=True)


def end_table(connection: Connection, table_id: str, reason: str) -> str:
    """Order that a table be ended; return the id of the order."""
    details = {"reason": clean_reason(reason)}
    with transaction(connection):
        return audit(connection, END_TABLE, table_id=table_id, details=details, waits=True)


def outcome(
    connection: Connection, order_id: str, seconds: float, run_locally: Callable[[Order], None] | None
) -> JsonObject:
    """Wait for the outcome of an order.

    Args:
        connection: to the database, without a transaction.
        order_id: the id of the order.
        seconds: the maximum time to wait.
        run_locally: carries out an order about a table if no server is running.

    Returns:
        `outcome`, which is `None` while the order waits, and `waits_for`, the names of the servers that have yet to
        carry it out.
    """
    until = time.monotonic() + seconds
    while True:
        with transaction(connection):
            order = orders.find(connection, order_id)
            assert order is not None
            missing = orders.settle(connection, order_id) if order.table_id is None else frozenset[str]()
            order = orders.find(connection, order_id) or order
            known = leases.read_map(connection).nodes
        if order.done_at is not None or time.monotonic() > until:
            names = sorted(known[one].name for one in missing if one in known)
            return {"outcome": order.outcome, "waits_for": names if order.done_at is None else []}
        if not known and order.table_id is not None and run_locally is not None:
            with suppress(FileInUse):  # a server is starting
                run_locally(order)
        time.sleep(POLL_SECONDS)


class _NoBots:
    """Bot workers of tables that are opened temporarily, where bots don't play."""

    async def action(self, bot: str, family: str, view: Any, seed: bytes, left: float) -> NoReturn:
        raise Unavailable("bots play only on a running server")

    async def close(self) -> None:
        """Do nothing."""


def carry_out(url: str, sealer: Sealer, order: Order) -> None:
    """Carry out an order about a table in this process, while no server is running.

    Raises:
        FileInUse: a server is running.
        StorageError: the order can't be carried out now.
    """
    with only_server(url) as certain:
        asyncio.run(_carried_out(url, sealer, order, certain))


async def _carried_out(url: str, sealer: Sealer, order: Order, certain: bool) -> None:
    async with await Storage.open(url, sealer) as storage, _registry(storage, certain) as registry:
        await carry_out_at_table(registry, order)


@asynccontextmanager
async def _registry(storage: Storage, certain: bool) -> AsyncIterator[TableRegistry]:
    """Open a registry that temporarily owns all tables."""
    registry = TableRegistry(storage, _NoBots(), WallClock(), NodeConfig(f"admin-{os.getpid()}"))
    # Tables with running clocks aren't opened; the next server that starts extends their deadlines.
    registry.membership.when_gained = lambda gained: None
    await registry.start(certain)
    try:
        yield registry
    finally:
        await registry.close()


def carry_out_upkeep(url: str, sealer: Sealer, limits: Limits) -> None:
    """Archive and delete everything that is due in this process, while no server is running.

    Raises:
        FileInUse: a server is running.
    """

    async def work() -> None:
        async with await Storage.open(url, sealer) as storage:
            accounts = Accounts(storage)
            async with _registry(storage, certain) as registry:
                await upkeep(registry, accounts, limits)
            accounts.close()

    with only_server(url) as certain:
        asyncio.run(work())


def trail(connection: Connection, page: int, limit: int, days: float | None = None, **wanted: str | None) -> JsonObject:
    """Return a page of the audit trail, newest first."""
    since = None if days is None else leases.database_time(connection) - days * DAY
    rows = orders.trail(connection, limit + 1, (page - 1) * limit, since, **wanted)
    return {"trail": [_row(order) for order in rows[:limit]], "page": page, "more": len(rows) > limit}


def _row(order: Order) -> JsonObject:
    return {
        "made_at": order.made_at,
        "actor": order.actor,
        "what": order.what,
        "table": order.table_id and order.table_id[:ID_PREFIX_LENGTH],
        "user": order.user_id,
        "details": order.details,
        "done_at": order.done_at,
        "outcome": order.outcome,
    }
