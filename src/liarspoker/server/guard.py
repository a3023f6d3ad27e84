"""What every request passes before anything else: origin, size, rate; and the headers of every response."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.config import Limiter, network_of
from liarspoker.server.problems import Problem

log = logging.getLogger(__name__)

Handler = Callable[[Request, Exception], Awaitable[Response]]

MOST_BYTES = 64 * 1024
"""No request's body is longer, but where a longer one is expected."""

LARGE_AT_ONCE = 4
"""How many longer ones are read and answered at once: all of them are in memory."""

_SAFE = ("GET", "HEAD", "OPTIONS")
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
    "object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_CLOSE = {"foreign-origin": 4403, "too-many": 4429, "too-large": 1009}
"""With which code a socket is closed that may not be opened."""


class Guard:
    """An ASGI application around another one.

    Args:
        app: what is guarded.
        requests: how many requests an address may send; `None` for no limit.
        tls: people reach the server over HTTPS.
        larger: by path, how many bytes a body may have where it may be longer than `MOST_BYTES` and says so before.
    """

    def __init__(
        self, app: ASGIApp, requests: Limiter | None, tls: bool, larger: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self._app = app
        self._requests = requests
        self._tls = tls
        self._schemes = ("https",) if tls else ("http", "https")
        self._larger = larger
        self._large = 0
        self._headers = {
            **_HEADERS,
            **({"Strict-Transport-Security": "max-age=31536000; includeSubDomains"} if tls else {}),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is in order."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if self._tls:  # links and redirects too are for HTTPS, whatever comes from the proxy
            scope["scheme"] = "https" if scope["type"] == "http" else "wss"
        headers = Headers(scope=scope)
        problem = self._problem(scope, headers)
        if scope["type"] == "websocket":
            if problem is None:
                await self._app(scope, receive, send)
            else:
                # A browser shows the code of a socket that was open; of a refused handshake it shows nothing.
                await receive()
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.close", "code": _CLOSE[problem[0]], "reason": problem[0]})
            return
        guarded = self._with_headers(scope, send)
        if problem is not None:
            response = await _told(Request(scope), Problem(*problem))
            await response(scope, receive, guarded)
            return
        asked = scope
        if scope["method"] == "HEAD":
            scope, receive, guarded = _as_get(scope, guarded)
        length = _length_of(headers) or 0
        large = length > MOST_BYTES
        self._large += large
        try:
            await self._pass_on(scope, _bounded(receive, max(length, MOST_BYTES)), guarded)
        finally:
            self._large -= large
            asked["route"] = scope.get("route")  # for whoever counts requests around this

    async def _pass_on(self, scope: Scope, receive: Receive, guarded: Send) -> None:
        """Let the application answer; what it fails with is told in its place."""
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await guarded(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as error:
            # Told here, inside of the headers; whoever is around the guard writes the error down.
            if not begun:
                request = Request(scope)
                handler: Handler = request.app.exception_handlers[Exception]
                response = await handler(request, error)
                await response(scope, receive, guarded)
            raise

    def _problem(self, scope: Scope, headers: Headers) -> tuple[str, str, float | None] | None:
        if scope["type"] == "websocket" or scope["method"] not in _SAFE:
            foreign = any(not self._ours(origin, headers) for origin in headers.getlist("origin"))
            if foreign or headers.get("sec-fetch-site") in ("cross-site", "same-site"):
                log.warning("request refused", extra={"code": "foreign-origin"})
                return "foreign-origin", "this comes from another site's page; open the table here", None
        length, most = _length_of(headers), self._larger.get(scope["path"], MOST_BYTES)
        if length is None or length > most:
            return "too-large", _too_large(most), None
        if length > MOST_BYTES and self._large >= LARGE_AT_ONCE:
            return "too-many", "too much is being sent to this page by others; try again in 5 s", 5.0
        if self._requests is not None:
            wait = self._requests.wait(network_of((scope.get("client") or ("",))[0]))
            if wait:
                return "too-many", f"too many requests; try again in {max(1, round(wait))} s", wait
        return None

    def _ours(self, origin: str, headers: Headers) -> bool:
        """Whether a page of `origin` is one of this server's."""
        scheme, _, host = origin.lower().partition("://")
        return scheme in self._schemes and host != "" and host == headers.get("host", "").lower()

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        private = scope["path"].startswith("/api/")

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if private:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        return with_headers


async def _told(request: Request, problem: Problem) -> Response:
    """A refusal, told as the application tells all others: to programs as JSON, to people as a page."""
    handler: Handler = request.app.exception_handlers[LiarsPokerError]
    return await handler(request, problem)


def _as_get(scope: Scope, send: Send) -> tuple[Scope, Receive, Send]:
    """A HEAD request as the GET request that it asks about: only the headers of its response are sent.

    The application is told that the client has gone as soon as they are, so a stream without an end ends, too.
    """
    begun = asyncio.Event()
    empty_body: list[Message] = [{"type": "http.request"}]

    async def receive() -> Message:
        if empty_body:
            return empty_body.pop()
        await begun.wait()
        return {"type": "http.disconnect"}

    async def headers_only(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body"})
            begun.set()

    return {**scope, "method": "GET"}, receive, headers_only


def _length_of(headers: Headers) -> int | None:
    """How long the body is said to be, 0 where nothing is said; `None` for what is no length."""
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) <= 18 else None


def _too_large(most: int) -> str:
    return f"body: it is longer than {most // 1024:,} KiB"


def _bounded(receive: Receive, most: int) -> Receive:
    """`receive`, which fails when more bytes come than were announced."""
    left = most

    async def bounded() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, _too_large(most))
        return message

    return bounded
