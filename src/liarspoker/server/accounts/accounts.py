"""Guests, accounts, sessions and tokens, over the storage. To run what writes twice comes to the same."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import sqlalchemy as sa
from argon2 import PasswordHasher

from liarspoker.server.accounts.credentials import (
    TOKEN_PREFIX,
    AccountError,
    BadLogin,
    BadName,
    Banned,
    Busy,
    Identity,
    LoginTaken,
    NoSuchUser,
    NotAGuest,
    OpenSession,
    RecentIdentities,
    Session,
    Token,
    TooManyTokens,
    User,
    credential_of,
    new_id,
    new_session_secret,
    new_token_secret,
)
from liarspoker.server.accounts.passphrases import Passphrases
from liarspoker.server.accounts.words import (
    clean_label,
    clean_login,
    clean_name,
    clean_new_passphrase,
    clean_passphrase,
)
from liarspoker.server.storage import orders
from liarspoker.server.storage.connection import LIMIT, ONE, Among, Connection, Row, Values, insert, value
from liarspoker.server.storage.schema import BANS, MEMBERS, SESSIONS, TOKENS, USERS
from liarspoker.server.storage.storage import Storage

log = logging.getLogger(__name__)

DAY = 86400.0
GUEST_DAYS = 365
"""A guest who loses the session cannot come back, so it lasts long."""
SESSION_DAYS = 30
SEEN_SECONDS = DAY
"""So often it is noted, at most, that a user is here."""
ROWS_AT_ONCE = 500
"""How many sessions or guests are deleted in one transaction."""
RECENT = 10_000
MOST_TOKENS = 20
RECENT_SECONDS = 10.0
"""For so long a session that another node has revoked may still be known here."""
CREDENTIALS_AT_ONCE = 100
"""About so many credentials `Accounts.ended` asks the database at once."""

NOBODY = (-math.inf, "")
"""Where `Accounts.forget_guests` begins."""

Revoked = Callable[[bytes], None]

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
_SESSIONS = (
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
_BAN = (BANS.c.user_id, BANS.c.until, BANS.c.reason)
_BANNED = (BANS.c.user_id == USERS.c.user_id) & sa.func.coalesce(BANS.c.until > _NOW, sa.true())
_BY_TOKEN = (
    sa.select(*_USER, USERS.c.seen_at, sa.null(), *_BAN)
    .join_from(TOKENS, USERS, TOKENS.c.user_id == USERS.c.user_id)
    .outerjoin(BANS, _BANNED)
    .where(TOKENS.c.token_hash == value(TOKENS.c.token_hash), TOKENS.c.revoked_at.is_(None))
)
_BY_SESSION = (
    sa.select(*_USER, USERS.c.seen_at, SESSIONS.c.expires_at, *_BAN)
    .join_from(SESSIONS, USERS, SESSIONS.c.user_id == USERS.c.user_id)
    .outerjoin(BANS, _BANNED)
    .where(
        SESSIONS.c.session_hash == value(SESSIONS.c.session_hash),
        SESSIONS.c.revoked_at.is_(None),
        SESSIONS.c.expires_at > _NOW,
    )
)
_BAN_OF = sa.select(*_BAN).where(
    BANS.c.user_id == value(BANS.c.user_id), sa.func.coalesce(BANS.c.until > _NOW, sa.true())
)
_GOOD = [
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
    """Those of the credentials `c0`, `c1` and so on that are in a table and not revoked."""
    asked = [value(credential, f"c{number}") for number in range(CREDENTIALS_AT_ONCE)]
    return sa.select(credential).where(credential.in_(asked), table.c.revoked_at.is_(None), *conditions)


_STILL_GOOD = sa.union_all(
    _still_good(SESSIONS, SESSIONS.c.session_hash, SESSIONS.c.expires_at > _NOW),
    _still_good(TOKENS, TOKENS.c.token_hash),
)


class Accounts:
    """Who plays here, and how they show it."""

    def __init__(
        self, storage: Storage, clock: Callable[[], float] = time.time, hasher: PasswordHasher | None = None
    ) -> None:
        self._storage = storage
        self._clock = clock
        self._passphrases = Passphrases(hasher)
        self._recent = RecentIdentities(RECENT, RECENT_SECONDS)
        self._changes = 0
        self._listeners: list[Revoked] = []

    def close(self) -> None:
        """End the threads that hash. The storage stays open."""
        self._passphrases.close()

    def when_revoked(self, listener: Revoked) -> None:
        """From now on call `listener` with the credential of every session and token that is revoked here.

        It is called in the event loop, after the commit: the place to close open sockets and to tell other nodes. What
        another node revokes is noticed by asking `who` or `ended` again.
        """
        self._listeners.append(listener)

    async def guest(self, name: str) -> Session:
        """A new guest and the guest's session.

        Raises:
            BadName: the name cannot be.
        """
        user = User(new_id(), clean_name(name), self._clock())
        row: Values = {
            "user_id": user.user_id,
            "name": user.name,
            "created_at": user.created_at,
            "seen_at": user.created_at,
        }
        return await self._begin(user, GUEST_DAYS, lambda connection: connection.execute(_ADD_USER, **row))

    async def register(self, user_id: str, login: str, passphrase: str, rank: float = 0.0) -> Session:
        """A guest gets a login; the user stays the same, with all tables. The guest's sessions end, a new one begins.

        Raises:
            Busy: too many passphrases are being checked.
            BadName: the login or the passphrase cannot be.
            LoginTaken: somebody else has the login.
            NotAGuest: the user has a login already.
            NoSuchUser: there is no such user.
        """
        login, order_id = clean_login(login), orders.new_order_id()
        guest = await self.user(user_id)
        stored = await self._passphrases.hash(clean_new_passphrase(passphrase, login, guest.name), rank)
        user = User(guest.user_id, guest.name, guest.created_at, login)

        def give(connection: Connection) -> None:
            give_login(connection, user_id, login, stored)
            orders.record(connection, order_id, orders.SERVER, "register", user_id=user_id)

        try:
            session = await self._begin(user, SESSION_DAYS, give, ending_others=True)
        except AccountError:
            raise
        except Exception:
            # Two nodes may give one login at the same moment, and then the database refuses the later one.
            owner, _ = await self._storage.read(partial(_find, column="login", wanted=login))
            if owner is None or owner.user_id == user_id:
                raise
            raise LoginTaken(login) from None
        log.info("account made", extra={"user": user_id})
        return session

    async def log_in(self, login: str, passphrase: str, rank: float = 0.0, ending: str | None = None) -> Session:
        """A new session of an account.

        Args:
            login: of the account.
            passphrase: of the account.
            rank: of those who wait for their passphrase to be checked, the one with the lowest rank goes first.
            ending: the secret of the session, of whomever, which the new one replaces; `None` for none.

        Raises:
            Busy: too many passphrases are being checked.
            BadLogin: there is no such login, or another passphrase belongs to it. Both take equally long.
            Banned: the passphrase is right, and the user is banned.
        """
        try:
            login, passphrase = clean_login(login), clean_passphrase(passphrase)
        except BadName:
            login, passphrase = "", ""
        user, stored = await self._storage.read(partial(_find, column="login", wanted=login))
        if not await self._passphrases.fits(passphrase, stored, rank) or user is None or stored is None:
            log.warning("login failed", extra={"user": user and user.user_id})
            raise BadLogin
        fresh, user_id = stored, user.user_id
        if self._passphrases.is_dated(stored):
            with suppress(Busy):  # another time
                fresh = await self._passphrases.hash(passphrase, rank)

        def change(connection: Connection) -> None:
            _check_ban(connection.execute(_BAN_OF, user_id=user_id, now=self._clock()))
            if not connection.execute(_CHANGE_HASH, stored=fresh, known=stored, user_id=user_id):
                raise BadLogin  # the passphrase was changed meanwhile

        session = await self._begin(user, SESSION_DAYS, change, ending=ending)
        log.info("logged in", extra={"user": user_id})
        return session

    async def renew(self, user_id: str, passphrase: str, new: str | None = None, rank: float = 0.0) -> Session:
        """End all sessions of an account and begin a new one, with a new passphrase or with the same one.

        Raises:
            Busy: too many passphrases are being checked.
            BadLogin: another passphrase belongs to the account, or the user is a guest.
            BadName: the new passphrase cannot be.
            NoSuchUser: there is no such user.
        """
        user = await self.user(user_id)
        _, stored = await self._storage.read(partial(_find, column="user_id", wanted=user_id))
        if new is not None:
            new = clean_new_passphrase(new, user.login or "", user.name)
        try:
            given = clean_passphrase(passphrase)
        except BadName:
            given = ""
        if not await self._passphrases.fits(given, stored, rank) or stored is None:
            log.warning("login failed", extra={"user": user_id})
            raise BadLogin
        fresh = stored if new is None else await self._passphrases.hash(new, rank)
        what, order_id = "end-sessions" if new is None else "passphrase", orders.new_order_id()

        def change(connection: Connection) -> None:
            if not connection.execute(_CHANGE_HASH, stored=fresh, known=stored, user_id=user_id):
                raise BadLogin  # the passphrase was changed meanwhile
            orders.record(connection, order_id, orders.SERVER, what, user_id=user_id)

        session = await self._begin(user, SESSION_DAYS, change, ending_others=True)
        if new is None:
            log.info("sessions ended", extra={"user": user_id})
        else:
            log.info("passphrase changed", extra={"user": user_id})
        return session

    async def log_out(self, secret: str) -> None:
        """End the session with this secret; nothing happens where there is none."""
        now, credential = self._clock(), credential_of(secret)
        await self._storage.write(
            lambda connection: connection.execute(_END_SESSION, now=now, session_hash=credential),
            then=lambda _: self._forget([credential]),
        )
        log.info("logged out")

    async def rename(self, user_id: str, name: str) -> User:
        """Call a user otherwise.

        Raises:
            BadName: the name cannot be.
            NoSuchUser: there is no such user.
        """
        new_name = clean_name(name)

        def rename(connection: Connection) -> User:
            connection.execute(_RENAME, new_name=new_name, user_id=user_id)
            return _user(connection, user_id)

        def renamed(user: User) -> None:
            self._changes += 1
            self._recent.forget_user(user.user_id)

        return await self._storage.write(rename, then=renamed)

    async def create_token(self, user_id: str, label: str) -> tuple[Token, str]:
        """A new API token and its secret, which nobody can tell again.

        Raises:
            BadName: the label cannot be.
            TooManyTokens: the user has as many as a user may have.
        """
        token, secret = Token(new_id(), clean_label(label), self._clock()), new_token_secret()
        row: Values = {"token_id": token.token_id, "label": token.label, "created_at": token.created_at}

        def add(connection: Connection) -> None:
            if len([known for known in _tokens(connection, user_id) if known != token]) >= MOST_TOKENS:
                raise TooManyTokens(f"a user may have {MOST_TOKENS} tokens; revoke one first")
            connection.execute(_ADD_TOKEN, token_hash=credential_of(secret), user_id=user_id, **row)

        await self._storage.write(add)
        log.info("token made", extra={"user": user_id})
        return token, secret

    async def sessions(self, user_id: str) -> list[OpenSession]:
        """A user's sessions that have not ended, the newest first."""
        given: Values = {"user_id": user_id, "now": self._clock()}
        rows = await self._storage.read(lambda connection: connection.execute(_SESSIONS, **given))
        return [OpenSession(bytes(credential), *times) for credential, *times in rows]

    async def tokens(self, user_id: str) -> list[Token]:
        """A user's tokens that are not revoked, in the order in which they were made."""
        return await self._storage.read(partial(_tokens, user_id=user_id))

    async def revoke_token(self, user_id: str, token_id: str) -> bool:
        """Revoke one of a user's tokens; false where the user has no such token."""
        given: Values = {"now": self._clock(), "token_id": token_id, "user_id": user_id}
        order_id = orders.new_order_id()

        def revoke(connection: Connection) -> list[bytes]:
            revoked = _credentials(connection.execute(_REVOKE_TOKEN, **given))
            if revoked:
                orders.record(
                    connection, order_id, orders.SERVER, "revoke", user_id=user_id, details={"token": token_id}
                )
            return revoked

        credentials = await self._storage.write(revoke, then=self._forget)
        if credentials:
            log.info("token revoked", extra={"user": user_id})
        return bool(credentials)

    async def who(self, secret: str) -> Identity | None:
        """Who shows this session's or token's secret; `None` where it is unknown, revoked or over.

        Raises:
            Banned: it is good, and the user is banned.
        """
        now = self._clock()
        if (known := self._recent.find(credential_of(secret), now)) is not None:
            return known
        changes = self._changes
        identity = await self._storage.read(partial(_identity, secret=secret, now=now))
        if identity is not None and now - identity.seen_at >= SEEN_SECONDS:
            user_id = identity.user.user_id
            if not await self._storage.write(lambda connection: connection.execute(_SEEN, now=now, user_id=user_id)):
                identity = None  # there is no such user any more
        # What was revoked while we read must not be remembered as good.
        if identity is not None and changes == self._changes:
            self._recent.keep(identity, now)
        return identity

    async def ended(self, credentials: Sequence[bytes]) -> list[bytes]:
        """Those of at most `CREDENTIALS_AT_ONCE` credentials that are revoked, expired or unknown by now."""
        asked: list[bytes | None] = [*credentials, *[None] * (CREDENTIALS_AT_ONCE - len(credentials))]
        given = {f"c{number}": credential for number, credential in enumerate(asked)}
        now = self._clock()
        rows = await self._storage.read(lambda connection: connection.execute(_STILL_GOOD, now=now, **given))
        good = set(_credentials(rows))
        return [credential for credential in credentials if credential not in good]

    def forget(self, credential: bytes) -> None:
        """Ask the database again who shows a credential: another node has revoked it."""
        self._changes += 1
        self._recent.forget(credential)

    async def user(self, user_id: str) -> User:
        """The user with this id.

        Raises:
            NoSuchUser: there is none.
        """
        return await self._storage.read(partial(_user, user_id=user_id))

    async def standing(self, user_id: str) -> tuple[set[bytes], Banned | None]:
        """The credentials with which a user can come in, as the database has it now, and the user's ban, if any.

        Nothing of what is remembered of the user is believed any more.
        """
        self._changes += 1
        self._recent.forget_user(user_id)
        given: Values = {"user_id": user_id, "now": self._clock()}

        def look(connection: Connection) -> tuple[set[bytes], Banned | None]:
            good = {one for ask in _GOOD for one in _credentials(connection.execute(ask, **given))}
            try:
                _check_ban(connection.execute(_BAN_OF, **given))
            except Banned as ban:
                return good, ban
            return good, None

        return await self._storage.read(look)

    async def forget_sessions(self) -> int:
        """Delete some of the sessions that have ended; how many, at most `ROWS_AT_ONCE`."""
        now = self._clock()
        return len(
            await self._storage.write(
                lambda connection: connection.execute(_FORGET_SESSIONS, now=now, limit=ROWS_AT_ONCE)
            )
        )

    async def forget_guests(self, days: float, after: tuple[float, str]) -> tuple[float, str] | None:
        """Delete guests who have no tables and were not here for so many days, with their sessions and tokens.

        Whoever has ever sat at a table that is stored has it among their tables.

        Args:
            days: how many.
            after: where the last call left off; `NOBODY` to begin.

        Returns:
            Where the next call goes on; `None` where all have been looked at.
        """
        before = self._clock() - days * DAY - SEEN_SECONDS
        page: Values = {"before": before, "after_at": after[0], "after_id": after[1], "limit": ROWS_AT_ONCE}
        guests = await self._storage.read(lambda connection: connection.execute(_UNSEEN, **page))
        user_ids = [user_id for _, user_id, has_tables in guests if not has_tables]

        def delete(connection: Connection) -> None:
            asked = connection.array(user_ids)
            deleted = connection.execute(_DELETE_GUESTS, user_ids=asked, before=before)
            gone = connection.array([user_id for (user_id,) in deleted])
            for theirs in _DELETE_THEIRS:
                connection.execute(theirs, user_ids=gone)

        if user_ids:
            await self._storage.write(delete)
        return guests[-1][:2] if len(guests) == ROWS_AT_ONCE else None

    async def _begin(
        self,
        user: User,
        days: float,
        first: Callable[[Connection], object],
        ending_others: bool = False,
        ending: str | None = None,
    ) -> Session:
        """Begin a session, in one transaction with what has to be done `first`.

        Where all others of the user end with it, or the session with the secret `ending`, they are revoked.
        """
        now = self._clock()
        session = Session(user, new_session_secret(), now + days * DAY)
        row: Values = {"user_id": user.user_id, "session_hash": credential_of(session.secret)}
        replaced = credential_of(ending) if ending else None

        def begin(connection: Connection) -> list[bytes]:
            first(connection)
            ended = connection.execute(_END_SESSIONS, now=now, **row) if ending_others else []
            if replaced is not None:
                connection.execute(_END_SESSION, now=now, session_hash=replaced)
                ended = [*ended, (replaced,)]
            connection.execute(_ADD_SESSION, created_at=now, expires_at=session.expires_at, **row)
            return _credentials(ended)

        await self._storage.write(begin, then=self._forget)
        return session

    def _forget(self, credentials: list[bytes]) -> None:
        """What was revoked is not known any more, and those who listen are told."""
        for credential in credentials:
            self.forget(credential)
            for listener in self._listeners:
                listener(credential)


def _user(connection: Connection, user_id: str) -> User:
    """The user with this id, or `NoSuchUser`."""
    found, _ = _find(connection, "user_id", user_id)
    if found is None:
        raise NoSuchUser("there is no such user")
    return found


def _find(connection: Connection, column: str, wanted: str) -> tuple[User | None, str | None]:
    """The user found by `user_id` or `login`, and the stored hash; `None` twice where there is none."""
    rows = connection.execute(_FIND[column], wanted=wanted)
    return (User(*rows[0][:4]), rows[0][4]) if rows else (None, None)


def give_login(connection: Connection, user_id: str, login: str, stored: str) -> None:
    """Make a guest's user an account; `LoginTaken`, `NotAGuest` or `NoSuchUser` where that cannot be."""
    owner, _ = _find(connection, "login", login)
    if owner is not None and owner.user_id != user_id:
        raise LoginTaken(login)
    known, before = _user(connection, user_id), _find(connection, "user_id", user_id)[1]
    if not known.is_guest and before != stored:
        raise NotAGuest("this user has a login already")
    connection.execute(_GIVE_LOGIN, new_login=login, stored=stored, user_id=user_id)


def _tokens(connection: Connection, user_id: str) -> list[Token]:
    """A user's tokens that are not revoked, in the order in which they were made."""
    return [Token(*row) for row in connection.execute(_TOKENS, user_id=user_id)]


def _credentials(rows: list[Row]) -> list[bytes]:
    """What stands for sessions or tokens."""
    return [bytes(credential) for (credential,) in rows]


def _identity(connection: Connection, secret: str, now: float) -> Identity | None:
    """Who shows this secret, `None` where it is unknown, revoked or over."""
    credential = credential_of(secret)
    if secret.startswith(TOKEN_PREFIX):
        rows = connection.execute(_BY_TOKEN, token_hash=credential, now=now)
    else:
        rows = connection.execute(_BY_SESSION, session_hash=credential, now=now)
    if not rows:
        return None
    *user, seen_at, expires_at = rows[0][:6]
    _check_ban([rows[0][6:]])
    return Identity(User(*user), credential, math.inf if expires_at is None else expires_at, seen_at or 0.0)


def _check_ban(rows: Sequence[Row]) -> None:
    """Raise `Banned` where the first of the rows is a ban."""
    for user_id, until, reason in rows[:1]:
        if user_id is not None:
            raise Banned(until, reason)
