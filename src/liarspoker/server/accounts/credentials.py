"""Users, what shows who they are, and what the accounts refuse.

Session secrets and API tokens are 256 random bits for their owner, of which only a hash is stored.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from liarspoker.core.errors import LiarsPokerError

TOKEN_PREFIX = "lpt_"
"""Begins every token, so that a scanner of source code can tell one that was left there."""


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who plays.

    Attributes:
        user_id: never changes.
        name: what the others see.
        created_at: when, in seconds.
        login: what the user logs in with, `None` for a guest.
    """

    user_id: str
    name: str
    created_at: float
    login: str | None = None

    @property
    def is_guest(self) -> bool:
        """Whether the user has no login yet."""
        return self.login is None


@dataclass(frozen=True, slots=True)
class Identity:
    """Who shows a secret, and which one.

    Attributes:
        user: whose it is.
        credential: stands for the secret without giving it away; `Accounts` names it when the secret is revoked.
        expires_at: when it ends by itself, in seconds; infinite for a token.
        seen_at: when the user was here last, in seconds, as far as it was noted.
    """

    user: User
    credential: bytes
    expires_at: float
    seen_at: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Session:
    """A session that has just begun.

    Attributes:
        user: who.
        secret: for the user's cookie; nobody can tell it again.
        expires_at: when the session ends, in seconds.
    """

    user: User
    secret: str = field(repr=False)
    expires_at: float


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session that has not ended, as its user sees it listed.

    Attributes:
        credential: stands for its secret without giving it away.
        created_at: when it began, in seconds.
        expires_at: when it ends, in seconds.
    """

    credential: bytes
    created_at: float
    expires_at: float


@dataclass(frozen=True, slots=True)
class Token:
    """An API token, as its owner sees it listed.

    Attributes:
        token_id: names it, for revoking it.
        label: what its owner calls it.
        created_at: when, in seconds.
    """

    token_id: str
    label: str
    created_at: float


def new_id() -> str:
    """A fresh random id of 128 bits."""
    return secrets.token_urlsafe(16)


def new_session_secret() -> str:
    """A fresh secret for a session."""
    return secrets.token_urlsafe(32)


def new_token_secret() -> str:
    """A fresh secret for an API token."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def credential_of(secret: str) -> bytes:
    """What is stored of a secret; it has 256 random bits, so a plain hash gives nothing away."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()


class RecentIdentities:
    """The identities that were looked up lately: at most `size` of them, each for at most `seconds`."""

    def __init__(self, size: int, seconds: float) -> None:
        self._size = size
        self._seconds = seconds
        self._known: OrderedDict[bytes, tuple[float, Identity]] = OrderedDict()

    def find(self, credential: bytes, now: float) -> Identity | None:
        """The identity, if it is still fresh."""
        until, identity = self._known.get(credential, (now, None))
        return identity if now < until else None

    def keep(self, identity: Identity, now: float) -> None:
        """Remember an identity, and forget the oldest one where there are too many."""
        self._known.pop(identity.credential, None)
        self._known[identity.credential] = (min(now + self._seconds, identity.expires_at), identity)
        if len(self._known) > self._size:
            self._known.popitem(last=False)

    def forget(self, credential: bytes) -> None:
        """Forget an identity."""
        self._known.pop(credential, None)

    def forget_user(self, user_id: str) -> None:
        """Forget every identity of a user."""
        for credential in [key for key, (_, identity) in self._known.items() if identity.user.user_id == user_id]:
            del self._known[credential]


class AccountError(LiarsPokerError):
    """Anything that the accounts refuse."""

    code = "account"


class BadName(AccountError):
    """A name, login, passphrase or label that is too short, too long, or has signs which it may not have."""

    code = "bad-name"


class BadLogin(AccountError):
    """There is no such login, or this is not its passphrase."""

    code = "bad-login"

    def __init__(self) -> None:
        super().__init__("the login or the passphrase is wrong")


class LoginTaken(AccountError):
    """Somebody else has this login."""

    code = "login-taken"

    def __init__(self, login: str) -> None:
        super().__init__(f"the login {login} is taken; choose another one")


class NotAGuest(AccountError):
    """The user has a login already."""

    code = "not-a-guest"


class NoSuchUser(AccountError):
    """No user has this id."""

    code = "no-such-user"


class Busy(AccountError):
    """So many passphrases are being checked that this one would have to wait for too long."""

    code = "too-many"
    retry_after = 5.0

    def __init__(self) -> None:
        super().__init__("many people log in at this moment; try again in a few seconds")


class Banned(AccountError):
    """Whoever runs the server does not let this user in.

    Attributes:
        until: when the ban ends, in seconds; `None` for never.
        reason: what the user is told.
    """

    code = "banned"

    def __init__(self, until: float | None, reason: str) -> None:
        ends = "for good" if until is None else f"until {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime(until))}"
        super().__init__(f"you are banned from this server {ends}" + (f": {reason}" if reason else ""))
        self.until = until
        self.reason = reason


class TooManyTokens(AccountError):
    """A user may have only so many tokens; one has to be revoked first."""

    code = "too-many-tokens"
