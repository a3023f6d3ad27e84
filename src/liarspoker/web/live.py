"""The socket of a table's page: the page's HTML down after every change, its forms up.

It is the public socket in other clothes: the same views, the same commands, the same order. A page is whole, so a
browser that comes back after a break needs nothing that came before.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, TypeGuard

from starlette.websockets import WebSocket

from liarspoker.server.socket import TableSession, read_message, serve_table
from liarspoker.server.tables.texts import encode
from liarspoker.tables import shapes
from liarspoker.web.forms import command_of
from liarspoker.web.invitation import link_to
from liarspoker.web.pages import FOLLOWING, pages_of
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.reveal import is_news, result_key
from liarspoker.web.view_models.room import there
from liarspoker.web.view_models.table import Seen, scene_of

_DRAFTED = ""
"""Stands among what there is to tell for a new draft; however many there are, the next page shows the last one."""

_MOST_FIELDS = 40
_is_id = shapes.visible(64)


async def table_page_socket(websocket: WebSocket) -> None:
    """Serve the socket of a table's page until either side closes it."""
    await serve_table(websocket, PageSession)


class PageSession(TableSession):
    """The socket of one page that is open."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._pages = pages_of(self.websocket)
        self._prefs = Preferences.read(self.websocket.cookies)
        self._following = FOLLOWING in self.websocket.query_params
        self._seen: dict[str, Any] = {}
        self._drawn: dict[str, Any] | None = None
        self._draft: dict[str, str] = {}
        self._draft_id = ""
        self._link = link_to(self.websocket, self.actor.table.id)

    async def outgoing(self, texts: list[str]) -> AsyncIterator[str]:
        """Answers as they are, and then one page for all that has changed."""
        changed = False
        for text in texts:
            if text == _DRAFTED:
                changed = True
                continue
            told = json.loads(text)  # whole numbers of any length: stakes that compound outgrow 64 bits
            if told["kind"] in ("state", "chat", "presence"):
                changed = changed or self._shows(told)
                self._seen[told["kind"]] = told
            else:
                yield text
        if changed and "state" in self._seen:
            yield await self._page()

    async def take(self, text: str | None) -> None:
        """Do what a form asks for, or draw the page with what somebody is about to say."""
        given = read_message(text)
        kind, fields = given.get("kind"), given.get("fields")
        if kind == "ping":
            await super().take(text)
        elif not _are_fields(fields):
            self.bad_frame()
        elif kind == "form" and _is_id(given.get("id")):
            await self.command(given["id"], command_of(fields))
        elif kind == "draft" and _is_id(given.get("id")):
            self._draft, self._draft_id = fields, given["id"]
            self.watcher.answer(_DRAFTED)
        else:
            self.bad_frame()

    def _shows(self, told: dict[str, Any]) -> bool:
        """Whether the page is another one after what is told: strangers who come and go change no page."""
        if told["kind"] != "presence" or "state" not in self._seen:
            return True
        public = self._seen["state"]["public"]
        return there(public, self._seen.get("presence")) != there(public, told)

    async def _page(self) -> str:
        drafted = {"draft": self._draft_id} if self._draft_id else {}
        seen = Seen(
            self._seen["state"],
            self._seen.get("chat"),
            self._seen.get("presence"),
            self._draft,
            self._link,
            "" if self.identity is None else self.identity.user.name,
            self._following,
        )
        # The chances of what somebody is about to do may take a second, in which others play on.
        draw = self._pages.beside if self._draft else self._pages.in_turn
        public, before = seen.state["public"], self._drawn
        page = {"kind": "page", "version": seen.state["version"], "result": result_key(public), **drafted}
        if before is not None and is_news(public, before):
            page["revealing"] = await draw(self._html, replace(seen, before=before))
        self._drawn = public
        return encode({**page, "html": await draw(self._html, seen)})

    def _html(self, seen: Seen) -> str:
        return self._pages.html("table/live.html", {"scene": scene_of(seen), "prefs": self._prefs})


def _are_fields(given: Any) -> TypeGuard[dict[str, str]]:
    return (
        type(given) is dict
        and len(given) <= _MOST_FIELDS
        and all(type(value) is str and len(value) <= 1_000 for value in given.values())
    )
