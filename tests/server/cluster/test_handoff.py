"""Handover of open connections between processes on one machine."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvloop
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.server.cluster.handoff import HandoffSocket, send_connection
from tests.server.cluster.test_forward import ASKED, Browser, Nodes, address, at, two_nodes, written
from tests.server.inprocess import eventually
from tests.server.postgres import Server as Postgres


@pytest.fixture(scope="module", params=["asyncio", "uvloop"])
def nodes(
    request: pytest.FixtureRequest, postgres: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Nodes]:
    """Two servers that share a folder."""
    new_loop = uvloop.new_event_loop if request.param == "uvloop" else asyncio.SelectorEventLoop
    with two_nodes(postgres, tmp_path_factory.mktemp("nodes"), new_loop, handoff=True) as nodes:
        yield nodes


def connections(nodes: Nodes) -> list[set[Any]]:
    """Return the connections of the entry and of the owner."""
    return [server.raw.server_state.connections.copy() for server in (nodes.entry, nodes.owner)]


def test_a_handed_over_socket_belongs_to_the_owner_only(nodes: Nodes) -> None:
    ann, table = nodes.anns()
    for person in (ann, at(ann, nodes.owner)):  # connections for their own tables aren't handed over
        person.view(table)
    before = connections(nodes)  # some of these are idle, and may be closed at any time
    with ann.socket(table) as socket:
        said = socket.ask("c1", do="say", text="hello")
        assert socket.until("state", version=said["version"])
        eventually(lambda: [len(now - then) for now, then in zip(connections(nodes), before, strict=True)] == [0, 1])
        nodes.owner.loop.call_soon_threadsafe(nodes.owner.service.registry.loaded(table).detach)  # type: ignore[union-attr]
        assert socket.end() == (4503, "table-moved")


@given(
    requests=st.lists(
        st.tuples(ASKED, st.booleans(), st.lists(st.integers(0, 300), max_size=5)), min_size=2, max_size=8
    )
)
def test_any_sequence_of_requests_gets_the_owners_answers(
    nodes: Nodes, requests: list[tuple[tuple[str, str, bytes], bool, list[int]]]
) -> None:
    ann, theirs = nodes.anns()
    own, cookie = nodes.table(ann), ann.headers["Cookie"]
    here, direct = Browser(nodes.entry.port), [Browser(nodes.owner.port), Browser(nodes.entry.port)]
    for (method, path, body), is_own, cuts in requests:
        request = written(method, path.format(own if is_own else theirs), body, cookie)
        assert here.ask(method, request, cuts) == direct[is_own].ask(method, request, [])
    for browser in (here, *direct):
        browser.close()


def test_connections_without_a_valid_preface_are_closed(nodes: Nodes) -> None:
    folder = nodes.owner.raw.forwarding.folder
    assert folder is not None
    for said in (b"", b"GET / HTTP/1.1\r\n\r\n", b"LP1 1 127.0.0.1 1 " + b"0" * 64 + b"\r\nGET / HTTP/1.1\r\n\r\n"):
        here, there = socket.socketpair()
        with here, there:
            assert send_connection(folder, address(nodes.owner), said, there.fileno())
            there.close()
            assert here.recv(100) == b""


def test_sockets_of_dead_processes_are_removed_and_full_queues_do_not_block(tmp_path: Path) -> None:
    async def play() -> None:
        left = HandoffSocket(tmp_path, "127.0.0.1:1")
        left._socket.close()  # as when its process is killed
        receiver = HandoffSocket(tmp_path, "127.0.0.1:2")
        assert [path.name for path in tmp_path.iterdir()] == ["127.0.0.1%3A2.door"]
        with socket.socket() as one:
            assert not send_connection(tmp_path, "127.0.0.1:1", b"", one.fileno())
            while send_connection(tmp_path, "127.0.0.1:2", b"read", one.fileno()):
                pass
        taken = list[bytes]()

        def take(read: bytes, connection: socket.socket) -> None:
            taken.append(read)
            connection.close()

        receiver.open(take)
        async with asyncio.timeout(20):
            while not taken:
                await asyncio.sleep(0)
        assert set(taken) == {b"read"}
        receiver.close()
        assert not list(tmp_path.iterdir())

    asyncio.run(play())
