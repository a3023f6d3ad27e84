"""Export and deletion of all stored data of a user."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

import sqlalchemy as sa

from liarspoker.server.accounts.saved_rules import RULES_OF
from liarspoker.server.admin.actions import audit, outcome, trail, transaction
from liarspoker.server.admin.queries import ID_PREFIX_LENGTH, JsonObject, read_table, sessions, user
from liarspoker.server.duplicates.model import EventError
from liarspoker.server.duplicates.rows import JOINED, OWN_EVENTS, OWN_TABLES, OWN_WAITING, RENAME, delete_waiting
from liarspoker.server.orders import DELETE_USER, REDACT
from liarspoker.server.ratings import OWN_RATINGS
from liarspoker.server.storage import leases, notices
from liarspoker.server.storage.connection import Connection, value
from liarspoker.server.storage.errors import TableDamaged
from liarspoker.server.storage.mail import mailbox
from liarspoker.server.storage.orders import DONE, Order, name_of
from liarspoker.server.storage.redaction import Erasure, title_without
from liarspoker.server.storage.schema import (
    BANS,
    IMPORTS,
    INVITATIONS,
    MEMBERS,
    MUTES,
    OF_USER,
    PASSKEYS,
    RATED_GAMES,
    RATINGS,
    RELATIONS,
    USERS,
)
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.storage.vacations import vacations_of
from liarspoker.tables.export import records_of

_TABLES = (
    sa.select(MEMBERS.c.table_id).where(MEMBERS.c.user_id == value(MEMBERS.c.user_id)).order_by(MEMBERS.c.table_id)
)
_MUTED = sa.select(MUTES.c.channel, MUTES.c.kind).where(MUTES.c.user_id == value(MUTES.c.user_id)).order_by(*MUTES.c)
_RATED = sa.select(RATED_GAMES).where(RATED_GAMES.c.user_id == value(RATED_GAMES.c.user_id)).order_by(RATED_GAMES.c.at)
_IMPORTS = (
    sa.select(IMPORTS.c.at, IMPORTS.c.record)
    .where(IMPORTS.c.user_id == value(IMPORTS.c.user_id))
    .order_by(IMPORTS.c.at, IMPORTS.c.import_id)
)
_DELETE_AT_ONCE = [sa.delete(column.table).where(column == value(column, "user_id")) for column in OF_USER]
_NO_WAY_IN = (
    sa.update(USERS)
    .values(passphrase_hash=sa.null(), recovery_hash=sa.null())  # the login stays until the end: it names the user
    .where(USERS.c.user_id == value(USERS.c.user_id))
)
_PASSKEYS = (
    sa.select(PASSKEYS.c.label, PASSKEYS.c.host, PASSKEYS.c.created_at, PASSKEYS.c.used_at)
    .where(PASSKEYS.c.user_id == value(PASSKEYS.c.user_id))
    .order_by(PASSKEYS.c.created_at)
)
_RELATIONS = (
    sa.select(RELATIONS)
    .where(
        (RELATIONS.c.user_id == value(RELATIONS.c.user_id))
        | ((RELATIONS.c.other_id == value(RELATIONS.c.user_id)) & (RELATIONS.c.kind != "block"))
    )
    .order_by(RELATIONS.c.made_at, RELATIONS.c.user_id)
)
_INVITATIONS = (
    sa.select(INVITATIONS)
    .where(
        (INVITATIONS.c.user_id == value(INVITATIONS.c.user_id))
        | (INVITATIONS.c.from_id == value(INVITATIONS.c.user_id))
    )
    .order_by(INVITATIONS.c.made_at, INVITATIONS.c.table_id)
)
_OF_RATED = [column.name for column in RATED_GAMES.c if column.name not in ("user_id", "table_id")]
_NOTHING = [
    sa.delete(table).where(table.c.user_id == value(table.c.user_id))
    for table in (BANS, RATINGS, RATED_GAMES, USERS)  # a table may have been rated since the ratings were deleted
]


def export(connection: Connection, sealer: Sealer, user_id: str) -> JsonObject:
    """Return all stored data of a user, and of their tables' hands only what the user may know."""
    tables: list[JsonObject] = []
    for (table_id,) in connection.execute(_TABLES, user_id=user_id):
        try:
            stored, table = read_table(connection, sealer, table_id)
        except TableDamaged as damage:
            tables.append({"table": table_id[:ID_PREFIX_LENGTH], "error": damage.code})
            continue
        tables.append(
            {
                "table": table_id[:ID_PREFIX_LENGTH],
                "game": table.settings.game,
                "title": table.settings.title,
                "stage": table.stage,
                "created_at": stored.created_at,
                "owner": table.owner == user_id,
                "called": table.names.get(user_id),
                "units": table.units.get(user_id, 0),
                "chat": [{"at": line.at, "text": line.text} for line in table.lines if line.user == user_id],
                "records": [one | {"x-table": table_id[:ID_PREFIX_LENGTH]} for one in records_of(table, user_id)],
            }
        )
    return {
        "account": user(connection, user_id),
        **sessions(connection, user_id),
        "push": [
            {"device": one.device, "service": urlsplit(one.endpoint).hostname, "created_at": one.created_at}
            for one in notices.subscriptions(connection, user_id, leases.database_time(connection))
        ],
        "passkeys": [
            dict(zip(("label", "host", "created_at", "used_at"), row, strict=True))
            for row in connection.execute(_PASSKEYS, user_id=user_id)
        ],
        **_people(connection, user_id),
        "mail": None if (found := mailbox(connection, user_id)) is None else found._asdict(),
        "vacations": [one._asdict() for one in vacations_of(connection, user_id, after=0.0)],
        "saved_rules": [
            {"name": name, "rules": rules, "saved_at": saved_at}
            for name, rules, saved_at in connection.execute(RULES_OF, user_id=user_id)
        ],
        "ratings": [
            dict(zip(("game", "players", "mu", "sigma", "games"), row, strict=True))
            for row in connection.execute(OWN_RATINGS, user_id=user_id)
        ],
        "rated_games": [
            {"table": table_id[:ID_PREFIX_LENGTH], **dict(zip(_OF_RATED, facts, strict=True))}
            for _user, table_id, *facts in connection.execute(_RATED, user_id=user_id)
        ],
        "events": [
            {"event": event_id, "name": name, "settings": json.loads(body), "created_at": created_at}
            for event_id, name, body, created_at in connection.execute(OWN_EVENTS, owner=user_id)
        ],
        "joined_events": [
            dict(zip(("event", "called", "joined_at"), row, strict=True))
            for row in connection.execute(JOINED, user_id=user_id)
        ],
        "muted": [
            dict(zip(("channel", "kind"), row, strict=True)) for row in connection.execute(_MUTED, user_id=user_id)
        ],
        "tables": tables,
        "imports": [
            {"at": at, "record": json.loads(zlib.decompress(record))}
            for at, record in connection.execute(_IMPORTS, user_id=user_id)
        ],
        "trail": trail(connection, 1, 10_000, user_id=user_id)["trail"],
    }


def _people(connection: Connection, user_id: str) -> JsonObject:
    """Return a user's relations to others, and their invitations. Who blocks them is the others' data."""
    return {
        "relations": [
            {"user": sender, "other": other, "kind": kind, "made_at": made_at}
            for sender, other, kind, made_at in connection.execute(_RELATIONS, user_id=user_id)
        ],
        "invitations": [
            {
                "table": table_id[:ID_PREFIX_LENGTH],
                "user": invited,
                "from": sender,
                "made_at": made_at,
                "declined_at": declined_at,
            }
            for table_id, invited, sender, made_at, declined_at in connection.execute(_INVITATIONS, user_id=user_id)
        ],
    }


def delete(
    connection: Connection, user_id: str, chat: bool, seconds: float, run_locally: Callable[[Order], None] | None
) -> JsonObject:
    """Delete a user: credentials at once, then the name in the logs of all tables, and finally the account.

    From the first step on, nobody can sign in. If it is interrupted, it can be repeated: until the account is deleted,
    the login still identifies the user.

    Args:
        connection: to the database, without a transaction.
        user_id: the user.
        chat: whether to delete their chat messages too.
        seconds: the maximum time to wait for each order.
        run_locally: carries out an order about a table if no server is running.

    Returns:
        `tables`, the number of tables processed; `left`, the number of tables left; and `outcome`, which is `None`
        unless no table is left and the account was deleted.
    """
    with transaction(connection):
        _shut_out(connection, user_id)
        _clean_events(connection, user_id)
        events = [table_id for (table_id,) in connection.execute(OWN_TABLES, owner=user_id)]
        closing = audit(connection, DELETE_USER, user_id=user_id, waits=True)
        members = [table_id for (table_id,) in connection.execute(_TABLES, user_id=user_id)]
        table_ids = list(dict.fromkeys((*members, *events)))
        details = {"chat": chat}
        placed = [
            audit(connection, REDACT, table_id=table_id, user_id=user_id, details=details, waits=True)
            for table_id in table_ids
        ]
    outcome(connection, closing, seconds, None)
    with transaction(connection):
        _shut_out(connection, user_id)  # a server may have stored a credential before it closed the user's sessions
    found = [outcome(connection, order_id, seconds, run_locally)["outcome"] for order_id in placed]
    with transaction(connection):
        failed = {table for table, one in zip(table_ids, found, strict=True) if one != DONE and table in events}
        left = len(failed.union(table_id for (table_id,) in connection.execute(_TABLES, user_id=user_id)))
        if not left:
            for statement in _NOTHING:
                connection.execute(statement, user_id=user_id)
            audit(connection, "user-deleted", user_id=user_id, details={"tables": len(table_ids)})
    return {"tables": found.count(DONE), "left": left, "outcome": DONE if not left else None}


def _clean_events(connection: Connection, user_id: str) -> None:
    """Delete a user's duplicate events that nobody else can start, and remove their name from those of the others."""
    for (event_id,) in connection.execute(OWN_WAITING, owner=user_id):
        with suppress(EventError):  # it has started since
            delete_waiting(connection, event_id)
    erased = Erasure(user_id, name_of(connection, user_id), chat=False)
    for event_id, name, body, _created_at in connection.execute(OWN_EVENTS, owner=user_id):
        made = json.loads(body)
        settings = made["settings"] | {"title": title_without(made["settings"].get("title", ""), erased)}
        stored = json.dumps(made | {"settings": settings}, separators=(",", ":"))
        connection.execute(RENAME, own=event_id, name=erased.cleaned(name), body=stored)


def _shut_out(connection: Connection, user_id: str) -> None:
    """Delete a user's credentials, and what else isn't needed to remove their name."""
    for statement in (*_DELETE_AT_ONCE, _NO_WAY_IN):
        connection.execute(statement, user_id=user_id)
