"""Orders to the servers on a database, and the audit trail that they are a part of.

A row says who has done or ordered what, and when; nothing in it is secret, and rows are never changed but for what has
come of them. Most rows only tell. An order waits until it is carried out: one about a table by the server that owns it,
any other by every server that lives, each of which writes itself into `seen_by`.
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
"""How many orders a server looks at in one go."""

SERVER = "server"
"""The actor of what a server notes by itself, or because a user asked for it."""

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
    """A row of the trail.

    Attributes:
        order_id: its id.
        made_at: when it was made, in seconds of the database's clock.
        actor: who has made it: a user of the operating system, or `SERVER`.
        what: what was done or ordered.
        table_id: the table that it is about, if any.
        user_id: the user whom it is about, if any.
        details: the rest, as an object of JSON.
        seen_by: the instances of the servers that have carried it out, where all are to.
        done_at: when it was done; `None` while it waits.
        outcome: what has come of it.
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
    """An id for a row; made before a job that writes, so that a job which runs twice writes one row."""
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
    """Add a row, unless there is one of this id.

    Args:
        connection: with a transaction open.
        order_id: its id, see `new_order_id`.
        actor: who.
        what: what was done, or is to be done.
        table_id: the table that it is about, if any.
        user_id: the user whom it is about, if any.
        details: the rest; no secrets.
        waits: servers have to carry it out; else it is done already.
    """
    about: dict[str, Value] = {"table_id": table_id, "user_id": user_id, "details": json.dumps(dict(details or {}))}
    outcome = None if waits else DONE
    connection.execute(_ADD, order_id=order_id, actor=actor, what=what, seen_by="", outcome=outcome, **about)


def waiting(connection: Connection) -> list[Order]:
    """The orders that wait, the oldest first."""
    return [_order(row) for row in connection.execute(_WAITING)]


def find(connection: Connection, order_id: str) -> Order | None:
    """A row of the trail."""
    rows = connection.execute(_FIND, order_id=order_id)
    return _order(rows[0]) if rows else None


def finish(connection: Connection, order_id: str, outcome: str) -> None:
    """Note what has come of an order; nothing happens to one that is done."""
    connection.execute(_FINISH, order_id=order_id, outcome=outcome)


def saw(connection: Connection, order_id: str, instance: str) -> None:
    """Note that a server has carried out an order to all; it is done with the last one that lives."""
    order = find(connection, order_id)
    if order is not None and instance not in order.seen_by:
        connection.execute(_SEE, order_id=order_id, mark=f"{instance} ")
    settle(connection, order_id)


def settle(connection: Connection, order_id: str) -> frozenset[str]:
    """The servers that live and have yet to carry out an order to all, which is done where there are none."""
    order = find(connection, order_id)
    missing = frozenset(leases.look(connection).nodes) - (order.seen_by if order else frozenset())
    if not missing:
        finish(connection, order_id, DONE)
    return missing


def trail(
    connection: Connection, limit: int, offset: int = 0, since: float | None = None, **wanted: str | None
) -> list[Order]:
    """Rows of the trail that fit all that is given, the newest first.

    Args:
        connection: to the database.
        limit: how many, at most.
        offset: how many newer ones to leave out.
        since: those made since a time, in seconds.
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
    """Delete up to `limit` rows of the trail that were made before a time and wait for nothing; how many."""
    return len(connection.execute(_FORGET, before=before, limit=limit))


def name_of(connection: Connection, user_id: str) -> str:
    """What a user is called now; empty for nobody."""
    rows = connection.execute(_NAME, user_id=user_id)
    return str(rows[0][0]) if rows else ""


def _order(row: Row) -> Order:
    return Order._make((*row[:6], json.loads(row[6]), frozenset(row[7].split()), *row[8:]))
