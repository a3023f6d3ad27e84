"""The stored rows of duplicate events: statements, and what reads and writes several of them."""

from __future__ import annotations

import sqlalchemy as sa

from liarspoker.language import _
from liarspoker.protocol.codec import Reader
from liarspoker.server.duplicates.model import Event, EventBody, EventError, Plan
from liarspoker.server.duplicates.planning import deleted_name
from liarspoker.server.storage.connection import LIMIT, Connection, Row, insert, value
from liarspoker.server.storage.schema import DUPLICATE_PLAYERS, DUPLICATE_TABLES, DUPLICATES, LISTINGS, SECRETS, USERS
from liarspoker.tables.duplicate import TableScore

_E, _P, _T = DUPLICATES.c, DUPLICATE_PLAYERS.c, DUPLICATE_TABLES.c
_OWN, _OF = _E.event_id == value(_E.event_id), _P.event_id == value(_P.event_id)
_IS_OPEN = (_OWN, _E.started_at.is_(None))
CREATE, JOIN, PLAN = (
    insert(table).on_conflict_do_nothing() for table in (DUPLICATES, DUPLICATE_PLAYERS, DUPLICATE_TABLES)
)
SEAL = insert(SECRETS).on_conflict_do_nothing()
SEALED = sa.select(SECRETS.c.sealed).where(
    SECRETS.c.table_id == value(SECRETS.c.table_id), SECRETS.c.deal == sa.literal_column("0")
)
_EVENTS = sa.select(DUPLICATES, USERS.c.name.label("owner_name")).outerjoin(USERS, USERS.c.user_id == _E.owner)
_EVENT = _EVENTS.where(_OWN)
PLAYERS = sa.select(_P.user_id, _P.name, _P.share).where(_OF).order_by(_P.joined_at, _P.user_id)
_TABLES = sa.select(_T.table_id, _T.score).where(_T.event_id == value(_T.event_id))
EVENT_OF_UNSCORED = sa.select(_T.event_id).where(_T.table_id == value(_T.table_id), _T.score.is_(None))
WAITING = sa.select(sa.func.count()).select_from(DUPLICATES).where(_E.owner == value(_E.owner), _E.started_at.is_(None))
LOCK = sa.update(DUPLICATES).values(name=_E.name).where(*_IS_OPEN).returning(_E.event_id)
"""Locks the row of an event that hasn't started, so that its players don't change during the transaction."""
START = sa.update(DUPLICATES).values(started_at=value(_E.started_at), plan=value(_E.plan)).where(*_IS_OPEN)
LEAVE = sa.delete(DUPLICATE_PLAYERS).where(_OF, _P.user_id == value(_P.user_id))
_STATUSES = sa.select(LISTINGS.c.table_id, LISTINGS.c.status).where(
    LISTINGS.c.table_id.in_(sa.select(_T.table_id).where(_T.event_id == value(_T.event_id)))
)
_SCORE = (
    sa.update(DUPLICATE_TABLES)
    .values(score=value(_T.score))
    .where(_T.table_id == value(_T.table_id), _T.score.is_(None))
)
_UNSCORED = sa.select(_T.table_id).where(_T.event_id == value(_T.event_id), _T.score.is_(None))
_FINISH = (
    sa.update(DUPLICATES)
    .values(finished_at=value(_E.finished_at))
    .where(_OWN, _E.finished_at.is_(None), _E.started_at.is_not(None), ~_UNSCORED.exists())
)
_MINE = sa.select(_P.event_id).where(_P.user_id == value(_P.user_id, "user"))
LISTED = (
    _EVENTS.where(sa.or_(_E.owner == value(_E.owner, "user"), _E.event_id.in_(_MINE)))
    .order_by(_E.created_at.desc())
    .limit(sa.literal_column("50"))
)
_OWNED = _E.owner == value(_E.owner)
OWN_EVENTS = sa.select(_E.event_id, _E.name, _E.body, _E.created_at).where(_OWNED).order_by(_E.created_at)
OWN_WAITING = sa.select(_E.event_id).where(_OWNED, _E.started_at.is_(None))
OWN_TABLES = sa.select(_T.table_id).join(DUPLICATES, _E.event_id == _T.event_id).where(_OWNED)
JOINED = sa.select(_P.event_id, _P.name, _P.joined_at).where(_P.user_id == value(_P.user_id)).order_by(_P.joined_at)
RENAME = (
    sa.update(DUPLICATES)
    .values({name: value(_E[name]) for name in ("name", "body")})
    .where(_E.event_id == value(_E.event_id, "own"))
)
NEWEST = _EVENTS.order_by(_E.created_at.desc(), _E.event_id).limit(LIMIT)
_DELETE = [
    sa.delete(column.table).where(column == value(column, "event_id"))
    for column in (SECRETS.c.table_id, _P.event_id, _E.event_id)
]
_BODIES: Reader[EventBody] = Reader(EventBody)
_PLANS: Reader[Plan] = Reader(Plan)
_SCORES: Reader[TableScore] = Reader(TableScore)


def no_event() -> EventError:
    """Return the error for an event that doesn't exist."""
    return EventError("no-such-event", _("there is no such event; ask for a new link"))


def lock_open(connection: Connection, event_id: str) -> None:
    """Lock an event that hasn't started.

    Raises:
        EventError: `no-such-event` or `event-started`.
    """
    if not connection.execute(LOCK, event_id=event_id):
        if not connection.execute(_EVENT, event_id=event_id):
            raise no_event()
        raise EventError("event-started", _("this event has already started"))


def delete_waiting(connection: Connection, event_id: str) -> None:
    """Delete an event that hasn't started, with its seed.

    Raises:
        EventError: `no-such-event` or `event-started`.
    """
    lock_open(connection, event_id)
    for statement in _DELETE:
        connection.execute(statement, event_id=event_id)


def store_score(connection: Connection, table_id: str, score: str) -> None:
    """Store the score of a table that has ended, once."""
    connection.execute(_SCORE, table_id=table_id, score=score)


def finish(connection: Connection, event_id: str, now: float) -> None:
    """Store the end of an event whose tables all have scores."""
    connection.execute(_FINISH, event_id=event_id, finished_at=now)


def found_event(connection: Connection, event_id: str) -> Event | None:
    """Return an event; `None` if there is none with this id."""
    rows = connection.execute(_EVENT, event_id=event_id)
    return event_of(connection, rows[0]) if rows else None


def event_of(connection: Connection, row: Row) -> Event:
    """Return the event of a row of `LISTED`, with its players and tables."""
    event_id, owner, name, body, created_at, started_at, plan, finished_at, owner_name = row
    tables = connection.execute(_TABLES, event_id=event_id)
    return Event(
        event_id,
        owner,
        owner_name or deleted_name(owner),
        name,
        _BODIES.read(body),
        created_at,
        started_at,
        finished_at,
        {user: shown for user, shown, _ in connection.execute(PLAYERS, event_id=event_id)},
        None if plan is None else _PLANS.read(plan),
        {table: _SCORES.read(score) for table, score in tables if score is not None},
        dict(connection.execute(_STATUSES, event_id=event_id)),
    )
