"""What every request passes before anything else: origin, size, rate; and the headers of every response."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from liarspoker.rules.errors import LiarsPokerError
from liarspoker.server.limiter import Limiter, network_of
from liarspoker.server.problems import Problem

Handler = Callable[[Request, Exception], Awaitable[Response]]

MOST_BYTES = 64 * 1024
"""No request's body is longer."""
_TOO_LARGE = f"body: it is longer than {MOST_BYTES} bytes"

_SAFE = ("GET", "HEAD", "OPTIONS")
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
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
    """

    def __init__(self, app: ASGIApp, requests: Limiter | None, tls: bool) -> None:
        self._app = app
        self._requests = requests
        self._schemes = ("https",) if tls else ("http", "https")
        self._headers = {**_HEADERS, **({"Strict-Transport-Security": "max-age=31536000"} if tls else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is in order."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
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
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await guarded(message)

        try:
            await self._app(scope, _bounded(receive), sent)
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
                return "foreign-origin", "this comes from another site's page; open the table here", None
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or len(length) > 18 or int(length) > MOST_BYTES:
            return "too-large", _TOO_LARGE, None
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


def _bounded(receive: Receive) -> Receive:
    """`receive`, which fails when more bytes come than were announced."""
    left = MOST_BYTES

    async def bounded() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, _TOO_LARGE)
        return message

    return bounded
