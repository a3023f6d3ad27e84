"""Users, their credentials, and the errors of accounts.

Session secrets and API tokens have 256 random bits; only a hash of them is stored.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _

_CODE_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_SAME_SIGNS = str.maketrans("OIL", "011")

TOKEN_PREFIX = "lpt_"
"""Prefix of every token, so that secret scanners can find tokens in source code."""


@dataclass(frozen=True, slots=True)
class User:
    """A user.

    Attributes:
        user_id: their id, which never changes.
        name: their name, as others see it.
        created_at: when they were created, in seconds.
        login: their login, `None` for a guest.
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
    """An authenticated user and their credential.

    Attributes:
        user: the user.
        credential: the hash of the secret, which identifies it when it is revoked.
        expires_at: when it expires, in seconds; infinite for a token.
        begun_at: when the session or token was created, in seconds.
        seen_at: when the user was last recorded as seen, in seconds.
    """

    user: User
    credential: bytes
    expires_at: float
    begun_at: float
    seen_at: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Session:
    """A new session.

    Attributes:
        user: its user.
        secret: the secret for the user's cookie, which isn't stored.
        expires_at: when the session expires, in seconds.
        recovery_code: the account's new recovery code, which isn't stored; `None` if it hasn't changed.
    """

    user: User
    secret: str = field(repr=False)
    expires_at: float
    recovery_code: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class OpenSession:
    """An open session, as it is listed for its user.

    Attributes:
        credential: the hash of its secret.
        created_at: when it was created, in seconds.
        expires_at: when it expires, in seconds.
    """

    credential: bytes
    created_at: float
    expires_at: float


@dataclass(frozen=True, slots=True)
class Token:
    """An API token, as it is listed for its owner.

    Attributes:
        token_id: its id, which isn't a secret.
        label: the label chosen by its owner.
        created_at: when it was created, in seconds.
    """

    token_id: str
    label: str
    created_at: float


def new_id() -> str:
    """Return a new random id of 128 bits."""
    return secrets.token_urlsafe(16)


def new_session_secret() -> str:
    """Return a new secret for a session."""
    return secrets.token_urlsafe(32)


def new_token_secret() -> str:
    """Return a new secret for an API token."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def new_recovery_code() -> str:
    """Return a new recovery code: 125 random bits as five groups of five letters and digits."""
    text = "".join(secrets.choice(_CODE_SIGNS) for _ in range(25))
    return "-".join(text[start : start + 5] for start in range(0, 25, 5))


def recovery_hash(code: str) -> bytes:
    """Return the hash of a recovery code, as it is stored.

    Case, spaces and hyphens don't matter, and letters that look like digits are read as these.

    >>> recovery_hash("abcd0-11111") == recovery_hash(" ABCDO il1ll ")
    True
    """
    signs = "".join(code[:100].upper().split()).replace("-", "").translate(_SAME_SIGNS)
    return hashlib.sha256(b"recovery\0" + signs.encode(errors="surrogatepass")).digest()


def credential_of(secret: str) -> bytes:
    """Return the hash of a secret, as it is stored; a plain hash is safe for 256 random bits."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()


class RecentIdentities:
    """A cache of identities: at most `size` of them, each for at most `seconds`."""

    def __init__(self, size: int, seconds: float) -> None:
        self._size = size
        self._seconds = seconds
        self._known: OrderedDict[bytes, tuple[float, Identity]] = OrderedDict()

    def find(self, credential: bytes, now: float) -> Identity | None:
        """Return the identity, if it is cached and hasn't expired."""
        until, identity = self._known.get(credential, (now, None))
        return identity if now < until else None

    def add(self, identity: Identity, now: float) -> None:
        """Add an identity, and evict the oldest one if there are too many."""
        self._known.pop(identity.credential, None)
        self._known[identity.credential] = (min(now + self._seconds, identity.expires_at), identity)
        if len(self._known) > self._size:
            self._known.popitem(last=False)

    def forget(self, credential: bytes) -> None:
        """Remove an identity."""
        self._known.pop(credential, None)

    def forget_user(self, user_id: str) -> None:
        """Remove all identities of a user."""
        for credential in [key for key, (_until, identity) in self._known.items() if identity.user.user_id == user_id]:
            del self._known[credential]


class AccountError(LiarsPokerError):
    """Base class of errors of accounts."""

    code = "account"


class BadName(AccountError):
    """A name, login, passphrase or label is too short, too long, or contains forbidden characters."""

    code = "bad-name"


class BadLogin(AccountError):
    """The login doesn't exist, or the passphrase or recovery code is wrong."""

    code = "bad-login"

    def __init__(self, message: str = "") -> None:
        super().__init__(message or _("the login or the passphrase is wrong"))


class LoginTaken(AccountError):
    """Another user has this login."""

    code = "login-taken"

    def __init__(self, login: str) -> None:
        super().__init__(_("the login {login} is taken; choose another one", login=login))


class NotAGuest(AccountError):
    """The user has a login already."""

    code = "not-a-guest"


class NoSuchUser(AccountError):
    """No user has this id."""

    code = "no-such-user"


class Busy(AccountError):
    """Too many passphrases are being checked."""

    code = "too-many"
    retry_after = 5.0

    def __init__(self) -> None:
        super().__init__(_("too many people are logging in; try again in a few seconds"))


class Banned(AccountError):
    """The user is banned from this server.

    Attributes:
        until: when the ban ends, in seconds; `None` for a permanent ban.
        reason: the reason that the user sees.
    """

    code = "banned"

    def __init__(self, until: float | None, reason: str) -> None:
        if until is None:
            message = _("you are banned from this server permanently")
        else:
            ends = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(until))
            message = _("you are banned from this server until {ends}", ends=ends)
        super().__init__(f"{message}: {reason}" if reason else message)
        self.until = until
        self.reason = reason


class TooManyTokens(AccountError):
    """The user has the maximum number of tokens; one has to be revoked first."""

    code = "too-many-tokens"
