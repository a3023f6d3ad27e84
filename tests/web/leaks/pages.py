"""The pages of a whole server without a network, and all that they show anybody."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Any

from tests.server.leaks.lines import Line
from tests.server.leaks.world import World

PAGE = "page"
"""The channel of a table's page that is live."""

_LINES = re.compile(
    r"\b(?:d|points|transform|viewBox|x|y|x1|x2|y1|y2|dx|dy|r|rx|ry|cx|cy|width|height|stroke-width|stroke-dasharray|"
    r'font-size|letter-spacing|textLength|opacity)="[-0-9a-zA-Z.,() ]*"'
)
"""Where the lines of a drawing run; so many figures have every number somewhere."""
_NAMED_BY_THE_CLAIM = re.compile(
    r'<svg class="card[^"]*\bghost\b.*?</svg>|Missing: [^.<]*|It says: [^<]*|,? as the \w+ of \w+', re.DOTALL
)
"""Cards that a claim asks for: they follow from its name, whoever holds them, or nobody."""


def read(html: str) -> str:
    """What a page says, to the eye, to the ear and in its attributes, without where the lines of its drawings run."""
    return unescape(_LINES.sub("", _NAMED_BY_THE_CLAIM.sub("", html)))


@dataclass(repr=False)
class PagedWorld(World):
    """A server and people who look at its pages too."""

    pages: dict[str | None, Line] = field(default_factory=dict)
    _turns: int = 0

    def hear(self, user: str | None, channel: str, text: str) -> None:
        """Note what is told to somebody, a page as it is read."""
        if text.startswith('{"kind":"page"'):
            told = json.loads(text)
            super().hear(user, channel, read(told["html"]))
            if self.actor is not None:
                self.told[-1] = self._at(told["version"])
        else:
            super().hear(user, channel, read(text) if channel.startswith(("/t/", "/you")) else text)

    def _at(self, version: int) -> Any:
        """What was heard last, with the table as it was then."""
        return replace(self.told[-1], table=self.versions[version])

    async def watch(self, user: str | None) -> None:
        """Open the table's page for somebody, too."""
        await super().watch(user)
        if user in self.pages:
            await self.pages.pop(user).hang_up()
        path = f"/t/{self.table.id}/live"
        self.pages[user] = Line(
            self.app, "websocket", path, lambda text: self.hear(user, PAGE, text), self._headers(user)
        )
        await self.settle()

    async def settle(self) -> None:
        """Wait until every page is drawn too: one that is still waiting for its turn would skip what comes next."""
        await super().settle()
        turn = self.app.state.pages._turn
        while turn.locked() or turn._waiters:
            await super().settle()

    async def command(self, user: str, command: dict[str, Any], by_socket: bool = False) -> None:
        """Somebody sends a command, and one after the other looks at the pages."""
        await super().command(user, command, by_socket)
        self._turns += 1
        looks = [*self.users, None][self._turns % (len(self.users) + 1)]
        for path in (f"/t/{self.table.id}", f"/t/{self.table.id}/sheet"):
            await self.request(looks, "GET", path)
        await self.settle()

    async def clear(self) -> None:
        """Close the pages with everything else."""
        for line in self.pages.values():
            await line.hang_up()
        self.pages.clear()
        self._turns = 0
        await super().clear()
