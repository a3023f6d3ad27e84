"""Administrative queries: tables, users, sessions and nodes, as JSON objects.

A table's full id is an invitation, so only its beginning is shown, which identifies the table, as does its hash in log
lines. Only the fields listed here are taken from the state of a table; none of them reveals a hand.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, TypeAlias

import sqlalchemy as sa
from msgspec import to_builtins

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.config import Limits
from liarspoker.server.journal import table_mark
from liarspoker.server.storage import leases, reading
from liarspoker.server.storage.connection import LIMIT, Connection, Now, Row, database_at, value
from liarspoker.server.storage.errors import BadDatabase, TableDamaged, Unavailable
from liarspoker.server.storage.location import REMEDY, database_label, sqlite_path
from liarspoker.server.storage.log import Listed, TableLog, shard_of
from liarspoker.server.storage.migrate import REVISIONS, columns
from liarspoker.server.storage.schema import (
    BANS,
    DUPLICATES,
    LISTINGS,
    MEMBERS,
    ORDERS,
    SESSIONS,
    TABLES,
    TOKENS,
    USERS,
)
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.tables.log_reading import read_log
from liarspoker.tables.state import Table, next_deadline

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object."""

DAY = 86400.0
ID_PREFIX_LENGTH = 10
"""The number of characters shown of a table's id: 60 bits identify it, and the other 68 bits stay secret."""

_MARK = re.compile(r"[0-9a-f]{12}")
_PREFIX = sa.bindparam("prefix", type_=sa.Text())
_LENGTH = sa.bindparam("length", type_=sa.Integer())


class NotFound(LiarsPokerError):
    """No object, or more than one, matches the given id or name."""

    code = "not-found"


@contextmanager
def open_database(url: str) -> Iterator[Connection]:
    """Open a connection to the database at `url`, whose schema must be that of this version.

    Raises:
        BadDatabase: the database doesn't exist, no server has used it yet, or it belongs to another version.
    """
    path = sqlite_path(url)
    if path is not None and not path.exists():
        raise BadDatabase(f"{database_label(url)} can't be opened: file not found; {REMEDY}")
    revision, _ = columns(url)
    if revision is None:
        raise BadDatabase(f"no server has used {database_label(url)} yet; {REMEDY}")
    if revision != REVISIONS[-1]:
        raise BadDatabase(f"{database_label(url)} belongs to another version of liarspoker; use that version")
    database = database_at(url)
    with closing(database.connect()) as connection:
        try:
            yield connection
        except Exception as error:
            if database.reason(error) is None:
                raise
            reason = "busy or unreachable; try again" if database.is_transient(error) else database.reason(error)
            raise Unavailable(f"{database_label(url)}: {reason}") from error


def find_table(connection: Connection, text: str) -> str:
    """Return the id of a table, given the id, its beginning, or its hash in log lines.

    Raises:
        NotFound: no table matches, or more than one.
    """
    found = _beginning(connection, TABLES.c.table_id, text)
    if not found and _MARK.fullmatch(text):
        found = [table_id for (table_id,) in connection.execute(reading.ALL_TABLES) if table_mark(table_id) == text]
    return _only(found, text, "table")


def find_event(connection: Connection, text: str) -> str:
    """Return the id of an event, given the id or its beginning.

    Raises:
        NotFound: no event matches, or more than one.
    """
    return _only(_beginning(connection, DUPLICATES.c.event_id, text), text, "event")


def find_user(connection: Connection, text: str) -> str:
    """Return the id of a user, given the id, its beginning, or the login.

    Raises:
        NotFound: no user matches, or more than one.
    """
    logins = connection.execute(_BY_LOGIN, login=text.casefold())
    return _only([logins[0][0]] if logins else _beginning(connection, USERS.c.user_id, text), text, "user")


_BY_LOGIN = sa.select(USERS.c.user_id).where(USERS.c.login == value(USERS.c.login))


def _beginning(connection: Connection, column: sa.Column[str], text: str) -> list[str]:
    """Return up to two ids that begin with a text, or only the id that equals it."""
    if not text:
        return []
    begins = sa.select(column).where(sa.func.substr(column, 1, _LENGTH) == _PREFIX).limit(2)
    found = [one for (one,) in connection.execute(begins, prefix=text, length=len(text))]
    return [text] if text in found else found


def _only(found: Sequence[str], text: str, what: str) -> str:
    if not found:
        raise NotFound(f"no {what} matches {text!r}")
    if len(found) > 1:
        raise NotFound(f"more than one {what} begins with {text!r}; give more of the id")
    return found[0]


def tables(
    connection: Connection,
    *,
    status: str | None = None,
    game: str | None = None,
    owner: str | None = None,
    member: str | None = None,
    page: int = 1,
    limit: int = 50,
) -> JsonObject:
    """Return a page of the tables that match all given filters, most recently changed first.

    Args:
        connection: to the database.
        status: `waiting`, `playing` or `ended`.
        game: the id of the game.
        owner: the id of the user who owns the table.
        member: the id of a user who has played there.
        page: the page, from 1.
        limit: the number of tables per page.
    """
    found = reading.listings(connection, page * limit + 1, None, status=status, game=game, owner=owner, member=member)
    shown = [_listed(one) for one in found[(page - 1) * limit : page * limit]]
    return {"tables": shown, "page": page, "more": len(found) > page * limit}


def _listed(listed: Listed) -> JsonObject:
    listing = listed.listing
    players = json.loads(listing.summary).get("players", [])
    return {
        "table": listed.table_id[:ID_PREFIX_LENGTH],
        "mark": table_mark(listed.table_id),
        "status": listing.status,
        "game": listing.game,
        "title": listing.title,
        "visibility": listing.visibility,
        "seats": listing.seats,
        "players": [one["name"] for one in players],
        "owner": listing.owner,
        "clock_runs": listing.running,
        "changed_at": listing.updated_at,
    }


def table(connection: Connection, sealer: Sealer, table_id: str) -> JsonObject:
    """Return one table: its seats, its state, and the node that owns it.

    Raises:
        TableDamaged: its log can't be read.
    """
    stored, state = read_table(connection, sealer, table_id)
    found = leases.read_map(connection)
    lease, owner = found.leases[shard_of(table_id)], found.owner(shard_of(table_id))
    command_times = [entry.at for entry in stored.entries if entry.command_id is not None]
    return {
        "table": table_id[:ID_PREFIX_LENGTH],
        "mark": table_mark(table_id),
        **_state(state),
        "created_at": stored.created_at,
        "asked_at": command_times[-1] if command_times else None,
        "stored_at": stored.entries[-1].at,
        "owned_by": None if owner is None else {"node": owner.name, "instance": owner.instance},
        "epoch": lease.epoch,
    }


def read_table(connection: Connection, sealer: Sealer, table_id: str) -> tuple[TableLog, Table]:
    """Return the log of a table and the state after it. Errors contain only the beginning of the table's id.

    Raises:
        NotFound: the table doesn't exist.
        TableDamaged: its log can't be read.
    """
    try:
        stored = reading.log(connection, sealer, table_id)
        if stored is None or not stored.entries:
            raise NotFound(f"no table matches {table_id[:ID_PREFIX_LENGTH]!r}")
        return stored, read_log(stored).table
    except TableDamaged as damage:
        raise TableDamaged(table_id[:ID_PREFIX_LENGTH], damage.reason) from None
    except ValueError:
        raise TableDamaged(table_id[:ID_PREFIX_LENGTH], "its log can't be replayed") from None


def _state(table: Table) -> JsonObject:
    """Return the public part of a table's state."""
    return {
        "stage": table.stage,
        "version": table.version,
        "settings": to_builtins(table.settings),
        "owner": table.owner,
        "seats": [
            None
            if chair is None
            else {
                "user": chair.user,
                "name": chair.name,
                "bot": chair.bot or None,
                "away": chair.away,
                "leaving": chair.leaving,
                "bank": chair.bank,
                "units": table.units.get(chair.user, 0),
            }
            for chair in table.chairs
        ],
        "to_act": table.to_act,
        "deadline": next_deadline(table),
        "paused": table.paused is not None,
        "rounds_played": table.rounds_played,
        "deals": len(table.deals),
        "chat": table.chat,
        "chat_lines": len(table.lines),
        "removed": sorted(table.removed),
    }


def users(connection: Connection, text: str = "", page: int = 1, limit: int = 50) -> JsonObject:
    """Return a page of the users whose login or name contains `text`, or whose id begins with it, newest first."""
    escaped = "".join(f"\\{sign}" if sign in "%_\\" else sign for sign in text.lower())
    rows = connection.execute(_USERS, pattern=f"%{escaped}%", prefix=text, length=len(text), limit=page * limit + 1)
    return {
        "users": [_user(row) for row in rows[(page - 1) * limit : page * limit]],
        "page": page,
        "more": len(rows) > page * limit,
    }


_PATTERN = sa.bindparam("pattern", type_=sa.Text())
_USER = (USERS.c.user_id, USERS.c.name, USERS.c.login, USERS.c.created_at, USERS.c.seen_at)
_USERS = (
    sa.select(*_USER)
    .where(
        sa.func.lower(USERS.c.name).like(_PATTERN, escape="\\")
        | USERS.c.login.like(_PATTERN, escape="\\")
        | (sa.func.substr(USERS.c.user_id, 1, _LENGTH) == _PREFIX)
    )
    .order_by(USERS.c.created_at.desc(), USERS.c.user_id)
    .limit(LIMIT)
)
_OWN_USER = sa.select(*_USER).where(USERS.c.user_id == value(USERS.c.user_id))


def _user(row: Row) -> JsonObject:
    user_id, name, login, created_at, seen_at = row
    return {"user": user_id, "name": name, "login": login, "created_at": created_at, "seen_at": seen_at}


def user(connection: Connection, user_id: str) -> JsonObject:
    """Return one user: the account, and the numbers of its sessions, tokens and tables."""
    rows = connection.execute(_OWN_USER, user_id=user_id)
    if not rows:
        raise NotFound(f"no user matches {user_id!r}")
    shown = sessions(connection, user_id)
    counted = connection.execute(_TABLES_OF, user_id=user_id)
    return {
        **_user(rows[0]),
        "ban": _ban(connection, user_id),
        "sessions": len(shown["sessions"]),
        "tokens": len(shown["tokens"]),
        "tables": dict(counted),
    }


def _ban(connection: Connection, user_id: str) -> JsonObject | None:
    """Return a user's current ban, if any."""
    for made_at, until, reason in connection.execute(_BAN_OF, user_id=user_id):
        return {"made_at": made_at, "until": until, "reason": reason}
    return None


_BAN_OF = sa.select(BANS.c.made_at, BANS.c.until, BANS.c.reason).where(
    BANS.c.user_id == value(BANS.c.user_id), sa.func.coalesce(BANS.c.until > Now(), sa.true())
)
_TABLES_OF = (
    sa.select(LISTINGS.c.status, sa.func.count())
    .join(MEMBERS, MEMBERS.c.table_id == LISTINGS.c.table_id)
    .where(MEMBERS.c.user_id == value(MEMBERS.c.user_id))
    .group_by(LISTINGS.c.status)
    .order_by(LISTINGS.c.status)
)
SESSIONS_OF = (
    sa.select(SESSIONS.c.session_hash, SESSIONS.c.created_at, SESSIONS.c.expires_at)
    .where(
        SESSIONS.c.user_id == value(SESSIONS.c.user_id),
        SESSIONS.c.revoked_at.is_(None),
        SESSIONS.c.expires_at > Now(),
    )
    .order_by(SESSIONS.c.created_at)
)
TOKENS_OF = (
    sa.select(TOKENS.c.token_hash, TOKENS.c.token_id, TOKENS.c.label, TOKENS.c.created_at)
    .where(TOKENS.c.user_id == value(TOKENS.c.user_id), TOKENS.c.revoked_at.is_(None))
    .order_by(TOKENS.c.created_at, TOKENS.c.token_id)
)


def sessions(connection: Connection, user_id: str) -> JsonObject:
    """Return a user's valid sessions and API tokens, without their secrets."""
    return {
        "sessions": [
            {"session": session_name(bytes(stored)), "created_at": created_at, "expires_at": expires_at}
            for stored, created_at, expires_at in connection.execute(SESSIONS_OF, user_id=user_id)
        ],
        "tokens": [
            {"token": token_id, "label": label, "created_at": created_at}
            for _, token_id, label, created_at in connection.execute(TOKENS_OF, user_id=user_id)
        ],
    }


def session_name(session_hash: bytes) -> str:
    """Return the id of a session in lists, which is neither stored nor usable as a credential."""
    return hashlib.sha256(b"session\0" + session_hash).hexdigest()[:12]


def nodes(connection: Connection) -> list[JsonObject]:
    """Return the running server processes, and the number of shards that each of them owns."""
    found = leases.read_map(connection)
    return [
        {
            "node": node.name,
            "instance": node.instance,
            "address": node.address,
            "leaving": node.leaving,
            "shards": sum(lease.instance == node.instance for lease in found.leases),
        }
        for node in sorted(found.nodes.values(), key=lambda node: (node.name, node.instance))
    ]


def due(connection: Connection, limits: Limits) -> JsonObject:
    """Count the rows that background maintenance with these limits would process now, at most."""
    now = leases.database_time(connection)

    def before(days: float | None) -> float:
        return -math.inf if days is None else now - days * DAY

    ended, quiet = LISTINGS.c.status == "ended", LISTINGS.c.status != "ended"
    hot = LISTINGS.c.archived_at.is_(None)
    no_tables = ~sa.exists().where(MEMBERS.c.user_id == USERS.c.user_id)
    counted: dict[str, tuple[sa.Table, list[sa.ColumnElement[bool]]]] = {
        "close": (LISTINGS, [quiet, LISTINGS.c.running == 0, LISTINGS.c.updated_at < before(limits.abandoned_days)]),
        "archive": (LISTINGS, [ended, hot, LISTINGS.c.updated_at < before(limits.archive_days)]),
        "delete": (LISTINGS, [ended, LISTINGS.c.updated_at < before(limits.delete_days)]),
        "guests": (USERS, [USERS.c.login.is_(None), no_tables, USERS.c.seen_at < before(limits.guest_days)]),
        "sessions": (SESSIONS, [(SESSIONS.c.expires_at <= now) | SESSIONS.c.revoked_at.is_not(None)]),
        "trail": (ORDERS, [ORDERS.c.done_at.is_not(None), ORDERS.c.made_at < before(limits.trail_days)]),
    }
    return {
        what: connection.execute(sa.select(sa.func.count()).select_from(table).where(*conditions))[0][0]
        for what, (table, conditions) in counted.items()
    }
