"""Malformed client input causes no error log lines and no tracebacks."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Iterator

import pytest

from liarspoker.web.app import mount_pages
from tests.server.inprocess import PATIENCE, Running, running, written_lines
from tests.server.registries import until

KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
UPGRADE = b"Host: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
POST = b"POST /api/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


def frame(opcode: int, data: bytes, *, fin: bool = True, mask: bool = True, length: int | None = None) -> bytes:
    """A WebSocket frame whose header can state a wrong length."""
    head = bytes([(0x80 if fin else 0) | opcode])
    size = len(data) if length is None else length
    masked = 0x80 if mask else 0
    if size < 126:
        head += bytes([masked | size])
    elif size < 1 << 16:
        head += bytes([masked | 126]) + struct.pack("!H", size)
    else:
        head += bytes([masked | 127]) + struct.pack("!Q", size)
    return head + (b"\0\0\0\0" if mask else b"") + data


FRAMES = {
    "text that isn't UTF-8": frame(1, b"\xff\xfe\xfd"),
    "half a character": frame(1, b'{"kind": "ping\xc3'),
    "half a character, in two fragments": frame(1, b"\xc3", fin=False) + frame(0, b"\x28"),
    "unmasked": frame(1, b"{}", mask=False),
    "an unknown opcode": frame(3, b"x"),
    "reserved bits": bytes([0xF1]) + frame(1, b"x")[1:],
    "a continuation without a start": frame(0, b"x"),
    "a text inside a fragmented text": frame(1, b"a", fin=False) + frame(1, b"b"),
    "a ping too long": frame(9, b"x" * 126),
    "a fragmented ping": frame(9, b"x", fin=False),
    "a text too long": frame(1, b"x" * 40_000),
    "an enormous length": frame(1, b"", length=1 << 62),
    "a length with its highest bit set": frame(1, b"", length=(1 << 63) + 5),
    "a close of one byte": frame(8, b"\x03"),
    "a close with an invalid code": frame(8, struct.pack("!H", 99)),
    "a close whose reason isn't UTF-8": frame(8, struct.pack("!H", 1000) + b"\xff"),
    "half a frame": frame(1, b"abc", length=100),
    "random bytes": bytes(range(7, 250)),
}

REQUESTS = {
    "random bytes": bytes(range(256)),
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(100)),
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "half a request": b"GET /health HT",
    "half a header": b"GET /health HTTP/1.1\r\nHost: 127",
    "no host": b"GET /health HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "a path that isn't ASCII": b"GET /\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a path that isn't UTF-8": b"GET /t/%ff%fe%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a query that isn't ASCII": b"GET /?name=\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "headers that aren't ASCII": b"GET /health HTTP/1.1\r\nHost: \xff\r\nCookie: \xff=\xfe\r\nOrigin: \xff\r\n\r\n",
    "a token that isn't ASCII": b"GET /api/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
    "headers without an end": b"GET /health HTTP/1.1\r\nX: " + b"x" * 200_000,
    "an invalid length": POST + b"Content-Length: many\r\n\r\n{}",
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "an enormous length": POST + b"Content-Length: 99999999999999999999\r\n\r\n{}",
    "an interrupted upload": POST + b'Content-Length: 1000\r\n\r\n{"name": "A',
    "invalid chunks": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "interrupted chunks": POST + b"Transfer-Encoding: chunked\r\n\r\n400\r\n{",
    "a body that isn't UTF-8": POST + b"Content-Length: 4\r\n\r\n\xff\xfe{}",
    "an invalid form": b"POST /t/x HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=\xff\r\n"
    b"Content-Length: 3\r\n\r\n--\xff",
    "an interrupted form": b"POST /replay HTTP/1.1\r\nHost: a\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\n"
    b'Content-Length: 90\r\n\r\n--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nhalf',
    "an interrupted handshake": b"GET /api/tables/x/socket HTTP/1.1\r\n" + UPGRADE,
    "a handshake without a key": b"GET /api/tables/x/socket HTTP/1.1\r\n" + UPGRADE + b"\r\n",
    "a handshake of another version": b"GET /api/tables/x/socket HTTP/1.1\r\n" + UPGRADE + KEY[:-4] + b"99\r\n\r\n",
    "a handshake with an invalid key": b"GET /api/tables/x/socket HTTP/1.1\r\n"
    + UPGRADE
    + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n",
    "a handshake at a path without a socket": b"GET /health HTTP/1.1\r\n" + UPGRADE + KEY + b"\r\n",
    "a handshake by POST": b"POST /api/tables/x/socket HTTP/1.1\r\n" + UPGRADE + KEY + b"\r\n",
    "a handshake with a body": b"GET /api/tables/x/socket HTTP/1.1\r\n"
    + UPGRADE
    + KEY
    + b"Content-Length: 2\r\n\r\n{}",
    "a handshake at a path that isn't ASCII": b"GET /api/tables/\xff/socket HTTP/1.1\r\n" + UPGRADE + KEY + b"\r\n",
    "a handshake at a path that isn't UTF-8": b"GET /api/tables/%ff/socket HTTP/1.1\r\n" + UPGRADE + KEY + b"\r\n",
    "a handshake with headers that aren't ASCII": b"GET /api/tables/x/socket HTTP/1.1\r\nCookie: \xff=\xfe\r\n"
    + UPGRADE
    + KEY
    + b"\r\n",
    "a handshake for another protocol": b"GET /health HTTP/1.1\r\n" + UPGRADE.replace(b"websocket", b"h2c") + b"\r\n",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("malformed"), mount_pages) as server:
        yield server


@pytest.fixture(scope="module")
def handshake(server: Running) -> bytes:
    """The request that opens a socket at a table."""
    ann = server.person("Ann")
    path = f"/api/tables/{server.table(ann)}/socket".encode()
    shown = ann.headers["Cookie"].encode()
    ann.http.close()
    return b"GET " + path + b" HTTP/1.1\r\nCookie: " + shown + b"\r\n" + UPGRADE + KEY + b"\r\n"


def connected(server: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def went_wrong(lines: str) -> list[str]:
    """The lines that an operator would have to look at."""
    return [line for line in lines.splitlines() if json.loads(line)["level"] in ("error", "critical")]


def hang_up(one: socket.socket, rudely: bool) -> None:
    if rudely:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.close()


@pytest.mark.parametrize("rudely", [False, True], ids=["politely", "rudely"])
@pytest.mark.parametrize("name", REQUESTS)
def test_a_malformed_request_is_not_a_server_error(server: Running, name: str, rudely: bool) -> None:
    with written_lines() as text:
        one = connected(server)
        one.sendall(REQUESTS[name])
        hang_up(one, rudely)
        _seen_to(server)
    assert went_wrong(text.getvalue()) == []
    assert "exception" not in text.getvalue()


@pytest.mark.parametrize("rudely", [False, True], ids=["politely", "rudely"])
@pytest.mark.parametrize("name", FRAMES)
def test_a_malformed_frame_is_not_a_server_error(server: Running, handshake: bytes, name: str, rudely: bool) -> None:
    with written_lines() as text:
        one = connected(server)
        one.sendall(handshake)
        assert one.recv(10).startswith(b"HTTP/1.1 1")
        one.sendall(FRAMES[name])
        if not rudely:
            one.shutdown(socket.SHUT_WR)
            _read_to_the_end(one)
        hang_up(one, rudely)
        _seen_to(server)
    assert went_wrong(text.getvalue()) == []
    assert "exception" not in text.getvalue()


def _read_to_the_end(one: socket.socket) -> None:
    try:
        while one.recv(65536):
            pass
    except ConnectionResetError:
        pass


def _seen_to(server: Running) -> None:
    """Wait until the server has handled everything, and noticed all disconnects."""
    state = server.raw.server_state
    asyncio.run_coroutine_threadsafe(until(lambda: not state.connections and not state.tasks), server.loop).result()
