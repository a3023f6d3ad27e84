"""One WebSocket a table: full views down, commands up. `docs/reference/live-protocol.md` is the contract."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Collection, Mapping
from contextlib import suppress
from struct import pack
from typing import Any, Protocol

from msgspec import Raw, structs
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.http11 import Request
from websockets.protocol import State

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
from liarspoker.server.accounts.credentials import Banned, Identity
from liarspoker.server.config import limiter
from liarspoker.server.journal import SERVED
from liarspoker.server.problems import Problem, damage_message
from liarspoker.server.service import Service, address_of, judge, service_of
from liarspoker.server.storage.errors import DatabaseDamaged, StorageError, TableDamaged, Unavailable
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.views import Watcher, no_wake
from liarspoker.tables.view import watches_behind

log = logging.getLogger(__name__)

PROTOCOL = 1
LINE = "liarspoker.line"
"""Under this name the extensions of a socket's scope hold its `Line`."""

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
    "banned": 4401,
    "unknown-protocol": 4400,
    "bad-frame": 4400,
    "too-many": 4429,
    "too-slow": 4408,
    "table-moved": 4503,
    "unavailable": 4503,
    "stopping": 1012,
}
"""With which code a socket is closed, and why."""


class Line(Protocol):
    """A socket, as its session uses it.

    Attributes:
        clogged: the other side has left so much unread that nothing should be written now.
    """

    clogged: bool

    def hand_over(self, session: TableSession) -> None:
        """From now on tell `session` what comes, and let the application end without ending the socket."""

    def write(self, texts: Collection[bytes]) -> None:
        """Send some texts at once. Whatever the other side does not take is kept, so look whether it is clogged."""

    def read_on(self) -> None:
        """Take more messages; the session could take none for a while."""

    def close(self, code: int, reason: str) -> None:
        """Begin to close the socket, and tell the session that it has ended."""

    def give_up(self) -> None:
        """End the socket without a word."""


class QuietSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket as uvicorn speaks it, which the application may hand over to a session.

    From then on the socket needs no task: the session is called with every message, and writes without waiting. So a
    move costs less, and so does a socket on which nothing happens. What uvicorn would queue for the application, such
    as the end of the socket, the session is told. A text that is no UTF-8 is not an error of the server's.

    Attributes:
        session: what the socket was handed over to.
    """

    session: TableSession | None = None
    clogged: bool = False
    _giving_up: asyncio.TimerHandle | None = None

    def handle_connect(self, event: Request) -> None:
        """Let the application find this line in its scope."""
        super().handle_connect(event)
        if not self.handshake_complete:  # nor refused
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[LINE] = self

    def hand_over(self, session: TableSession) -> None:
        """From now on tell `session` what comes, and let the application end without ending the socket."""
        earlier, self.session = self.queue, session
        self.queue = session  # type: ignore[assignment]
        while not earlier.empty():
            event = earlier.get_nowait()
            if event["type"] == "websocket.receive":
                session.receive(event.get("text"))
            else:
                session.put_nowait(event)
        self.read_on()

    async def run_asgi(self) -> None:
        """Run the application, and close the socket after it if it was not handed over."""
        kept = False
        try:
            await self.app(self.scope, self.receive, self.send)
            kept = self.session is not None
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
        if kept:
            del self.scope, self.request, self.response  # of the handshake; there are thousands of sockets
        elif self.close_timer is None:
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Hand on a whole message; close with 1007 where a text is no UTF-8, and write no line to the log."""
        text: str | None = None
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                text = b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
                return
        if self.session is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        self.frames = []
        if not self.session.receive(text) and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def read_on(self) -> None:
        """Take more messages; the session could take none for a while."""
        if self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def write(self, texts: Collection[bytes]) -> None:
        """Send some texts at once. Whatever the other side does not take is kept, so look whether it is clogged."""
        if self.conn.state is State.OPEN:
            sent = b"".join([part for text in texts for part in (_frame_head(len(text)), text)])
            self.transport.write(sent)
            if self.session is not None:
                metrics = self.session.service.metrics
                metrics.frames_out += len(texts)
                metrics.socket_bytes += len(sent)

    def close(self, code: int, reason: str) -> None:
        """Begin to close the socket, and tell the session that it has ended."""
        if self.conn.state is State.OPEN:
            self.conn.send_close(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)
        self.read_on()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})

    def give_up(self) -> None:
        """End the socket without a word."""
        self.transport.close()

    def pause_writing(self) -> None:
        """Stop writing, and give the socket up where the other side does not read on for too long."""
        super().pause_writing()
        self.clogged = True
        self._giving_up = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Write what has come meanwhile."""
        super().resume_writing()
        self._writable_again()
        if self.session is not None:
            self.session.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell whoever serves this socket that it has ended, and keep nothing in a cycle that has to be looked for."""
        self._writable_again()
        super().connection_lost(exc)
        self.conn.parser.close()
        if self.session is not None:
            del self.queue
            self.session = None

    def _writable_again(self) -> None:
        self.clogged = False
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None


def _frame_head(length: int) -> bytes:
    """What stands before a text of so many bytes that is sent whole (RFC 6455, section 5.2).

    >>> [_frame_head(length).hex() for length in (0, 125, 126, 65535, 65536)]
    ['8100', '817d', '817e007e', '817effff', '817f0000000000010000']
    """
    if length < 126:
        return pack("!BB", 0x81, length)
    return pack("!BBH", 0x81, 126, length) if length < 1 << 16 else pack("!BBQ", 0x81, 127, length)


async def table_socket(websocket: WebSocket) -> None:
    """Serve one socket at one table, until either side closes it."""
    await serve_table(websocket, TableSession)


async def serve_table(websocket: WebSocket, kind: type[TableSession]) -> None:
    """Begin to serve one socket at one table in the manner of `kind`; that goes on until either side closes it."""
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
    except (Problem, Banned) as problem:
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
    session = kind(service, websocket, actor, identity)
    session.begin()
    await service.recheck(websocket, identity, session.watcher)


async def _refuse(websocket: WebSocket, code: str, message: str) -> None:
    with suppress(RuntimeError):  # the other side has gone
        await websocket.send_text(encode(Error(code=code, message=message)))
        await websocket.close(CLOSE.get(code, 4400), code)


class TableSession:
    """One socket that is open: views go down as they are, and commands come up as JSON.

    It lives from `begin` until its socket ends, and has a task only while it does what a message asks for.
    """

    def __init__(self, service: Service, websocket: WebSocket, actor: TableActor, identity: Identity | None) -> None:
        self.service = service
        self.line: Line = websocket.scope["extensions"][LINE]
        self.actor = actor
        self.identity = identity
        user = None if identity is None else identity.user.user_id
        self.address = address_of(websocket)
        self.watcher = Watcher(user, watches_behind(actor.table, user), self._news)
        self._frames = limiter(service.config.limits.frames, service.clock.now)
        self._bad = 0
        self._flushing = False
        self._unread: deque[str | None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._served = SERVED.get()
        if user is not None:
            service.newcomers.seen(user, self.address)

    def begin(self) -> None:
        """Take the socket over, and tell all there is."""
        self._counted = self.service.connections.opened(self.watcher, self.identity, self.address)
        self.tell(Welcome(protocol=PROTOCOL, user=self.watcher.user))
        self.actor.watch(self.watcher)
        self.line.hand_over(self)

    def put_nowait(self, event: object) -> None:
        """The socket has ended, which uvicorn's protocol tells by queueing an event."""
        if self.watcher.closed != "gone":
            self.actor.unwatch(self.watcher)
            self.watcher.closed = "gone"
            self.watcher.wake = no_wake
            self._counted.close()
            if self._served is not None:
                self._served.over = True

    def _news(self) -> None:
        """There is something to send, which is sent together with what else comes in this turn of the event loop."""
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Send what there is to tell, as far as the other side reads; or close the socket where it should be closed."""
        self._flushing = False
        why = self.watcher.closed
        if why == "gone" or self.line.clogged:
            return
        if why is not None:
            self.line.close(CLOSE[why], why)
            return
        try:
            self.deliver()
        except Exception as error:
            self.fail(error)

    def deliver(self) -> None:
        """Send what there is to tell, in order."""
        messages = self.watcher.take()
        if messages:
            self.line.write([message.json for message in messages])

    def fail(self, error: BaseException) -> None:
        """Write down an error of this program, and end the socket: nobody knows what its other side should see."""
        request = None if self._served is None else self._served.id
        log.error("socket failed", exc_info=error, extra={"table": self.actor.table.id, "request": request})
        self.line.give_up()

    def receive(self, text: str | None) -> bool:
        """Take a message, `None` for one that is no text; false where no more should come for now."""
        if self._unread is None:
            self._unread = deque()
            self._reading = asyncio.create_task(self._read(self._unread))
        self._unread.append(text)
        return len(self._unread) < 2

    async def _read(self, unread: deque[str | None]) -> None:
        """Do what messages ask for, one after the other, until none is left."""
        SERVED.set(self._served)  # in this task
        try:
            while unread:
                await self._heed(unread.popleft())
        except Exception as error:
            self.fail(error)
        self._unread = self._reading = None
        self.line.read_on()

    async def _heed(self, text: str | None) -> None:
        if self.watcher.closed not in (None, "gone"):  # what somebody has sent before he went is done
            return
        metrics = self.service.metrics
        metrics.frames_in += 1
        wait = 0.0 if self._frames is None else self._frames.wait(0)
        if wait:
            metrics.refusals["frames"] += 1
            self.tell(Error(code="too-many", message=f"too many messages; wait {wait:.1f} s"))
        else:
            await self.take(text)

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
