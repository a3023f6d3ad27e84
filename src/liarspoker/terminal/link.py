"""The WebSocket connection to a live table, in its own thread: it reconnects and resends unanswered commands."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from msgspec import to_builtins
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import ClientConnection, connect

from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.protocol.codec import Malformed, encode
from liarspoker.protocol.commands import Command
from liarspoker.protocol.frames import Answer, DownFrame, Welcome, read_frame
from liarspoker.protocol.views import RoundView

FIRST_WAIT, LONGEST_WAIT = 0.25, 15.0
"""Seconds before the first attempt to reconnect, and the longest time between attempts."""

LAST_WAIT = 2.0
"""Seconds to wait for answers before closing."""

CONNECT_SECONDS = 10.0
MOST_BYTES = 8 * 1024 * 1024
FINAL = {4400, 4401, 4403, 4404}
"""Close codes after which reconnecting is useless."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The connection is open; `again` after a lost one."""

    again: bool


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is lost; reconnecting has begun."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The server has closed the connection for good."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Received:
    """A frame from the server."""

    frame: DownFrame = field(repr=False)


LinkNews = Opened | Lost | Closed | Received


class Link:
    """A connection to one table."""

    def __init__(self, url: str, headers: dict[str, str], news: Callable[[LinkNews], object]) -> None:
        self._url = url
        self._headers = headers
        self._news = news
        self._lock = Lock()
        self._socket: ClientConnection | None = None
        self._wait = FIRST_WAIT
        self._again = False
        self._unanswered: dict[str, str] = {}
        self._stopped = Event()
        self._settled = Event()
        self._settled.set()
        self._thread = Thread(target=self._run, name="link", daemon=True)

    def start(self) -> None:
        """Connect."""
        self._thread.start()

    def stop(self) -> None:
        """Close for good, after a moment for answers to what was sent."""
        with self._lock:
            socket = self._socket
        if socket is not None:
            self._settled.wait(LAST_WAIT)
        self._stopped.set()
        if socket is not None:
            socket.close()
        self._thread.join(CONNECT_SECONDS)

    def command(self, command: Command) -> str:
        """Send a command now or as soon as connected, and return the id that its answer will have."""
        command_id = secrets.token_hex(8)
        fields = {name: value for name, value in to_builtins(command).items() if value is not None}
        text = encode({"kind": "command", "id": command_id, "command": fields})
        with self._lock:
            self._unanswered[command_id] = text
            self._settled.clear()
            socket = self._socket
        if socket is not None:
            _send(socket, text)
        return command_id

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                with connect(
                    self._url,
                    additional_headers=self._headers,
                    open_timeout=CONNECT_SECONDS,
                    max_size=MOST_BYTES,
                    compression=None,
                ) as socket:
                    self._serve(socket)
            except ConnectionClosed as closed:
                if self._ended(closed):
                    return
            except UnknownGame as error:
                self._news(Closed(0, f"{error}."))
                return
            except (OSError, InvalidHandshake, InvalidURI, ValueError):
                pass  # the server is down, or something else answers there; try again below
            finally:
                with self._lock:
                    self._socket = None
            if self._wait == FIRST_WAIT and not self._stopped.is_set():
                self._news(Lost())
            self._stopped.wait(self._wait)
            self._wait = min(LONGEST_WAIT, 2 * self._wait)

    def _serve(self, socket: ClientConnection) -> None:
        """Resend unanswered commands, then pass on frames until the connection is lost."""
        with self._lock:
            self._socket = socket
            waiting = list(self._unanswered.values())
        for text in waiting:
            _send(socket, text)
        while True:
            frame = _read(socket.recv())
            if frame is None:
                continue
            if isinstance(frame, Welcome):  # a refused socket opens too, but sends no welcome
                opened = Opened(self._again)
                self._wait, self._again = FIRST_WAIT, True
                self._news(opened)
            if isinstance(frame, Answer):
                with self._lock:
                    self._unanswered.pop(frame.id, None)
                    if not self._unanswered:
                        self._settled.set()
            self._news(Received(frame))

    def _ended(self, closed: ConnectionClosed) -> bool:
        """Return whether the server has closed the connection for good."""
        frame = closed.rcvd
        if frame is None or frame.code not in FINAL:
            return False
        self._news(Closed(frame.code, frame.reason))
        return True


def _send(socket: ClientConnection, text: str) -> None:
    with suppress(ConnectionClosed, OSError):  # it is resent after reconnecting
        socket.send(text)


def _read(text: str | bytes) -> DownFrame | None:
    """Return a frame; `None` for an unknown kind, which a newer server may send.

    Raises:
        Malformed: it isn't a frame, so this isn't a server of live tables.
        UnknownGame: a game that isn't installed here.
    """
    try:
        return read_frame(text, _round_view)
    except Malformed as error:
        if error.path == "kind":
            return None
        raise


def _round_view(game: str) -> type[RoundView]:
    return catalogue.family(catalogue.preset(game).family).round_view()
