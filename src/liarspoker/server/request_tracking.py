"""Middleware for all requests and sockets: assigns a request id for logs and responses, and records metrics."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from time import perf_counter

from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from liarspoker.server.journal import CURRENT_REQUEST, RequestContext
from liarspoker.server.metrics import Metrics

HEADER = "X-Request-ID"
_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_METHODS = frozenset(("GET", "HEAD", "POST", "DELETE", "OPTIONS"))


class RequestTracking:
    """ASGI middleware that assigns request ids and records metrics.

    Args:
        app: the wrapped application.
        metrics: the metrics to record.
        proxies: networks of trusted proxies, which may assign request ids.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, proxies: Sequence[str] = ()) -> None:
        self._app = app
        self._metrics = metrics
        self._proxies = [ip_network(proxy) for proxy in proxies]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the wrapped application."""
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        metrics, began = self._metrics, perf_counter()
        served = RequestContext(self._given_id(scope) or secrets.token_hex(8))
        status, waited = 0, 0.0

        def counted(message: Message) -> Awaitable[None]:
            nonlocal status, waited
            kind = message["type"]
            if kind == "websocket.send":
                text = message["text"]
                metrics.frames_out += 1
                metrics.socket_bytes += len(text) if text.isascii() else len(text.encode())
            elif kind == "http.response.body":
                metrics.http_bytes += len(message.get("body", b""))
            elif kind in ("http.response.start", "websocket.accept"):
                status, waited = message.get("status", 101), perf_counter() - began
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[HEADER] = served.id
            return send(message)

        # Never reset: each request has its own task, in which uvicorn writes its last log lines.
        CURRENT_REQUEST.set(served)
        try:
            await self._app(scope, receive, counted)
            # After an error it isn't over, since uvicorn still logs the error. A socket's session sets it by itself.
            served.over = kind == "http"
        finally:
            route = template_of(scope)
            method = "SOCKET" if kind == "websocket" else scope["method"]
            metrics.requests[
                method if method in _METHODS or method == "SOCKET" else "OTHER", route, str(status or "none")
            ] += 1
            metrics.request_seconds[route].observe(waited)

    def _given_id(self, scope: Scope) -> str | None:
        """Return the id that a trusted proxy assigned to the request, if any."""
        if not self._proxies:
            return None
        given = Headers(scope=scope).get(HEADER.lower(), "")
        return given if _ID.fullmatch(given) and self._by_proxy(scope.get("client")) else None

    def _by_proxy(self, client: tuple[str, int] | None) -> bool:
        """Whether the request came through a trusted proxy, for which uvicorn sets the client's port to 0."""
        if client is None:
            return False
        return client[1] == 0 or _within(client[0], self._proxies)


class SocketRoute(WebSocketRoute):
    """A WebSocket route that adds itself to the scope, as FastAPI's HTTP routes do."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket."""
        scope["route"] = self
        await super().handle(scope, receive, send)


def _within(host: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in networks)


def template_of(scope: Scope) -> str:
    """Return the path template of the matched route, or `none`."""
    route = scope.get("route")
    return route.path if isinstance(route, Route | WebSocketRoute) else "none"
