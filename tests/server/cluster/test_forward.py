"""Every node accepts any connection, and the table's owner serves it without any visible difference."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import socket
import struct
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from http.client import HTTPResponse, parse_headers
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import uvloop
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed

from liarspoker.server import http
from liarspoker.server.cluster import forward, membership
from liarspoker.server.cluster.forward import ForwardingProtocol, Preface, Splice, preface, read_preface
from liarspoker.server.config import Limit, NodeConfig, no_limits
from liarspoker.server.http import RequestTimeoutProtocol
from liarspoker.server.socket import MOST_BAD_FRAMES
from liarspoker.server.storage.leases import assigned
from liarspoker.server.storage.log import SHARD_COUNT
from liarspoker.web.app import mount_pages
from tests.server.inprocess import PATIENCE, Person, Running, eventually, running, written_lines
from tests.server.postgres import Server as Postgres

KEY = b"a key that all nodes of these tests share"
HOST = "poker.example"
ALL_SECONDS = 5
"""The maximum duration of a stop."""


@dataclass
class FixedRoutes:
    """Routes with owners that the test sets."""

    here: str
    owners: Mapping[str, str]
    key: bytes = KEY

    def owner(self, table_id: str) -> str | None:
        owner = self.owners.get(table_id)
        return None if owner == self.here else owner


def address(server: Running) -> str:
    """Return the address at which other nodes reach a server."""
    return server.raw.forwarding.address


def forwarded(server: Running) -> list[Any]:
    """Return a server's connections that are forwarded to another node, or come from one without a preface yet."""
    return [one for one in server.raw.server_state.connections.copy() if isinstance(one, Splice | Preface)]


@dataclass
class Nodes:
    """Two servers on one database, with known owners of tables."""

    entry: Running
    owner: Running
    owners: dict[str, str]

    def table(self, owner: Person, *others: Person, **settings: Any) -> str:
        """Create a table on the node that the user connects to."""
        table = owner.server.table(owner, *others, **settings)
        self.owners[table] = address(owner.server)
        return table

    def anns(self, **settings: Any) -> tuple[Person, str]:
        """Return a user of the accepting node, and their table on the owning node."""
        ann = self.owner.person("Ann")
        return at(ann, self.entry), self.table(ann, **settings)


@contextmanager
def two_nodes(
    postgres: Postgres,
    folder: Path,
    new_loop: Callable[[], asyncio.AbstractEventLoop] | None = None,
    handoff: bool = False,
    **changes: Any,
) -> Iterator[Nodes]:
    """Run two servers; with `handoff`, they hand over connections, as processes on one machine do."""
    url, owners = postgres.new_database(), dict[str, str]()
    with ExitStack() as stack:
        stack.callback(postgres.drop, url)
        patched = stack.enter_context(pytest.MonkeyPatch.context())
        patched.setattr(membership, "HANDOVERS_AT_ONCE", SHARD_COUNT)
        patched.setattr(
            membership, "LEASE_SECONDS", 60.0
        )  # a busy machine delays heartbeats, and no table may move here
        entry, owner = (
            stack.enter_context(running(folder, mount_pages, new_loop, database=url, node=NodeConfig(name), **changes))
            for name in ("entry", "owner")
        )
        share_out(entry, owner)
        for server in (entry, owner):
            server.raw.forwarding.routes = FixedRoutes(address(server), owners)
            server.raw.forwarding.folder = folder if handoff else None
        yield Nodes(entry, owner, owners)


def share_out(*servers: Running) -> None:
    """Wait until each server owns its share of the shards, so that no table moves any more."""
    members = [server.service.registry.membership for server in servers]
    fair = assigned([member.node.instance for member in members])
    for member in members:
        share = {shard for shard, instance in enumerate(fair) if instance == member.node.instance}
        eventually(lambda member=member, share=share: member.leases.keys() == share)  # type: ignore[misc]


@pytest.fixture(scope="module", params=["asyncio", "uvloop"])
def all_nodes(
    request: pytest.FixtureRequest, postgres: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Nodes]:
    new_loop = uvloop.new_event_loop if request.param == "uvloop" else asyncio.SelectorEventLoop
    with two_nodes(postgres, tmp_path_factory.mktemp("nodes"), new_loop) as nodes:
        yield nodes


@pytest.fixture
def nodes(all_nodes: Nodes) -> Iterator[Nodes]:
    """The servers of most tests; after each test, no connection between them may be open."""
    before = [server.raw.forwarding.routes for server in (all_nodes.entry, all_nodes.owner)]
    yield all_nodes
    for server, routes in zip((all_nodes.entry, all_nodes.owner), before, strict=True):
        server.raw.forwarding.routes = routes
        eventually(lambda server=server: not forwarded(server))  # type: ignore[misc]


def at(person: Person, server: Running, address: str = "127.0.0.1", **headers: str) -> Person:
    """Return the same user as a client of another server."""
    other = server.person(address=address, **headers)
    other.http.cookies.update(person.http.cookies)
    other.user = person.user
    return other


def connected(port: int) -> socket.socket:
    one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return one


def rest(one: socket.socket) -> bytes:
    """Read everything until the other side closes the connection."""
    came = bytearray()
    try:
        while some := one.recv(1 << 16):
            came += some
    except ConnectionResetError:
        pass
    return bytes(came)


def test_pages_forms_and_commands_reach_the_owner(nodes: Nodes) -> None:
    ann, table = nodes.anns()
    assert "Ann" in ann.http.get(f"/t/{table}").text
    before = ann.view(table)["version"]
    assert ann.ask(table, do="say", text="one")["version"] == before + 1
    form = {"do": "say", "text": "two"}
    sent = ann.http.post(f"/t/{table}", data=form, headers={"Origin": nodes.entry.url})
    assert (sent.status_code, sent.headers["location"]) == (303, f"/t/{table}?following")
    assert ann.http.get(f"/tables/{table}").headers["location"] == f"/t/{table}"
    assert ann.view(table)["version"] == before + 2
    assert nodes.entry.service.registry.loaded(table) is None


def test_only_forwarded_responses_close_the_connection(nodes: Nodes) -> None:
    ann, table = nodes.anns()
    assert ann.http.get(f"/t/{table}").headers["connection"] == "close"
    assert "connection" not in ann.http.get("/health").headers
    own = nodes.table(at(ann, nodes.entry))
    assert "connection" not in ann.http.get(f"/t/{own}").headers


def test_sockets_are_forwarded_in_both_directions(nodes: Nodes) -> None:
    ann, table = nodes.anns()
    with ann.socket(table) as socket:
        version = socket.until("state")["version"]
        for number in range(1, 20):
            assert socket.ask(f"c{number}", do="say", text=f"{number}")["version"] == version + number
        assert len(forwarded(nodes.entry)) == 1
    with ann.socket(table) as socket:
        for _ in range(MOST_BAD_FRAMES):
            socket.send("no JSON")
        assert socket.end() == (4400, "bad-frame")


def test_streams_are_forwarded(nodes: Nodes) -> None:
    ann, table = nodes.anns()
    with ann.http.stream("GET", f"/api/tables/{table}/stream") as response:
        lines = (json.loads(line) for line in response.iter_lines() if line)
        version = next(line["version"] for line in lines)
        assert ann.ask(table, do="sit_out")["ok"]
        assert next(line["version"] for line in lines if line["kind"] == "state") == version + 1


class Answer(NamedTuple):
    """Return a response without its variable parts."""

    status: int
    headers: frozenset[tuple[str, str]]
    body: str


class Browser:
    """A client that keeps its connection open as long as possible."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connection: socket.socket | None = None

    def ask(self, method: str, request: bytes, cuts: list[int]) -> Answer:
        """Send a request in pieces, and return the response."""
        if self.connection is None:
            self.connection = connected(self.port)
        ends = sorted({cut % len(request) for cut in cuts} | {len(request)})
        for start, end in zip([0, *ends], ends, strict=False):
            self.connection.sendall(request[start:end])
        with HTTPResponse(self.connection, method=method) as response:
            response.begin()
            body = response.read().decode()
            if response.will_close:
                self.close()
        passing = {"date", "connection", "content-length", "x-request-id"}
        headers = frozenset((name, value) for name, value in response.getheaders() if name.lower() not in passing)
        return Answer(response.status, headers, re.sub(r'"now":[0-9.]+', "", body))

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


PATHS = (
    "/health",
    "/api/catalogue",
    "/t/{}",
    "/t/{}?following",
    "/t/{}/sheet",
    "/t/{}/nothing",
    "/tables/{}",
    "/api/tables/{}",
    "/api/tables/{}/records",
    "/api/tables/{}/audit",
    "/api/tables/%-{}",
    "/api/tables/{}/commands/",
)
BODIES = (b"{}", b'{"id": "once", "command": {"do": "say", "text": "hello"}}', b"no JSON", b'{"action": "1x1"}')
ASKED = st.one_of(
    st.tuples(st.sampled_from(["GET", "HEAD", "DELETE"]), st.sampled_from(PATHS), st.just(b"")),
    st.tuples(
        st.just("POST"), st.sampled_from(["/api/tables/{}/commands", "/api/tables/{}/check"]), st.sampled_from(BODIES)
    ),
)


def written(method: str, path: str, body: bytes, cookie: str) -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nCookie: {cookie}\r\n"
    kind = "Content-Type: application/json\r\n" if body else ""
    return f"{head}{kind}Content-Length: {len(body)}\r\n\r\n".encode() + body


@pytest.fixture(scope="module")
def two_tables(all_nodes: Nodes) -> tuple[str, str, str]:
    """A table on each node, and their owner's cookie."""
    ann, theirs = all_nodes.anns()
    return all_nodes.table(ann), theirs, ann.headers["Cookie"]


def test_a_table_id_with_escaped_characters_leads_to_the_owner(all_nodes: Nodes) -> None:
    ann, table = all_nodes.anns()
    escaped = "".join(f"%{ord(character):02x}" for character in table)
    request = written("GET", f"/api/tables/{escaped}", b"", ann.headers["Cookie"])
    here, owner = Browser(all_nodes.entry.port), Browser(all_nodes.owner.port)
    answer = here.ask("GET", request, [])
    assert answer == owner.ask("GET", request, [])
    assert answer.status == 200
    here.close()
    owner.close()


@given(
    requests=st.lists(
        st.tuples(ASKED, st.booleans(), st.lists(st.integers(0, 300), max_size=5)), min_size=2, max_size=8
    )
)
def test_any_sequence_of_requests_gets_the_owners_answers(
    all_nodes: Nodes, two_tables: tuple[str, str, str], requests: list[tuple[tuple[str, str, bytes], bool, list[int]]]
) -> None:
    own, theirs, cookie = two_tables
    here, direct = Browser(all_nodes.entry.port), [Browser(all_nodes.owner.port), Browser(all_nodes.entry.port)]
    for (method, path, body), is_own, cuts in requests:
        request = written(method, path.format(own if is_own else theirs), body, cookie)
        assert here.ask(method, request, cuts) == direct[is_own].ask(method, request, [])
    for browser in (here, *direct):
        browser.close()


def test_pipelined_requests_are_served_locally(nodes: Nodes, two_tables: tuple[str, str, str]) -> None:
    own, theirs, cookie = two_tables
    with connected(nodes.entry.port) as one:
        one.sendall(b"".join(written("GET", f"/api/tables/{table}", b"", cookie) for table in (own, theirs)))
        with one.makefile("rb") as answers:  # a single buffer, since it may receive both answers at once
            for status in (b"200", b"503"):
                assert answers.readline().split()[1] == status
                answers.read(int(parse_headers(answers)["Content-Length"]))
        one.sendall(written("GET", f"/api/tables/{theirs}", b"", cookie))
        assert rest(one).startswith(b"HTTP/1.1 200")


def test_limits_see_the_clients_address_on_every_node(postgres: Postgres, tmp_path: Path) -> None:
    limits = replace(no_limits(), records=Limit(1, 1e-6), strangers=1)
    with two_nodes(postgres, tmp_path, limits=limits, trusted_proxies=("127.0.0.9",)) as nodes:
        table = nodes.table(nodes.owner.person("Ann"))

        def status(server: Running, address: str, **headers: str) -> int:
            return server.person(address=address, **headers).http.get(f"/api/tables/{table}/records").status_code

        assert status(nodes.entry, "127.0.0.2") == 200
        assert status(nodes.entry, "127.0.0.2") == 429
        assert status(nodes.owner, "127.0.0.2") == 429
        assert status(nodes.entry, "127.0.0.3", **{"X-Forwarded-For": "192.0.2.1"}) == 200
        assert status(nodes.entry, "127.0.0.3", **{"X-Forwarded-For": "192.0.2.2"}) == 429, "not a trusted proxy"
        assert status(nodes.entry, "127.0.0.9", **{"X-Forwarded-For": "192.0.2.3"}) == 200
        assert status(nodes.entry, "127.0.0.9", **{"X-Forwarded-For": "192.0.2.4"}) == 200
        assert status(nodes.owner, "127.0.0.9", **{"X-Forwarded-For": "192.0.2.4"}) == 429
        with nodes.entry.person(address="127.0.0.5").socket(table) as first:
            first.until("state")
            with nodes.owner.person(address="127.0.0.5").socket(table) as second:
                assert second.end() == (4429, "too-many")
            with nodes.entry.person(address="127.0.0.6").socket(table) as third:
                third.until("state")


@contextmanager
def with_route(server: Running, route: BaseRoute) -> Iterator[None]:
    """A server with additional pages."""
    routes = server.raw.application.router.routes
    routes.insert(0, route)
    try:
        yield
    finally:
        routes.remove(route)


CHUNKS, CHUNK = 64, bytes(range(256)) * (1 << 12)
MOST_BUFFERED = (64 << 10) + (256 << 10)
"""asyncio's high-water mark of write buffers, plus the size of a read."""


def test_a_slow_client_slows_the_owner_without_buffering(nodes: Nodes) -> None:
    sent = []

    async def large(request: Request) -> StreamingResponse:
        async def chunks() -> AsyncIterator[bytes]:
            for number in range(CHUNKS):
                sent.append(number)
                yield CHUNK

        return StreamingResponse(chunks())

    _, table = nodes.anns()
    with with_route(nodes.owner, Route("/t/{table}/large", large)), socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        one.settimeout(PATIENCE)
        one.connect(("127.0.0.1", nodes.entry.port))
        one.sendall(f"GET /t/{table}/large HTTP/1.0\r\nHost: {HOST}\r\n\r\n".encode())
        eventually(
            lambda: any(splice.transport.get_write_buffer_size() > 64 << 10 for splice in forwarded(nodes.entry))
        )
        [splice] = forwarded(nodes.entry)
        assert splice.transport.get_write_buffer_size() <= MOST_BUFFERED
        before = len(sent)
        assert before < CHUNKS
        _, _, body = rest(one).partition(b"\r\n\r\n")
    assert hashlib.sha256(body).digest() == hashlib.sha256(CHUNK * CHUNKS).digest()


def test_a_slow_owner_slows_the_client(nodes: Nodes) -> None:
    async def deaf(websocket: WebSocket) -> None:
        await websocket.accept()
        await asyncio.Event().wait()

    _, table = nodes.anns()
    frame = b"\x82\xfe" + struct.pack("!H", 10_000) + bytes(4 + 10_000)
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    with with_route(nodes.owner, WebSocketRoute("/t/{table}/deaf", deaf)), connected(nodes.entry.port) as one:
        one.sendall(f"GET /t/{table}/deaf HTTP/1.1\r\nHost: {HOST}\r\n{upgrade}".encode())
        one.sendall(b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
        assert one.recv(1000).startswith(b"HTTP/1.1 101")
        one.settimeout(0.5)
        send_for_ever = iter(lambda: one.sendall(frame), one)
        with pytest.raises(TimeoutError):
            list(send_for_ever)
        [splice] = forwarded(nodes.entry)
        assert splice.other.get_write_buffer_size() <= MOST_BUFFERED
        for task in list(nodes.owner.raw.server_state.tasks):
            nodes.owner.loop.call_soon_threadsafe(task.cancel)


@contextmanager
def fake_owner(nodes: Nodes, table: str) -> Iterator[socket.socket]:
    """A listening socket at the address that the accepting node considers the owner's."""
    with socket.socket() as listening:
        listening.settimeout(PATIENCE)
        listening.bind(("127.0.0.1", 0))
        nodes.entry.raw.forwarding.routes = FixedRoutes("", {table: f"127.0.0.1:{listening.getsockname()[1]}"})
        yield listening


@pytest.mark.parametrize("reset", [False, True])
def test_the_connection_ends_when_the_owner_dies_within_a_frame(nodes: Nodes, reset: bool) -> None:
    ann, table = nodes.anns()
    with fake_owner(nodes, table) as listening, connected(nodes.entry.port) as one:
        listening.listen()
        request = written("GET", f"/api/tables/{table}/socket", b"", ann.headers["Cookie"])
        one.sendall(request)
        owner, _ = listening.accept()
        with owner:
            target = f"127.0.0.1:{listening.getsockname()[1]}"
            said = preface(KEY, target, 1, one.getsockname())
            assert owner.recv(len(said), socket.MSG_WAITALL) == said
            assert owner.recv(len(request), socket.MSG_WAITALL) == request
            owner.sendall(b"HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x7e\x01\x00half")
            assert one.recv(1000).endswith(b"half")
            if reset:
                owner.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert rest(one) == b""


def test_the_connection_to_the_owner_ends_with_the_clients(nodes: Nodes) -> None:
    _, table = nodes.anns()
    with fake_owner(nodes, table) as listening:
        listening.listen()
        for end in (socket.SHUT_WR, socket.SHUT_RDWR):
            with connected(nodes.entry.port) as one:
                one.sendall(written("GET", f"/t/{table}", b"", ""))
                owner, _ = listening.accept()
                with owner:
                    one.shutdown(end)
                    assert rest(owner).endswith(b"\r\n\r\n")
                    if end == socket.SHUT_WR:
                        owner.sendall(b"said after that")
                        owner.close()
                        assert rest(one) == b"said after that"


@pytest.mark.parametrize("how", ["refused", "silent"])
def test_clients_are_asked_to_retry_if_the_owner_is_unreachable(
    nodes: Nodes, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward, "CONNECT_SECONDS", 0.1)
    ann, table = nodes.anns()
    with ExitStack() as held, written_lines() as lines:
        listening = held.enter_context(fake_owner(nodes, table))
        if how == "silent":  # a pending connection fills the backlog, and further ones get no answer
            listening.listen(0)
            for _ in range(2):
                waiting = held.enter_context(socket.socket())
                waiting.setblocking(False)
                waiting.connect_ex(listening.getsockname())
        for _ in range(2):
            refused = ann.http.get(f"/api/tables/{table}")
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "leased")
            assert "connection" not in refused.headers
        with ann.socket(table) as closed:
            assert closed.end() == (4503, "table-moved")
        assert [json.loads(line)["level"] for line in lines.getvalue().splitlines()].count("warning") == 1


def test_forwarding_loops_are_limited(nodes: Nodes) -> None:
    ann, table = nodes.anns()
    nodes.owner.raw.forwarding.routes = FixedRoutes(address(nodes.owner), {table: address(nodes.entry)})
    assert ann.view(table)["version"] == 1, "the fourth is the owner"
    refused = at(ann, nodes.owner).http.get(f"/api/tables/{table}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "leased"), "the fourth is not"


LINE = preface(KEY, "10.0.0.3:7000", 1, ("192.0.2.7", 50123)).rstrip()


@given(place=st.integers(0, len(LINE) - 1), sign=st.integers(0, 255))
@example(place=4, sign=ord("2"))
def test_a_modified_preface_is_rejected(place: int, sign: int) -> None:
    changed = LINE[:place] + bytes([sign]) + LINE[place + 1 :]
    assert (read_preface(changed, KEY, "10.0.0.3:7000") is None) == (changed != LINE)


@given(
    hops=st.integers(1, 9),
    host=st.one_of(st.ip_addresses().map(str), st.just("fe80::1%eth0")),
    port=st.integers(0, 65535),
    key=st.binary(),
)
def test_a_preface_round_trips_with_the_right_key(hops: int, host: str, port: int, key: bytes) -> None:
    line = preface(key, "[fd00::3]:7000", hops, (host, port))
    assert len(line) <= forward.MAX_PREFACE_BYTES
    assert read_preface(line.removesuffix(b"\r\n"), key, "[fd00::3]:7000") == (hops, (host, port))
    assert read_preface(line.removesuffix(b"\r\n"), key + b"!", "[fd00::3]:7000") is None


def internal(server: Running) -> socket.socket:
    return connected(int(address(server).rpartition(":")[2]))


HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    "said",
    [
        HEALTH,
        b"\r\n" + HEALTH,
        b"LP1 1 127.0.0.1 5 " + b"0" * 64 + b"\r\n" + HEALTH,
        b"\xff" * 64 + b"\r\n" + HEALTH,
        b"LP1 " + b"1" * 10_000,
        preface(KEY, "127.0.0.1:1", 1, ("127.0.0.1", 5)) + HEALTH,
    ],
)
def test_connections_without_a_valid_preface_are_aborted(nodes: Nodes, said: bytes) -> None:
    with internal(nodes.owner) as one:
        one.sendall(said)
        assert rest(one) == b""


def test_a_preface_can_arrive_in_pieces_but_must_arrive_in_time(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    line = preface(KEY, address(nodes.owner), 1, ("192.0.2.7", 5))
    with internal(nodes.owner) as one:
        for sign in line + HEALTH:
            one.sendall(bytes([sign]))
        assert rest(one).startswith(b"HTTP/1.1 200")
    monkeypatch.setattr(forward, "PREFACE_SECONDS", 0.1)
    with internal(nodes.owner) as one:
        one.sendall(line[:-1])
        assert rest(one) == b""


def test_prefaces_are_rejected_before_routes_are_known(nodes: Nodes) -> None:
    nodes.owner.raw.forwarding.routes = None
    with internal(nodes.owner) as one:
        one.sendall(preface(KEY, address(nodes.owner), 1, ("192.0.2.7", 5)) + HEALTH)
        assert rest(one) == b""


@pytest.mark.parametrize("head", [b"GET /t/{} HTTP/1.1\r\nHost:", b"GET /t/{}", b"POST /t/{} HTTP/1.1\r\n"])
def test_incomplete_requests_time_out_without_being_forwarded(
    nodes: Nodes, head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "REQUEST_SECONDS", 0.2)
    _, table = nodes.anns()
    with fake_owner(nodes, table) as listening, connected(nodes.entry.port) as one:
        listening.listen()
        one.sendall(head.replace(b"{}", table.encode()))
        assert rest(one) == b""
        listening.settimeout(0)
        with pytest.raises(BlockingIOError):
            listening.accept()


def test_incomplete_forwarded_requests_time_out(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "REQUEST_SECONDS", 0.2)
    with internal(nodes.owner) as one:
        one.sendall(preface(KEY, address(nodes.owner), 1, ("192.0.2.7", 5)) + HEALTH[:-2])
        assert rest(one) == b""


def test_endless_request_heads_are_rejected(nodes: Nodes) -> None:
    _, table = nodes.anns()
    with connected(nodes.entry.port) as one:
        one.sendall(f"GET /t/{table} HTTP/1.1\r\nX: ".encode() + b"x" * 20_000)
        assert rest(one).startswith(b"HTTP/1.1 400")


def test_a_stopping_node_completes_responses_and_stops_in_time(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "HANDOVERS_AT_ONCE", SHARD_COUNT)
    url, goes_on = postgres.new_database(), asyncio.Event()

    async def slow(request: Request) -> StreamingResponse:
        async def parts() -> AsyncIterator[bytes]:
            yield b"begun, "
            await goes_on.wait()
            yield b"ended"

        return StreamingResponse(parts())

    with ExitStack() as stack:
        stack.callback(postgres.drop, url)
        owner = stack.enter_context(running(tmp_path, database=url, node=NodeConfig("owner")))
        stack.enter_context(with_route(owner, Route("/t/{table}/slow", slow)))
        with ExitStack() as servers:
            entry = servers.enter_context(running(tmp_path, database=url, node=NodeConfig("entry")))
            share_out(owner, entry)
            ann = owner.person("Ann")
            table = owner.table(ann)
            owner.raw.forwarding.routes = FixedRoutes(address(owner), {})
            entry.raw.forwarding.folder = None
            entry.raw.forwarding.routes = FixedRoutes("", {table: address(owner)})
            playing = stack.enter_context(at(ann, entry).socket(table))
            playing.until("state")
            one = stack.enter_context(connected(entry.port))
            one.sendall(f"GET /t/{table}/slow HTTP/1.0\r\nHost: {HOST}\r\n\r\n".encode())
            while b"begun" not in one.recv(1000):
                pass
            began = time.monotonic()
            entry.raw.should_exit = True
            eventually(lambda: entry.raw.servers == [] or not entry.raw.servers[0].is_serving())
            owner.loop.call_soon_threadsafe(goes_on.set)
            assert rest(one) == b"ended"
            with pytest.raises(ConnectionClosed):
                list(iter(partial(playing.raw.recv, timeout=PATIENCE), ""))
        assert time.monotonic() - began < ALL_SECONDS


def test_a_sqlite_server_does_not_listen_for_other_nodes(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert server.raw.config.http_protocol_class is RequestTimeoutProtocol
        assert address(server) == ""
        assert len(server.raw.servers) == 1
        assert not isinstance(server.raw.config.http_protocol_class, ForwardingProtocol)
