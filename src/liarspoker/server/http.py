"""The HTTP protocol class, with a timeout for sending a request."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 30.0
"""Time limit for sending a request, counted from connecting or from the request's first byte.

Without a timeout, clients that connect and send nothing could hold all connections forever.
"""


class RequestTimeoutProtocol(H11Protocol):
    """An HTTP connection that is closed if the client doesn't send a complete request in time."""

    _timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn's signature
        """Start the timeout when a client connects."""
        super().connection_made(transport)
        self._start_timeout()

    def data_received(self, data: bytes) -> None:
        """Start the timeout when a request begins, and stop it when the request is complete."""
        self._start_timeout()
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_timeout()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Stop the timeout: WebSockets have their own timeouts."""
        self._stop_timeout()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout when the client disconnects."""
        self._stop_timeout()
        super().connection_lost(exc)

    def _start_timeout(self) -> None:
        if self._timeout is None:
            self._timeout = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _stop_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None
