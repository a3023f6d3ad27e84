"""The audit trail, and the orders to servers that are part of it.

An entry records who did or ordered what, and when. Entries contain no secrets and aren't modified, except to record the
outcome. Most entries only document an action. An order waits until it is carried out: an order about a table by the
server that owns the table, any other order by every running server, which then adds itself to `seen_by`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import LIMIT, Connection, Now, Row, Value, Values, insert, value
from liarspoker.server.storage.schema import ORDERS, USERS

AT_ONCE = 100
"""The maximum number of orders per poll."""

SERVER = "server"
"""The actor of entries that a server makes by itself, or at a user's request."""

DONE = "done"

_NOW = Now()
_OWN = ORDERS.c.order_id == value(ORDERS.c.order_id)
_WAITS = ORDERS.c.done_at.is_(None)
_ADD = insert(ORDERS, *(column for column in ORDERS.columns if column.name not in ("made_at", "done_at"))).values(
    made_at=_NOW, done_at=sa.case((value(ORDERS.c.outcome).is_not(None), _NOW))
)
_ADD = _ADD.on_conflict_do_nothing()
_WAITING = sa.select(ORDERS).where(_WAITS).order_by(ORDERS.c.made_at).limit(AT_ONCE)
_FIND = sa.select(ORDERS).where(_OWN)
_FINISH = sa.update(ORDERS).values(done_at=_NOW, outcome=value(ORDERS.c.outcome)).where(_OWN, _WAITS)
_SEE = sa.update(ORDERS).values(seen_by=ORDERS.c.seen_by + sa.bindparam("mark", type_=sa.Text())).where(_OWN, _WAITS)
_OLD = sa.select(ORDERS.c.order_id).where(~_WAITS, ORDERS.c.made_at < value(ORDERS.c.made_at, "before")).limit(LIMIT)
_FORGET = sa.delete(ORDERS).where(ORDERS.c.order_id.in_(_OLD)).returning(ORDERS.c.order_id)


_NAME = sa.select(USERS.c.name).where(USERS.c.user_id == value(USERS.c.user_id))


class Order(NamedTuple):
    """An entry of the audit trail.

    Attributes:
        order_id: its id.
        made_at: when it was made, in seconds of the database's time.
        actor: who made it: a user of the operating system, or `SERVER`.
        what: the action that was done or ordered.
        table_id: the table that it concerns, if any.
        user_id: the user whom it concerns, if any.
        details: further information, as a JSON object.
        seen_by: the instances of the servers that have carried it out, if it is an order to all servers.
        done_at: when it was done; `None` while it waits.
        outcome: the result.
    """

    order_id: str
    made_at: float
    actor: str
    what: str
    table_id: str | None
    user_id: str | None
    details: dict[str, Any]
    seen_by: frozenset[str]
    done_at: float | None
    outcome: str | None


def new_order_id() -> str:
    """Return an id for an entry.

    Create the id outside the job that writes, so that a job which runs twice adds one entry.
    """
    return secrets.token_hex(8)


def record(
    connection: Connection,
    order_id: str,
    actor: str,
    what: str,
    *,
    table_id: str | None = None,
    user_id: str | None = None,
    details: Mapping[str, Any] | None = None,
    waits: bool = False,
) -> None:
    """Add an entry, unless one with this id exists.

    Args:
        connection: with an open transaction.
        order_id: its id, see `new_order_id`.
        actor: who does it.
        what: the action that was done, or is to be done.
        table_id: the table that it concerns, if any.
        user_id: the user whom it concerns, if any.
        details: further information, without secrets.
        waits: whether servers have to carry it out; otherwise it is recorded as done.
    """
    about: dict[str, Value] = {"table_id": table_id, "user_id": user_id, "details": json.dumps(dict(details or {}))}
    outcome = None if waits else DONE
    connection.execute(_ADD, order_id=order_id, actor=actor, what=what, seen_by="", outcome=outcome, **about)


def waiting(connection: Connection) -> list[Order]:
    """Return the orders that wait, oldest first."""
    return [_order(row) for row in connection.execute(_WAITING)]


def find(connection: Connection, order_id: str) -> Order | None:
    """Return an entry of the audit trail, if it exists."""
    rows = connection.execute(_FIND, order_id=order_id)
    return _order(rows[0]) if rows else None


def finish(connection: Connection, order_id: str, outcome: str) -> None:
    """Record the outcome of an order, unless it is done already."""
    connection.execute(_FINISH, order_id=order_id, outcome=outcome)


def mark_seen(connection: Connection, order_id: str, instance: str) -> None:
    """Record that a server has carried out an order to all; the order is done when all running servers have."""
    order = find(connection, order_id)
    if order is not None and instance not in order.seen_by:
        connection.execute(_SEE, order_id=order_id, mark=f"{instance} ")
    settle(connection, order_id)


def settle(connection: Connection, order_id: str) -> frozenset[str]:
    """Return the running servers that have yet to carry out an order to all; if all have, mark it as done."""
    order = find(connection, order_id)
    missing = frozenset(leases.read_map(connection).nodes) - (order.seen_by if order else frozenset())
    if not missing:
        finish(connection, order_id, DONE)
    return missing


def trail(
    connection: Connection, limit: int, offset: int = 0, since: float | None = None, **wanted: str | None
) -> list[Order]:
    """Return entries of the audit trail that match all filters, newest first.

    Args:
        connection: to the database.
        limit: the maximum number of entries.
        offset: the number of newer entries to skip.
        since: only entries made since this time, in seconds.
        wanted: values of `table_id`, `user_id`, `what` or `actor`; `None` for any.
    """
    given: Values = {name: text for name, text in wanted.items() if text is not None}
    ask = sa.select(ORDERS).where(*(ORDERS.c[name] == value(ORDERS.c[name]) for name in given))
    if since is not None:
        ask = ask.where(ORDERS.c.made_at >= sa.literal(since, sa.Double()))
    ask = ask.order_by(ORDERS.c.made_at.desc(), ORDERS.c.order_id.desc()).limit(LIMIT)
    rows = connection.execute(ask, limit=limit + offset, **given)
    return [_order(row) for row in rows[offset:]]


def forget(connection: Connection, before: float, limit: int) -> int:
    """Delete up to `limit` finished entries that were made before a time; return the number deleted."""
    return len(connection.execute(_FORGET, before=before, limit=limit))


def name_of(connection: Connection, user_id: str) -> str:
    """Return a user's current name; empty if no such user exists."""
    rows = connection.execute(_NAME, user_id=user_id)
    return str(rows[0][0]) if rows else ""


def _order(row: Row) -> Order:
    return Order._make((*row[:6], json.loads(row[6]), frozenset(row[7].split()), *row[8:]))
