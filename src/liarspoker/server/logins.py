"""Logging in and registering, no faster than guessing passphrases may be; a guesser locks nobody else out."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.accounts.credentials import BadLogin, BadName, Session
from liarspoker.server.accounts.words import clean_login
from liarspoker.server.config import MOST_KEYS, Limits, limiter
from liarspoker.server.service import check

DELAY_SECONDS = 3.0
"""How long an attempt waits where the login has been tried too often from everywhere together."""

KNOWN = -1.0
"""The rank of an attempt from an address from which this login has come in before: ahead of everybody else."""


class Logins:
    """Limits attempts to log in and to register.

    An address may try one login so often, and all logins together so often. A login that is tried too often from many
    addresses is slowed down, never refused, and not where it has come in from this address before. Whether a login
    exists makes no difference to any of this.

    Args:
        accounts: the accounts.
        limits: how often somebody may try.
        now: the time in seconds.

    Attributes:
        delayed: the number of attempts that wait because others try the same login.
    """

    def __init__(self, accounts: Accounts, limits: Limits, now: Callable[[], float]) -> None:
        self._accounts = accounts
        self._now = now
        self._passphrases = limiter(limits.passphrases, now)
        self._logins = limiter(limits.logins, now)
        self._attempts = limiter(limits.attempts, now)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        self.delayed = 0

    async def log_in(self, address: str, login: str, passphrase: str) -> Session:
        """A new session of an account.

        Args:
            address: where the request comes from, as it is counted.
            login: as it was typed.
            passphrase: as it was typed.

        Raises:
            BadLogin: there is no such login, or another passphrase belongs to it. Both take equally long.
            Problem: `too-many`.
            Busy: too many passphrases are being checked.
        """
        try:
            login = clean_login(login)
        except BadName:
            raise BadLogin from None
        rank = self._rank(address)
        check(self._passphrases, address, "attempts")
        check(self._logins, (login, address), "attempts")
        if (login, address) in self._known:
            rank = KNOWN
        elif self._attempts is not None and self._attempts.wait(login):
            await self._delay()
        session = await self._accounts.log_in(login, passphrase, rank)
        self._remember(login, address)
        return session

    async def register(self, address: str, user_id: str, login: str, passphrase: str) -> Session:
        """A guest gets a login; see `Accounts.register`.

        Raises:
            AccountError: as `Accounts.register` does.
            Problem: `too-many`.
            Busy: too many passphrases are being checked.
        """
        rank = self._rank(address)
        check(self._passphrases, address, "attempts")
        session = await self._accounts.register(user_id, login, passphrase, rank)
        self._remember(clean_login(login), address)
        return session

    def _rank(self, address: str) -> float:
        """The number of recent attempts from `address`: whoever has tried less often is served first."""
        return 0.0 if self._passphrases is None else self._passphrases.used(address)

    async def _delay(self) -> None:
        self.delayed += 1
        try:
            await asyncio.sleep(DELAY_SECONDS)
        finally:
            self.delayed -= 1

    def _remember(self, login: str, address: str) -> None:
        self._known[login, address] = None
        self._known.move_to_end((login, address))
        if len(self._known) > MOST_KEYS:
            self._known.popitem(last=False)
