"""Prometheus metrics of a server.

Hot paths increment plain numbers, and `Metrics.collect` turns them into metrics on each scrape. Label values come from
fixed sets only: error codes, names of limits, templates of routes. Ids of tables or users, addresses and user input are
never used as labels.
"""

from __future__ import annotations

import asyncio
import platform
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from itertools import accumulate
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client import start_http_server as listen_for_prometheus
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from liarspoker import __version__
from liarspoker.core.errors import LiarsPokerError

if TYPE_CHECKING:
    from liarspoker.server.bots.table_bots import TableBots
    from liarspoker.server.service import Service

OFF, LOCAL = "off", "local"
"""The values of the setting `metrics` other than an address."""

POLL_SECONDS = 0.5
"""Interval between two measurements of the event loop lag."""

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, inf)
"""Upper bounds of the histogram buckets, in seconds."""


class Latency:
    """A histogram of durations. Only one thread may update it; it costs a sixth of the library's own histogram."""

    __slots__ = ("_counts", "_seconds")

    def __init__(self) -> None:
        self._counts = [0] * len(BOUNDS)
        self._seconds = 0.0

    def observe(self, seconds: float) -> None:
        """Add a duration."""
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self._seconds += seconds

    def add_to(self, family: HistogramMetricFamily, *labels: str) -> None:
        """Add it to `family` under these labels."""
        buckets = zip(map(floatToGoString, BOUNDS), accumulate(self._counts), strict=True)
        family.add_metric(labels, list(buckets), self._seconds)


class CannotServeMetrics(LiarsPokerError):
    """The address for metrics is in use, or doesn't belong to this machine."""

    code = "cannot-listen"


class Metrics(Collector):
    """The metrics of one server. Several servers in one process share nothing.

    Attributes:
        registry: the registry that is exposed.
        commands: the number of commands of players, by `ok` or error code.
        requests: the number of HTTP requests answered, by method, route and status.
        refusals: the number of refusals that no limiter counts, by the name of the limit.
        frames_in: the number of messages received over sockets.
        frames_out: the number of messages sent over sockets.
        socket_bytes: the bytes of messages sent over sockets.
        http_bytes: the bytes of response bodies.
        command_seconds: the time from a command's arrival to its answer.
        commit_seconds: the duration of database commits.
        queue_seconds: the time that the first write of a batch waits for the writer.
        lag_seconds: the event loop lag.
        request_seconds: the time from a request's arrival to its response headers, by route.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands: Counter[str] = Counter(ok=0)
        self.requests: Counter[tuple[str, ...]] = Counter()
        self.refusals: Counter[str] = Counter(frames=0)
        self.frames_in = self.frames_out = self.socket_bytes = self.http_bytes = 0
        self._watched: tuple[Service, TableBots] | None = None
        self.command_seconds, self.commit_seconds, self.queue_seconds = Latency(), Latency(), Latency()
        self.lag_seconds = Latency()
        self.request_seconds: defaultdict[str, Latency] = defaultdict(Latency)
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.registry.register(self)

    def watch(self, service: Service, bots: TableBots) -> None:
        """Include the metrics of a service and of its bots from now on."""
        self._watched = service, bots
        service.storage.timer.on_commit = self.commit_seconds.observe
        service.storage.timer.on_wait = self.queue_seconds.observe

    async def measure_loop_lag(self) -> None:
        """Measure the event loop lag periodically, until cancelled."""
        while True:
            due = monotonic() + POLL_SECONDS
            await asyncio.sleep(POLL_SECONDS)
            self.lag_seconds.observe(max(0.0, monotonic() - due))

    def text(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self.registry)

    def describe(self) -> Iterable[Metric]:
        """Return nothing: the metrics are known only when they are collected."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics counted here and those of the service."""
        yield _counters("commands", "Commands of players, by outcome.", ("code",), self.commands)
        yield _counters("http_requests", "HTTP requests answered.", ("method", "route", "status"), self.requests)
        frames = {"in": self.frames_in, "out": self.frames_out}
        yield _counters("socket_frames", "Messages received and sent over sockets.", ("direction",), frames)
        sent = {"socket": self.socket_bytes, "http": self.http_bytes}
        yield _counters("sent_bytes", "Bytes sent in socket messages and response bodies.", ("over",), sent)
        yield _seconds("command", "Time from a command's arrival to its answer.", self.command_seconds)
        yield _seconds("commit", "Duration of database commits.", self.commit_seconds)
        yield _seconds("write_queue", "Time the first write of a batch waits for the writer.", self.queue_seconds)
        yield _seconds("event_loop_lag", "Event loop lag.", self.lag_seconds)
        by_route = _histogram("http_request", "Time from a request's arrival to its response headers.", ("route",))
        for route, latency in dict(self.request_seconds).items():
            latency.add_to(by_route, route)
        yield by_route
        if self._watched is not None:
            yield from self._of_service(*self._watched)

    def _of_service(self, service: Service, bots: TableBots) -> Iterator[Metric]:
        registry, storage = service.registry, service.storage
        build = {"version": __version__, "python": platform.python_version(), "node": service.config.node.name}
        yield InfoMetricFamily("liarspoker_build", "Version and node of this server.", build)
        yield _gauge("stopping", "1 while the server is stopping.", registry.closing)
        yield _gauge("tables", "Tables in memory.", len(registry._actors))
        yield _gauge("shards", "Shards owned by this node.", len(registry.membership.leases))
        yield _gauge("nodes", "Running nodes known to this node.", len(registry.membership.map.nodes))
        yield _gauge("lapsed", "1 while this node's leases have expired.", registry.membership.lapsed)
        yield _gauge("bus_connected", "1 while this node is connected to the bus.", service.bus.connected)
        lost = {"dropped": service.bus.dropped, "malformed": service.bus.malformed}
        yield _counters("bus_lost", "Bus messages lost, by reason.", ("why",), lost)
        yield _gauges("connections", "Open sockets and streams.", "kind", service.connections.open)
        refusals = dict(self.refusals) | service.refusals()
        yield _counters("refusals", "Refusals, by the name of the limit.", ("limit",), refusals)
        outcomes = service.notices.outcomes
        yield _counters("notices", "Notices to users, by channel and outcome.", ("channel", "outcome"), outcomes)
        yield _gauge("logins_delayed", "Login attempts that are currently delayed.", service.logins.delayed)
        fast, thinking = bots.fast, bots.thinking
        yield _gauge("bot_workers", "Bot processes that are ready.", len(fast.pids))
        yield _gauge("bots_playing", "Bots currently choosing an action.", fast.playing)
        yield _gauge("bots_waiting", "Bots waiting for a free process.", fast.waiting)
        yield _counters("bot_failures", "Bot failures, by error code.", ("code",), fast.failures)
        yield _gauge("thinking_workers", "Processes for bots that think.", len(thinking.pids))
        yield _gauge("thinking_waiting", "Bots waiting for their turn to think.", thinking.waiting)
        yield _counters("bots_unthought", "Decisions without the thought they wanted.", ("why",), bots.unthought)
        yield _gauge("database_away", "1 while the database is unreachable.", storage.unreachable)
        results = {result: int(result == storage.check_result) for result in ("unknown", "sound", "damaged")}
        yield _gauges("storage_check", "Result of the integrity check of the database.", "result", results)
        yield _gauge("damaged_tables", "Damaged tables found since the server started.", len(storage.damaged))


def _histogram(name: str, meaning: str, labels: tuple[str, ...] = ()) -> HistogramMetricFamily:
    return HistogramMetricFamily(f"liarspoker_{name}_seconds", meaning, labels=labels)


def _seconds(name: str, meaning: str, latency: Latency) -> Metric:
    family = _histogram(name, meaning)
    latency.add_to(family)
    return family


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"liarspoker_{name}", meaning, value)


def _gauges(name: str, meaning: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(f"liarspoker_{name}", meaning, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family


def _counters(
    name: str, meaning: str, labels: tuple[str, ...], values: Mapping[str, int] | Mapping[tuple[str, ...], int]
) -> Metric:
    family = CounterMetricFamily(f"liarspoker_{name}", meaning, labels=labels)
    for key, value in dict(values).items():  # a copy, since the event loop may change it during the loop
        family.add_metric((key,) if isinstance(key, str) else key, value)
    return family


@contextmanager
def serve_metrics(metrics: Metrics, where: str) -> Iterator[None]:
    """Serve the metrics on a separate address, in a separate thread, if the setting `metrics` is an address.

    Args:
        metrics: the metrics to serve.
        where: the setting `metrics`.

    Raises:
        CannotServeMetrics: the address is in use, or doesn't belong to this machine.
    """
    if where in (OFF, LOCAL):
        yield
        return
    host, _, port = where.rpartition(":")
    try:
        server, thread = listen_for_prometheus(int(port), host.strip("[]"), metrics.registry)
    except OSError as error:
        raise CannotServeMetrics(
            f"metrics = {where!r}: {error.strerror or error}; every process needs its own address for metrics"
        ) from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def is_local(host: str) -> bool:
    """Return whether the address of a peer is a loopback address.

    >>> is_local("127.0.0.1"), is_local("::ffff:127.0.0.1"), is_local("10.0.0.1"), is_local("table")
    (True, True, False, False)
    """
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)
