"""The SQL statements about users, their sessions, tokens and bans."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from liarspoker.server.storage.connection import LIMIT, ONE, Among, insert, value
from liarspoker.server.storage.schema import BANS, MEMBERS, OF_USER, SESSIONS, TOKENS, USERS

CREDENTIALS_AT_ONCE = 100
"""The maximum number of credentials per call of `Accounts.invalid_credentials`."""

_USER = (USERS.c.user_id, USERS.c.name, USERS.c.created_at, USERS.c.login)
_NOW = value(USERS.c.seen_at, "now")
_BEFORE = value(USERS.c.seen_at, "before")
_SELF = USERS.c.user_id == value(USERS.c.user_id)
_HAS_TABLES = sa.exists().where(MEMBERS.c.user_id == USERS.c.user_id)
ADD_USER = insert(USERS, *_USER[:3], USERS.c.seen_at).on_conflict_do_nothing()
SEEN = sa.update(USERS).values(seen_at=_NOW).where(_SELF).returning(ONE)
UNSEEN = (
    sa.select(USERS.c.seen_at, USERS.c.user_id, _HAS_TABLES)
    .where(
        USERS.c.login.is_(None),
        USERS.c.seen_at < _BEFORE,
        sa.tuple_(USERS.c.seen_at, USERS.c.user_id)
        > sa.tuple_(value(USERS.c.seen_at, "after_at"), value(USERS.c.user_id, "after_id")),
    )
    .order_by(USERS.c.seen_at, USERS.c.user_id)
    .limit(LIMIT)
)
DELETE_GUESTS = (
    sa.delete(USERS)
    .where(Among(USERS.c.user_id, "user_ids"), USERS.c.login.is_(None), USERS.c.seen_at < _BEFORE, ~_HAS_TABLES)
    .returning(USERS.c.user_id)
)
DELETE_THEIRS = [sa.delete(column.table).where(Among(column, "user_ids")) for column in OF_USER]
FIND = {
    column.name: sa.select(*_USER, USERS.c.passphrase_hash).where(column == value(column, "wanted"))
    for column in (USERS.c.user_id, USERS.c.login)
}
RENAME = sa.update(USERS).values(name=value(USERS.c.name, "new_name")).where(_SELF)
_STORED = value(USERS.c.passphrase_hash, "stored")
GIVE_LOGIN = sa.update(USERS).values(login=value(USERS.c.login, "new_login"), passphrase_hash=_STORED).where(_SELF)
CHANGE_HASH = (
    sa.update(USERS)
    .values(passphrase_hash=_STORED)
    .where(_SELF, USERS.c.passphrase_hash.in_([value(USERS.c.passphrase_hash, "known"), _STORED]))
    .returning(USERS.c.user_id)
)
SET_HASH = (
    sa.update(USERS)
    .values(passphrase_hash=_STORED)
    .where(_SELF, USERS.c.passphrase_hash.is_(None) | (USERS.c.passphrase_hash == _STORED))
    .returning(USERS.c.user_id)
)
_RECOVERY = value(USERS.c.recovery_hash, "recovery")
SET_RECOVERY = sa.update(USERS).values(recovery_hash=_RECOVERY).where(_SELF)
HAS_RECOVERY = sa.select(ONE).select_from(USERS).where(_SELF, USERS.c.recovery_hash == _RECOVERY)
_AGAIN = value(USERS.c.recovery_hash, "again")
RECOVER = (
    sa.update(USERS)
    .values(passphrase_hash=_STORED, recovery_hash=_AGAIN)
    .where(_SELF, USERS.c.recovery_hash.in_([_RECOVERY, _AGAIN]))
    .returning(USERS.c.user_id)
)
WAYS_IN = sa.select(USERS.c.passphrase_hash.is_not(None), USERS.c.recovery_hash.is_not(None)).where(_SELF)
ADD_SESSION = insert(SESSIONS, *list(SESSIONS.columns)[:4]).on_conflict_do_nothing()
END_SESSION = (
    sa.update(SESSIONS)
    .values(revoked_at=_NOW)
    .where(SESSIONS.c.session_hash == value(SESSIONS.c.session_hash), SESSIONS.c.revoked_at.is_(None))
)
END_SESSIONS = (
    sa.update(SESSIONS)
    .values(revoked_at=_NOW)
    .where(
        SESSIONS.c.user_id == value(SESSIONS.c.user_id),
        SESSIONS.c.session_hash != value(SESSIONS.c.session_hash),
        sa.func.coalesce(SESSIONS.c.revoked_at, _NOW) == _NOW,
    )
    .returning(SESSIONS.c.session_hash)
)
SESSIONS_OF = (
    sa.select(SESSIONS.c.session_hash, SESSIONS.c.created_at, SESSIONS.c.expires_at)
    .where(
        SESSIONS.c.user_id == value(SESSIONS.c.user_id), SESSIONS.c.revoked_at.is_(None), SESSIONS.c.expires_at > _NOW
    )
    .order_by(SESSIONS.c.created_at.desc(), SESSIONS.c.session_hash)
)
_ENDED = (
    sa.select(SESSIONS.c.session_hash)
    .where((SESSIONS.c.expires_at <= _NOW) | (SESSIONS.c.revoked_at <= _NOW))
    .limit(LIMIT)
)
FORGET_SESSIONS = sa.delete(SESSIONS).where(SESSIONS.c.session_hash.in_(_ENDED)).returning(ONE)
ADD_TOKEN = insert(TOKENS, *list(TOKENS.columns)[:5]).on_conflict_do_nothing()
TOKENS_OF = (
    sa.select(TOKENS.c.token_id, TOKENS.c.label, TOKENS.c.created_at)
    .where(TOKENS.c.user_id == value(TOKENS.c.user_id), TOKENS.c.revoked_at.is_(None))
    .order_by(TOKENS.c.created_at, TOKENS.c.token_id)
)
REVOKE_TOKEN = (
    sa.update(TOKENS)
    .values(revoked_at=sa.func.coalesce(TOKENS.c.revoked_at, _NOW))
    .where(TOKENS.c.token_id == value(TOKENS.c.token_id), TOKENS.c.user_id == value(TOKENS.c.user_id))
    .returning(TOKENS.c.token_hash)
)
_BAN = (BANS.c.user_id, BANS.c.until, BANS.c.reason)
_BANNED = (BANS.c.user_id == USERS.c.user_id) & sa.func.coalesce(BANS.c.until > _NOW, sa.true())
BY_TOKEN = (
    sa.select(*_USER, USERS.c.seen_at, sa.null(), TOKENS.c.created_at, *_BAN)
    .join_from(TOKENS, USERS, TOKENS.c.user_id == USERS.c.user_id)
    .outerjoin(BANS, _BANNED)
    .where(TOKENS.c.token_hash == value(TOKENS.c.token_hash), TOKENS.c.revoked_at.is_(None))
)
BY_SESSION = (
    sa.select(*_USER, USERS.c.seen_at, SESSIONS.c.expires_at, SESSIONS.c.created_at, *_BAN)
    .join_from(SESSIONS, USERS, SESSIONS.c.user_id == USERS.c.user_id)
    .outerjoin(BANS, _BANNED)
    .where(
        SESSIONS.c.session_hash == value(SESSIONS.c.session_hash),
        SESSIONS.c.revoked_at.is_(None),
        SESSIONS.c.expires_at > _NOW,
    )
)
BAN_OF = sa.select(*_BAN).where(
    BANS.c.user_id == value(BANS.c.user_id), sa.func.coalesce(BANS.c.until > _NOW, sa.true())
)
GOOD = [
    sa.select(SESSIONS.c.session_hash).where(
        SESSIONS.c.user_id == value(SESSIONS.c.user_id),
        SESSIONS.c.revoked_at.is_(None),
        SESSIONS.c.expires_at > _NOW,
    ),
    sa.select(TOKENS.c.token_hash).where(
        TOKENS.c.user_id == value(TOKENS.c.user_id),
        TOKENS.c.revoked_at.is_(None),
    ),
]


def _still_good(table: sa.Table, credential: sa.Column[bytes], *conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Build the query for those of the credentials `c0`, `c1` and so on that are in a table and not revoked."""
    given = [value(credential, f"c{number}") for number in range(CREDENTIALS_AT_ONCE)]
    return sa.select(credential).where(credential.in_(given), table.c.revoked_at.is_(None), *conditions)


STILL_GOOD = sa.union_all(
    _still_good(SESSIONS, SESSIONS.c.session_hash, SESSIONS.c.expires_at > _NOW),
    _still_good(TOKENS, TOKENS.c.token_hash),
)
