"""All that is stored of one user: given out as JSON, or deleted."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from liarspoker.server.admin.acting import note, outcome, trail, writing
from liarspoker.server.admin.looking import SHOWN, Shown, read_table, sessions, user
from liarspoker.server.orders import DELETE_USER, REDACT
from liarspoker.server.storage.connection import Connection, value
from liarspoker.server.storage.errors import TableDamaged
from liarspoker.server.storage.orders import DONE, Order
from liarspoker.server.storage.schema import BANS, MEMBERS, SESSIONS, TOKENS, USERS
from liarspoker.server.storage.sealing import Sealer
from liarspoker.tables.export import records_of

_TABLES = (
    sa.select(MEMBERS.c.table_id).where(MEMBERS.c.user_id == value(MEMBERS.c.user_id)).order_by(MEMBERS.c.table_id)
)
_NO_WAY_IN = [sa.delete(table).where(table.c.user_id == value(table.c.user_id)) for table in (SESSIONS, TOKENS)]
_NO_LOGIN = (
    sa.update(USERS).values(login=sa.null(), passphrase_hash=sa.null()).where(USERS.c.user_id == value(USERS.c.user_id))
)
_NOTHING = [sa.delete(table).where(table.c.user_id == value(table.c.user_id)) for table in (BANS, USERS)]


def export(connection: Connection, sealer: Sealer, user_id: str) -> Shown:
    """All that is stored of a user, with what they may know of the hands of their tables, and not more."""
    tables: list[Shown] = []
    for (table_id,) in connection.execute(_TABLES, user_id=user_id):
        try:
            stored, table = read_table(connection, sealer, table_id)
        except TableDamaged as damage:
            tables.append({"table": table_id[:SHOWN], "error": damage.code})
            continue
        tables.append(
            {
                "table": table_id[:SHOWN],
                "game": table.settings.game,
                "title": table.settings.title,
                "stage": table.stage,
                "created_at": stored.created_at,
                "owner": table.owner == user_id,
                "called": table.names.get(user_id),
                "units": table.units.get(user_id, 0),
                "chat": [{"at": line.at, "text": line.text} for line in table.lines if line.user == user_id],
                "records": [one | {"x-table": table_id[:SHOWN]} for one in records_of(table, user_id)],
            }
        )
    return {
        "account": user(connection, user_id),
        **sessions(connection, user_id),
        "tables": tables,
        "trail": trail(connection, 1, 10_000, user_id=user_id)["trail"],
    }


def delete(
    connection: Connection, user_id: str, chat: bool, seconds: float, here: Callable[[Order], None] | None
) -> Shown:
    """Delete a user: every way in at once, then the name in the logs of all tables, and the account last of all.

    Whatever ends this early, it can be done again.

    Returns:
        How many tables were gone through, and how many are left; the account is deleted when none is.
    """
    with writing(connection):
        for statement in (*_NO_WAY_IN, _NO_LOGIN):
            connection.execute(statement, user_id=user_id)
        closing = note(connection, DELETE_USER, user_id=user_id, waits=True)
        table_ids = [table_id for (table_id,) in connection.execute(_TABLES, user_id=user_id)]
        details = {"chat": chat}
        placed = [
            note(connection, REDACT, table_id=table_id, user_id=user_id, details=details, waits=True)
            for table_id in table_ids
        ]
    outcome(connection, closing, seconds, None)
    found = [outcome(connection, order_id, seconds, here)["outcome"] for order_id in placed]
    with writing(connection):
        left = len(connection.execute(_TABLES, user_id=user_id))
        if not left:
            for statement in _NOTHING:
                connection.execute(statement, user_id=user_id)
            note(connection, "user-deleted", user_id=user_id, details={"tables": len(table_ids)})
    return {"tables": found.count(DONE), "left": left, "outcome": DONE if not left else None}
