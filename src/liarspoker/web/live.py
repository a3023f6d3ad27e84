"""The socket of a table's page: the page's HTML down after every change, its forms up.

It is the public socket in other clothes: the same views, the same commands, the same order. A page is whole, so a
browser that comes back after a break needs nothing that came before.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct
from starlette.websockets import WebSocket

from liarspoker.protocol.codec import Encoded, Malformed, MessageId, Reader, encode_bytes
from liarspoker.protocol.frames import Chat, Ping, Pong, Presence, State
from liarspoker.protocol.views import PublicView
from liarspoker.server.accounts.credentials import Identity
from liarspoker.server.service import Service
from liarspoker.server.socket import TableSession, serve_table
from liarspoker.server.tables.actor import TableActor
from liarspoker.web.forms import command_of
from liarspoker.web.invitation import link_to
from liarspoker.web.pages import FOLLOWING, pages_of
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.room import there
from liarspoker.web.view_models.table import Kept, Seen, is_news, result_key, scene_of

_DRAFTED = Encoded(None)
"""Stands among the messages for a new draft; however many there are, the next page shows the last one."""

Fields = Annotated[dict[str, Annotated[str, Meta(max_length=1_000)]], Meta(max_length=40)]


class FormFrame(Struct, frozen=True, tag_field="kind", tag="form"):
    """A form that was sent: its fields make a command."""

    id: MessageId
    fields: Fields


class DraftFrame(Struct, frozen=True, tag_field="kind", tag="draft"):
    """What somebody is about to say, by field."""

    id: MessageId
    fields: Fields


class PageFrame(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="page"):
    """The page after a change, with the result and the draft that it shows, and the page that reveals a new result."""

    version: int
    result: str
    draft: str = ""
    revealing: str = ""
    html: str


_FRAMES: Reader[FormFrame | DraftFrame | Ping] = Reader(FormFrame | DraftFrame | Ping)


async def table_page_socket(websocket: WebSocket) -> None:
    """Serve the socket of a table's page until either side closes it."""
    await serve_table(websocket, PageSession)


class PageSession(TableSession):
    """The socket of one page that is open."""

    def __init__(self, service: Service, websocket: WebSocket, actor: TableActor, identity: Identity | None) -> None:
        super().__init__(service, websocket, actor, identity)
        self._pages = pages_of(websocket)
        self._prefs = Preferences.read(websocket.cookies)
        self._following = FOLLOWING in websocket.query_params
        self._link = link_to(websocket, actor.table.id)
        self._state: State | None = None
        self._chat: Chat | None = None
        self._presence: Presence | None = None
        self._drawn: PublicView | None = None
        self._drawing: asyncio.Task[None] | None = None
        self._draft: dict[str, str] = {}
        self._draft_id = ""
        self._kept: Kept = {}

    def deliver(self) -> None:
        """Send answers as they are, and begin to draw a page of all that has changed.

        While one is drawn, all else waits: the next page then shows how things stand.
        """
        if self._drawing is not None:
            return
        changed, answers = False, []
        for encoded in self.watcher.take():
            match encoded.message:
                case None:
                    changed = True
                case State() as state:
                    self._state, changed = state, True
                case Chat() as chat:
                    self._chat, changed = chat, True
                case Presence() as presence:
                    changed = changed or self._shows(presence)
                    self._presence = presence
                case _:
                    answers.append(encoded.json)
        if answers:
            self.line.write(answers)
        if changed and self._state is not None:
            self._drawing = asyncio.create_task(self._draw(self._state))

    async def _draw(self, state: State) -> None:
        """Send a page."""
        try:
            self.line.write([await self._page(state)])
        except Exception as error:
            self.fail(error)
        self._drawing = None
        self.flush()

    def put_nowait(self, event: object) -> None:
        """The socket has ended."""
        super().put_nowait(event)
        if self._drawing is not None:
            self._drawing.cancel()

    async def take(self, text: str | None) -> None:
        """Do what a form asks for, or draw the page with what somebody is about to say."""
        try:
            frame = _FRAMES.read(text or "")
        except Malformed:
            self.bad_frame()
            return
        if isinstance(frame, FormFrame):
            await self.command(frame.id, command_of(frame.fields))
        elif isinstance(frame, DraftFrame):
            self._draft, self._draft_id = frame.fields, frame.id
            self.watcher.answer(_DRAFTED)
        else:
            self.tell(Pong(now=self.service.clock.now()))

    def _shows(self, presence: Presence) -> bool:
        """Whether the page is another one with this presence: strangers who come and go change no page."""
        if self._state is None:
            return True
        public = self._state.public
        return there(public, self._presence) != there(public, presence)

    async def _page(self, state: State) -> bytes:
        seen = Seen(
            state,
            self._chat,
            self._presence,
            self._draft,
            self._link,
            "" if self.identity is None else self.identity.user.name,
            self._following,
            kept=self._kept,
        )
        # The chances of what somebody is about to do may take a second, in which others play on.
        draw = self._pages.beside if self._draft else self._pages.in_turn
        public, before = state.public, self._drawn
        revealing = ""
        if before is not None and is_news(public, before):
            revealing = await draw(self._html, replace(seen, before=before))
        self._drawn = public
        html = await draw(self._html, seen)
        frame = PageFrame(
            version=state.version, result=result_key(public), draft=self._draft_id, revealing=revealing, html=html
        )
        return encode_bytes(frame)

    def _html(self, seen: Seen) -> str:
        return self._pages.html("table/live.html", {"scene": scene_of(seen), "prefs": self._prefs})
