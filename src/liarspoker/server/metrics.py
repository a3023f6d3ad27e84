"""What a server counts of itself, and how it tells Prometheus.

Where commands pass, plain numbers are counted, and `Metrics.collect` turns them into metrics when somebody asks. Labels
come from fixed sets alone: codes of refusals, names of limits, templates of routes. No id of a table or a user, no
address and nothing that a person typed is ever one.
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
    from liarspoker.server.bots.workers import BotWorkers
    from liarspoker.server.service import Service

OFF, LOCAL = "off", "local"
"""What the setting `metrics` may be, besides an address of its own."""

LOOK_SECONDS = 0.5
"""Between two looks at how late the event loop is."""

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, inf)
"""The buckets of all latencies, in seconds."""


class Latency:
    """How long something takes, in buckets. One thread tells it, which costs a sixth of what the library's own does."""

    __slots__ = ("_counts", "_seconds")

    def __init__(self) -> None:
        self._counts = [0] * len(BOUNDS)
        self._seconds = 0.0

    def observe(self, seconds: float) -> None:
        """Count something that took so long."""
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self._seconds += seconds

    def add_to(self, family: HistogramMetricFamily, *labels: str) -> None:
        """Write it down as one of the histograms of `family`."""
        buckets = zip(map(floatToGoString, BOUNDS), accumulate(self._counts), strict=True)
        family.add_metric(labels, list(buckets), self._seconds)


class CannotTell(LiarsPokerError):
    """The address for metrics is taken, or not this machine's."""

    code = "cannot-listen"


class Metrics(Collector):
    """What one server counts; several in one process share nothing.

    Attributes:
        registry: what is exposed.
        commands: commands of people and programs, by `ok` or the code of the refusal.
        requests: HTTP requests that were answered, by method, route and status.
        refusals: what a limit has refused, by its name, where no limiter counts it.
        frames_in: messages from sockets.
        frames_out: messages to sockets.
        socket_bytes: bytes of messages to sockets.
        http_bytes: bytes of bodies of responses.
        command_seconds: from a command's arrival to its answer.
        commit_seconds: what the database takes for a commit.
        queue_seconds: how long the first write of a batch waits for the writer.
        lag_seconds: how late the event loop gets to what is due.
        request_seconds: from a request's arrival to the headers of its response, by route.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands: Counter[str] = Counter(ok=0)
        self.requests: Counter[tuple[str, str, str]] = Counter()
        self.refusals: Counter[str] = Counter(frames=0)
        self.frames_in = self.frames_out = self.socket_bytes = self.http_bytes = 0
        self._watched: tuple[Service, BotWorkers] | None = None
        self.command_seconds, self.commit_seconds, self.queue_seconds = Latency(), Latency(), Latency()
        self.lag_seconds = Latency()
        self.request_seconds: defaultdict[str, Latency] = defaultdict(Latency)
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.registry.register(self)

    def watch(self, service: Service, bots: BotWorkers) -> None:
        """Tell of this service too from now on, and of the bots that play at its tables."""
        self._watched = service, bots
        service.storage.timer.commit = self.commit_seconds.observe
        service.storage.timer.waited = self.queue_seconds.observe

    async def look_at_loop(self) -> None:
        """Measure for ever how late the event loop is."""
        while True:
            due = monotonic() + LOOK_SECONDS
            await asyncio.sleep(LOOK_SECONDS)
            self.lag_seconds.observe(max(0.0, monotonic() - due))

    def text(self) -> bytes:
        """All of it, in the text format of Prometheus."""
        return generate_latest(self.registry)

    def describe(self) -> Iterable[Metric]:
        """Nothing: what `collect` gives is known when it is asked."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """What is counted here, and what the service counts."""
        yield _counters("commands", "Commands of people and programs, by outcome.", ("code",), self.commands)
        yield _counters("http_requests", "Requests answered.", ("method", "route", "status"), self.requests)
        frames = {"in": self.frames_in, "out": self.frames_out}
        yield _counters("socket_frames", "Messages over sockets.", ("direction",), frames)
        sent = {"socket": self.socket_bytes, "http": self.http_bytes}
        yield _counters("sent_bytes", "Bytes of messages and bodies.", ("over",), sent)
        yield _seconds("command", "From a command's arrival to its answer.", self.command_seconds)
        yield _seconds("commit", "What the database takes for a commit.", self.commit_seconds)
        yield _seconds("write_queue", "How long the first write of a batch waits for the writer.", self.queue_seconds)
        yield _seconds("event_loop_lag", "How late the event loop gets to what is due.", self.lag_seconds)
        by_route = _histogram("http_request", "From a request's arrival to its response's headers.", ("route",))
        for route, latency in dict(self.request_seconds).items():
            latency.add_to(by_route, route)
        yield by_route
        if self._watched is not None:
            yield from self._of_service(*self._watched)

    def _of_service(self, service: Service, bots: BotWorkers) -> Iterator[Metric]:
        registry, storage = service.registry, service.storage
        build = {"version": __version__, "python": platform.python_version(), "node": service.config.node.name}
        yield InfoMetricFamily("liarspoker_build", "What runs here.", build)
        yield _gauge("stopping", "1 while the server stops.", registry.closing)
        yield _gauge("tables", "Tables in memory.", len(registry._actors))
        yield _gauge("shards", "Shards that this node owns.", len(registry.membership.leases))
        yield _gauge("nodes", "Nodes that live, as this one knows it.", len(registry.membership.map.nodes))
        yield _gauge("lapsed", "1 while this node's leases have expired.", registry.membership.lapsed)
        yield _gauge("bus_connected", "1 while other nodes are heard.", service.bus.connected)
        lost = {"dropped": service.bus.dropped, "malformed": service.bus.malformed}
        yield _counters("bus_lost", "Messages between nodes that nobody got.", ("why",), lost)
        yield _gauges("connections", "Sockets and streams that are open.", "kind", service.connections.open)
        refusals = dict(self.refusals) | service.refusals()
        yield _counters("refusals", "What a limit has refused, by its name.", ("limit",), refusals)
        yield _gauge("logins_delayed", "Attempts to log in that are held up.", service.logins.delayed)
        yield _gauge("bot_workers", "Processes for bots that are ready.", len(bots.pids))
        yield _gauge("bots_playing", "Bots that think about an action.", bots.playing)
        yield _gauge("bots_waiting", "Bots that wait for a process.", bots.waiting)
        yield _counters("bot_failures", "Actions that a bot did not give.", ("code",), bots.failures)
        yield _gauge("database_away", "1 while the database does not answer.", storage.away)
        results = {result: int(result == storage.check_result) for result in ("unknown", "sound", "damaged")}
        yield _gauges("storage_check", "What the look through the database has found.", "result", results)
        yield _gauge("damaged_tables", "Tables that were asked for and are damaged.", len(storage.damaged))


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
    name: str, meaning: str, labels: tuple[str, ...], values: Mapping[str, int] | Mapping[tuple[str, str, str], int]
) -> Metric:
    family = CounterMetricFamily(f"liarspoker_{name}", meaning, labels=labels)
    for key, value in dict(values).items():  # a copy, since the event loop may go on counting meanwhile
        family.add_metric((key,) if isinstance(key, str) else key, value)
    return family


@contextmanager
def told_at(metrics: Metrics, where: str) -> Iterator[None]:
    """Serve the metrics at an address of their own, in a thread of their own, where the setting says so.

    Args:
        metrics: what is served.
        where: the setting `metrics`.

    Raises:
        CannotTell: the address is taken, or not this machine's.
    """
    if where in (OFF, LOCAL):
        yield
        return
    host, _, port = where.rpartition(":")
    try:
        server, thread = listen_for_prometheus(int(port), host.strip("[]"), metrics.registry)
    except OSError as error:
        raise CannotTell(
            f"metrics = {where!r}: {error.strerror or error}; every process needs an address of its own for metrics"
        ) from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def is_local(host: str) -> bool:
    """Whether a peer is this machine itself.

    >>> is_local("127.0.0.1"), is_local("::ffff:127.0.0.1"), is_local("10.0.0.1"), is_local("table")
    (True, True, False, False)
    """
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)
