"""What goes around every request and socket: its id, which every log line and its response have, and its metrics."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from time import perf_counter

from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from liarspoker.server.journal import SERVED, Served
from liarspoker.server.metrics import Metrics

HEADER = "X-Request-ID"
_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_METHODS = frozenset(("GET", "HEAD", "POST", "DELETE", "OPTIONS"))


class Observed:
    """An ASGI application around another one.

    Args:
        app: what is observed.
        metrics: what counts it.
        proxies: networks of proxies which may give a request an id.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, proxies: Sequence[str] = ()) -> None:
        self._app = app
        self._metrics = metrics
        self._proxies = [ip_network(proxy) for proxy in proxies]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        metrics, began = self._metrics, perf_counter()
        served = Served(self._given_id(scope) or secrets.token_hex(8))
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

        SERVED.set(served)  # never reset: the task is this request's own, and uvicorn writes its last lines in it
        try:
            await self._app(scope, receive, counted)
            served.over = kind == "http"  # not after an error, which uvicorn writes down; a socket's session says so
        finally:
            route = template_of(scope)
            method = "SOCKET" if kind == "websocket" else scope["method"]
            metrics.requests[
                method if method in _METHODS or method == "SOCKET" else "OTHER", route, str(status or "none")
            ] += 1
            metrics.request_seconds[route].observe(waited)

    def _given_id(self, scope: Scope) -> str | None:
        """The id that a trusted proxy has given the request, if any."""
        if not self._proxies:
            return None
        given = Headers(scope=scope).get(HEADER.lower(), "")
        return given if _ID.fullmatch(given) and self._by_proxy(scope.get("client")) else None

    def _by_proxy(self, client: tuple[str, int] | None) -> bool:
        """Whether a proxy has sent it: uvicorn puts the port 0 where it believes a proxy, and no peer has that."""
        if client is None:
            return False
        return client[1] == 0 or _within(client[0], self._proxies)


class SocketRoute(WebSocketRoute):
    """A route of sockets that a scope tells afterwards, as it does FastAPI's routes of requests."""

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
    """The path of the route that a request has found, as it was declared; `none` where it has found none."""
    route = scope.get("route")
    return route.path if isinstance(route, Route | WebSocketRoute) else "none"
