"""What the accounts refuse.

```
AccountError
├── BadName         a name, login, passphrase or label that cannot be
├── BadLogin        the login or the passphrase is wrong; nobody is told which
├── LoginTaken      somebody else has this login
├── NotAGuest       the user has a login already
├── NoSuchUser
├── Busy            too many passphrases are being checked
└── TooManyTokens
```
"""

from __future__ import annotations

from liarspoker.core.errors import LiarsPokerError


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


class TooManyTokens(AccountError):
    """A user may have only so many tokens; one has to be revoked first."""

    code = "too-many-tokens"
