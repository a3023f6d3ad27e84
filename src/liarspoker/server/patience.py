"""HTTP as uvicorn speaks it, but only with those who come to the point: a question must be here whole within a time."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

ASK_SECONDS = 30.0
"""So long somebody may take to ask, from the first byte to the last, or from coming in; then he is shown out.

Without this whoever comes in and says nothing keeps a connection for ever, and a few thousand of these keep everybody
else outside.
"""


class PatientProtocol(H11Protocol):
    """One connection on which questions are asked."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Somebody has come in."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """He asks; when the question is whole, nothing hurries the answer."""
        self._wait()
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._wait_no_more()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From now on this is a socket, which looks after itself."""
        self._wait_no_more()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """He has gone."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._limit is None:
            self._limit = self.loop.call_later(ASK_SECONDS, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
