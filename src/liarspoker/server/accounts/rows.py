"""The statements behind the accounts, each for a transaction that is open; to run one twice comes to the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

from liarspoker.server.accounts.credentials import TOKEN_PREFIX, Identity, Token, User, credential_of
from liarspoker.server.accounts.errors import BadLogin, LoginTaken, NoSuchUser, NotAGuest, TooManyTokens
from liarspoker.server.storage.connection import Connection

USER = "users.user_id, users.name, users.created_at, users.login"
MOST_TOKENS = 20


def add_user(connection: Connection, user: User) -> None:
    """Store a guest."""
    connection.execute(
        "INSERT INTO users (user_id, name, created_at, seen_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (user.user_id, user.name, user.created_at, user.created_at),
    )


def seen(connection: Connection, user_id: str, now: float) -> bool:
    """Note that a user was here; false where there is no such user any more."""
    ask = "UPDATE users SET seen_at = ? WHERE user_id = ? RETURNING 1"
    return bool(connection.execute(ask, (now, user_id)))


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
    rows = connection.execute(
        "SELECT seen_at, user_id, EXISTS (SELECT 1 FROM members WHERE members.user_id = users.user_id) FROM users "
        "WHERE login IS NULL AND seen_at < ? AND (seen_at, user_id) > (?, ?) ORDER BY seen_at, user_id LIMIT ?",
        (before, *after, limit),
    )
    return [(seen_at, user_id, bool(has_tables)) for seen_at, user_id, has_tables in rows]


def delete_guests(connection: Connection, user_ids: Sequence[str], before: float) -> int:
    """Delete those of the guests who were not seen since `before` and have no tables, with their sessions and tokens.

    Returns:
        How many there were.
    """
    deleted = connection.execute(
        f"DELETE FROM users WHERE user_id {connection.among} AND login IS NULL AND seen_at < ? "
        "AND NOT EXISTS (SELECT 1 FROM members WHERE members.user_id = users.user_id) RETURNING user_id",
        (connection.array(user_ids), before),
    )
    gone = connection.array([user_id for (user_id,) in deleted])
    for kind in ("sessions", "tokens"):
        connection.execute(f"DELETE FROM {kind} WHERE user_id {connection.among}", (gone,))
    return len(deleted)


def user(connection: Connection, user_id: str) -> User:
    """The user with this id, or `NoSuchUser`."""
    rows = connection.execute(f"SELECT {USER} FROM users WHERE user_id = ?", (user_id,))
    if not rows:
        raise NoSuchUser("there is no such user")
    return User(*rows[0])


def rename(connection: Connection, user_id: str, name: str) -> User:
    """Call a user otherwise."""
    connection.execute("UPDATE users SET name = ? WHERE user_id = ?", (name, user_id))
    return user(connection, user_id)


def with_hash(connection: Connection, column: str, value: str) -> tuple[User | None, str | None]:
    """The user found by `user_id` or `login`, and the stored hash; `None` twice where there is none."""
    rows = connection.execute(f"SELECT {USER}, passphrase_hash FROM users WHERE {column} = ?", (value,))
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
    connection.execute("UPDATE users SET login = ?, passphrase_hash = ? WHERE user_id = ?", (login, stored, user_id))


def change_hash(connection: Connection, user_id: str, before: str, after: str) -> None:
    """Store another hash, or the same one; `BadLogin` where the passphrase was changed meanwhile."""
    changed = connection.execute(
        "UPDATE users SET passphrase_hash = ? WHERE user_id = ? AND passphrase_hash IN (?, ?) RETURNING user_id",
        (after, user_id, before, after),
    )
    if not changed:
        raise BadLogin


def add_session(connection: Connection, secret: str, user_id: str, now: float, expires_at: float) -> None:
    """Begin a session."""
    connection.execute(
        "INSERT INTO sessions (session_hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING",
        (credential_of(secret), user_id, now, expires_at),
    )


def end_session(connection: Connection, secret: str, now: float) -> None:
    """End one session."""
    connection.execute(
        "UPDATE sessions SET revoked_at = ? WHERE session_hash = ? AND revoked_at IS NULL", (now, credential_of(secret))
    )


def end_sessions(connection: Connection, user_id: str, now: float, but: str = "") -> list[bytes]:
    """End every session of a user but the one with the secret `but`; what stood for each that ends `now`."""
    rows = connection.execute(
        "UPDATE sessions SET revoked_at = ? WHERE user_id = ? AND session_hash <> ? "
        "AND coalesce(revoked_at, ?) = ? RETURNING session_hash",
        (now, user_id, credential_of(but), now, now),
    )
    return [bytes(credential) for (credential,) in rows]


def forget_sessions(connection: Connection, until: float, limit: int) -> int:
    """Delete up to `limit` sessions that have ended by a moment; how many there were."""
    ended = "SELECT session_hash FROM sessions WHERE expires_at <= ? OR revoked_at <= ? LIMIT ?"
    ask = f"DELETE FROM sessions WHERE session_hash IN ({ended}) RETURNING 1"
    return len(connection.execute(ask, (until, until, limit)))


def add_token(connection: Connection, secret: str, user_id: str, token: Token) -> None:
    """Store a token, or refuse with `TooManyTokens`."""
    if len([known for known in tokens(connection, user_id) if known != token]) >= MOST_TOKENS:
        raise TooManyTokens(f"a user may have {MOST_TOKENS} tokens; revoke one first")
    connection.execute(
        "INSERT INTO tokens (token_hash, token_id, user_id, label, created_at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING",
        (credential_of(secret), token.token_id, user_id, token.label, token.created_at),
    )


def tokens(connection: Connection, user_id: str) -> list[Token]:
    """A user's tokens that are not revoked, in the order in which they were made."""
    rows = connection.execute(
        "SELECT token_id, label, created_at FROM tokens WHERE user_id = ? AND revoked_at IS NULL "
        "ORDER BY created_at, token_id",
        (user_id,),
    )
    return [Token(*row) for row in rows]


def revoke_token(connection: Connection, user_id: str, token_id: str, now: float) -> list[bytes]:
    """Revoke a token of this user; what stood for it, nothing where the user has no such token."""
    rows = connection.execute(
        "UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE token_id = ? AND user_id = ? "
        "RETURNING token_hash",
        (now, token_id, user_id),
    )
    return [bytes(credential) for (credential,) in rows]


def identity(connection: Connection, secret: str, now: float) -> Identity | None:
    """Who shows this secret, `None` where it is unknown, revoked or over."""
    credential = credential_of(secret)
    if secret.startswith(TOKEN_PREFIX):
        rows = connection.execute(
            f"SELECT {USER}, seen_at FROM tokens JOIN users USING (user_id) "
            "WHERE token_hash = ? AND revoked_at IS NULL",
            (credential,),
        )
        return Identity(User(*rows[0][:4]), credential, math.inf, rows[0][4] or 0.0) if rows else None
    rows = connection.execute(
        f"SELECT {USER}, expires_at, seen_at FROM sessions JOIN users USING (user_id) "
        "WHERE session_hash = ? AND revoked_at IS NULL AND expires_at > ?",
        (credential, now),
    )
    return Identity(User(*rows[0][:4]), credential, rows[0][4], rows[0][5] or 0.0) if rows else None
