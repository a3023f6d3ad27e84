"""Guests, accounts, sessions and tokens, in the storage. Jobs that write are idempotent."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from argon2 import PasswordHasher

from liarspoker.language import _
from liarspoker.server.accounts import sql
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
    new_recovery_code,
    new_session_secret,
    new_token_secret,
    recovery_hash,
)
from liarspoker.server.accounts.passphrases import Passphrases
from liarspoker.server.accounts.sql import CREDENTIALS_AT_ONCE
from liarspoker.server.accounts.words import (
    clean_label,
    clean_login,
    clean_name,
    clean_new_passphrase,
    clean_passphrase,
)
from liarspoker.server.storage import notices, orders
from liarspoker.server.storage.connection import Connection, Row, Values
from liarspoker.server.storage.storage import Storage

log = logging.getLogger(__name__)

DAY = 86400.0
GUEST_DAYS = 365
"""Lifetime of a guest's session. It is long, since a guest who loses it can't come back."""
SESSION_DAYS = 30
SEEN_SECONDS = DAY
"""Minimum interval between updates of the time that a user was last seen."""
ROWS_AT_ONCE = 500
"""The maximum number of sessions or guests that one transaction deletes."""
RECENT = 10_000
MAX_TOKENS = 20
RECENT_SECONDS = 10.0
"""How long a session that another node has revoked may still be cached here."""
FIRST_PAGE = (-math.inf, "")
"""The position at which `Accounts.forget_guests` begins."""

Revoked = Callable[[bytes], None]


class Accounts:
    """Users, their credentials, and their authentication."""

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
        """End the hashing threads. The storage stays open."""
        self._passphrases.close()

    def when_revoked(self, listener: Revoked) -> None:
        """Call `listener` with the credential of every session and token that is revoked on this node.

        It is called in the event loop, after the commit, and can close open sockets and inform other nodes. To find out
        what other nodes have revoked, call `identify` or `invalid_credentials` again.
        """
        self._listeners.append(listener)

    async def create_guest(self, name: str) -> Session:
        """Create a guest, and return the guest's session.

        Raises:
            BadName: the name is invalid.
        """
        user = User(new_id(), clean_name(name), self._clock())
        row: Values = {
            "user_id": user.user_id,
            "name": user.name,
            "created_at": user.created_at,
            "seen_at": user.created_at,
        }
        return await self.begin(user, lambda connection: connection.execute(sql.ADD_USER, **row), GUEST_DAYS)

    async def register(self, user_id: str, login: str, passphrase: str, rank: float = 0.0) -> Session:
        """Turn a guest into an account with a login. The user keeps their id and tables; old sessions are replaced.

        Raises:
            Busy: too many passphrases are being checked.
            BadName: the login or the passphrase is invalid.
            LoginTaken: another user has the login.
            NotAGuest: the user has a login already.
            NoSuchUser: the user doesn't exist.
        """
        login, order_id, code = clean_login(login), orders.new_order_id(), new_recovery_code()
        guest = await self.user(user_id)
        stored = await self._passphrases.hash(clean_new_passphrase(passphrase, login, guest.name), rank)
        user = User(guest.user_id, guest.name, guest.created_at, login)

        def give(connection: Connection) -> None:
            give_login(connection, user_id, login, stored)
            connection.execute(sql.SET_RECOVERY, recovery=recovery_hash(code), user_id=user_id)
            orders.record(connection, order_id, orders.SERVER, "register", user_id=user_id)

        return replace(await self.registered(user, give), recovery_code=code)

    async def registered(self, user: User, give: Callable[[Connection], object]) -> Session:
        """Start the first session of an account, after the job `give` has turned the guest into it.

        Raises:
            AccountError: as `give` does.
            LoginTaken: another user has the login.
        """
        try:
            session = await self.begin(user, give, ending_others=True)
        except AccountError:
            raise
        except Exception:
            # If two nodes give the same login at the same time, the database rejects the second one.
            owner, _passphrase = await self._storage.read(partial(_find, column="login", wanted=user.login or ""))
            if owner is None or owner.user_id == user.user_id:
                raise
            raise LoginTaken(user.login or "") from None
        log.info("account made", extra={"user": user.user_id})
        return session

    async def recover(self, login: str, code: str, new: str, rank: float = 0.0) -> Session:
        """Set a new passphrase with the recovery code, end all sessions, and return a new one with a new code.

        Raises:
            Busy: too many passphrases are being checked.
            BadLogin: the login doesn't exist or the code is wrong.
            BadName: the new passphrase is invalid.
            Banned: the code is right, but the user is banned.
        """
        try:
            login = clean_login(login)
        except BadName:
            login = ""
        user, _passphrase = await self._storage.read(partial(_find, column="login", wanted=login))
        given: Values = {"recovery": recovery_hash(code), "user_id": "" if user is None else user.user_id}
        is_right = await self._storage.read(lambda connection: connection.execute(sql.HAS_RECOVERY, **given))
        if not is_right or user is None:
            log.warning("recovery failed", extra={"user": user and user.user_id})
            raise BadLogin(_("the login or the recovery code is wrong"))
        passphrase = clean_new_passphrase(new, login, user.name)
        stored, again, order_id = (
            await self._passphrases.hash(passphrase, rank),
            new_recovery_code(),
            orders.new_order_id(),
        )
        found = user

        def change(connection: Connection) -> None:
            check_ban(connection, found.user_id, self._clock())
            if not connection.execute(sql.RECOVER, stored=stored, again=recovery_hash(again), **given):
                raise BadLogin  # the code has just been used or replaced
            orders.record(connection, order_id, orders.SERVER, "recovered", user_id=found.user_id)

        session = await self.begin(user, change, ending_others=True)
        log.info("account recovered", extra={"user": user.user_id})
        return replace(session, recovery_code=again)

    async def new_recovery_code(self, user_id: str) -> str:
        """Create a recovery code, which replaces the last one, and return it; only its hash is stored."""
        code, order_id = new_recovery_code(), orders.new_order_id()

        def change(connection: Connection) -> None:
            connection.execute(sql.SET_RECOVERY, recovery=recovery_hash(code), user_id=user_id)
            orders.record(connection, order_id, orders.SERVER, "recovery-code", user_id=user_id)

        await self._storage.write(change)
        return code

    async def ways_in(self, user_id: str) -> tuple[bool, bool]:
        """Return whether a user has a passphrase, and whether they have a recovery code."""
        rows = await self._storage.read(lambda connection: connection.execute(sql.WAYS_IN, user_id=user_id))
        return (bool(rows[0][0]), bool(rows[0][1])) if rows else (False, False)

    async def log_in(self, login: str, passphrase: str, rank: float = 0.0, ending: str | None = None) -> Session:
        """Log in to an account, and return a new session.

        Args:
            login: the login of the account.
            passphrase: its passphrase.
            rank: the position in the queue of passphrases to verify; the lowest rank goes first.
            ending: the secret of a session, of any user, that the new one replaces; `None` for none.

        Raises:
            Busy: too many passphrases are being checked.
            BadLogin: the login doesn't exist or the passphrase is wrong; both take equally long.
            Banned: the passphrase is right, but the user is banned.
        """
        try:
            login, passphrase = clean_login(login), clean_passphrase(passphrase)
        except BadName:
            login, passphrase = "", ""
        user, stored = await self._storage.read(partial(_find, column="login", wanted=login))
        if not await self._passphrases.verify(passphrase, stored, rank) or user is None or stored is None:
            log.warning("login failed", extra={"user": user and user.user_id})
            raise BadLogin
        fresh, user_id = stored, user.user_id
        if self._passphrases.needs_rehash(stored):
            with suppress(Busy):  # do it at another login
                fresh = await self._passphrases.hash(passphrase, rank)

        def change(connection: Connection) -> None:
            check_ban(connection, user_id, self._clock())
            if not connection.execute(sql.CHANGE_HASH, stored=fresh, known=stored, user_id=user_id):
                raise BadLogin  # the passphrase has just been changed

        session = await self.begin(user, change, ending=ending)
        log.info("logged in", extra={"user": user_id})
        return session

    async def renew(
        self, user_id: str, passphrase: str, new: str | None = None, rank: float = 0.0, is_fresh: bool = False
    ) -> Session:
        """End all sessions of an account and start a new one, optionally with a new passphrase.

        Args:
            user_id: the user.
            passphrase: the current passphrase; ignored if the account has none.
            new: the new passphrase; `None` to keep the current one.
            rank: the position in the queue of passphrases to verify; the lowest rank goes first.
            is_fresh: whether the user has just logged in, which an account without a passphrase needs.

        Raises:
            Busy: too many passphrases are being checked.
            BadLogin: the passphrase is wrong, or the user is a guest.
            BadName: the new passphrase is invalid.
            NoSuchUser: the user doesn't exist.
        """
        user = await self.user(user_id)
        _user, stored = await self._storage.read(partial(_find, column="user_id", wanted=user_id))
        if new is not None:
            new = clean_new_passphrase(new, user.login or "", user.name)
        try:
            given = clean_passphrase(passphrase)
        except BadName:
            given = ""
        by_passkey = stored is None and is_fresh and not user.is_guest
        if not by_passkey and not await self._passphrases.verify(given, stored, rank):
            log.warning("login failed", extra={"user": user_id})
            raise BadLogin
        fresh = stored if new is None else await self._passphrases.hash(new, rank)
        what, order_id = "end-sessions" if new is None else "passphrase", orders.new_order_id()

        def change(connection: Connection) -> None:
            if fresh is not None:
                statement = sql.SET_HASH if by_passkey else sql.CHANGE_HASH
                known = {} if by_passkey else {"known": stored}
                if not connection.execute(statement, stored=fresh, user_id=user_id, **known):
                    raise BadLogin  # the passphrase has just been changed
            orders.record(connection, order_id, orders.SERVER, what, user_id=user_id)

        session = await self.begin(user, change, ending_others=True)
        if new is None:
            log.info("sessions ended", extra={"user": user_id})
        else:
            log.info("passphrase changed", extra={"user": user_id})
        return session

    async def log_out(self, secret: str) -> None:
        """End the session with this secret, if it exists."""
        now, credential = self._clock(), credential_of(secret)

        def end(connection: Connection) -> None:
            connection.execute(sql.END_SESSION, now=now, session_hash=credential)
            notices.drop_session(connection, credential)

        await self._storage.write(end, then=lambda _: self._forget([credential]))
        log.info("logged out")

    async def rename(self, user_id: str, name: str) -> User:
        """Change a user's name.

        Raises:
            BadName: the name is invalid.
            NoSuchUser: the user doesn't exist.
        """
        new_name = clean_name(name)

        def rename(connection: Connection) -> User:
            connection.execute(sql.RENAME, new_name=new_name, user_id=user_id)
            return find_user(connection, user_id)

        def renamed(user: User) -> None:
            self._changes += 1
            self._recent.forget_user(user.user_id)

        return await self._storage.write(rename, then=renamed)

    async def create_token(self, user_id: str, label: str) -> tuple[Token, str]:
        """Create an API token, and return it with its secret, which isn't stored.

        Raises:
            BadName: the label is invalid.
            TooManyTokens: the user has the maximum number of tokens.
        """
        token, secret = Token(new_id(), clean_label(label), self._clock()), new_token_secret()
        row: Values = {"token_id": token.token_id, "label": token.label, "created_at": token.created_at}

        def add(connection: Connection) -> None:
            if len([known for known in _tokens(connection, user_id) if known != token]) >= MAX_TOKENS:
                raise TooManyTokens(_("you have the maximum of {count} tokens; revoke one first", count=MAX_TOKENS))
            connection.execute(sql.ADD_TOKEN, token_hash=credential_of(secret), user_id=user_id, **row)

        await self._storage.write(add)
        log.info("token made", extra={"user": user_id})
        return token, secret

    async def sessions(self, user_id: str) -> list[OpenSession]:
        """Return a user's open sessions, newest first."""
        given: Values = {"user_id": user_id, "now": self._clock()}
        rows = await self._storage.read(lambda connection: connection.execute(sql.SESSIONS_OF, **given))
        return [OpenSession(bytes(credential), *times) for credential, *times in rows]

    async def tokens(self, user_id: str) -> list[Token]:
        """Return a user's valid tokens, oldest first."""
        return await self._storage.read(partial(_tokens, user_id=user_id))

    async def revoke_token(self, user_id: str, token_id: str) -> bool:
        """Revoke one of a user's tokens; return false if the user has no such token."""
        given: Values = {"now": self._clock(), "token_id": token_id, "user_id": user_id}
        order_id = orders.new_order_id()

        def revoke(connection: Connection) -> list[bytes]:
            revoked = _credentials(connection.execute(sql.REVOKE_TOKEN, **given))
            if revoked:
                orders.record(
                    connection, order_id, orders.SERVER, "revoke", user_id=user_id, details={"token": token_id}
                )
            return revoked

        credentials = await self._storage.write(revoke, then=self._forget)
        if credentials:
            log.info("token revoked", extra={"user": user_id})
        return bool(credentials)

    async def identify(self, secret: str) -> Identity | None:
        """Return the identity that a session's or token's secret authenticates; `None` if it isn't valid.

        Raises:
            Banned: the secret is valid, but the user is banned.
        """
        now = self._clock()
        if (known := self._recent.find(credential_of(secret), now)) is not None:
            return known
        changes = self._changes
        identity = await self._storage.read(partial(_identity, secret=secret, now=now))
        if identity is not None and now - identity.seen_at >= SEEN_SECONDS:
            user_id = identity.user.user_id
            if not await self._storage.write(lambda connection: connection.execute(sql.SEEN, now=now, user_id=user_id)):
                identity = None  # the user has been deleted
        # A credential that was revoked while we read must not be cached as valid.
        if identity is not None and changes == self._changes:
            self._recent.add(identity, now)
        return identity

    async def invalid_credentials(self, credentials: Sequence[bytes]) -> list[bytes]:
        """Return those of at most `CREDENTIALS_AT_ONCE` credentials that are revoked, expired or unknown."""
        padded: list[bytes | None] = [*credentials, *[None] * (CREDENTIALS_AT_ONCE - len(credentials))]
        given = {f"c{number}": credential for number, credential in enumerate(padded)}
        now = self._clock()
        rows = await self._storage.read(lambda connection: connection.execute(sql.STILL_GOOD, now=now, **given))
        good = set(_credentials(rows))
        return [credential for credential in credentials if credential not in good]

    def forget(self, credential: bytes) -> None:
        """Remove a credential that another node has revoked from the cache."""
        self._changes += 1
        self._recent.forget(credential)

    async def user(self, user_id: str) -> User:
        """Return the user with this id.

        Raises:
            NoSuchUser: the user doesn't exist.
        """
        return await self._storage.read(partial(find_user, user_id=user_id))

    async def valid_credentials(self, user_id: str) -> tuple[set[bytes], Banned | None]:
        """Return a user's valid credentials and ban, if any, from the database, and clear the user from the cache."""
        self._changes += 1
        self._recent.forget_user(user_id)
        given: Values = {"user_id": user_id, "now": self._clock()}

        def query(connection: Connection) -> tuple[set[bytes], Banned | None]:
            good = {one for ask in sql.GOOD for one in _credentials(connection.execute(ask, **given))}
            try:
                _check_ban(connection.execute(sql.BAN_OF, **given))
            except Banned as ban:
                return good, ban
            return good, None

        return await self._storage.read(query)

    async def forget_sessions(self) -> int:
        """Delete up to `ROWS_AT_ONCE` expired or revoked sessions; return the number deleted."""
        now = self._clock()

        def forget(connection: Connection) -> int:
            notices.drop_ended(connection, now)
            return len(connection.execute(sql.FORGET_SESSIONS, now=now, limit=ROWS_AT_ONCE))

        return await self._storage.write(forget)

    async def forget_guests(self, days: float, after: tuple[float, str]) -> tuple[float, str] | None:
        """Delete guests who have no tables and haven't been seen for some days, with all that is stored for them.

        A guest who has ever sat at a stored table has tables.

        Args:
            days: the number of days.
            after: the result of the last call; `FIRST_PAGE` to begin.

        Returns:
            The position at which the next call continues; `None` if all guests have been processed.
        """
        before = self._clock() - days * DAY - SEEN_SECONDS
        page: Values = {"before": before, "after_at": after[0], "after_id": after[1], "limit": ROWS_AT_ONCE}
        guests = await self._storage.read(lambda connection: connection.execute(sql.UNSEEN, **page))
        user_ids = [user_id for _at, user_id, has_tables in guests if not has_tables]

        def delete(connection: Connection) -> None:
            candidates = connection.array(user_ids)
            deleted = connection.execute(sql.DELETE_GUESTS, user_ids=candidates, before=before)
            gone = connection.array([user_id for (user_id,) in deleted])
            for theirs in sql.DELETE_THEIRS:
                connection.execute(theirs, user_ids=gone)

        if user_ids:
            await self._storage.write(delete)
        return guests[-1][:2] if len(guests) == ROWS_AT_ONCE else None

    async def begin(
        self,
        user: User,
        first: Callable[[Connection], object],
        days: float = SESSION_DAYS,
        ending_others: bool = False,
        ending: str | None = None,
    ) -> Session:
        """Start a session in one transaction with the job `first`.

        Args:
            user: the user.
            first: the job to run before.
            days: the lifetime of the session.
            ending_others: revoke all other sessions of the user.
            ending: revoke the session with this secret.
        """
        now = self._clock()
        session = Session(user, new_session_secret(), now + days * DAY)
        row: Values = {"user_id": user.user_id, "session_hash": credential_of(session.secret)}
        replaced = credential_of(ending) if ending else None

        def begin(connection: Connection) -> list[bytes]:
            first(connection)
            ended = connection.execute(sql.END_SESSIONS, now=now, **row) if ending_others else []
            if replaced is not None:
                connection.execute(sql.END_SESSION, now=now, session_hash=replaced)
                ended = [*ended, (replaced,)]
            connection.execute(sql.ADD_SESSION, created_at=now, expires_at=session.expires_at, **row)
            credentials = _credentials(ended)
            for credential in credentials:
                notices.drop_session(connection, credential)
            return credentials

        await self._storage.write(begin, then=self._forget)
        return session

    def _forget(self, credentials: list[bytes]) -> None:
        """Remove revoked credentials from the cache, and call the listeners."""
        for credential in credentials:
            self.forget(credential)
            for listener in self._listeners:
                listener(credential)


def find_user(connection: Connection, user_id: str) -> User:
    """Return the user with this id.

    Raises:
        NoSuchUser: the user doesn't exist.
    """
    found, _passphrase = _find(connection, "user_id", user_id)
    if found is None:
        raise NoSuchUser(_("this user doesn't exist"))
    return found


def _find(connection: Connection, column: str, wanted: str) -> tuple[User | None, str | None]:
    """Return the user found by `user_id` or `login`, and the stored hash; `None` twice if no user matches."""
    rows = connection.execute(sql.FIND[column], wanted=wanted)
    return (User(*rows[0][:4]), rows[0][4]) if rows else (None, None)


def give_login(connection: Connection, user_id: str, login: str, stored: str | None) -> None:
    """Give a guest a login, and the hash of a passphrase if there is one.

    Raises:
        LoginTaken: another user has the login.
        NotAGuest: the user has a login already.
        NoSuchUser: the user doesn't exist.
    """
    owner, _passphrase = _find(connection, "login", login)
    if owner is not None and owner.user_id != user_id:
        raise LoginTaken(login)
    known, before = find_user(connection, user_id), _find(connection, "user_id", user_id)[1]
    if not known.is_guest and (known.login, before) != (login, stored):
        raise NotAGuest(_("this user already has a login"))
    connection.execute(sql.GIVE_LOGIN, new_login=login, stored=stored, user_id=user_id)


def _tokens(connection: Connection, user_id: str) -> list[Token]:
    """Return a user's valid tokens, oldest first."""
    return [Token(*row) for row in connection.execute(sql.TOKENS_OF, user_id=user_id)]


def _credentials(rows: list[Row]) -> list[bytes]:
    """Return the credentials in the rows of a query."""
    return [bytes(credential) for (credential,) in rows]


def _identity(connection: Connection, secret: str, now: float) -> Identity | None:
    """Return the identity that a secret authenticates; `None` if it isn't valid."""
    credential = credential_of(secret)
    if secret.startswith(TOKEN_PREFIX):
        rows = connection.execute(sql.BY_TOKEN, token_hash=credential, now=now)
    else:
        rows = connection.execute(sql.BY_SESSION, session_hash=credential, now=now)
    if not rows:
        return None
    *user, seen_at, expires_at, begun_at = rows[0][:7]
    _check_ban([rows[0][7:]])
    return Identity(User(*user), credential, math.inf if expires_at is None else expires_at, begun_at, seen_at or 0.0)


def check_ban(connection: Connection, user_id: str, now: float) -> None:
    """Check that a user isn't banned.

    Raises:
        Banned: they are.
    """
    _check_ban(connection.execute(sql.BAN_OF, user_id=user_id, now=now))


def _check_ban(rows: Sequence[Row]) -> None:
    """Raise `Banned` if the first row is a ban."""
    for user_id, until, reason in rows[:1]:
        if user_id is not None:
            raise Banned(until, reason)
