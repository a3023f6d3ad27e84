"""Detects what must not happen in a browser during play: requests to other servers, and error messages."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebSocket

_TELL = """addEventListener("securitypolicyviolation", (event) =>
    console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));"""

_LEFT_SOON = "WebSocket is closed before the connection is established"
"""Browser messages about a page that is left while its socket connects."""

_BLOCKED = "Service Worker registration blocked by Playwright"
"""The message of contexts without service workers, see `tests.web.browsers`."""


@dataclass
class Watch:
    """Records the requests and error messages of browsers.

    Args:
        origin: the URL of the server under test, such as `http://127.0.0.1:8000`.

    Attributes:
        faults: the faults in words.
        forgiven: parts of error messages that a test expects.
        frames: the last sent frames and received answers.
    """

    origin: str
    faults: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=lambda: [_LEFT_SOON, _BLOCKED])
    frames: deque[str] = field(default_factory=lambda: deque(maxlen=8))

    def over(self, context: BrowserContext) -> None:
        """Watch `context` and every page that opens in it."""
        context.add_init_script(_TELL)
        context.on("request", self._asked)
        context.on("page", self._opened)
        context.on("weberror", lambda error: self._fault(f"error in the script: {error.error}"))
        context.on("console", self._said)

    def _opened(self, page: Page) -> None:
        page.on("websocket", self._connected)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.origin}/", "data:", "blob:")):
            self._fault(f"a request to {request.url}")

    def _connected(self, socket: WebSocket) -> None:
        if not socket.url.startswith(f"{self.origin.replace('http', 'ws', 1)}/"):
            self._fault(f"a socket to {socket.url}")

        socket.on("framesent", lambda text: self.frames.append(f"up: {str(text)[:300]}"))
        socket.on("framereceived", self._received)

    def _received(self, text: str | bytes) -> None:
        if not str(text).startswith('{"kind":"page"'):
            self.frames.append(f"down: {str(text)[:300]}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._fault(f"console: {message.text}")

    def _fault(self, text: str) -> None:
        if text not in self.faults and not any(part in text for part in self.forgiven):
            self.faults.append(text)
