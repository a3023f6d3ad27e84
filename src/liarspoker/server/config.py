"""How a server runs: where its data is, who may reach it, how much anybody may ask, and what counts and limits that."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar, get_type_hints

from liarspoker.server.problems import Problem

Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept")

NO_LIMIT = "none"
"""How a limit that is switched off is written."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How often something may be done: a token bucket.

    Attributes:
        burst: the number allowed at once, 1 or more.
        rate: the number allowed per second in the long run, above 0.
    """

    burst: float
    rate: float

    def __str__(self) -> str:
        return f"{digits(self.burst)}/{digits(self.rate)}"


Value: TypeAlias = Limit | int | float | None
"""What a limit may be set to: a rate, a number, or `None` for no limit. An `int` counts whole things."""


class BadLimit(ValueError):
    """A limit that does not exist, or a value that it cannot have."""


class LimitInfo(NamedTuple):
    """What there is to know about a limit.

    Attributes:
        name: the field of `Limits`.
        default: the value by default.
        unit: what the value counts.
        meaning: what is limited, and whether by address, by user, or by something else.
    """

    name: str
    default: Value
    unit: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client, user or table may use. `None` switches a limit off.

    The defaults leave room for a program that plays at hundreds of tables at once, and for a club behind one address;
    they stop floods. The annotation of each field holds its meaning and its unit, see `every_limit`.
    """

    requests: Annotated[Limit | None, "HTTP requests and new sockets, by address"] = Limit(10_000, 1000)
    guests: Annotated[Limit | None, "new guests, by address"] = Limit(5000, 20)
    logins: Annotated[Limit | None, "attempts to log in, by login and address"] = Limit(10, 0.2)
    attempts: Annotated[Limit | None, "attempts to log in before they slow down, by login"] = Limit(20, 0.2)
    passphrases: Annotated[Limit | None, "attempts to log in or register, by address"] = Limit(50, 1)
    commands: Annotated[Limit | None, "commands to tables, by user"] = Limit(2000, 500)
    tables: Annotated[Limit | None, "new tables, by user"] = Limit(1000, 2)
    lines: Annotated[Limit | None, "lines of chat, by user"] = Limit(20, 2)
    records: Annotated[Limit | None, "records and audits of tables, by address"] = Limit(1000, 20)
    frames: Annotated[Limit | None, "messages from a client, by socket"] = Limit(500, 100)
    connections: Annotated[int | None, "open sockets and streams, by address", "sockets"] = 10_000
    strangers: Annotated[int | None, "open sockets and streams without a name, by address", "sockets"] = 500
    watchers: Annotated[int | None, "open sockets and streams, by table; its players still get in", "sockets"] = 2000
    open_tables: Annotated[int | None, "tables that have not ended, by owner", "tables"] = 200
    address_tables: Annotated[int | None, "tables that have not ended, by the maker's address", "tables"] = 2000
    listed_tables: Annotated[int | None, "tables in the lobby, by owner", "tables"] = 10
    newcomers: Annotated[float | None, "wait of new users from a removed user's address, by table", "seconds"] = 900.0
    abandoned_days: Annotated[float | None, "time until a table without people or a running clock ends", "days"] = 7.0
    archive_days: Annotated[float | None, "time until the log of an ended table is compressed", "days"] = 7.0
    delete_days: Annotated[float | None, "time until an ended table is deleted", "days"] = None
    trail_days: Annotated[float | None, "time until a row of the audit trail is deleted", "days"] = 400.0
    guest_days: Annotated[float | None, "time until a guest who never sat at a table is deleted", "days"] = 90.0


def every_limit() -> Iterator[LimitInfo]:
    """Every limit with its default, in the order of the fields of `Limits`."""
    defaults = Limits()
    for name, hint in get_type_hints(Limits, include_extras=True).items():
        meaning, unit = (*hint.__metadata__, "at once / per second")[:2]
        yield LimitInfo(name, getattr(defaults, name), unit, meaning)


def no_limits() -> Limits:
    """Limits that are all switched off."""
    nothing: dict[str, Any] = dict.fromkeys(one.name for one in every_limit())
    return Limits(**nothing)


def with_limits(limits: Limits, changes: Iterable[str]) -> Limits:
    """`limits` with some of them changed.

    Args:
        limits: the limits to start from.
        changes: texts `NAME=VALUE`: the value of a rate is `BURST/RATE`, of any other limit a number; `none` switches
            a limit off.

    Raises:
        BadLimit: a name does not exist, is there twice, or cannot have this value.

    >>> with_limits(Limits(), ["logins=5/0.1", "connections=none"]).logins
    Limit(burst=5.0, rate=0.1)
    """
    kinds = get_type_hints(Limits)
    changed: dict[str, Any] = {}
    for change in changes:
        name, _, text = change.partition("=")
        if name not in kinds:
            raise BadLimit(f"there is no limit {name!r}; choose from {', '.join(kinds)}")
        if name in changed:
            raise BadLimit(f"{name} is there twice; leave one out")
        changed[name] = None if text == NO_LIMIT else _value(name, text, kinds[name].__args__)
    return replace(limits, **changed)


def listing(limits: Limits) -> str:
    """Every limit with its value and its meaning, one a line."""
    rows = [(one.name, written(getattr(limits, one.name)), one.meaning) for one in every_limit()]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(f"{name:{widths[0]}}  {value:{widths[1]}}  {meaning}" for name, value, meaning in rows)


def written(value: Value) -> str:
    """A value as it is written in a change."""
    return NO_LIMIT if value is None else digits(value) if isinstance(value, float) else str(value)


def digits(number: float) -> str:
    """A finite number in digits alone, from which it is read again as it was.

    >>> digits(5.0), digits(0.1), digits(1e-7)
    ('5', '0.1', '0.0000001')
    """
    return f"{Decimal(repr(number)):f}".removesuffix(".0")


def _value(name: str, text: str, kinds: tuple[type, ...]) -> Value:
    """The value that `text` gives to a limit which takes one of `kinds`."""
    try:
        if Limit in kinds:
            burst, rate = map(_number, text.split("/"))
            if burst >= 1:
                return Limit(burst, rate)
        else:
            number = _number(text)
            return number if float in kinds else int(text)
    except ValueError:
        pass
    form = "BURST/RATE, as in 10/0.2 (10 at once, 0.2 per second)" if Limit in kinds else "a number above 0, as in 100"
    raise BadLimit(f"{name}={text}: write {form}, or {NO_LIMIT} for no limit")


def _number(text: str) -> float:
    """A finite number above 0, in digits.

    Raises:
        ValueError: the text is something else.
    """
    number = float(text)
    if not (0 < number < math.inf) or not set(text) <= set("0123456789."):
        raise ValueError(text)
    return number


MOST_KEYS = 50_000


def network_of(address: str) -> str:
    """What an address is counted as: a home has one address of IPv4, but of IPv6 a network of 64 bits.

    Everything that is no address counts as one client: a proxy may pass on what its clients make up.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2:3:4"), network_of("::ffff:192.0.2.7"), network_of("unknown")
    ('192.0.2.7', '2001:db8::', '192.0.2.7', '')
    """
    try:
        known = ip_address(address)
    except ValueError:
        return ""
    if isinstance(known, IPv4Address):
        return address
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(IPv6Address(int(known) >> 64 << 64))


def limiter(limit: Limit | None, now: Callable[[], float]) -> Limiter | None:
    """A limiter for `limit`; `None` where there is no limit."""
    return None if limit is None else Limiter(limit, now)


def check(limiter: Limiter | None, key: Hashable, what: str) -> None:
    """Count one of `what` for `key`.

    Raises:
        Problem: `too-many`.
    """
    wait = 0.0 if limiter is None else limiter.wait(key)
    if wait:
        raise Problem("too-many", f"too many {what}; try again in {max(1, round(wait))} s", wait)


def remember(known: OrderedDict[Key, Kept], key: Key, kept: Kept) -> None:
    """Put a value last, and forget the first one where there are too many."""
    known.pop(key, None)
    known[key] = kept
    if len(known) > MOST_KEYS:
        known.popitem(last=False)


class Limiter:
    """A bucket for everybody.

    Attributes:
        refused: how often there was no token.
        tell: called with the key of every token that is taken by `wait`.
    """

    def __init__(self, limit: Limit, now: Callable[[], float]) -> None:
        self.tell: Callable[[str], None] = _tell_nobody
        self._limit = limit
        self._now = now
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self.refused = 0

    def used(self, key: Hashable) -> float:
        """The tokens that are missing in the bucket of `key`, 0 to the burst; none is taken."""
        left, since = self._buckets.get(key, (self._limit.burst, 0.0))
        return max(0.0, self._limit.burst - left - (self._now() - since) * self._limit.rate)

    def wait(self, key: Hashable) -> float:
        """Take one token from the bucket of `key`; 0 if there was one, else the seconds until there is."""
        left = self._left(key)
        granted = left >= 1.0
        remember(self._buckets, key, (left - 1.0 if granted else left, self._now()))
        if granted:
            self.tell(str(key))
            return 0.0
        self.refused += 1
        return (1.0 - left) / self._limit.rate

    def count(self, key: Hashable) -> None:
        """Take one token that another node has given, if there is one."""
        remember(self._buckets, key, (max(0.0, self._left(key) - 1.0), self._now()))

    def _left(self, key: Hashable) -> float:
        now = self._now()
        left, since = self._buckets.get(key, (self._limit.burst, now))
        return min(self._limit.burst, left + (now - since) * self._limit.rate)


def _tell_nobody(key: str) -> None:
    """Nobody needs to know."""


FOLLOWED = 0.02
"""By so many seconds a clock comes closer to another one at a time, which is twice a second."""


class WallClock:
    """Seconds since 1970 that never jump while tables are played.

    Args:
        start: where it begins; the machine's clock by default.
    """

    def __init__(self, start: float | None = None) -> None:
        self._offset = (time.time() if start is None else start) - time.monotonic()

    def set(self, now: float) -> None:
        """Go by another clock from now on, before anything has gone by this one."""
        self._offset = now - time.monotonic()

    def follow(self, now: float, doubt: float) -> None:
        """Come closer to another clock, by which several servers go, without ever standing still or jumping.

        Args:
            now: what the other clock shows.
            doubt: by how much that may be wrong, in seconds.
        """
        ahead = now - self.now()
        if abs(ahead) > doubt:
            self._offset += max(-FOLLOWED, min(FOLLOWED, ahead))

    def now(self) -> float:
        """The time in seconds."""
        return time.monotonic() + self._offset


Chance = Callable[[int], bytes]
"""A source of so many bytes that nobody can foretell."""


def no_probe(name: str) -> None:
    """Nothing happens at the named point; tests end the process there."""


CommitPoint: TypeAlias = Literal["before-commit", "after-commit"]


class CommitTimer:
    """A probe that measures commits, and how long what they hold has waited, in the writer's thread.

    Args:
        probe: called as ever.
        waits: for how many seconds the writer has been at its batch.

    Attributes:
        waits: the same.
        commit: told the seconds of each commit.
        waited: told the seconds for which the first write of a batch has waited before the writer took it.
        asked_at: when the first write was asked for that no batch has had yet, by the monotonic clock; whoever asks for
            a write sets it where it is `None`.
    """

    def __init__(self, probe: Callable[[CommitPoint], None], waits: Callable[[], float]) -> None:
        self._probe = probe
        self.waits = waits
        self._since = 0.0
        self.commit: Callable[[float], object] = float
        self.waited: Callable[[float], object] = float
        self.asked_at: float | None = None

    def __call__(self, name: CommitPoint) -> None:
        """A point is reached."""
        if name == "before-commit":
            self._since = time.monotonic()
        self._probe(name)
        if name == "after-commit":
            now, asked_at = time.monotonic(), self.asked_at
            self.commit(now - self._since)
            taken = now - self.waits()
            if asked_at is not None and asked_at <= taken:
                self.asked_at = None
                self.waited(taken - asked_at)


@dataclass(frozen=True, slots=True)
class NodeConfig:
    """How this node runs its tables.

    Attributes:
        name: the name of this node, which no other one has that is alive.
        bot_pause: seconds that a bot waits before it plays, so that people can follow.
        address: "host:port" at which other nodes reach this one; `None` where there are none.
    """

    name: str = "main"
    bot_pause: float = 0.0
    address: str | None = None


@dataclass(frozen=True, slots=True)
class BackupConfig:
    """How this node backs up its database by itself.

    Attributes:
        folder: where backups go; empty for none.
        seconds: the time between two backups.
        keep: how many of them are kept.
    """

    folder: str = ""
    seconds: float = 86400.0
    keep: int = 7


@dataclass(frozen=True, slots=True)
class Config:
    """How a server runs.

    Attributes:
        database: where tables and accounts are kept, as `storage.place.address` makes it.
        key_folder: where the key that seals seeds is found, or made.
        tls: people reach it over HTTPS, so cookies, links and redirects are for HTTPS alone.
        trusted_proxies: addresses and networks of proxies that are believed when they say where a request comes from.
        limits: how much one client, user or table may use.
        node: how this node runs its tables.
        bot_processes: how many processes play for the bots.
        internal: the `HOST:PORT` at which other nodes on the same PostgreSQL reach this one; 0 for any free port.
        lan: the host under which the local network reaches this server; empty where it does not, or nobody knows.
        drain: seconds for which `/ready` says that the server stops, before it takes no more connections.
        traces: the address of an OpenTelemetry collector; empty for none.
        metrics: who may ask for metrics: `off`, `local` for this machine at `/metrics`, or an address to listen on.
        key: the key that seals seeds, where it is given; empty for the one in the environment or in `key_folder`.
        backup: how this node backs up its database by itself.
        bus: how the nodes tell one another what is new, as `cluster.bus.open_bus` takes it; `None` or
            empty for the default of the database.
        probe: called at named points of every write; tests end the process there.
    """

    database: str
    key_folder: Path
    tls: bool = False
    trusted_proxies: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    node: NodeConfig = field(default_factory=NodeConfig)
    bot_processes: int = 1
    internal: str = "127.0.0.1:0"
    lan: str = ""
    drain: float = 0.5
    metrics: str = "local"
    traces: str = ""
    key: str = field(default="", repr=False)
    backup: BackupConfig = field(default_factory=BackupConfig)
    bus: str | None = field(default=None, repr=False)
    probe: Callable[[str], None] = no_probe
