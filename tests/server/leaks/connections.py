"""Requests, sockets and streams that call an ASGI application directly and record every byte of its output."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterable
from typing import Any

from starlette.types import ASGIApp, Message

from liarspoker.server.socket import TRANSPORT, TableSession

uvicorn = logging.getLogger("uvicorn.error")

OnOutput = Callable[[str], None]
"""Called with all output."""

PATIENCE = 20.0
"""Timeout in seconds for anything that is awaited."""


def _scope(kind: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
    path, _, query = path.partition("?")
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "ws" if kind == "websocket" else "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(b"host", b"table"), *((name.encode(), value.encode()) for name, value in headers.items())],
        "client": ("127.0.0.1", 1),
        "server": ("table", 80),
    }


class ClientConnection:
    """A request, a stream or a socket.

    Args:
        app: the application.
        kind: `http` or `websocket`.
        path: path with query.
        on_output: called with all output: headers, bodies, messages and close reasons.
        headers: request headers.
        method: method of a request.
        body: body of a request.
    """

    def __init__(
        self,
        app: ASGIApp,
        kind: str,
        path: str,
        on_output: OnOutput,
        headers: dict[str, str],
        method: str = "GET",
        body: bytes = b"",
    ) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.closed = False
        self.speaks = asyncio.Event()
        self._on_output = on_output
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._up: asyncio.Queue[Message] = asyncio.Queue()
        self._session: TableSession | None = None
        self.is_write_paused = False
        if kind == "websocket":
            self._up.put_nowait({"type": "websocket.connect"})
        else:
            self._up.put_nowait({"type": "http.request", "body": body, "more_body": False})
        scope = _scope(kind, path, {**headers, "content-type": "application/json"})
        scope["method"], scope["subprotocols"], scope["extensions"] = method, [], {TRANSPORT: self}
        self.task = asyncio.create_task(self._run(app, scope))

    async def _run(self, app: ASGIApp, scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._up.get, self._send)
        except Exception:
            uvicorn.exception("Exception in ASGI application\n")  # as uvicorn does

    async def _send(self, message: Message) -> None:
        match message["type"]:
            case "http.response.start":
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
                self._on_output(json.dumps(self.headers))
            case "http.response.body":
                self.body += message.get("body", b"")
                self._on_output(message.get("body", b"").decode())
                self.speaks.set()
            case "websocket.send":
                self._received(message["text"])
            case "websocket.close":
                self.close(message["code"], str(message.get("reason")))

    def _received(self, text: str) -> None:
        self._on_output(text)
        message = json.loads(text)
        waits = self._answers.pop(str(message.get("id")), None)
        if waits is not None:
            waits.set_result(message)

    def hand_over(self, session: TableSession) -> None:
        """Attach a session, see `liarspoker.server.socket.SocketTransport`."""
        self._session = session
        while not self._up.empty():
            session.receive(self._up.get_nowait()["text"])

    def write(self, texts: Iterable[bytes]) -> None:
        """Receive texts from the server."""
        for text in texts:
            self._received(text.decode())

    def resume_reading(self) -> None:
        """Do nothing, since everything that is sent is received immediately."""

    def close(self, code: int, reason: str) -> None:
        """Receive the close of the socket."""
        self._on_output(reason)
        self.abort()

    def abort(self) -> None:
        """End the socket."""
        self.closed = True
        if self._session is not None:
            self._session.put_nowait({"type": "websocket.disconnect"})

    async def whole(self) -> ClientConnection:
        """Wait for the end of a request."""
        async with asyncio.timeout(PATIENCE):
            await self.task
        return self

    def up(self, text: str) -> None:
        """Send a text through a socket."""
        if self._session is None:
            self._up.put_nowait({"type": "websocket.receive", "text": text})
        else:
            self._session.receive(text)

    async def ask(self, message_id: str, **message: object) -> dict[str, Any]:
        """Send a message through a socket, and return its answer."""
        waits = self._answers[message_id] = asyncio.get_running_loop().create_future()
        self.up(json.dumps({"id": message_id, **message}))
        async with asyncio.timeout(PATIENCE):
            answer: dict[str, Any] = await waits
        return answer

    async def hang_up(self) -> None:
        """Disconnect."""
        self.abort()
        self._up.put_nowait({"type": "websocket.disconnect", "code": 1000})
        self._up.put_nowait({"type": "http.disconnect"})
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([self.task])
