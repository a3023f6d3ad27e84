"""The pages of a server without a network, and everything that they show to each user."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Any

from tests.server.leaks.connections import ClientConnection
from tests.server.leaks.server_world import World

PAGE = "page"
"""The channel of a table's live page."""

_LINES = re.compile(
    r"\b(?:d|points|transform|viewBox|x|y|x1|x2|y1|y2|dx|dy|r|rx|ry|cx|cy|width|height|stroke-width|stroke-dasharray|"
    r'font-size|letter-spacing|textLength|opacity)="[-0-9a-zA-Z.,() ]*"'
)
"""Coordinates of drawings, which contain every number somewhere."""
_NAMED_BY_THE_CLAIM = re.compile(
    r'<svg class="card[^"]*\bghost\b.*?</svg>|Missing: [^.<]*|Means: [^<]*|,? as the \w+ of \w+', re.DOTALL
)
"""Cards that a claim needs; they follow from the claim, not from the hands."""


def read(html: str) -> str:
    """Return a page's text and attributes, without the coordinates of its drawings."""
    return unescape(_LINES.sub("", _NAMED_BY_THE_CLAIM.sub("", html)))


@dataclass(repr=False)
class PagedWorld(World):
    """A server with users who also open its pages."""

    pages: dict[str | None, ClientConnection] = field(default_factory=dict)
    _turns: int = 0

    def record_output(self, user: str | None, channel: str, text: str) -> None:
        """Record a message sent to a user; of a page, what it shows."""
        if text.startswith('{"kind":"page"'):
            frame = json.loads(text)
            super().record_output(user, channel, read(frame["html"]))
            if self.actor is not None:
                self.outputs[-1] = self._at(frame["version"])
        else:
            super().record_output(user, channel, read(text) if channel.startswith(("/t/", "/you")) else text)

    def _at(self, version: int) -> Any:
        """The last message, with the table at that version."""
        return replace(self.outputs[-1], table=self.versions[version])

    async def watch(self, user: str | None) -> None:
        """Also open the table's page for a user."""
        await super().watch(user)
        if user in self.pages:
            await self.pages.pop(user).hang_up()
        path = f"/t/{self.table.id}/live"
        self.pages[user] = ClientConnection(
            self.app, "websocket", path, lambda text: self.record_output(user, PAGE, text), self._headers(user)
        )
        await self.settle()

    async def settle(self) -> None:
        """Also wait until every page is rendered, since a page still waiting would skip the next version."""
        await super().settle()
        turn = self.app.state.pages._turn
        while turn.locked() or turn._waiters:
            await super().settle()

    async def command(self, user: str, command: dict[str, Any], by_socket: bool = False) -> None:
        """Send a user's command; then the users open the pages in turn."""
        await super().command(user, command, by_socket)
        self._turns += 1
        looks = [*self.users, None][self._turns % (len(self.users) + 1)]
        for path in (f"/t/{self.table.id}", f"/t/{self.table.id}/sheet"):
            await self.request(looks, "GET", path)
        await self.settle()

    async def clear(self) -> None:
        """Also close the pages."""
        for line in self.pages.values():
            await line.hang_up()
        self.pages.clear()
        self._turns = 0
        await super().clear()
