"""Middleware that checks the origin, size and rate of every request, and adds security headers to every response."""

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
from liarspoker.language import _, number
from liarspoker.server.config import Limiter, network_of
from liarspoker.server.problems import Problem

log = logging.getLogger(__name__)

Handler = Callable[[Request, Exception], Awaitable[Response]]

MAX_BYTES = 64 * 1024
"""The maximum length of a request body, except on paths that allow more."""

LARGE_AT_ONCE = 4
"""The number of longer bodies processed at once; each is held in memory."""

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
"""The close code of a socket that is refused, by error code."""


class Guard:
    """ASGI middleware that rejects requests by origin, size and rate.

    Args:
        app: the application.
        requests: the limiter of requests per address; `None` for no limit.
        tls: whether clients use HTTPS.
        larger: the maximum length of bodies that may exceed `MAX_BYTES`, by path. Such requests need a Content-Length.
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
        """Pass valid requests on to the application."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if self._tls:  # links and redirects use HTTPS too, whatever the proxy sends
            scope["scheme"] = "https" if scope["type"] == "http" else "wss"
        headers = Headers(scope=scope)
        problem = self._problem(scope, headers)
        if scope["type"] == "websocket":
            if problem is None:
                await self._app(scope, receive, send)
            else:
                # Browsers expose the close code of an open socket, but nothing about a rejected handshake.
                await receive()
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.close", "code": _CLOSE[problem[0]], "reason": problem[0]})
            return
        guarded = self._with_headers(scope, send)
        if problem is not None:
            response = await _error_response(Request(scope), Problem(*problem))
            await response(scope, receive, guarded)
            return
        original_scope = scope
        if scope["method"] == "HEAD":
            scope, receive, guarded = _as_get(scope, guarded)
        length = _length_of(headers) or 0
        large = length > MAX_BYTES
        self._large += large
        try:
            await self._pass_on(scope, _bounded(receive, max(length, MAX_BYTES)), guarded)
        finally:
            self._large -= large
            original_scope["route"] = scope.get("route")  # for outer middleware that counts requests

    async def _pass_on(self, scope: Scope, receive: Receive, guarded: Send) -> None:
        """Let the application answer; if it fails, send an error response."""
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await guarded(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as error:
            # The response is sent here so that it gets the security headers; outer middleware logs the error.
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
                return "foreign-origin", _("this request comes from another site; open this page on this server"), None
        length, most = _length_of(headers), self._larger.get(scope["path"], MAX_BYTES)
        if length is None or length > most:
            return "too-large", _too_large(most), None
        if length > MAX_BYTES and self._large >= LARGE_AT_ONCE:
            return "too-many", _("too many large requests are being processed; try again in 5 s"), 5.0
        if self._requests is not None:
            wait = self._requests.wait(network_of((scope.get("client") or ("",))[0]))
            if wait:
                return "too-many", _("too many requests; try again in {seconds} s", seconds=max(1, round(wait))), wait
        return None

    def _ours(self, origin: str, headers: Headers) -> bool:
        """Return whether `origin` is this server."""
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


async def _error_response(request: Request, problem: Problem) -> Response:
    """Render an error as the application does: as JSON for the API, as a page for browsers."""
    handler: Handler = request.app.exception_handlers[LiarsPokerError]
    return await handler(request, problem)


def _as_get(scope: Scope, send: Send) -> tuple[Scope, Receive, Send]:
    """Turn a HEAD request into a GET request of which only the response headers are sent.

    Once they are sent, the application receives a disconnect message, so that endless streams end.
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
    """Return the Content-Length of a request, 0 if it has none; `None` if it isn't a valid length."""
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) <= 18 else None


def _too_large(most: int) -> str:
    return _("body: must not be longer than {size} KiB", size=number(f"{most // 1024:,}"))


def _bounded(receive: Receive, most: int) -> Receive:
    """Wrap `receive` so that it raises if more bytes arrive than announced."""
    left = most

    async def bounded() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, _too_large(most))
        return message

    return bounded
