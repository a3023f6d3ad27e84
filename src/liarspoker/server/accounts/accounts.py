"""Guests, accounts, sessions and tokens, over the storage."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from argon2 import PasswordHasher

from liarspoker.server.accounts import rows
from liarspoker.server.accounts.credentials import (
    AccountError,
    BadLogin,
    BadName,
    Busy,
    Identity,
    LoginTaken,
    RecentIdentities,
    Session,
    Token,
    User,
    credential_of,
    new_id,
    new_session_secret,
    new_token_secret,
)
from liarspoker.server.accounts.passphrases import Passphrases
from liarspoker.server.accounts.words import clean_label, clean_login, clean_name, clean_passphrase
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.storage import Storage

DAY = 86400.0
GUEST_DAYS = 365
"""A guest who loses the session cannot come back, so it lasts long."""
SESSION_DAYS = 30
SEEN_SECONDS = DAY
"""So often it is noted, at most, that a user is here."""
ROWS_AT_ONCE = 500
"""How many sessions or guests are deleted in one transaction."""
RECENT = 10_000
RECENT_SECONDS = 10.0
"""For so long a session that another node has revoked may still be known here."""

NOBODY = (-math.inf, "")
"""Where `Accounts.forget_guests` begins."""

Revoked = Callable[[bytes], None]


class Accounts:
    """Who plays here, and how they show it.

    Args:
        storage: where users, sessions and tokens are kept.
        clock: the time in seconds since 1970.
        hasher: how much work a passphrase's hash is.
    """

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

        It is called in the event loop, after the commit: the place to close open sockets. What another node revokes is
        noticed by asking `who` again.
        """
        self._listeners.append(listener)

    async def guest(self, name: str) -> Session:
        """A new guest and the guest's session.

        Raises:
            BadName: the name cannot be.
        """
        user = User(new_id(), clean_name(name), self._clock())
        return await self._begin(user, GUEST_DAYS, partial(rows.add_user, user=user))

    async def register(self, user_id: str, login: str, passphrase: str, rank: float = 0.0) -> Session:
        """A guest gets a login; the user stays the same, with all tables. The guest's sessions end, a new one begins.

        Args:
            user_id: the guest.
            login: the login.
            passphrase: the passphrase.
            rank: among those who wait for a hash; see `Passphrases.hash`.

        Raises:
            Busy: too many passphrases are being checked.
            BadName: the login or the passphrase cannot be.
            LoginTaken: somebody else has the login.
            NotAGuest: the user has a login already.
            NoSuchUser: there is no such user.
        """
        login = clean_login(login)
        stored = await self._passphrases.hash(clean_passphrase(passphrase), rank)
        guest = await self._storage.read(partial(rows.user, user_id=user_id))
        user = User(guest.user_id, guest.name, guest.created_at, login)
        give = partial(rows.give_login, user_id=user_id, login=login, stored=stored)
        try:
            return await self._begin(user, SESSION_DAYS, give, ending_others=True)
        except AccountError:
            raise
        except Exception:
            # Two nodes may give one login at the same moment, and then the database refuses the later one.
            owner, _ = await self._storage.read(partial(rows.with_hash, column="login", value=login))
            if owner is None or owner.user_id == user_id:
                raise
            raise LoginTaken(login) from None

    async def log_in(self, login: str, passphrase: str, rank: float = 0.0) -> Session:
        """A new session of an account.

        Args:
            login: the login.
            passphrase: the passphrase.
            rank: among those who wait for a hash; see `Passphrases.hash`.

        Raises:
            Busy: too many passphrases are being checked.
            BadLogin: there is no such login, or another passphrase belongs to it. Both take equally long.
        """
        try:
            login, passphrase = clean_login(login), clean_passphrase(passphrase)
        except BadName:
            login, passphrase = "", ""
        user, stored = await self._storage.read(partial(rows.with_hash, column="login", value=login))
        if not await self._passphrases.fits(passphrase, stored, rank) or user is None or stored is None:
            raise BadLogin
        fresh = stored
        if self._passphrases.is_dated(stored):
            with suppress(Busy):  # another time
                fresh = await self._passphrases.hash(passphrase, rank)
        change = partial(rows.change_hash, user_id=user.user_id, before=stored, after=fresh)
        return await self._begin(user, SESSION_DAYS, change)

    async def log_out(self, secret: str) -> None:
        """End the session with this secret; nothing happens where there is none."""
        now = self._clock()
        end = partial(rows.end_session, secret=secret, now=now)
        await self._storage.write(end, then=lambda _: self._forget([credential_of(secret)]))

    async def rename(self, user_id: str, name: str) -> User:
        """Call a user otherwise.

        Raises:
            BadName: the name cannot be.
            NoSuchUser: there is no such user.
        """

        def renamed(user: User) -> None:
            self._changes += 1
            self._recent.forget_user(user.user_id)

        return await self._storage.write(partial(rows.rename, user_id=user_id, name=clean_name(name)), then=renamed)

    async def create_token(self, user_id: str, label: str) -> tuple[Token, str]:
        """A new API token and its secret, which nobody can tell again.

        Raises:
            BadName: the label cannot be.
            TooManyTokens: the user has as many as a user may have.
        """
        token, secret = Token(new_id(), clean_label(label), self._clock()), new_token_secret()
        await self._storage.write(partial(rows.add_token, secret=secret, user_id=user_id, token=token))
        return token, secret

    async def tokens(self, user_id: str) -> list[Token]:
        """A user's tokens that are not revoked, in the order in which they were made."""
        return await self._storage.read(partial(rows.tokens, user_id=user_id))

    async def revoke_token(self, user_id: str, token_id: str) -> bool:
        """Revoke one of a user's tokens; false where the user has no such token."""
        now = self._clock()
        revoke = partial(rows.revoke_token, user_id=user_id, token_id=token_id, now=now)
        credentials = await self._storage.write(revoke, then=self._forget)
        return bool(credentials)

    async def who(self, secret: str) -> Identity | None:
        """Who shows this session's or token's secret; `None` where it is unknown, revoked or over."""
        now = self._clock()
        if (known := self._recent.find(credential_of(secret), now)) is not None:
            return known
        changes = self._changes
        identity = await self._storage.read(partial(rows.identity, secret=secret, now=now))
        if identity is not None and now - identity.seen_at >= SEEN_SECONDS:
            seen = partial(rows.seen, user_id=identity.user.user_id, now=now)
            identity = identity if await self._storage.write(seen) else None
        # What was revoked while we read must not be remembered as good.
        if identity is not None and changes == self._changes:
            self._recent.keep(identity, now)
        return identity

    async def user(self, user_id: str) -> User:
        """The user with this id.

        Raises:
            NoSuchUser: there is none.
        """
        return await self._storage.read(partial(rows.user, user_id=user_id))

    async def forget_sessions(self) -> int:
        """Delete some of the sessions that have ended; how many, at most `ROWS_AT_ONCE`."""
        return await self._storage.write(partial(rows.forget_sessions, until=self._clock(), limit=ROWS_AT_ONCE))

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
        unseen = partial(rows.unseen_guests, before=before, after=after, limit=ROWS_AT_ONCE)
        guests = await self._storage.read(unseen)
        user_ids = [user_id for _, user_id, has_tables in guests if not has_tables]
        if user_ids:
            await self._storage.write(partial(rows.delete_guests, user_ids=user_ids, before=before))
        return guests[-1][:2] if len(guests) == ROWS_AT_ONCE else None

    async def _begin(
        self, user: User, days: float, first: Callable[[Connection], object], ending_others: bool = False
    ) -> Session:
        """Begin a session, in one transaction with what has to be done `first`.

        Where all others of the user end with it, whoever had one of them has it no more.
        """
        now = self._clock()
        session = Session(user, new_session_secret(), now + days * DAY)

        def begin(connection: Connection) -> list[bytes]:
            first(connection)
            ended = rows.end_sessions(connection, user.user_id, now, session.secret) if ending_others else []
            rows.add_session(connection, session.secret, user.user_id, now, session.expires_at)
            return ended

        await self._storage.write(begin, then=self._forget)
        return session

    def _forget(self, credentials: list[bytes]) -> None:
        """What was revoked is not known any more, and those who listen are told."""
        self._changes += 1
        for credential in credentials:
            self._recent.forget(credential)
            for listener in self._listeners:
                listener(credential)
