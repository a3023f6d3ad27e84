"""What an administrator sees of a database: tables, users, sessions and nodes, as objects of JSON.

A table's whole id is an invitation, so only its beginning is shown; that is enough to name it, as is the mark that
log lines have for it. Of a table's state, only the fields listed here get out: none of them says what anybody holds.
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
from liarspoker.server.storage.errors import BadPlace, TableDamaged, Unavailable
from liarspoker.server.storage.log import Listed, TableLog, shard_of
from liarspoker.server.storage.migrate import columns, scripts
from liarspoker.server.storage.place import REMEDY, named, sqlite_path
from liarspoker.server.storage.schema import BANS, LISTINGS, MEMBERS, ORDERS, SESSIONS, TABLES, TOKENS, USERS
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.tables.actor import read_log
from liarspoker.tables.state import Table
from liarspoker.tables.state import due as due_at

Shown: TypeAlias = dict[str, Any]
"""An object of JSON."""

DAY = 86400.0
SHOWN = 10
"""How many characters of a table's id are shown: 60 bits tell tables apart, and the other 68 let nobody in."""

_MARK = re.compile(r"[0-9a-f]{12}")
_PREFIX = sa.bindparam("prefix", type_=sa.Text())
_LENGTH = sa.bindparam("length", type_=sa.Integer())


class NotFound(LiarsPokerError):
    """Nothing, or more than one thing, is called so."""

    code = "not-found"


@contextmanager
def opened(url: str) -> Iterator[Connection]:
    """A connection to the database at `url`, which is as this version of liarspoker has it.

    Raises:
        BadPlace: there is no such database, no server has used it, or another version of liarspoker has.
    """
    path = sqlite_path(url)
    if path is not None and not path.exists():
        raise BadPlace(f"{named(url)} cannot be opened: there is no such file; {REMEDY}")
    revision, _ = columns(url)
    if revision is None:
        raise BadPlace(f"no server has used {named(url)} yet; {REMEDY}")
    if revision != scripts().get_current_head():
        raise BadPlace(f"{named(url)} belongs to another version of liarspoker; administer it with that one")
    database = database_at(url)
    with closing(database.connect()) as connection:
        try:
            yield connection
        except Exception as error:
            if database.reason(error) is None:
                raise
            reason = "is busy or away; try again" if database.passing(error) else f"fails: {database.reason(error)}"
            raise Unavailable(f"{named(url)} {reason}") from error


def find_table(connection: Connection, text: str) -> str:
    """The id of the table that `text` names: the id, its beginning, or the mark that log lines have for it.

    Raises:
        NotFound: no table is called so, or more than one.
    """
    found = _beginning(connection, TABLES.c.table_id, text)
    if not found and _MARK.fullmatch(text):
        found = [table_id for (table_id,) in connection.execute(reading.ALL_TABLES) if table_mark(table_id) == text]
    return _only(found, text, "table")


def find_user(connection: Connection, text: str) -> str:
    """The id of the user whom `text` names: the id, its beginning, or the login.

    Raises:
        NotFound: nobody is called so, or more than one.
    """
    logins = connection.execute(_BY_LOGIN, login=text.casefold())
    return _only([logins[0][0]] if logins else _beginning(connection, USERS.c.user_id, text), text, "user")


_BY_LOGIN = sa.select(USERS.c.user_id).where(USERS.c.login == value(USERS.c.login))


def _beginning(connection: Connection, column: sa.Column[str], text: str) -> list[str]:
    """Up to two ids that begin with a text, or the one that it is."""
    if not text:
        return []
    begins = sa.select(column).where(sa.func.substr(column, 1, _LENGTH) == _PREFIX).limit(2)
    found = [one for (one,) in connection.execute(begins, prefix=text, length=len(text))]
    return [text] if text in found else found


def _only(found: Sequence[str], text: str, what: str) -> str:
    if not found:
        raise NotFound(f"there is no {what} {text!r}")
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
) -> Shown:
    """The tables in the lobby's order that fit all that is given: those that changed last first.

    Args:
        connection: to the database.
        status: `waiting`, `playing` or `ended`.
        game: the game's id.
        owner: the id of the user who owns the table.
        member: the id of a user who has sat there.
        page: from 1.
        limit: how many are on a page.
    """
    found = reading.listings(connection, page * limit + 1, None, status=status, game=game, owner=owner, member=member)
    shown = [_listed(one) for one in found[(page - 1) * limit : page * limit]]
    return {"tables": shown, "page": page, "more": len(found) > page * limit}


def _listed(listed: Listed) -> Shown:
    listing = listed.listing
    players = json.loads(listing.summary).get("players", [])
    return {
        "table": listed.table_id[:SHOWN],
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


def table(connection: Connection, sealer: Sealer, table_id: str) -> Shown:
    """One table: who sits there, how it stands, and which node owns it.

    Raises:
        TableDamaged: its log cannot be read.
    """
    stored, state = read_table(connection, sealer, table_id)
    found = leases.look(connection)
    lease, owner = found.leases[shard_of(table_id)], found.owner(shard_of(table_id))
    asked = [entry.at for entry in stored.entries if entry.command_id is not None]
    return {
        "table": table_id[:SHOWN],
        "mark": table_mark(table_id),
        **_state(state),
        "created_at": stored.created_at,
        "asked_at": asked[-1] if asked else None,
        "stored_at": stored.entries[-1].at,
        "owned_by": None if owner is None else {"node": owner.name, "instance": owner.instance},
        "epoch": lease.epoch,
    }


def read_table(connection: Connection, sealer: Sealer, table_id: str) -> tuple[TableLog, Table]:
    """The log of a table, and the state that it tells; an error names the table by the beginning of its id.

    Raises:
        NotFound: there is no such table.
        TableDamaged: its log cannot be read.
    """
    try:
        stored = reading.log(connection, sealer, table_id)
        if stored is None or not stored.entries:
            raise NotFound(f"there is no table {table_id[:SHOWN]!r}")
        return stored, read_log(stored)[0]
    except TableDamaged as damage:
        raise TableDamaged(table_id[:SHOWN], damage.reason) from None
    except ValueError:
        raise TableDamaged(table_id[:SHOWN], "its log cannot be replayed") from None


def _state(table: Table) -> Shown:
    """What of a table's state an administrator sees."""
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
        "deadline": due_at(table),
        "paused": table.paused is not None,
        "rounds_played": table.rounds_played,
        "deals": len(table.deals),
        "chat": table.chat,
        "chat_lines": len(table.lines),
        "removed": sorted(table.removed),
    }


def users(connection: Connection, text: str = "", page: int = 1, limit: int = 50) -> Shown:
    """Users whose login or name has `text` in it, or whose id begins with it; the newest first."""
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


def _user(row: Row) -> Shown:
    user_id, name, login, created_at, seen_at = row
    return {"user": user_id, "name": name, "login": login, "created_at": created_at, "seen_at": seen_at}


def user(connection: Connection, user_id: str) -> Shown:
    """One user: the account, and how many sessions, tokens and tables belong to it."""
    rows = connection.execute(_OWN_USER, user_id=user_id)
    if not rows:
        raise NotFound(f"there is no user {user_id!r}")
    shown = sessions(connection, user_id)
    counted = connection.execute(_TABLES_OF, user_id=user_id)
    return {
        **_user(rows[0]),
        "ban": _ban(connection, user_id),
        "sessions": len(shown["sessions"]),
        "tokens": len(shown["tokens"]),
        "tables": dict(counted),
    }


def _ban(connection: Connection, user_id: str) -> Shown | None:
    """A user's ban, if there is one that has not ended."""
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


def sessions(connection: Connection, user_id: str) -> Shown:
    """The sessions and API tokens with which a user can come in now, without what they are shown by."""
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
    """What stands for a session where it is listed: nothing that is stored, and nothing that opens it."""
    return hashlib.sha256(b"session\0" + session_hash).hexdigest()[:12]


def nodes(connection: Connection) -> list[Shown]:
    """The server processes that live, and how many of the shards of tables each of them owns."""
    found = leases.look(connection)
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


def due(connection: Connection, limits: Limits) -> Shown:
    """How much the background work of a server with these limits would do now, at most."""
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
