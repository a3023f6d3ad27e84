"""The statements behind the accounts, each for a transaction that is open; to run one twice comes to the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

import sqlalchemy as sa

from liarspoker.server.accounts.credentials import (
    TOKEN_PREFIX,
    BadLogin,
    Identity,
    LoginTaken,
    NoSuchUser,
    NotAGuest,
    Token,
    TooManyTokens,
    User,
    credential_of,
)
from liarspoker.server.storage.connection import LIMIT, ONE, Among, Connection, insert, value
from liarspoker.server.storage.schema import MEMBERS, SESSIONS, TOKENS, USERS

MOST_TOKENS = 20
_USER = (USERS.c.user_id, USERS.c.name, USERS.c.created_at, USERS.c.login)
_NOW = value(USERS.c.seen_at, "now")
_BEFORE = value(USERS.c.seen_at, "before")
_SELF = USERS.c.user_id == value(USERS.c.user_id)
_HAS_TABLES = sa.exists().where(MEMBERS.c.user_id == USERS.c.user_id)
_ADD_USER = insert(USERS, *_USER[:3], USERS.c.seen_at).on_conflict_do_nothing()
_SEEN = sa.update(USERS).values(seen_at=_NOW).where(_SELF).returning(ONE)
_UNSEEN = (
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
_DELETE_GUESTS = (
    sa.delete(USERS)
    .where(Among(USERS.c.user_id, "user_ids"), USERS.c.login.is_(None), USERS.c.seen_at < _BEFORE, ~_HAS_TABLES)
    .returning(USERS.c.user_id)
)
_DELETE_THEIRS = [sa.delete(table).where(Among(table.c.user_id, "user_ids")) for table in (SESSIONS, TOKENS)]
_FIND = {
    column.name: sa.select(*_USER, USERS.c.passphrase_hash).where(column == value(column, "wanted"))
    for column in (USERS.c.user_id, USERS.c.login)
}
_RENAME = sa.update(USERS).values(name=value(USERS.c.name, "new_name")).where(_SELF)
_STORED = value(USERS.c.passphrase_hash, "stored")
_GIVE_LOGIN = sa.update(USERS).values(login=value(USERS.c.login, "new_login"), passphrase_hash=_STORED).where(_SELF)
_CHANGE_HASH = (
    sa.update(USERS)
    .values(passphrase_hash=_STORED)
    .where(_SELF, USERS.c.passphrase_hash.in_([value(USERS.c.passphrase_hash, "known"), _STORED]))
    .returning(USERS.c.user_id)
)
_ADD_SESSION = insert(SESSIONS, *list(SESSIONS.columns)[:4]).on_conflict_do_nothing()
_END_SESSION = (
    sa.update(SESSIONS)
    .values(revoked_at=_NOW)
    .where(SESSIONS.c.session_hash == value(SESSIONS.c.session_hash), SESSIONS.c.revoked_at.is_(None))
)
_END_SESSIONS = (
    sa.update(SESSIONS)
    .values(revoked_at=_NOW)
    .where(
        SESSIONS.c.user_id == value(SESSIONS.c.user_id),
        SESSIONS.c.session_hash != value(SESSIONS.c.session_hash),
        sa.func.coalesce(SESSIONS.c.revoked_at, _NOW) == _NOW,
    )
    .returning(SESSIONS.c.session_hash)
)
_ENDED = (
    sa.select(SESSIONS.c.session_hash)
    .where((SESSIONS.c.expires_at <= _NOW) | (SESSIONS.c.revoked_at <= _NOW))
    .limit(LIMIT)
)
_FORGET_SESSIONS = sa.delete(SESSIONS).where(SESSIONS.c.session_hash.in_(_ENDED)).returning(ONE)
_ADD_TOKEN = insert(TOKENS, *list(TOKENS.columns)[:5]).on_conflict_do_nothing()
_TOKENS = (
    sa.select(TOKENS.c.token_id, TOKENS.c.label, TOKENS.c.created_at)
    .where(TOKENS.c.user_id == value(TOKENS.c.user_id), TOKENS.c.revoked_at.is_(None))
    .order_by(TOKENS.c.created_at, TOKENS.c.token_id)
)
_REVOKE_TOKEN = (
    sa.update(TOKENS)
    .values(revoked_at=sa.func.coalesce(TOKENS.c.revoked_at, _NOW))
    .where(TOKENS.c.token_id == value(TOKENS.c.token_id), TOKENS.c.user_id == value(TOKENS.c.user_id))
    .returning(TOKENS.c.token_hash)
)
_BY_TOKEN = (
    sa.select(*_USER, USERS.c.seen_at, sa.null())
    .join_from(TOKENS, USERS, TOKENS.c.user_id == USERS.c.user_id)
    .where(TOKENS.c.token_hash == value(TOKENS.c.token_hash), TOKENS.c.revoked_at.is_(None))
)
_BY_SESSION = (
    sa.select(*_USER, USERS.c.seen_at, SESSIONS.c.expires_at)
    .join_from(SESSIONS, USERS, SESSIONS.c.user_id == USERS.c.user_id)
    .where(
        SESSIONS.c.session_hash == value(SESSIONS.c.session_hash),
        SESSIONS.c.revoked_at.is_(None),
        SESSIONS.c.expires_at > _NOW,
    )
)


def add_user(connection: Connection, user: User) -> None:
    """Store a guest."""
    at = user.created_at
    connection.execute(_ADD_USER, user_id=user.user_id, name=user.name, created_at=at, seen_at=at)


def seen(connection: Connection, user_id: str, now: float) -> bool:
    """Note that a user was here; false where there is no such user any more."""
    return bool(connection.execute(_SEEN, now=now, user_id=user_id))


def unseen_guests(
    connection: Connection, before: float, after: tuple[float, str], limit: int
) -> list[tuple[float, str, bool]]:
    """Up to `limit` guests who were not seen since `before`: when they were, their ids, whether they have tables.

    Args:
        connection: to read from.
        before: a time in seconds.
        after: time and id of the last guest of the page before.
        limit: how many at most.
    """
    rows = connection.execute(_UNSEEN, before=before, after_at=after[0], after_id=after[1], limit=limit)
    return [(seen_at, user_id, bool(has_tables)) for seen_at, user_id, has_tables in rows]


def delete_guests(connection: Connection, user_ids: Sequence[str], before: float) -> int:
    """Delete those of the guests who were not seen since `before` and have no tables, with their sessions and tokens.

    Returns:
        How many there were.
    """
    deleted = connection.execute(_DELETE_GUESTS, user_ids=connection.array(user_ids), before=before)
    gone = connection.array([user_id for (user_id,) in deleted])
    for theirs in _DELETE_THEIRS:
        connection.execute(theirs, user_ids=gone)
    return len(deleted)


def user(connection: Connection, user_id: str) -> User:
    """The user with this id, or `NoSuchUser`."""
    found, _ = with_hash(connection, "user_id", user_id)
    if found is None:
        raise NoSuchUser("there is no such user")
    return found


def rename(connection: Connection, user_id: str, name: str) -> User:
    """Call a user otherwise."""
    connection.execute(_RENAME, new_name=name, user_id=user_id)
    return user(connection, user_id)


def with_hash(connection: Connection, column: str, value: str) -> tuple[User | None, str | None]:
    """The user found by `user_id` or `login`, and the stored hash; `None` twice where there is none."""
    rows = connection.execute(_FIND[column], wanted=value)
    return (User(*rows[0][:4]), rows[0][4]) if rows else (None, None)


def give_login(connection: Connection, user_id: str, login: str, stored: str) -> None:
    """Make a guest's user an account; `LoginTaken`, `NotAGuest` or `NoSuchUser` where that cannot be."""
    owner, _ = with_hash(connection, "login", login)
    if owner is not None and owner.user_id != user_id:
        raise LoginTaken(login)
    known, before = with_hash(connection, "user_id", user_id)
    if known is None:
        raise NoSuchUser("there is no such user")
    if not known.is_guest and before != stored:
        raise NotAGuest("this user has a login already")
    connection.execute(_GIVE_LOGIN, new_login=login, stored=stored, user_id=user_id)


def change_hash(connection: Connection, user_id: str, before: str, after: str) -> None:
    """Store another hash, or the same one; `BadLogin` where the passphrase was changed meanwhile."""
    if not connection.execute(_CHANGE_HASH, stored=after, known=before, user_id=user_id):
        raise BadLogin


def add_session(connection: Connection, secret: str, user_id: str, now: float, expires_at: float) -> None:
    """Begin a session."""
    credential = credential_of(secret)
    connection.execute(_ADD_SESSION, session_hash=credential, user_id=user_id, created_at=now, expires_at=expires_at)


def end_session(connection: Connection, secret: str, now: float) -> None:
    """End one session."""
    connection.execute(_END_SESSION, now=now, session_hash=credential_of(secret))


def end_sessions(connection: Connection, user_id: str, now: float, but: str = "") -> list[bytes]:
    """End every session of a user but the one with the secret `but`; what stood for each that ends `now`."""
    rows = connection.execute(_END_SESSIONS, now=now, user_id=user_id, session_hash=credential_of(but))
    return [bytes(credential) for (credential,) in rows]


def forget_sessions(connection: Connection, until: float, limit: int) -> int:
    """Delete up to `limit` sessions that have ended by a moment; how many there were."""
    return len(connection.execute(_FORGET_SESSIONS, now=until, limit=limit))


def add_token(connection: Connection, secret: str, user_id: str, token: Token) -> None:
    """Store a token, or refuse with `TooManyTokens`."""
    if len([known for known in tokens(connection, user_id) if known != token]) >= MOST_TOKENS:
        raise TooManyTokens(f"a user may have {MOST_TOKENS} tokens; revoke one first")
    stored = {"token_id": token.token_id, "user_id": user_id, "label": token.label}
    connection.execute(_ADD_TOKEN, token_hash=credential_of(secret), created_at=token.created_at, **stored)


def tokens(connection: Connection, user_id: str) -> list[Token]:
    """A user's tokens that are not revoked, in the order in which they were made."""
    return [Token(*row) for row in connection.execute(_TOKENS, user_id=user_id)]


def revoke_token(connection: Connection, user_id: str, token_id: str, now: float) -> list[bytes]:
    """Revoke a token of this user; what stood for it, nothing where the user has no such token."""
    rows = connection.execute(_REVOKE_TOKEN, now=now, token_id=token_id, user_id=user_id)
    return [bytes(credential) for (credential,) in rows]


def identity(connection: Connection, secret: str, now: float) -> Identity | None:
    """Who shows this secret, `None` where it is unknown, revoked or over."""
    credential = credential_of(secret)
    if secret.startswith(TOKEN_PREFIX):
        rows = connection.execute(_BY_TOKEN, token_hash=credential)
    else:
        rows = connection.execute(_BY_SESSION, session_hash=credential, now=now)
    if not rows:
        return None
    *user, seen_at, expires_at = rows[0]
    return Identity(User(*user), credential, math.inf if expires_at is None else expires_at, seen_at or 0.0)
