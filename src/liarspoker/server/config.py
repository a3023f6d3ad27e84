"""Configuration of a server, rate limits and their token buckets, and the clocks that tables use."""

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

from liarspoker.language import N_, _
from liarspoker.server.problems import Problem

Key = TypeVar("Key", bound=Hashable)
Cached = TypeVar("Cached")

NO_LIMIT = "none"
"""The value that turns a limit off."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A rate limit: the parameters of a token bucket.

    Attributes:
        burst: the number allowed at once, 1 or more.
        rate: the number allowed per second in the long run, above 0.
    """

    burst: float
    rate: float

    def __str__(self) -> str:
        return f"{format_number(self.burst)}/{format_number(self.rate)}"


Value: TypeAlias = Limit | int | float | None
"""The value of a limit: a rate, a number, or `None` for no limit."""


class BadLimit(ValueError):
    """An unknown limit, or an invalid value."""


class LimitInfo(NamedTuple):
    """The description of a limit.

    Attributes:
        name: the field of `Limits`.
        default: the default value.
        unit: the unit of the value.
        meaning: what is limited, and whether per address, per user or per something else.
    """

    name: str
    default: Value
    unit: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits per client, user or table. `None` turns a limit off.

    The defaults stop floods, but allow a program that plays at hundreds of tables at once, or a club behind one
    address. The annotation of each field holds its description and its unit; see `every_limit`.
    """

    requests: Annotated[Limit | None, "HTTP requests and new sockets, per address"] = Limit(10_000, 1000)
    guests: Annotated[Limit | None, "new guests, per address"] = Limit(5000, 20)
    logins: Annotated[Limit | None, "login attempts, per login and address"] = Limit(10, 0.2)
    attempts: Annotated[Limit | None, "login attempts from all addresses before they are delayed, per login"] = Limit(
        20, 0.2
    )
    passphrases: Annotated[Limit | None, "attempts to log in or register, per address"] = Limit(50, 1)
    commands: Annotated[Limit | None, "table commands, per user"] = Limit(2000, 500)
    tables: Annotated[Limit | None, "new tables, per user"] = Limit(1000, 2)
    lines: Annotated[Limit | None, "chat messages, per user"] = Limit(20, 2)
    notices: Annotated[Limit | None, "notifications, per user who receives them"] = Limit(60, 0.05)
    people: Annotated[Limit | None, "friend requests, blocks and invitations, per user"] = Limit(50, 0.1)
    reactions: Annotated[Limit | None, "reactions at a table, per user"] = Limit(6, 0.5)
    confirmations: Annotated[Limit | None, "e-mails that confirm an address, per user and per address"] = Limit(
        3, 0.0001
    )
    records: Annotated[Limit | None, "downloads of table records and audits, per address"] = Limit(1000, 20)
    reviews: Annotated[Limit | None, "reviews of hands, per address"] = Limit(60, 0.5)
    frames: Annotated[Limit | None, "messages from the client, per socket"] = Limit(500, 100)
    connections: Annotated[int | None, "open sockets and streams, per address", "sockets"] = 10_000
    strangers: Annotated[int | None, "open sockets and streams of anonymous spectators, per address", "sockets"] = 500
    watchers: Annotated[int | None, "open sockets and streams, per table; its players can still connect", "sockets"] = (
        2000
    )
    open_tables: Annotated[int | None, "open tables, per owner", "tables"] = 200
    address_tables: Annotated[int | None, "open tables, per address that created them", "tables"] = 2000
    listed_tables: Annotated[int | None, "tables in the lobby, per owner", "tables"] = 10
    newcomers: Annotated[
        float | None, "wait before new users from a removed user's address can join, per table", "seconds"
    ] = 900.0
    abandoned_days: Annotated[
        float | None, "time until a table without players or a running clock is closed", "days"
    ] = 7.0
    archive_days: Annotated[float | None, "time until the log of an ended table is archived (compressed)", "days"] = 7.0
    delete_days: Annotated[float | None, "time until an ended table is deleted", "days"] = None
    trail_days: Annotated[float | None, "time until an entry of the audit trail is deleted", "days"] = 400.0
    vacation_days: Annotated[float | None, "vacation from correspondence play, per user within 365 days", "days"] = 21.0
    guest_days: Annotated[float | None, "time until a guest who never sat at a table is deleted", "days"] = 90.0


def every_limit() -> Iterator[LimitInfo]:
    """Yield every limit with its default, in the order of the fields of `Limits`."""
    defaults = Limits()
    for name, hint in get_type_hints(Limits, include_extras=True).items():
        meaning, unit = (*hint.__metadata__, "at once / per second")[:2]
        yield LimitInfo(name, getattr(defaults, name), unit, meaning)


def no_limits() -> Limits:
    """Return limits that are all turned off."""
    nothing: dict[str, Any] = dict.fromkeys(one.name for one in every_limit())
    return Limits(**nothing)


def with_limits(limits: Limits, changes: Iterable[str]) -> Limits:
    """Return a copy of `limits` with some of them changed.

    Args:
        limits: the limits to start from.
        changes: strings of the form `NAME=VALUE`. The value of a rate is `BURST/RATE`, of any other limit a number;
            `none` turns a limit off.

    Raises:
        BadLimit: a name is unknown or given twice, or a value is invalid.

    >>> with_limits(Limits(), ["logins=5/0.1", "connections=none"]).logins
    Limit(burst=5.0, rate=0.1)
    """
    kinds = get_type_hints(Limits)
    changed: dict[str, Any] = {}
    for change in changes:
        name, _, text = change.partition("=")
        if name not in kinds:
            raise BadLimit(f"unknown limit {name!r}; choose from {', '.join(kinds)}")
        if name in changed:
            raise BadLimit(f"{name} is set twice; remove one of them")
        changed[name] = None if text == NO_LIMIT else _value(name, text, kinds[name].__args__)
    return replace(limits, **changed)


def format_limits(limits: Limits) -> str:
    """Return every limit with its value and description, one per line."""
    rows = [(one.name, format_limit(getattr(limits, one.name)), one.meaning) for one in every_limit()]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(f"{name:{widths[0]}}  {value:{widths[1]}}  {meaning}" for name, value, meaning in rows)


def format_limit(value: Value) -> str:
    """Format the value of a limit as `with_limits` reads it."""
    return NO_LIMIT if value is None else format_number(value) if isinstance(value, float) else str(value)


def format_number(number: float) -> str:
    """Format a finite number in digits only, so that reading it gives the same number.

    >>> format_number(5.0), format_number(0.1), format_number(1e-7)
    ('5', '0.1', '0.0000001')
    """
    return f"{Decimal(repr(number)):f}".removesuffix(".0")


def _value(name: str, text: str, kinds: tuple[type, ...]) -> Value:
    """Parse the value of a limit of one of `kinds`."""
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
    raise BadLimit(f"{name}={text}: must be {form}, or {NO_LIMIT} for no limit")


def _number(text: str) -> float:
    """Parse a finite number above 0, in digits.

    Raises:
        ValueError: the text is something else.
    """
    number = float(text)
    if not (0 < number < math.inf) or not set(text) <= set("0123456789."):
        raise ValueError(text)
    return number


MAX_KEYS = 50_000
"""The maximum number of keys in a bounded cache; see `remember`."""


def network_of(address: str) -> str:
    """Return the key that an address is counted under: the address for IPv4, the /64 network for IPv6.

    Text that isn't an address gives the empty string, so all of it counts as one client: clients can forge such text.

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
    """Return a limiter for `limit`; `None` without a limit."""
    return None if limit is None else Limiter(limit, now)


TOO_MANY = {
    "attempts": N_("too many attempts; try again in {seconds} s"),
    "audits": N_("too many audits; try again in {seconds} s"),
    "blocks": N_("too many blocks; try again in {seconds} s"),
    "commands": N_("too many commands; try again in {seconds} s"),
    "friend requests": N_("too many friend requests; try again in {seconds} s"),
    "images": N_("too many images; try again in {seconds} s"),
    "invitations": N_("too many invitations; try again in {seconds} s"),
    "lines": N_("too many lines; try again in {seconds} s"),
    "messages to confirm an address": N_("too many messages to confirm an address; try again in {seconds} s"),
    "new guests": N_("too many new guests; try again in {seconds} s"),
    "reactions": N_("too many reactions; try again in {seconds} s"),
    "records": N_("too many records; try again in {seconds} s"),
    "replays": N_("too many replays; try again in {seconds} s"),
    "reviews": N_("too many reviews; try again in {seconds} s"),
    "requests": N_("too many requests; try again in {seconds} s"),
    "requests for your results": N_("too many requests for your results; try again in {seconds} s"),
    "tables": N_("too many tables; try again in {seconds} s"),
}
"""What can be limited, with the messages of refusals."""


def check(limiter: Limiter | None, key: Hashable, what: str) -> None:
    """Take one token for `key`.

    Args:
        limiter: the token buckets; `None` for no limit.
        key: whom to count it for.
        what: a key of `TOO_MANY`.

    Raises:
        Problem: `too-many`.
    """
    wait = 0.0 if limiter is None else limiter.wait(key)
    if wait:
        raise Problem("too-many", _(TOO_MANY[what], seconds=max(1, round(wait))), wait)


def remember(cache: OrderedDict[Key, Cached], key: Key, cached: Cached) -> None:
    """Add or move a value to the end of a cache, and evict the oldest value beyond `MAX_KEYS`."""
    cache.pop(key, None)
    cache[key] = cached
    if len(cache) > MAX_KEYS:
        cache.popitem(last=False)


class Limiter:
    """Token buckets, one per key.

    Attributes:
        refused: how often a bucket was empty.
        when_taken: called with the key of every token that `wait` takes.
    """

    def __init__(self, limit: Limit, now: Callable[[], float]) -> None:
        self.when_taken: Callable[[str], None] = _ignore
        self._limit = limit
        self._now = now
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self.refused = 0

    def used(self, key: Hashable) -> float:
        """Return how many tokens are missing from the bucket of `key`, 0 to the burst, without taking one."""
        left, since = self._buckets.get(key, (self._limit.burst, 0.0))
        return max(0.0, self._limit.burst - left - (self._now() - since) * self._limit.rate)

    def wait(self, key: Hashable) -> float:
        """Take one token from the bucket of `key`; return 0 if there was one, else the seconds until there is."""
        left = self._left(key)
        granted = left >= 1.0
        remember(self._buckets, key, (left - 1.0 if granted else left, self._now()))
        if granted:
            self.when_taken(str(key))
            return 0.0
        self.refused += 1
        return (1.0 - left) / self._limit.rate

    def count(self, key: Hashable) -> None:
        """Take one token, if there is one, for a use that another node has counted."""
        remember(self._buckets, key, (max(0.0, self._left(key) - 1.0), self._now()))

    def _left(self, key: Hashable) -> float:
        now = self._now()
        left, since = self._buckets.get(key, (self._limit.burst, now))
        return min(self._limit.burst, left + (now - since) * self._limit.rate)


def _ignore(key: str) -> None:
    """Do nothing."""


MAX_CORRECTION = 0.02
"""The maximum correction per call of `WallClock.follow`, in seconds; it is called twice a second."""


class WallClock:
    """A clock in seconds since 1970 that never jumps while tables are in play.

    Args:
        start: the initial time; the machine's clock by default.
    """

    def __init__(self, start: float | None = None) -> None:
        self._offset = (time.time() if start is None else start) - time.monotonic()

    def set(self, now: float) -> None:
        """Set the time. Call it only before the clock is used."""
        self._offset = now - time.monotonic()

    def follow(self, now: float, doubt: float) -> None:
        """Move towards a reference clock that several servers share, without ever stopping or jumping.

        Args:
            now: the time of the reference clock.
            doubt: the uncertainty of `now`, in seconds; smaller differences are ignored.
        """
        ahead = now - self.now()
        if abs(ahead) > doubt:
            self._offset += max(-MAX_CORRECTION, min(MAX_CORRECTION, ahead))

    def now(self) -> float:
        """Return the time in seconds since 1970."""
        return time.monotonic() + self._offset


RandomBytes = Callable[[int], bytes]
"""Returns the given number of unpredictable random bytes."""


def no_probe(name: str) -> None:
    """Do nothing at a named point; tests kill the process there."""


CommitPoint: TypeAlias = Literal["before-commit", "after-commit"]


class CommitTimer:
    """A probe that measures commits and the time that writes are queued, in the writer's thread.

    Args:
        probe: another probe to call at every point.
        busy_seconds: returns for how many seconds the writer has worked on its batch.

    Attributes:
        busy_seconds: the argument.
        on_commit: called with the duration of each commit, in seconds.
        on_wait: called with the seconds that the first write of a batch was queued.
        queued_at: when the oldest queued write was submitted, on the monotonic clock; set by the caller that
            submits a write, if it is `None`.
    """

    def __init__(self, probe: Callable[[CommitPoint], None], busy_seconds: Callable[[], float]) -> None:
        self._probe = probe
        self.busy_seconds = busy_seconds
        self._since = 0.0
        self.on_commit: Callable[[float], object] = float
        self.on_wait: Callable[[float], object] = float
        self.queued_at: float | None = None

    def __call__(self, name: CommitPoint) -> None:
        """Take a measurement at a point of the commit."""
        if name == "before-commit":
            self._since = time.monotonic()
        self._probe(name)
        if name == "after-commit":
            now, queued_at = time.monotonic(), self.queued_at
            self.on_commit(now - self._since)
            taken = now - self.busy_seconds()
            if queued_at is not None and queued_at <= taken:
                self.queued_at = None
                self.on_wait(taken - queued_at)


@dataclass(frozen=True, slots=True)
class NodeConfig:
    """Configuration of a node.

    Attributes:
        name: the name of this node, unique among the running nodes.
        bot_pause: seconds that a bot waits before it plays, so that people can follow.
        address: "host:port" at which other nodes reach this one; `None` on a single node.
    """

    name: str = "main"
    bot_pause: float = 0.0
    address: str | None = None


@dataclass(frozen=True, slots=True)
class BackupConfig:
    """Configuration of automatic backups.

    Attributes:
        folder: the folder for backups; empty for none.
        seconds: the interval between two backups.
        keep: the number of backups to keep.
    """

    folder: str = ""
    seconds: float = 86400.0
    keep: int = 7


@dataclass(frozen=True, slots=True)
class MailConfig:
    """Configuration of e-mail.

    Attributes:
        server: the URL of the mail server, as `notices.smtp.mail_server` reads it; empty for no e-mail.
        sender: the sender's address.
        site: the public URL of this site, without a path, for links.
        after: seconds that a user must have had no page open before they are sent mail about their turn.
    """

    server: str = field(default="", repr=False)
    sender: str = ""
    site: str = ""
    after: float = 600.0


@dataclass(frozen=True, slots=True)
class Config:
    """Configuration of a server.

    Attributes:
        database: the database URL, as `storage.location.address` returns it.
        key_folder: the folder of the key file, which holds the key that encrypts seeds.
        tls: whether clients use HTTPS, so that cookies, links and redirects are for HTTPS only.
        trusted_proxies: addresses and networks of the proxies whose X-Forwarded-For header is trusted.
        limits: limits per client, user or table.
        node: configuration of this node.
        bot_processes: the number of processes that run bots.
        internal: the `HOST:PORT` at which other nodes on the same PostgreSQL reach this one; port 0 for any free port.
        lan: the host name or address of this server on the local network; empty if not served there, or unknown.
        drain: seconds for which `/ready` reports that the server is stopping before it stops accepting connections.
        traces: the URL of an OpenTelemetry collector; empty for none.
        metrics: where metrics are served: `off`, `local` for this machine at `/metrics`, or an address to listen on.
        key: the key that encrypts seeds; empty for the one in the environment or in `key_folder`.
        backup: configuration of automatic backups.
        notify_after: seconds that a user's pages of a table must be closed before they are notified of their turn.
        push_contact: the contact that push services see, a `mailto:` or `https:` URL; empty for no Web Push.
        push_private: whether push services may be at private addresses.
        mail: configuration of e-mail.
        bus: the address of the bus, see `cluster.bus.open_bus`; `None` or empty for the default of the database.
        probe: called at named points of every write; tests kill the process there.
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
    mail: MailConfig = field(default_factory=MailConfig)
    notify_after: float = 5.0
    push_contact: str = ""
    push_private: bool = False
    bus: str | None = field(default=None, repr=False)
    probe: Callable[[str], None] = no_probe
