"""Quotas: open sockets and streams, login attempts, open tables, and newcomers from a removed player's network."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from liarspoker.language import N_, _
from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.accounts.credentials import BadLogin, BadName, Identity, Session, User
from liarspoker.server.accounts.words import clean_login
from liarspoker.server.cluster.bus import Bus, Counted
from liarspoker.server.config import Limiter, Limits, check, limiter, remember
from liarspoker.server.problems import Problem
from liarspoker.server.storage import retention
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.views import LISTED_SECONDS, Watcher
from liarspoker.server.tables.watcher_groups import WatcherGroups
from liarspoker.tables.refused import Refused

PLAYERS_SOCKETS = 20
"""The number of sockets and streams that a player may open at a table that has reached its limit."""


Kind: TypeAlias = Literal["socket", "stream"]


class Connections:
    """The open sockets and streams of this process.

    Attributes:
        open: the number that is open, by kind.
        refused: the number that was refused, by the name of the limit.
    """

    def __init__(self, now: Callable[[], float], limits: Limits) -> None:
        self._now = now
        self._limits = limits
        self._stopping = False
        self._watchers: set[Watcher] = set()
        self._by_address: Counter[tuple[str, bool]] = Counter()
        self._by_credential = WatcherGroups[bytes]()
        self._by_user: Counter[str] = Counter()
        self.open: Counter[str] = Counter(socket=0, stream=0)
        self.refused: Counter[str] = Counter()

    def check(self, address: str, identity: Identity | None, actor: TableActor | None = None) -> None:
        """Check that one more may be opened.

        Args:
            address: the client's address.
            identity: the client's identity; `None` if anonymous.
            actor: the table to watch; `None` for the lobby.

        Raises:
            Problem: `too-many`.
        """
        strangers, known = self._by_address[address, True], self._by_address[address, False]
        if _reached(strangers + known, self._limits.connections):
            self.refused["connections"] += 1
            raise Problem("too-many", _("too many connections are open from your address; close one first"), 5.0)
        if identity is None and _reached(strangers, self._limits.strangers):
            self.refused["strangers"] += 1
            raise Problem("too-many", _("too many anonymous spectators watch from your address; choose a name"), 5.0)
        if actor is not None and _reached(len(actor.watchers), self._limits.watchers):
            user = None if identity is None else identity.user.user_id
            if actor.table.chair_of(user) is None or actor.presence.sockets_of(user) >= PLAYERS_SOCKETS:
                self.refused["watchers"] += 1
                raise Problem("too-many", _("too many spectators are watching this table; try again later"), 5.0)

    def opened(
        self, watcher: Watcher, identity: Identity | None, address: str, kind: Kind = "socket"
    ) -> OpenConnection:
        """Count `watcher` until the result is closed; it is closed when its credential expires or is revoked."""
        timer: asyncio.TimerHandle | None = None
        self._watchers.add(watcher)
        self.open[kind] += 1
        self._by_address[address, identity is None] += 1
        if identity is not None:
            self._by_credential.add(identity.credential, watcher)
            self._by_user[identity.user.user_id] += 1
            if identity.expires_at != float("inf"):
                left = max(0.0, identity.expires_at - self._now())
                timer = asyncio.get_running_loop().call_later(left, watcher.close, "revoked")
        if self._stopping:
            watcher.close("stopping")
        return OpenConnection(self, watcher, identity, address, kind, timer)

    def ended(self, watcher: Watcher, identity: Identity | None, address: str, kind: Kind) -> None:
        """Stop counting `watcher`."""
        self._watchers.discard(watcher)
        self.open[kind] -= 1
        counted = address, identity is None
        self._by_address[counted] -= 1
        if not self._by_address[counted]:
            del self._by_address[counted]
        if identity is not None:
            self._by_credential.discard(identity.credential, watcher)
            self._by_user[identity.user.user_id] -= 1
            if not self._by_user[identity.user.user_id]:
                del self._by_user[identity.user.user_id]

    def close(self, credential: bytes) -> None:
        """Close everything that was opened with a credential that has been revoked."""
        for watcher in self._by_credential[credential]:
            watcher.close("revoked")

    def credentials(self) -> list[bytes]:
        """Return the credentials of all open connections."""
        return list(self._by_credential)

    def users(self) -> set[str]:
        """Return the ids of the users with open connections."""
        return set(self._by_user)

    def has(self, user_id: str) -> bool:
        """Return whether a user has an open connection."""
        return user_id in self._by_user

    def close_user(self, user_id: str, good: Collection[bytes], why: str) -> None:
        """Close a user's connections, except those opened with one of the `good` credentials."""
        for credential in self._by_credential:
            for watcher in self._by_credential[credential]:
                if watcher.user == user_id and credential not in good:
                    watcher.close(why)

    def stop(self) -> None:
        """Close everything, and from now on everything that is opened."""
        self._stopping = True
        for watcher in self._watchers:
            watcher.close("stopping")


class OpenConnection(NamedTuple):
    """A counted socket or stream; use it as a context manager, or `close` it."""

    connections: Connections
    watcher: Watcher
    identity: Identity | None
    address: str
    kind: Kind
    timer: asyncio.TimerHandle | None

    def close(self) -> None:
        """Stop counting it."""
        if self.timer is not None:
            self.timer.cancel()
        self.connections.ended(self.watcher, self.identity, self.address, self.kind)

    def __enter__(self) -> None:
        """Do nothing: it is counted already."""

    def __exit__(self, *error: object) -> None:
        """Stop counting it."""
        self.close()


def _reached(number: int, most: int | None) -> bool:
    return most is not None and number >= most


def shared_limiter(name: str, limits: Limits, now: Callable[[], float], bus: Bus) -> Limiter | None:
    """Return a limiter for one of `limits` that counts uses on all nodes; `None` without a limit."""
    made = limiter(getattr(limits, name), now)
    if made is not None:
        made.when_taken = lambda key: bus.publish(Counted(name, key))
        count = made.count
        bus.listeners.append(
            lambda message: count(message.key) if isinstance(message, Counted) and message.limit == name else None
        )
    return made


DELAY_SECONDS = 3.0
"""Delay of an attempt for a login that has been tried too often from all addresses together."""

KNOWN = -1.0
"""The rank of an attempt from an address that has logged in with this login before: ahead of all others."""


class Logins:
    """Limits attempts to log in and to register.

    Attempts are limited per login and address, and per address for all logins. A login that is tried too often from
    many addresses is delayed but never refused; addresses that have logged in with it before aren't delayed. Whether a
    login exists makes no difference.

    Attributes:
        delayed: the number of attempts that are currently delayed.
        limiters: the limiters, by the name of the limit.
    """

    def __init__(self, accounts: Accounts, limits: Limits, now: Callable[[], float], bus: Bus) -> None:
        self._accounts = accounts
        self._now = now
        self._passphrases = shared_limiter("passphrases", limits, now, bus)
        self._logins = shared_limiter("logins", limits, now, bus)
        self._attempts = shared_limiter("attempts", limits, now, bus)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        self.delayed = 0
        self.limiters = {"passphrases": self._passphrases, "logins": self._logins, "attempts": self._attempts}
        self._counts: Counter[str] = Counter()

    def take_counts(self) -> dict[str, int]:
        """Return and reset the numbers of login attempts that failed, were delayed or were refused."""
        counts, self._counts = dict(self._counts), Counter()
        return counts

    async def log_in(self, address: str, login: str, passphrase: str, ending: str | None = None) -> Session:
        """Start a session of an account, which replaces the one with the secret `ending`.

        Raises:
            BadLogin: the login doesn't exist or the passphrase is wrong; both take equally long.
            Problem: `too-many`.
            Busy: too many passphrases are being checked.
        """
        try:
            login = clean_login(login)
        except BadName:
            raise BadLogin from None
        rank = self._rank(address)
        self._check(address, login)
        if (login, address) in self._known:
            rank = KNOWN
        elif self._attempts is not None and self._attempts.wait(login):
            self._counts["slowed"] += 1
            await self._delay()
        try:
            session = await self._accounts.log_in(login, passphrase, rank, ending)
        except BadLogin:
            self._counts["failed"] += 1
            raise
        remember(self._known, (login, address), None)
        return session

    async def register(self, address: str, user_id: str, login: str, passphrase: str) -> Session:
        """Give a guest a login; see `Accounts.register`.

        Raises:
            AccountError: as `Accounts.register` does.
            Problem: `too-many`.
            Busy: too many passphrases are being checked.
        """
        rank = self._rank(address)
        check(self._passphrases, address, "attempts")
        session = await self._accounts.register(user_id, login, passphrase, rank)
        remember(self._known, (clean_login(login), address), None)
        return session

    async def recover(self, address: str, login: str, code: str, new: str) -> Session:
        """Set a new passphrase with a recovery code; see `Accounts.recover`.

        Raises:
            AccountError: as `Accounts.recover` does.
            Problem: `too-many`.
            Busy: too many passphrases are being checked.
        """
        try:
            login = clean_login(login)
        except BadName:
            raise BadLogin from None
        rank = self._rank(address)
        self._check(address, login)
        try:
            return await self._accounts.recover(login, code, new, rank)
        except BadLogin:
            self._counts["failed"] += 1
            raise

    def check_address(self, address: str) -> None:
        """Count an attempt to log in from `address`, without knowing for which login.

        Raises:
            Problem: `too-many`.
        """
        try:
            check(self._passphrases, address, "attempts")
        except Problem:
            self._counts["refused"] += 1
            raise

    def count_failure(self) -> None:
        """Count a failed attempt to log in."""
        self._counts["failed"] += 1

    def _check(self, address: str, login: str) -> None:
        """Count an attempt for a login.

        Raises:
            Problem: `too-many`.
        """
        self.check_address(address)
        try:
            check(self._logins, f"{login} {address}", "attempts")
        except Problem:
            self._counts["refused"] += 1
            raise

    async def renew(
        self, address: str, user: User, passphrase: str, new: str | None = None, is_fresh: bool = False
    ) -> Session:
        """End all sessions of an account and start a new one; see `Accounts.renew`.

        Raises:
            AccountError: as `Accounts.renew` does.
            Problem: `too-many`.
            Busy: too many passphrases are being checked.
        """
        rank = self._rank(address)
        check(self._passphrases, address, "attempts")
        check(self._logins, f"{user.login} {address}", "attempts")
        return await self._accounts.renew(user.user_id, passphrase, new, rank, is_fresh)

    def _rank(self, address: str) -> float:
        """Return the number of recent attempts from `address`; attempts with a lower rank are served first."""
        return 0.0 if self._passphrases is None else self._passphrases.used(address)

    async def _delay(self) -> None:
        self.delayed += 1
        try:
            await asyncio.sleep(DELAY_SECONDS)
        finally:
            self.delayed -= 1


class Newcomers:
    """Keeps removed users from coming back to a table as new guests from the same network. State is in memory only.

    Args:
        seconds: how long users created after a removal can't join that table from the removed user's address; `None`
            for no restriction.
        now: returns the time in seconds.

    Attributes:
        refused: how often a user was kept from joining.
    """

    def __init__(self, seconds: float | None, now: Callable[[], float]) -> None:
        self._seconds = seconds
        self._now = now
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._removals: OrderedDict[tuple[str, str], float] = OrderedDict()
        self.refused = 0

    def seen(self, user_id: str, address: str) -> None:
        """Record that a user connects from `address`, a result of `config.network_of`."""
        remember(self._addresses, user_id, address)

    def removed(self, table_id: str, user_ids: Iterable[str]) -> None:
        """Record that these users were removed from a table now."""
        for user_id in user_ids:
            address = self._addresses.get(user_id)
            if address is not None:
                remember(self._removals, (table_id, address), self._now())

    def check(self, table_id: str, user: User, address: str) -> None:
        """Check that a user may join a table.

        Raises:
            Refused: `removed`: the user was created after a removal from this table, and has the same address.
        """
        since = self._removals.get((table_id, address))
        if since is None or self._seconds is None or user.created_at < since:
            return
        left = since + self._seconds - self._now()
        if left > 0:
            self.refused += 1
            raise Refused(
                "removed",
                _(
                    "a player from your network was just removed from this table, so new users from there "
                    "can't join yet; try again in {minutes} min, or join another table",
                    minutes=max(1, round(left / 60)),
                ),
            )


class TableQuotas:
    """Limits open tables per owner, counted in the database, and per creating address, counted in memory.

    Attributes:
        refused: the number of tables that were refused, by the name of the limit.
    """

    def __init__(self, storage: Storage, limits: Limits, now: Callable[[], float]) -> None:
        self._storage = storage
        self._limits = limits
        self._now = now
        self._underway: Counter[tuple[str, str]] = Counter()
        self._made_from: OrderedDict[str, set[str]] = OrderedDict()
        self.refused: Counter[str] = Counter()

    @asynccontextmanager
    async def place(self, user_id: str, address: str, listed: bool) -> AsyncIterator[None]:
        """Reserve a place for a table while it is created, so that concurrent requests can't exceed the limit.

        Args:
            user_id: the owner.
            address: the address of the request.
            listed: whether the table will be listed in the lobby.

        Raises:
            Problem: `too-many`, with a remedy.
        """
        held = [("owner", user_id), ("address", address), *([("listed", user_id)] if listed else [])]
        self._underway.update(held)
        try:
            limited = N_("you have reached the limit of open tables ({most}); end one of yours first")
            await self._check("owner", user_id, self._limits.open_tables, limited)
            await self._check_address(address)
            if listed:
                limited = N_(
                    "you have reached the limit of tables in the lobby ({most}); "
                    "end one of yours first, or make this one private"
                )
                await self._check("listed", user_id, self._limits.listed_tables, limited)
            yield
        finally:
            self._underway.subtract(held)
            for key in held:
                if not self._underway[key]:
                    del self._underway[key]

    def made(self, address: str, table_id: str) -> None:
        """Count a table that was created from `address`."""
        remember(self._made_from, address, self._made_from.get(address, set()) | {table_id})

    async def _check(self, kind: str, user_id: str, most: int | None, message: str) -> None:
        if most is None:
            return
        since = self._now() - LISTED_SECONDS if kind == "listed" else None
        found = await self._storage.read(partial(retention.open_tables, owner=user_id, listed_since=since))
        if found + self._underway[kind, user_id] > most:
            self.refused["open_tables" if kind == "owner" else "listed_tables"] += 1
            raise Problem("too-many", _(message, most=most))

    async def _check_address(self, address: str) -> None:
        """Check the limit per address; ended tables are dropped only when the limit seems reached."""
        most = self._limits.address_tables
        if most is None:
            return
        tables = self._made_from.get(address, set())
        if len(tables) + self._underway["address", address] > most:
            still_open = await self._storage.read(partial(retention.still_open, table_ids=sorted(tables)))
            tables -= tables - still_open
        if len(tables) + self._underway["address", address] > most:
            self.refused["address_tables"] += 1
            raise Problem(
                "too-many", _("your network has reached the limit of open tables ({most}); end one first", most=most)
            )
