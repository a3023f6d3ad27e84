"""The socket of a table's page: the page's HTML down after every change, its forms up.

It is the public socket in other clothes: the same views, the same commands, the same order. A page is whole, so a
browser that comes back after a break needs nothing that came before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.websockets import WebSocket

from liarspoker.protocol.codec import Encoded, Malformed, MessageId, Reader, encode
from liarspoker.protocol.frames import Chat, Ping, Pong, Presence, State
from liarspoker.protocol.views import PublicView
from liarspoker.server.socket import TableSession, serve_table
from liarspoker.web.forms import command_of
from liarspoker.web.invitation import link_to
from liarspoker.web.pages import FOLLOWING, pages_of
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.room import there
from liarspoker.web.view_models.table import Seen, is_news, result_key, scene_of

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

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._pages = pages_of(self.websocket)
        self._prefs = Preferences.read(self.websocket.cookies)
        self._following = FOLLOWING in self.websocket.query_params
        self._state: State | None = None
        self._chat: Chat | None = None
        self._presence: Presence | None = None
        self._drawn: PublicView | None = None
        self._draft: dict[str, str] = {}
        self._draft_id = ""
        self._link = link_to(self.websocket, self.actor.table.id)

    async def deliver(self, messages: list[Encoded[object]]) -> None:
        """Answers as they are, and then one page for all that has changed."""
        changed = False
        for encoded in messages:
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
                    await self.put(encoded.text)
        if changed and self._state is not None:
            await self.put(await self._page(self._state))

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

    async def _page(self, state: State) -> str:
        seen = Seen(
            state,
            self._chat,
            self._presence,
            self._draft,
            self._link,
            "" if self.identity is None else self.identity.user.name,
            self._following,
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
        return encode(frame)

    def _html(self, seen: Seen) -> str:
        return self._pages.html("table/live.html", {"scene": scene_of(seen), "prefs": self._prefs})
