"""How often somebody may do something: a bucket of tokens that fills up again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from ipaddress import IPv4Address, IPv6Address, ip_address

from liarspoker.server.limits import Limit

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


class Limiter:
    """A bucket for everybody.

    Args:
        limit: how much fits into each, and how fast it fills.
        now: the time in seconds.
    """

    def __init__(self, limit: Limit, now: Callable[[], float]) -> None:
        self._limit = limit
        self._now = now
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def used(self, key: Hashable) -> float:
        """The tokens that are missing in the bucket of `key`, 0 to the burst; none is taken."""
        left, since = self._buckets.get(key, (self._limit.burst, 0.0))
        return max(0.0, self._limit.burst - left - (self._now() - since) * self._limit.rate)

    def wait(self, key: Hashable) -> float:
        """Take one token from the bucket of `key`; 0 if there was one, else the seconds until there is."""
        now = self._now()
        left, since = self._buckets.pop(key, (self._limit.burst, now))
        left = min(self._limit.burst, left + (now - since) * self._limit.rate)
        granted = left >= 1.0
        self._buckets[key] = (left - 1.0 if granted else left, now)
        if len(self._buckets) > MOST_KEYS:
            self._buckets.popitem(last=False)
        return 0.0 if granted else (1.0 - left) / self._limit.rate
