"""Requests, sockets and streams straight into an ASGI application, and every byte that comes out of them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterable
from typing import Any

from starlette.types import ASGIApp, Message

from liarspoker.server.socket import LINE, TableSession

uvicorn = logging.getLogger("uvicorn.error")

Heard = Callable[[str], None]
"""What is called with everything that comes out."""

PATIENCE = 20.0
"""Seconds after which what does not come is missing."""


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


class Line:
    """A request, a stream or a socket.

    Args:
        app: the application.
        kind: `http` or `websocket`.
        path: with its query.
        heard: told everything that comes out: headers, bodies, messages and the reasons for closing.
        headers: to send.
        method: of a request.
        body: of a request.
    """

    def __init__(
        self,
        app: ASGIApp,
        kind: str,
        path: str,
        heard: Heard,
        headers: dict[str, str],
        method: str = "GET",
        body: bytes = b"",
    ) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.closed = False
        self.speaks = asyncio.Event()
        self._heard = heard
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._up: asyncio.Queue[Message] = asyncio.Queue()
        self._session: TableSession | None = None
        self.clogged = False
        if kind == "websocket":
            self._up.put_nowait({"type": "websocket.connect"})
        else:
            self._up.put_nowait({"type": "http.request", "body": body, "more_body": False})
        scope = _scope(kind, path, {**headers, "content-type": "application/json"})
        scope["method"], scope["subprotocols"], scope["extensions"] = method, [], {LINE: self}
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
                self._heard(json.dumps(self.headers))
            case "http.response.body":
                self.body += message.get("body", b"")
                self._heard(message.get("body", b"").decode())
                self.speaks.set()
            case "websocket.send":
                self._hears(message["text"])
            case "websocket.close":
                self.close(message["code"], str(message.get("reason")))

    def _hears(self, text: str) -> None:
        self._heard(text)
        told = json.loads(text)
        waits = self._answers.pop(str(told.get("id")), None)
        if waits is not None:
            waits.set_result(told)

    def hand_over(self, session: TableSession) -> None:
        """From now on the socket is this session's, as `liarspoker.server.socket.Line` says."""
        self._session = session
        while not self._up.empty():
            session.receive(self._up.get_nowait()["text"])

    def write(self, texts: Iterable[bytes]) -> None:
        """Hear these texts."""
        for text in texts:
            self._hears(text.decode())

    def read_on(self) -> None:
        """Nothing: whatever is sent is taken at once."""

    def close(self, code: int, reason: str) -> None:
        """Hear that the server closes the socket."""
        self._heard(reason)
        self.give_up()

    def give_up(self) -> None:
        """The socket has ended."""
        self.closed = True
        if self._session is not None:
            self._session.put_nowait({"type": "websocket.disconnect"})

    async def whole(self) -> Line:
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
        """Send a message that is answered through a socket; its answer."""
        waits = self._answers[message_id] = asyncio.get_running_loop().create_future()
        self.up(json.dumps({"id": message_id, **message}))
        async with asyncio.timeout(PATIENCE):
            answer: dict[str, Any] = await waits
        return answer

    async def hang_up(self) -> None:
        """Go away."""
        self.give_up()
        self._up.put_nowait({"type": "websocket.disconnect", "code": 1000})
        self._up.put_nowait({"type": "http.disconnect"})
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([self.task])
