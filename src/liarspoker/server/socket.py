"""WebSockets: each serves one table, sending full views and receiving commands.

The protocol is specified in `docs/reference/live-protocol.md`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Collection, Mapping
from contextlib import suppress
from contextvars import Context
from struct import pack
from typing import Any, Protocol

from msgspec import Raw, structs
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.http11 import Request
from websockets.protocol import State

from liarspoker.language import _, language, speak
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
from liarspoker.server.journal import CURRENT_REQUEST
from liarspoker.server.problems import Problem, damage_message
from liarspoker.server.service import Service, address_of, check_action, service_of
from liarspoker.server.storage.errors import DatabaseDamaged, StorageError, TableDamaged, Unavailable
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.views import Watcher, no_wake
from liarspoker.tables.view import watches_behind

log = logging.getLogger(__name__)

PROTOCOL = 1
TRANSPORT = "liarspoker.transport"
"""Key of the `SocketTransport` in the scope's extensions."""

UNREAD_SECONDS = 30.0
"""A socket is aborted if the client hasn't read for this time."""
MOST_BAD_FRAMES = 20
"""A socket is closed after this number of invalid messages."""

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
"""WebSocket close codes by reason."""


class SocketTransport(Protocol):
    """A WebSocket as seen by its session.

    Attributes:
        is_write_paused: the client has so much unread data that nothing should be written now.
    """

    is_write_paused: bool

    def hand_over(self, session: TableSession) -> None:
        """Pass all further messages to `session`. The application can then return without closing the socket."""

    def write(self, texts: Collection[bytes]) -> None:
        """Send texts immediately. Unsent data is buffered, so check `is_write_paused` first."""

    def resume_reading(self) -> None:
        """Continue to receive messages after the session was too busy to take them."""

    def close(self, code: int, reason: str) -> None:
        """Start to close the socket, and notify the session."""

    def abort(self) -> None:
        """Close the connection without a closing handshake."""


class DirectSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol, extended so that the application can hand a socket over to a session.

    A socket that was handed over needs no task: the session's methods are called directly for every message and for the
    end of the connection, and the session writes without awaiting. This reduces the cost of moves and of idle sockets.
    A text that isn't valid UTF-8 closes the socket and isn't logged as a server error.

    Attributes:
        session: the session that the socket was handed over to, if any.
    """

    session: TableSession | None = None
    is_write_paused: bool = False
    _abort_timer: asyncio.TimerHandle | None = None

    def handle_connect(self, event: Request) -> None:
        """Add this protocol to the scope, where the application finds it."""
        super().handle_connect(event)
        if not self.handshake_complete:  # and not refused
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[TRANSPORT] = self

    def hand_over(self, session: TableSession) -> None:
        """Pass all further messages to `session`. The application can then return without closing the socket."""
        earlier, self.session = self.queue, session
        self.queue = session  # type: ignore[assignment]
        while not earlier.empty():
            event = earlier.get_nowait()
            if event["type"] == "websocket.receive":
                session.receive(event.get("text"))
            else:
                session.put_nowait(event)
        self.resume_reading()

    async def run_asgi(self) -> None:
        """Run the application, and close the socket afterwards unless it was handed over."""
        is_handed_over = False
        try:
            await self.app(self.scope, self.receive, self.send)
            is_handed_over = self.session is not None
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
        if is_handed_over:
            del self.scope, self.request, self.response  # frees memory: there can be thousands of sockets
        elif self.close_timer is None:
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Pass on a complete message. Close with 1007, without a log line, if a text isn't valid UTF-8."""
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

    def resume_reading(self) -> None:
        """Continue to receive messages after the session was too busy to take them."""
        if self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def write(self, texts: Collection[bytes]) -> None:
        """Send texts immediately. Unsent data is buffered, so check `is_write_paused` first."""
        if self.conn.state is State.OPEN:
            sent = b"".join([part for text in texts for part in (_frame_head(len(text)), text)])
            self.transport.write(sent)
            if self.session is not None:
                metrics = self.session.service.metrics
                metrics.frames_out += len(texts)
                metrics.socket_bytes += len(sent)

    def close(self, code: int, reason: str) -> None:
        """Start to close the socket, and notify the session."""
        if self.conn.state is State.OPEN:
            self.conn.send_close(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)
        self.resume_reading()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})

    def abort(self) -> None:
        """Close the connection without a closing handshake."""
        self.transport.close()

    def pause_writing(self) -> None:
        """Stop writing, and abort the connection if the client doesn't read for too long."""
        super().pause_writing()
        self.is_write_paused = True
        self._abort_timer = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Write what is pending."""
        super().resume_writing()
        self._writable_again()
        if self.session is not None:
            self.session.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """Notify the application or session, and break reference cycles so that no garbage collection is needed."""
        self._writable_again()
        super().connection_lost(exc)
        self.conn.parser.close()
        if self.session is not None:
            del self.queue
            self.session = None

    def _writable_again(self) -> None:
        self.is_write_paused = False
        if self._abort_timer is not None:
            self._abort_timer.cancel()
            self._abort_timer = None


def _frame_head(length: int) -> bytes:
    """Return the header of an unfragmented text frame with `length` bytes of payload (RFC 6455, section 5.2).

    >>> [_frame_head(length).hex() for length in (0, 125, 126, 65535, 65536)]
    ['8100', '817d', '817e007e', '817effff', '817f0000000000010000']
    """
    if length < 126:
        return pack("!BB", 0x81, length)
    return pack("!BBH", 0x81, 126, length) if length < 1 << 16 else pack("!BBQ", 0x81, 127, length)


async def table_socket(websocket: WebSocket) -> None:
    """Start to serve one socket at one table."""
    await serve_table(websocket, TableSession)


async def serve_table(websocket: WebSocket, kind: type[TableSession]) -> None:
    """Start to serve one socket at one table with a session of class `kind`, which continues after this returns."""
    with suppress(WebSocketDisconnect):  # the client may disconnect before the first message
        await _serve(websocket, kind)


async def _serve(websocket: WebSocket, kind: type[TableSession]) -> None:
    service = service_of(websocket)
    await websocket.accept()
    try:
        if websocket.query_params.get("protocol", str(PROTOCOL)) != str(PROTOCOL):
            raise Problem(
                "unknown-protocol", _("protocol: this server supports only version {protocol}", protocol=PROTOCOL)
            )
        identity = await service.identity(websocket)
        user_id = None if identity is None else identity.user.user_id
        actor = await service.table_for(websocket.path_params["table"], user_id)
        service.connections.check(address_of(websocket), identity, actor)
        hidden = await service.people.blocked_by(user_id)
    except (Problem, Banned) as problem:
        await _refuse(websocket, problem.code, str(problem))
        return
    except Unavailable:
        await _refuse(websocket, "unavailable", _("the database isn't responding; reconnect in a moment"))
        return
    except (DatabaseDamaged, TableDamaged) as damage:
        await _refuse(websocket, damage.code, damage_message(damage.code))
        return
    except StorageError:
        await _refuse(websocket, "table-moved", _("the table can't be reached right now; reconnect in a moment"))
        return
    session = kind(service, websocket, actor, identity, hidden)
    session.begin()
    await service.recheck(websocket, identity, session.watcher)


async def _refuse(websocket: WebSocket, code: str, message: str) -> None:
    with suppress(RuntimeError):  # the client has disconnected
        await websocket.send_text(encode(Error(code=code, message=message)))
        await websocket.close(CLOSE.get(code, 4400), code)


class TableSession:
    """An open socket at a table: sends views and receives commands as JSON.

    A session lasts from `begin` until its socket is closed, and has a task only while it handles messages.

    Attributes:
        language: the language of its errors, in which the socket was opened.
    """

    def __init__(
        self,
        service: Service,
        websocket: WebSocket,
        actor: TableActor,
        identity: Identity | None,
        hidden: frozenset[str],
    ) -> None:
        self.service = service
        self.transport: SocketTransport = websocket.scope["extensions"][TRANSPORT]
        self.actor = actor
        self.identity = identity
        user = None if identity is None else identity.user.user_id
        self.address = address_of(websocket)
        self.watcher = Watcher(user, watches_behind(actor.table, user), self._flush_soon, hidden)
        self._frames = limiter(service.config.limits.frames, service.clock.now)
        self._bad = 0
        self._flushing = False
        self._unread: deque[str | None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._served = CURRENT_REQUEST.get()
        self.language = language()
        if user is not None:
            service.newcomers.seen(user, self.address)

    def begin(self) -> None:
        """Take over the socket, and send the current state."""
        self._counted = self.service.connections.opened(self.watcher, self.identity, self.address)
        self.send(Welcome(protocol=PROTOCOL, user=self.watcher.user))
        self.actor.watch(self.watcher)
        self.transport.hand_over(self)

    def put_nowait(self, event: object) -> None:
        """Handle the end of the socket, for which uvicorn's protocol calls this method of the queue it replaces."""
        if self.watcher.closed != "gone":
            self.actor.unwatch(self.watcher)
            self.watcher.closed = "gone"
            self.watcher.wake = no_wake
            self._counted.close()
            if self._served is not None:
                self._served.over = True

    def _flush_soon(self) -> None:
        """Schedule a flush, so that everything from this iteration of the event loop is sent together."""
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Send pending messages unless the client reads too slowly, or close the socket if the watcher is closed."""
        self._flushing = False
        why = self.watcher.closed
        if why == "gone" or self.transport.is_write_paused:
            return
        if why is not None:
            self.transport.close(CLOSE[why], why)
            return
        try:
            self.deliver()
        except Exception as error:
            self.fail(error)

    def deliver(self) -> None:
        """Send pending messages in order."""
        messages = self.watcher.take()
        if messages:
            self.transport.write([message.json for message in messages])

    def fail(self, error: BaseException) -> None:
        """Log an internal error and abort the socket, since the client's state may be inconsistent."""
        request = None if self._served is None else self._served.id
        log.error("socket failed", exc_info=error, extra={"table": self.actor.table.id, "request": request})
        self.transport.abort()

    def receive(self, text: str | None) -> bool:
        """Queue a message, `None` if it isn't a text; return `False` if the socket should stop reading for now."""
        if self._unread is None:
            self._unread = deque()
            # In a context of its own: the first message may come during the handshake, whose span isn't its parent.
            self._reading = asyncio.create_task(self._read(self._unread), context=Context())
        self._unread.append(text)
        return len(self._unread) < 2

    async def _read(self, unread: deque[str | None]) -> None:
        """Handle queued messages one after the other, until none is left."""
        CURRENT_REQUEST.set(self._served)  # for log lines of this task
        speak(self.language)
        try:
            while unread:
                await self._handle(unread.popleft())
        except Exception as error:
            self.fail(error)
        self._unread = self._reading = None
        self.transport.resume_reading()

    async def _handle(self, text: str | None) -> None:
        if self.watcher.closed not in (None, "gone"):  # messages sent before a disconnect are still handled
            return
        metrics = self.service.metrics
        metrics.frames_in += 1
        wait = 0.0 if self._frames is None else self._frames.wait(0)
        if wait:
            metrics.refusals["frames"] += 1
            self.send(Error(code="too-many", message=_("too many messages; wait {wait:.1f} s", wait=wait)))
        else:
            await self.take(text)

    async def take(self, text: str | None) -> None:
        """Handle a message."""
        try:
            frame = FRAMES.read(text or "")
        except Malformed as error:
            self.reject_frame(str(error))
            return
        if isinstance(frame, CommandFrame):
            await self.command(frame.id, frame.command)
        elif isinstance(frame, CheckFrame):
            result = check_action(self.actor, self.watcher.user, frame.action)
            self.send(Checked(id=frame.id, **structs.asdict(result)))
        else:
            self.send(Pong(now=self.service.clock.now()))

    async def command(self, command_id: str, given: Raw | Mapping[str, object]) -> None:
        """Pass a command to the table, and send the answer."""
        try:
            if self.identity is None:
                raise Problem("not-logged-in", _("not logged in; POST a name to /api/guest, or log in"))
            made = await self.service.ask(self.actor, self.identity.user, self.address, command_id, given)
        except Problem as problem:
            made = AnswerResponse(False, self.actor.table.version, problem.code, str(problem))
        except StorageError:
            # It is unknown whether the command took effect. The client repeats it, with the same id, on a new socket.
            self.watcher.close("table-moved")
            return
        self.service.registry.probe("before-answer")
        self.send(Answer(id=command_id, ok=made.ok, version=made.version, code=made.code, message=made.message))

    def reject_frame(self, why: str) -> None:
        """Send an error for an invalid message; close the socket after too many of them."""
        self._bad += 1
        if self._bad >= MOST_BAD_FRAMES:
            self.watcher.close("bad-frame")
        message = _("not a valid message; send a JSON object: a command with its id, a check, or a ping")
        self.send(Error(code="bad-frame", message=f"{message} ({why})"))

    def send(self, frame: Frame) -> None:
        """Send a frame."""
        self.watcher.answer(Encoded(frame))
