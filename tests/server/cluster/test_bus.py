"""One test suite for every bus: messages reach other nodes, and lost messages are reported."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import msgspec
import psycopg
import pytest
import uvloop
from hypothesis import given
from hypothesis import strategies as st
from nats.aio.client import Client

from liarspoker.server.cluster import bus as buses
from liarspoker.server.cluster.bus import (
    MAX_MESSAGE_BYTES,
    MAX_WAITING,
    VERSION,
    BadBus,
    Blocks,
    Bus,
    Counted,
    Invited,
    LocalBus,
    Message,
    Online,
    Revoked,
    Shards,
    open_bus,
    pack,
    unpack,
)
from tests.server.nats import NatsServer
from tests.server.postgres import Server

PATIENCE = 20.0
SCOPE = "club"


@dataclass
class Post:
    """A transport of messages, and ways to break it."""

    kind: str
    address: str
    database: str
    server: NatsServer | None

    @asynccontextmanager
    async def bus(self, instance: str, scope: str = SCOPE) -> AsyncIterator[Received]:
        bus = await open_bus(self.address, self.database, instance, scope)
        received = Received(bus)
        try:
            yield received
        finally:
            await bus.close()

    async def publish(self, payload: str) -> None:
        """Send an arbitrary payload."""
        if self.server is None:
            with psycopg.connect(self.database, autocommit=True) as connection:
                connection.execute("SELECT pg_notify(%s, %s)", (f"liarspoker_{SCOPE}", payload))
        else:
            client = Client()
            await client.connect(self.address)
            await client.publish(f"liarspoker.{SCOPE}", payload.encode())
            await client.close()

    def cut(self) -> None:
        """Break every connection."""
        if self.server is None:
            with psycopg.connect(self.database, autocommit=True) as connection:
                mine = (
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'liarspoker bus'"
                )
                assert connection.execute(mine).fetchall()
        else:
            self.server.stop()
            self.server.start()


@dataclass
class Received:
    """A bus and the messages it has received."""

    bus: Bus
    messages: list[Message] = field(default_factory=list)
    missed: int = 0
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.bus.listeners.append(self._hear)
        self.bus.when_missed.append(self._miss)

    def _hear(self, message: Message) -> None:
        self.messages.append(message)
        self._news.set()

    def _miss(self) -> None:
        self.missed += 1
        self._news.set()

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not done():
                await self._news.wait()
                self._news.clear()

    async def last(self) -> list[Message]:
        """Return the messages received before `END`."""
        await self.until(lambda: END in self.messages)
        before = self.messages[: self.messages.index(END)]
        del self.messages[: len(before) + 1]
        return before


END = Counted("end", "0")


@pytest.fixture(params=["notify", "nats"])
def post(request: pytest.FixtureRequest) -> Iterator[Post]:
    if request.param == "notify":
        server: Server = request.getfixturevalue("postgres")
        url = server.new_database(migrated=False)
        yield Post("notify", "notify", url, None)
        server.drop(url)
    else:
        nats: NatsServer = request.getfixturevalue("nats")
        yield Post("nats", nats.url, "sqlite:///nowhere", nats)


@pytest.fixture(autouse=True, params=["asyncio", "uvloop"])
def runner(request: pytest.FixtureRequest) -> Iterator[asyncio.Runner]:
    """Run on both event loops that a server may use."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop if request.param == "uvloop" else None) as runner:
        yield runner


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=100)
MESSAGES = st.one_of(
    st.builds(Shards),
    st.builds(Revoked, st.binary(max_size=64)),
    st.builds(Counted, TEXTS, TEXTS),
    st.builds(Blocks, TEXTS),
    st.builds(Invited, TEXTS),
    st.builds(Online, st.lists(TEXTS).map(tuple)),
)


@given(TEXTS, st.lists(MESSAGES))
def test_packing_round_trips(sender: str, messages: list[Message]) -> None:
    assert unpack(pack(sender, map(msgspec.json.encode, messages))) == (sender, messages, 0)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False)
    | TEXTS
    | st.sampled_from(["counted", "shards"]),
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


@given(st.binary() | JSON.map(msgspec.json.encode) | st.tuples(st.just(VERSION), TEXTS, JSON).map(msgspec.json.encode))
def test_no_payload_makes_reading_fail(payload: bytes) -> None:
    assert all(isinstance(message, Message) for message in unpack(payload)[1])


@pytest.mark.parametrize(
    ("payload", "known", "malformed"),
    [
        (b'[2,{"all":"new"}]', [], 0),
        (b'[0,"a",[]]', [], 1),
        (b'[1,"a"]', [], 1),
        (b'{"version":1}', [], 1),
        (b"[" * 100_000, [], 1),
        (b"\xff", [], 1),
        (b"", [], 1),
        (
            b'[1,"a",[["weather",1],["shards","more"],["counted","t"],7,["counted","t","1","more"]],"more"]',
            [Shards(), Counted("t", "1")],
            2,
        ),
    ],
)
def test_newer_messages_can_have_additional_fields(payload: bytes, known: list[Message], malformed: int) -> None:
    assert unpack(payload)[1:] == (known, malformed)


async def test_messages_arrive_in_order_but_not_at_the_sender(post: Post) -> None:
    published: list[Message] = [
        Shards(),
        Revoked(bytes(range(32))),
        Revoked(b"lobby"),
        Counted("logins", "ann é 192.0.2.1"),
    ]
    published += [Counted(f"table-{number % 7}", str(number)) for number in range(3000)]
    async with post.bus("a") as first, post.bus("b") as second, post.bus("c") as third:
        assert first.bus.connected
        for message in [*published, END]:
            first.bus.publish(message)
        assert await second.last() == await third.last() == published
        second.bus.publish(END)
        assert await first.last() == []
        assert (first.missed, second.missed, first.bus.dropped) == (0, 0, 0)


async def test_a_new_node_receives_the_next_message(post: Post) -> None:
    async with post.bus("a") as first:
        for _ in range(40):
            async with post.bus("b") as second:
                first.bus.publish(END)
                assert await second.last() == []


async def test_a_late_connection_reports_possibly_missed_messages(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buses, "START_SECONDS", 0.0)
    async with post.bus("a") as first:
        assert not first.bus.connected
        await first.until(lambda: first.missed == 1)
        assert first.bus.connected


async def test_installations_do_not_receive_each_others_messages(post: Post) -> None:
    async with (
        post.bus("a") as here,
        post.bus("b") as near,
        post.bus("a", "else") as there,
        post.bus("b", "else") as far,
    ):
        here.bus.publish(Revoked(b"lobby"))
        here.bus.publish(END)
        there.bus.publish(Shards())
        there.bus.publish(END)
        assert (await near.last(), await far.last()) == ([Revoked(b"lobby")], [Shards()])


async def test_malformed_payloads_and_newer_versions_are_ignored(post: Post) -> None:
    async with post.bus("a") as first, post.bus("b") as second:
        own = pack("b", [msgspec.json.encode(Revoked(b"lobby"))]).decode()
        for payload in ("garbage", "[2,[]]", '[1,"x",[["weather"],["counted",1]]]', own):
            await post.publish(payload)
        first.bus.publish(END)
        assert await second.last() == []
        assert second.bus.malformed == 2


async def test_a_lost_bus_reconnects_and_reports_possibly_missed_messages(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "liarspoker.server.cluster")
    async with post.bus("a") as first, post.bus("b") as second:
        for times in (1, 2):
            post.cut()
            for each in (first, second):
                await each.until(lambda: each.missed == times)  # noqa: B023  # it is awaited here
            first.bus.publish(END)
            assert await second.last() == []
        assert [record.msg for record in caplog.records].count("bus lost") == 4
        assert [record.msg for record in caplog.records].count("bus restored") == 4


async def test_a_failing_listener_does_not_affect_others(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    def fail(message: Message) -> None:
        raise RuntimeError

    async with post.bus("a") as first, post.bus("b") as second:
        second.bus.listeners.insert(0, fail)
        first.bus.publish(Revoked(b"lobby"))
        first.bus.publish(END)
        assert await second.last() == [Revoked(b"lobby")]
    assert [record.msg for record in caplog.records] == ["bus listener failed"] * 2


async def test_the_queue_is_bounded_and_long_messages_are_dropped(post: Post) -> None:
    async with post.bus("a") as first, post.bus("b") as second:
        for number in range(MAX_WAITING + 499):  # before the event loop can send
            first.bus.publish(Counted("t", str(number)))
        first.bus.publish(END)
        assert await second.last() == [Counted("t", str(number)) for number in range(500, MAX_WAITING + 499)]
        assert first.bus.dropped == 500
        first.bus.publish(Counted("t" * MAX_MESSAGE_BYTES, "1"))
        first.bus.publish(Counted("\ud800", "1"))
        first.bus.publish(END)
        assert await second.last() == []
        assert first.bus.dropped == 502


async def test_closing_sends_queued_messages(post: Post) -> None:
    async with post.bus("b") as second:
        async with post.bus("a") as first:
            first.bus.publish(Shards())
            first.bus.publish(END)
        assert await second.last() == [Shards()]
        assert not first.bus.connected


async def test_starting_does_not_wait_for_an_unreachable_bus(nats: NatsServer) -> None:
    nats.stop()
    post = Post("nats", nats.url, "sqlite:///nowhere", nats)
    async with post.bus("a") as first, post.bus("b") as second:
        first.bus.publish(Revoked(b"lobby"))
        assert not first.bus.connected
        nats.start()
        await second.until(lambda: second.missed == 1)
        await first.until(lambda: first.missed == 1)
        first.bus.publish(END)
        assert (await second.last()) in ([], [Revoked(b"lobby")])  # of the node that reconnected first


async def test_one_reachable_nats_server_is_enough(nats: NatsServer, caplog: pytest.LogCaptureFixture) -> None:
    guarded, refuses = NatsServer(nats._program), NatsServer(nats._program)
    guarded.start("--user", "ann", "--pass", "s p@ce")
    try:
        address = f"nats://127.0.0.1:{refuses.port}, nats://ann:s%20p%40ce@127.0.0.1:{guarded.port}"
        post = Post("nats", address, "sqlite:///nowhere", guarded)
        async with post.bus("a") as first, post.bus("b") as second:
            await first.until(lambda: first.bus.connected or first.missed > 0)
            await second.until(lambda: second.bus.connected or second.missed > 0)
            first.bus.publish(END)
            assert await second.last() == []
    finally:
        guarded.stop()
    assert "ce" not in [getattr(record, name, "") for record in caplog.records for name in ("error", "reason")]


async def test_a_local_bus_sends_nothing() -> None:
    for address in (None, "local"):
        bus = await open_bus(address, "sqlite:///nowhere", "a", SCOPE)
        assert isinstance(bus, LocalBus)
        assert bus.connected
        bus.publish(Revoked(b"lobby"))
        await bus.close()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "smoke",
        "nats://",
        "nats://host:port",
        "nats://a,",
        "http://host",
        "nats://host/x",
        "notify",
        "nats://ann:secret@:1",
    ],
)
async def test_invalid_bus_addresses_are_rejected_without_showing_passwords(address: str) -> None:
    with pytest.raises(BadBus, match=r"omit --bus|use local, notify") as refused:
        await open_bus(address, "sqlite:///nowhere", "a", SCOPE)
    assert "secret" not in str(refused.value)
