"""How much anybody may use: sockets and streams that are open, attempts to log in, tables; who may not join one yet."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

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
from liarspoker.tables.refused import Refused

PLAYERS_SOCKETS = 20
"""The number of sockets and streams that a player may have at a table with too many watchers."""


Kind: TypeAlias = Literal["socket", "stream"]


class Connections:
    """All sockets and streams of this process.

    Attributes:
        open: how many are open, of each kind.
        refused: how many could not be opened, by the limit.
    """

    def __init__(self, now: Callable[[], float], limits: Limits) -> None:
        self._now = now
        self._limits = limits
        self._stopping = False
        self._watchers: set[Watcher] = set()
        self._by_address: Counter[tuple[str, bool]] = Counter()
        self._by_credential: defaultdict[bytes, set[Watcher]] = defaultdict(set)
        self.open: Counter[str] = Counter(socket=0, stream=0)
        self.refused: Counter[str] = Counter()

    def check(self, address: str, identity: Identity | None, actor: TableActor | None = None) -> None:
        """See that there may be one more.

        Raises:
            Problem: `too-many`.
        """
        strangers, known = self._by_address[address, True], self._by_address[address, False]
        if _reached(strangers + known, self._limits.connections):
            self.refused["connections"] += 1
            raise Problem("too-many", "too many sockets and streams are open from your address; close one first", 5.0)
        if identity is None and _reached(strangers, self._limits.strangers):
            self.refused["strangers"] += 1
            raise Problem("too-many", "too many people without a name watch from your address; choose a name", 5.0)
        if actor is not None and _reached(len(actor.watchers), self._limits.watchers):
            user = None if identity is None else identity.user.user_id
            if actor.table.chair_of(user) is None or actor.presence.sockets_of(user) >= PLAYERS_SOCKETS:
                self.refused["watchers"] += 1
                raise Problem("too-many", "too many people watch this table now; try again later", 5.0)

    def opened(self, watcher: Watcher, identity: Identity | None, address: str, kind: Kind = "socket") -> Opened:
        """Count `watcher` until it is closed, or this is left; its credential's end or revocation closes it."""
        timer: asyncio.TimerHandle | None = None
        self._watchers.add(watcher)
        self.open[kind] += 1
        self._by_address[address, identity is None] += 1
        if identity is not None:
            self._by_credential[identity.credential].add(watcher)
            if identity.expires_at != float("inf"):
                left = max(0.0, identity.expires_at - self._now())
                timer = asyncio.get_running_loop().call_later(left, watcher.close, "revoked")
        if self._stopping:
            watcher.close("stopping")
        return Opened(self, watcher, identity, address, kind, timer)

    def ended(self, watcher: Watcher, identity: Identity | None, address: str, kind: Kind) -> None:
        """Count `watcher` no longer."""
        self._watchers.discard(watcher)
        self.open[kind] -= 1
        counted = address, identity is None
        self._by_address[counted] -= 1
        if not self._by_address[counted]:
            del self._by_address[counted]
        if identity is not None:
            self._forget(identity.credential, watcher)

    def close(self, credential: bytes) -> None:
        """Close all that was opened with what has been revoked."""
        for watcher in self._by_credential.get(credential, ()):
            watcher.close("revoked")

    def credentials(self) -> list[bytes]:
        """Everything that something open was opened with."""
        return list(self._by_credential)

    def users(self) -> set[str]:
        """Everybody known who has something open."""
        return {watcher.user for watchers in self._by_credential.values() for watcher in watchers if watcher.user}

    def close_user(self, user_id: str, good: Collection[bytes], why: str) -> None:
        """Close all of a user's, but what was opened with one of the `good` credentials."""
        opened = [(key, watcher) for key, watchers in self._by_credential.items() for watcher in watchers]
        for credential, watcher in opened:
            if watcher.user == user_id and credential not in good:
                watcher.close(why)

    def stop(self) -> None:
        """Close everything, and from now on whatever is opened."""
        self._stopping = True
        for watcher in self._watchers:
            watcher.close("stopping")

    def _forget(self, credential: bytes, watcher: Watcher) -> None:
        watchers = self._by_credential[credential]
        watchers.discard(watcher)
        if not watchers:
            del self._by_credential[credential]


class Opened(NamedTuple):
    """A socket or stream that is counted while it is open."""

    connections: Connections
    watcher: Watcher
    identity: Identity | None
    address: str
    kind: Kind
    timer: asyncio.TimerHandle | None

    def close(self) -> None:
        """Count it no longer."""
        if self.timer is not None:
            self.timer.cancel()
        self.connections.ended(self.watcher, self.identity, self.address, self.kind)

    def __enter__(self) -> None:
        """It is counted."""

    def __exit__(self, *error: object) -> None:
        """It has ended."""
        self.close()


def _reached(number: int, most: int | None) -> bool:
    return most is not None and number >= most


def shared_limiter(name: str, limits: Limits, now: Callable[[], float], bus: Bus) -> Limiter | None:
    """A limiter for one of `limits`, of which a use on any node counts on all; `None` where there is no limit."""
    made = limiter(getattr(limits, name), now)
    if made is not None:
        made.tell = lambda key: bus.tell(Counted(name, key))
        count = made.count
        bus.listeners.append(
            lambda message: count(message.key) if isinstance(message, Counted) and message.limit == name else None
        )
    return made


DELAY_SECONDS = 3.0
"""How long an attempt waits where the login has been tried too often from everywhere together."""

KNOWN = -1.0
"""The rank of an attempt from an address from which this login has come in before: ahead of everybody else."""


class Logins:
    """Limits attempts to log in and to register.

    An address may try one login so often, and all logins together so often. A login that is tried too often from many
    addresses is slowed down, never refused, and not where it has come in from this address before. Whether a login
    exists makes no difference to any of this.

    Attributes:
        delayed: the number of attempts that wait because others try the same login.
        limiters: what counts them, by the limit.
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
        """How many attempts to log in have failed, were slowed down or were refused since the last call."""
        counts, self._counts = dict(self._counts), Counter()
        return counts

    async def log_in(self, address: str, login: str, passphrase: str, ending: str | None = None) -> Session:
        """A new session of an account, in place of the one with the secret `ending`.

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
        try:
            check(self._passphrases, address, "attempts")
            check(self._logins, f"{login} {address}", "attempts")
        except Problem:
            self._counts["refused"] += 1
            raise
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
        """A guest gets a login; see `Accounts.register`.

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

    async def renew(self, address: str, user: User, passphrase: str, new: str | None = None) -> Session:
        """End all sessions of an account and begin a new one; see `Accounts.renew`.

        Raises:
            AccountError: as `Accounts.renew` does.
            Problem: `too-many`.
            Busy: too many passphrases are being checked.
        """
        rank = self._rank(address)
        check(self._passphrases, address, "attempts")
        check(self._logins, f"{user.login} {address}", "attempts")
        return await self._accounts.renew(user.user_id, passphrase, new, rank)

    def _rank(self, address: str) -> float:
        """The number of recent attempts from `address`: whoever has tried less often is served first."""
        return 0.0 if self._passphrases is None else self._passphrases.used(address)

    async def _delay(self) -> None:
        self.delayed += 1
        try:
            await asyncio.sleep(DELAY_SECONDS)
        finally:
            self.delayed -= 1


class Newcomers:
    """Which addresses users come from, and from which tables some were removed. It is kept in memory only.

    Args:
        seconds: for how long users who are newer than a removal can't join that table from the removed user's
            address; `None` for not at all.
        now: the time in seconds.

    Attributes:
        refused: how often somebody could not join.
    """

    def __init__(self, seconds: float | None, now: Callable[[], float]) -> None:
        self._seconds = seconds
        self._now = now
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._removals: OrderedDict[tuple[str, str], float] = OrderedDict()
        self.refused = 0

    def seen(self, user_id: str, address: str) -> None:
        """Remember that a user comes from `address`, as `limits.network_of` counts it."""
        remember(self._addresses, user_id, address)

    def removed(self, table_id: str, user_ids: Iterable[str]) -> None:
        """Remember that these users were removed from a table now."""
        for user_id in user_ids:
            address = self._addresses.get(user_id)
            if address is not None:
                remember(self._removals, (table_id, address), self._now())

    def check(self, table_id: str, user: User, address: str) -> None:
        """See that a user may join a table.

        Raises:
            Refused: `removed`: the user is newer than a removal from this table, and comes from the same address.
        """
        since = self._removals.get((table_id, address))
        if since is None or self._seconds is None or user.created_at < since:
            return
        left = since + self._seconds - self._now()
        if left > 0:
            self.refused += 1
            raise Refused(
                "removed",
                "the players at this table have just removed somebody from your network, so newcomers from there "
                f"can't join it yet; you can join in {max(1, round(left / 60))} min, or play at another table",
            )


class TableQuotas:
    """Counts open tables by owner, in the database, and by the address that they were made from, in memory.

    Attributes:
        refused: how many could not be made, by the limit.
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
        """Hold a place for one more table while it is made, so that many at once don't exceed the limit either.

        Raises:
            Problem: `too-many`, with the remedy.
        """
        held = [("owner", user_id), ("address", address), *([("listed", user_id)] if listed else [])]
        self._underway.update(held)
        try:
            await self._check("owner", user_id, self._limits.open_tables, "open tables", "end one of yours first")
            await self._check_address(address)
            if listed:
                remedy = "end one of yours first, or make this one private"
                await self._check("listed", user_id, self._limits.listed_tables, "tables in the lobby", remedy)
            yield
        finally:
            self._underway.subtract(held)
            for key in held:
                if not self._underway[key]:
                    del self._underway[key]

    def made(self, address: str, table_id: str) -> None:
        """Count a table that was made from `address`."""
        remember(self._made_from, address, self._made_from.get(address, set()) | {table_id})

    async def _check(self, kind: str, user_id: str, most: int | None, what: str, remedy: str) -> None:
        if most is None:
            return
        since = self._now() - LISTED_SECONDS if kind == "listed" else None
        found = await self._storage.read(partial(retention.open_tables, owner=user_id, listed_since=since))
        if found + self._underway[kind, user_id] > most:
            self.refused["open_tables" if kind == "owner" else "listed_tables"] += 1
            raise Problem("too-many", f"you have reached the limit of {what} ({most}); {remedy}")

    async def _check_address(self, address: str) -> None:
        """Where there seem to be too many, those that have ended meanwhile are forgotten."""
        most = self._limits.address_tables
        if most is None:
            return
        tables = self._made_from.get(address, set())
        if len(tables) + self._underway["address", address] > most:
            still_open = await self._storage.read(partial(retention.still_open, table_ids=sorted(tables)))
            tables -= tables - still_open
        if len(tables) + self._underway["address", address] > most:
            self.refused["address_tables"] += 1
            raise Problem("too-many", f"your network has reached the limit of open tables ({most}); end one first")
