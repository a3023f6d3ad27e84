"""What an administrator does to a database: each act is written to the audit trail, in the same transaction.

What has to happen in servers too is an order that waits until they have done it. Where none lives, an order about a
table is carried out here, by a registry that owns the tables for a moment.
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
from liarspoker.server.admin.looking import SHOWN, NotFound, Shown, session_name, sessions
from liarspoker.server.config import Limits, NodeConfig, WallClock
from liarspoker.server.orders import BAN, END_TABLE, REVOKE, UNBAN, at_table, upkeep
from liarspoker.server.storage import leases, orders
from liarspoker.server.storage.connection import Connection, Now, insert, value
from liarspoker.server.storage.errors import FileInUse, Unavailable
from liarspoker.server.storage.orders import Order
from liarspoker.server.storage.place import only_server
from liarspoker.server.storage.schema import BANS, SESSIONS, TOKENS
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.registry import TableRegistry

LOOK_SECONDS = 0.1
"""So often it is looked whether an order was carried out."""
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
    """Who does it: the user of the operating system."""
    with suppress(OSError, KeyError):
        return getpass.getuser()
    return f"uid {os.getuid()}" if hasattr(os, "getuid") else "unknown"


def clean_reason(text: str) -> str:
    """A reason as it is shown to others.

    Raises:
        BadName: it is too long, or has signs that nobody sees.
    """
    reason = " ".join(text.split())
    if len(reason) > LONGEST_REASON or not reason.isprintable():
        raise BadName(f"a reason has at most {LONGEST_REASON} characters that can be printed")
    return reason


@contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """A transaction that writes: all of it happens, or nothing."""
    connection.begin()
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def note(connection: Connection, what: str, **about: Any) -> str:
    """Write to the audit trail what is done in the transaction that is open; the id of the row."""
    order_id = orders.new_order_id()
    orders.record(connection, order_id, actor(), what, **about)
    return order_id


def ban(connection: Connection, user_id: str, days: float | None, reason: str) -> str:
    """Let a user in no more, for so many days or for good; the id of the order to the servers."""
    reason = clean_reason(reason)
    with writing(connection):
        until = None if days is None else leases.database_time(connection) + days * DAY
        connection.execute(_BAN, user_id=user_id, until=until, reason=reason)
        return note(connection, BAN, user_id=user_id, details={"until": until, "reason": reason}, waits=True)


def unban(connection: Connection, user_id: str) -> str:
    """Let a user in again; the id of the order to the servers.

    Raises:
        NotFound: the user is not banned.
    """
    with writing(connection):
        if not connection.execute(_UNBAN, user_id=user_id):
            raise NotFound(f"user {user_id} is not banned")
        return note(connection, UNBAN, user_id=user_id, waits=True)


def revoke(connection: Connection, user_id: str, which: str | None) -> tuple[Shown, str]:
    """Revoke one of a user's sessions or tokens, as `looking.sessions` names them, or all; what, and the order's id.

    Raises:
        NotFound: the user has no such session or token.
    """
    with writing(connection):
        shown = sessions(connection, user_id)
        names = {"sessions": "session", "tokens": "token"}
        chosen = {
            kind: [one[name] for one in shown[kind] if which is None or one[name].startswith(which)]
            for kind, name in names.items()
        }
        found = sum(map(len, chosen.values()))
        if which is not None and found != 1:
            raise NotFound(
                f"the user has no session or token {which!r}" if not found else f"{which!r}: give more of it"
            )
        hashes = [bytes(one) for (one,) in connection.execute(_OWN_HASHES, user_id=user_id)]
        keys: list[list[Any]] = [[one for one in hashes if session_name(one) in chosen["sessions"]], chosen["tokens"]]
        for statement, some in zip(_REVOKE, keys, strict=True):
            for key in some:
                connection.execute(statement, key=key)
        counts = {kind: len(some) for kind, some in chosen.items()}
        return counts, note(connection, REVOKE, user_id=user_id, details=counts, waits=True)


def end_table(connection: Connection, table_id: str, reason: str) -> str:
    """Order that a table be ended; the id of the order."""
    details = {"reason": clean_reason(reason)}
    with writing(connection):
        return note(connection, END_TABLE, table_id=table_id, details=details, waits=True)


def outcome(connection: Connection, order_id: str, seconds: float, here: Callable[[Order], None] | None) -> Shown:
    """What has come of an order within so many seconds.

    Args:
        connection: to the database, without a transaction.
        order_id: of the order.
        seconds: how long to wait.
        here: carries out an order about a table where no server lives.

    Returns:
        `outcome`, `None` while the order waits, and `waits_for`, the names of the servers that have yet to answer.
    """
    until = time.monotonic() + seconds
    while True:
        with writing(connection):
            order = orders.find(connection, order_id)
            assert order is not None
            missing = orders.settle(connection, order_id) if order.table_id is None else frozenset[str]()
            order = orders.find(connection, order_id) or order
            known = leases.look(connection).nodes
        if order.done_at is not None or time.monotonic() > until:
            names = sorted(known[one].name for one in missing if one in known)
            return {"outcome": order.outcome, "waits_for": names if order.done_at is None else []}
        if not known and order.table_id is not None and here is not None:
            with suppress(FileInUse):  # a server is about to start, or to come back
                here(order)
        time.sleep(LOOK_SECONDS)


class _NoBots:
    """Who plays for the bots of tables that are open for a moment only."""

    async def action(self, bot: str, family: str, view: Any, seed: bytes) -> NoReturn:
        raise Unavailable("bots play where a server runs")

    async def close(self) -> None:
        """End."""


def carry_out(url: str, sealer: Sealer, order: Order) -> None:
    """Carry out an order about a table here, while no server lives.

    Raises:
        FileInUse: one does.
        StorageError: it cannot be carried out now.
    """
    with only_server(url) as certain:
        asyncio.run(_carried_out(url, sealer, order, certain))


async def _carried_out(url: str, sealer: Sealer, order: Order, certain: bool) -> None:
    async with await Storage.open(url, sealer) as storage, _registry(storage, certain) as registry:
        await at_table(registry, order)


@asynccontextmanager
async def _registry(storage: Storage, certain: bool) -> AsyncIterator[TableRegistry]:
    """A registry that owns all tables for a moment."""
    registry = TableRegistry(storage, _NoBots(), WallClock(), NodeConfig(f"admin-{os.getpid()}"))
    # Tables on which a clock runs stay as they are; a server that starts gives back the time.
    registry.membership.when_gained = lambda gained: None
    await registry.start(certain)
    try:
        yield registry
    finally:
        await registry.close()


def carry_out_upkeep(url: str, sealer: Sealer, limits: Limits) -> None:
    """Archive and delete all that is due, here, while no server lives.

    Raises:
        FileInUse: one does.
    """

    async def work() -> None:
        async with await Storage.open(url, sealer) as storage:
            accounts = Accounts(storage)
            async with _registry(storage, certain) as registry:
                await upkeep(registry, accounts, limits)
            accounts.close()

    with only_server(url) as certain:
        asyncio.run(work())


def trail(connection: Connection, page: int, limit: int, days: float | None = None, **wanted: str | None) -> Shown:
    """The audit trail, the newest first: who has done what, and when."""
    since = None if days is None else leases.database_time(connection) - days * DAY
    rows = orders.trail(connection, limit + 1, (page - 1) * limit, since, **wanted)
    return {"trail": [_row(order) for order in rows[:limit]], "page": page, "more": len(rows) > limit}


def _row(order: Order) -> Shown:
    return {
        "made_at": order.made_at,
        "actor": order.actor,
        "what": order.what,
        "table": order.table_id and order.table_id[:SHOWN],
        "user": order.user_id,
        "details": order.details,
        "done_at": order.done_at,
        "outcome": order.outcome,
    }
