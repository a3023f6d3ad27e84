"""One WebSocket a table: full views down, commands up. `docs/reference/live-protocol.md` is the contract."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Raw, structs
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

from liarspoker.protocol.codec import Encoded, Malformed, encode
from liarspoker.protocol.frames import (
    FRAMES,
    Answer,
    Checked,
    CheckFrame,
    CommandFrame,
    Error,
    Frame,
    Pong,
    Welcome,
)
from liarspoker.protocol.http import AnswerResponse
from liarspoker.server.accounts.credentials import Identity
from liarspoker.server.config import limiter
from liarspoker.server.problems import Problem, damage_message
from liarspoker.server.service import Service, address_of, judge, service_of
from liarspoker.server.storage.errors import DatabaseDamaged, StorageError, TableDamaged, Unavailable
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.views import Watcher
from liarspoker.tables.view import watches_behind

PROTOCOL = 1
UNREAD_SECONDS = 30.0
"""A socket whose other side has not read for so long is given up."""
MOST_BAD_FRAMES = 20
"""After so many messages that are none, the socket is closed."""

CLOSE = {
    "no-such-table": 4404,
    "table-damaged": 4404,
    "database-damaged": 4404,
    "not-logged-in": 4401,
    "revoked": 4401,
    "unknown-protocol": 4400,
    "bad-frame": 4400,
    "too-many": 4429,
    "too-slow": 4408,
    "table-moved": 4503,
    "unavailable": 4503,
    "stopping": 1012,
}
"""With which code a socket is closed, and why."""


class QuietSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket as uvicorn speaks it, except that a text which is no UTF-8 is not an error of the server's."""

    def send_receive_event_to_app(self) -> None:
        """Hand on a whole message; close with 1007 where a text is no UTF-8, and write no line to the log."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()


async def table_socket(websocket: WebSocket) -> None:
    """Serve one socket at one table, until either side closes it."""
    await serve_table(websocket, TableSession)


async def serve_table(websocket: WebSocket, kind: type[TableSession]) -> None:
    """Serve one socket at one table in the manner of `kind`, until either side closes it."""
    with suppress(WebSocketDisconnect):  # he may be gone before he is told anything
        await _serve(websocket, kind)


async def _serve(websocket: WebSocket, kind: type[TableSession]) -> None:
    service = service_of(websocket)
    await websocket.accept()
    try:
        if websocket.query_params.get("protocol", str(PROTOCOL)) != str(PROTOCOL):
            raise Problem("unknown-protocol", f"protocol: this server speaks {PROTOCOL}")
        identity = await service.identity(websocket)
        user_id = None if identity is None else identity.user.user_id
        actor = await service.table_for(websocket.path_params["table"], user_id)
        service.connections.check(address_of(websocket), identity, actor)
    except Problem as problem:
        await _refuse(websocket, problem.code, str(problem))
        return
    except Unavailable:
        await _refuse(websocket, "unavailable", "the database does not answer; connect again in a moment")
        return
    except (DatabaseDamaged, TableDamaged) as damage:
        await _refuse(websocket, damage.code, damage_message(damage.code))
        return
    except StorageError:
        await _refuse(websocket, "table-moved", "the table cannot be reached now; connect again")
        return
    await kind(service, websocket, actor, identity).run()


async def _refuse(websocket: WebSocket, code: str, message: str) -> None:
    await websocket.send_text(encode(Error(code=code, message=message)))
    await websocket.close(CLOSE.get(code, 4400), code)


class TableSession:
    """One socket that is open: views go down as they are, and commands come up as JSON."""

    def __init__(self, service: Service, websocket: WebSocket, actor: TableActor, identity: Identity | None) -> None:
        self.service = service
        self.websocket = websocket
        self.actor = actor
        self.identity = identity
        user = None if identity is None else identity.user.user_id
        self.address = address_of(websocket)
        self.watcher = Watcher(user, watches_behind(actor.table, user))
        self._frames = limiter(service.config.limits.frames, service.clock.now)
        if user is not None:
            service.newcomers.seen(user, self.address)
        self._bad = 0
        self._loop = asyncio.get_running_loop()
        self._sending_since: float | None = None

    async def run(self) -> None:
        """Send and receive until either side closes it."""
        with self.service.connections.opened(self.watcher, self.identity, self.address):
            self.tell(Welcome(protocol=PROTOCOL, user=self.watcher.user))
            self.actor.watch(self.watcher)
            both = [asyncio.create_task(self._send()), asyncio.create_task(self._receive())]
            self._look_whether_it_is_read(both[0])
            try:
                await self.service.recheck(self.websocket, self.identity, self.watcher)
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            finally:
                self.actor.unwatch(self.watcher)
                self.watcher.close("gone")
                self._next_look.cancel()
                for task in both:
                    task.cancel()
                await asyncio.wait(both)
        for task in both:
            if not task.cancelled():
                task.result()

    async def _send(self) -> None:
        """Send what there is to tell until the socket should be closed, and close it."""
        try:
            while messages := await self.watcher.next():
                await self.deliver(messages)
            why = self.watcher.closed or "gone"
            if why != "gone":
                async with asyncio.timeout(UNREAD_SECONDS):
                    await self.websocket.close(CLOSE[why], why)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            pass  # the other side was faster, or is too slow

    async def deliver(self, messages: list[Encoded[object]]) -> None:
        """Send what there is to tell of these messages, in order."""
        for message in messages:
            await self.put(message.text)

    async def put(self, text: str) -> None:
        """Send one text, and note since when the other side has not taken it."""
        self._sending_since = self._loop.time()
        await self.websocket.send({"type": "websocket.send", "text": text})
        self._sending_since = None

    def _look_whether_it_is_read(self, sending: asyncio.Task[None]) -> None:
        """End `sending` where the other side has not read for too long, else look again when it may have come to that.

        A timer for every message would cost as much as sending it; one look in so many seconds costs nothing.
        """
        loop, since = self._loop, self._sending_since
        left = UNREAD_SECONDS if since is None else since + UNREAD_SECONDS - loop.time()
        if left <= 0:
            sending.cancel()
        else:
            self._next_look = loop.call_later(left, self._look_whether_it_is_read, sending)

    async def _receive(self) -> None:
        while True:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if self.watcher.closed is not None:
                continue
            wait = 0.0 if self._frames is None else self._frames.wait(0)
            if wait:
                self.tell(Error(code="too-many", message=f"too many messages; wait {wait:.1f} s"))
                continue
            await self.take(message.get("text"))

    async def take(self, text: str | None) -> None:
        """Do what a message asks for."""
        try:
            frame = FRAMES.read(text or "")
        except Malformed:
            self.bad_frame()
            return
        if isinstance(frame, CommandFrame):
            await self.command(frame.id, frame.command)
        elif isinstance(frame, CheckFrame):
            judged = judge(self.actor, self.watcher.user, frame.action)
            self.tell(Checked(id=frame.id, **structs.asdict(judged)))
        else:
            self.tell(Pong(now=self.service.clock.now()))

    async def command(self, command_id: str, given: Raw | Mapping[str, object]) -> None:
        """Ask the table for what a command wants, and tell the answer."""
        try:
            if self.identity is None:
                raise Problem("not-logged-in", "say who you are first: POST to /api/guest")
            made = await self.service.ask(self.actor, self.identity.user, self.address, command_id, given)
        except Problem as problem:
            made = AnswerResponse(False, self.actor.table.version, problem.code, str(problem))
        except StorageError:
            # Nobody can tell now whether it took effect; the next socket will, when it asks again with the same id.
            self.watcher.close("table-moved")
            return
        self.service.registry.probe("before-answer")
        self.tell(Answer(id=command_id, ok=made.ok, version=made.version, code=made.code, message=made.message))

    def bad_frame(self) -> None:
        """Say that a message is none; too many of them end the socket."""
        self._bad += 1
        if self._bad >= MOST_BAD_FRAMES:
            self.watcher.close("bad-frame")
        message = "a message is an object of JSON: a command with its id, a check, or a ping"
        self.tell(Error(code="bad-frame", message=message))

    def tell(self, frame: Frame) -> None:
        """Send a frame of its own."""
        self.watcher.answer(Encoded(frame))
