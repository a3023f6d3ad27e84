"""The WebSocket of a table's page: it sends the page's HTML after every change and receives its forms.

It extends the public socket's session, with the same views, commands and order. Every frame holds the page, and those
of its parts that have changed since the frame before; the first frame of a socket holds all of them.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct
from starlette.websockets import WebSocket

from liarspoker.language import speaking
from liarspoker.protocol.codec import Encoded, Malformed, MessageId, Reader, encode_bytes
from liarspoker.protocol.frames import Chat, Ping, Pong, Presence, Reactions, State
from liarspoker.protocol.views import PublicView
from liarspoker.server.accounts.credentials import Identity
from liarspoker.server.service import Service
from liarspoker.server.socket import TableSession, serve_table
from liarspoker.server.tables.actor import TableActor
from liarspoker.web.forms import command_of
from liarspoker.web.invitation import link_to
from liarspoker.web.pages import FOLLOWING, PARTED, pages_of
from liarspoker.web.preferences import Preferences
from liarspoker.web.view_models.ratings import UNRATED, ratings_key, table_ratings
from liarspoker.web.view_models.table import SentParts, TableSnapshot, is_new_result, result_key, table_view_model
from liarspoker.web.view_models.table_info import presence_key

_DRAFTED = Encoded(None)
"""Queued for a new draft; the next page shows the latest draft."""

Fields = Annotated[dict[str, Annotated[str, Meta(max_length=1_000)]], Meta(max_length=40)]


class FormFrame(Struct, frozen=True, tag_field="kind", tag="form"):
    """A submitted form, whose fields make a command."""

    id: MessageId
    fields: Fields


class DraftFrame(Struct, frozen=True, tag_field="kind", tag="draft"):
    """The user's unsent input, by field."""

    id: MessageId
    fields: Fields


class PageFrame(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="page"):
    """The page after a change.

    Attributes:
        result: key of the result that the page shows; empty for none.
        draft: id of the draft that the page shows; empty for none.
        revealing: HTML to show while a new result is revealed; empty for none.
        html: HTML of the page, with placeholders for the parts that are sent separately.
        parts: the HTML of the parts that have changed since the last page, by the id of their element.
    """

    version: int
    result: str
    draft: str = ""
    revealing: str = ""
    html: str
    parts: dict[str, str] = {}


_FRAMES: Reader[FormFrame | DraftFrame | Ping] = Reader(FormFrame | DraftFrame | Ping)


async def table_page_socket(websocket: WebSocket) -> None:
    """Serve the WebSocket of a table's page until either side closes it."""
    await serve_table(websocket, PageSession)


class PageSession(TableSession):
    """The WebSocket session of one open page."""

    def __init__(
        self,
        service: Service,
        websocket: WebSocket,
        actor: TableActor,
        identity: Identity | None,
        hidden: frozenset[str],
    ) -> None:
        super().__init__(service, websocket, actor, identity, hidden)
        self._pages = pages_of(websocket)
        self._prefs = Preferences.read(websocket.cookies)
        self._following = FOLLOWING in websocket.query_params
        self._link = link_to(websocket, actor.table.id)
        self._state: State | None = None
        self._chat: Chat | None = None
        self._presence: Presence | None = None
        self._reactions: Reactions | None = None
        self._shown: PublicView | None = None
        self._rendering: asyncio.Task[None] | None = None
        self._draft: dict[str, str] = {}
        self._draft_id = ""
        self._parts = SentParts() if PARTED in websocket.query_params else None  # browsers from before don't keep parts
        self._ratings = UNRATED
        self._ratings_key: object = None

    def begin(self) -> None:
        """Take over the socket, send the current state, and later every new invitation."""
        super().begin()
        self.service.news.follow(self.watcher)

    def deliver(self) -> None:
        """Send queued answers, and start to render a page if anything changed.

        While a page is being rendered, everything else waits; the next page then shows the latest state.
        """
        if self._rendering is not None:
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
                case Reactions() as reactions:
                    self._reactions, changed = reactions, True
                case Presence() as presence:
                    changed = changed or self._shows(presence)
                    self._presence = presence
                case _:
                    answers.append(encoded.json)
        if answers:
            self.transport.write(answers)
        if changed and self._state is not None:
            self._rendering = asyncio.create_task(self._draw(self._state))

    async def _draw(self, state: State) -> None:
        """Render the page and send it."""
        try:
            self.transport.write([await self._page(state)])
        except Exception as error:
            self.fail(error)
        self._rendering = None
        self.flush()

    def put_nowait(self, event: object) -> None:
        """Handle the end of the socket: cancel rendering."""
        super().put_nowait(event)
        self.service.news.unfollow(self.watcher)
        if self._rendering is not None:
            self._rendering.cancel()

    async def take(self, text: str | None) -> None:
        """Carry out a form's command, render the page with a new draft, or answer a ping."""
        try:
            frame = _FRAMES.read(text or "")
        except Malformed as error:
            self.reject_frame(str(error))
            return
        if isinstance(frame, FormFrame):
            await self.command(frame.id, command_of(frame.fields))
        elif isinstance(frame, DraftFrame):
            self._draft, self._draft_id = frame.fields, frame.id
            self.watcher.answer(_DRAFTED)
        else:
            self.send(Pong(now=self.service.clock.now()))

    def _shows(self, presence: Presence) -> bool:
        """Whether this presence changes the page; it often doesn't when spectators come and go."""
        if self._state is None:
            return True
        public = self._state.public
        return presence_key(public, self._presence) != presence_key(public, presence)

    async def _page(self, state: State) -> bytes:
        key = ratings_key(self.actor.table)
        if key != self._ratings_key:
            self._ratings = await table_ratings(self.service.ratings, self.actor.table)
            self._ratings_key = key
        snapshot = TableSnapshot(
            state,
            self._chat,
            self._presence,
            self._reactions,
            self._draft,
            self._link,
            "" if self.identity is None else self.identity.user.name,
            self._following,
            self._prefs.guide == state.public.table,
            parts=self._parts,
            has_account=self.identity is not None and not self.identity.user.is_guest,
            ratings=self._ratings,
        )
        # The odds shown for a draft can take a second to compute, so they must not block the event loop.
        render = self._pages.in_thread if self._draft else self._pages.in_turn
        draft_id = self._draft_id  # a later draft isn't on this page
        public, before = state.public, self._shown
        revealing = ""
        if before is not None and is_new_result(public, before):
            revealing = await render(self._html, replace(snapshot, before=before))
        self._shown = public
        html = await render(self._html, snapshot)
        frame = PageFrame(
            version=state.version,
            result=result_key(public),
            draft=draft_id,
            revealing=revealing,
            html=html,
            parts={} if self._parts is None else self._parts.take(),
        )
        return encode_bytes(frame)

    def _html(self, snapshot: TableSnapshot) -> str:
        with speaking(self.language):
            return self._pages.html("table/live.html", {"table": table_view_model(snapshot), "prefs": self._prefs})
