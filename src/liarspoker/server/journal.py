"""Structured logging: one JSON object per line, with a fixed set of fields.

Only the fields listed here are written, so that user input, hands and secrets can't leak into the log: not in a
message, not in the text of an exception, not in a path that contains a table's id, which is an invitation. Our own
messages are constant strings without arguments. Messages of libraries may contain anything: for those, only the logger,
the place in the code, the type of the exception and known constant prefixes are written.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import sha256
from typing import TextIO

OURS = "liarspoker"
FIELDS = ("request", "node", "code", "do", "bot", "error", "reason", "folder", "count", "next_try")
"""The extra fields that are written unchanged. `reason` is a constant text too: our own, the system's, or a database's
name for a kind of error. Only why a backup failed or the server can't start isn't constant; it contains paths from the
settings, and tables as hashes. `folder` is a folder from the settings."""

HASHED = ("table", "user")
"""The extra fields that contain ids, which are written as hashes."""

KNOWN_MESSAGES = (
    "Task exception was never retrieved",
    "Future exception was never retrieved",
    "Task was destroyed but it is pending!",
    "Exception in callback",
    "Unhandled exception in client_connected_cb",
    "Fatal error on transport",
    "Fatal write error on socket transport",
    "Fatal read error on socket transport",
    "socket.accept() out of system resource",
    "Exception in ASGI application",
    "Exception in 'lifespan' protocol",
    "ASGI callable returned without",
    "Application startup failed",
    "Application shutdown failed",
    "Invalid HTTP request received",
    "Unsupported upgrade request",
    "opening handshake failed",
    "connection handler failed",
    "data transfer failed",
    "unexpected internal error",
    "keepalive ping failed",
)
"""Prefixes of messages of asyncio, uvicorn and websockets that are constant, so that they can be written."""


@dataclass(slots=True, eq=False)
class RequestContext:
    """The request or socket that is being served.

    Attributes:
        id: its id in log lines and in its response.
        over: it has been answered or closed; tasks that it started and that outlive it don't belong to it any more.
    """

    id: str
    over: bool = False


CURRENT_REQUEST: ContextVar[RequestContext | None] = ContextVar("current_request", default=None)
"""The request or socket that the current task serves, if any."""


def request_id() -> str | None:
    """Return the id of the request or socket that the current task serves; `None` if there is none."""
    request = CURRENT_REQUEST.get()
    return None if request is None or request.over else request.id


class Lines(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": record.msg if _is_ours(record) else record.name,
        }
        if not _is_ours(record):
            message = next((known for known in KNOWN_MESSAGES if str(record.msg).startswith(known)), None)
            fields |= {} if message is None else {"says": message}
            fields["from"] = f"{record.module}.{record.funcName}:{record.lineno}"
        request = request_id()
        fields |= {} if request is None else {"request": request}
        for name in HASHED:
            if getattr(record, name, None) is not None:
                fields[name] = table_mark(getattr(record, name))
        fields |= {name: getattr(record, name) for name in FIELDS if getattr(record, name, None) is not None}
        if record.exc_info and record.exc_info[0] is not None:
            fields["exception"] = record.exc_info[0].__name__
            fields["at_line"] = [
                f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(record.exc_info[2])[-8:]
            ]
        return json.dumps(fields)


def _is_ours(record: logging.LogRecord) -> bool:
    """Return whether this package has logged the record, so that its message is a constant string."""
    return record.name.startswith(f"{OURS}.")


def table_mark(table_id: str) -> str:
    """Return the hash that represents a table's or user's id in log lines. A table's id would let a reader join."""
    return sha256(table_id.encode()).hexdigest()[:12]


def begin(level: int = logging.INFO, stream: TextIO | None = None) -> None:
    """Configure logging for this process, including libraries."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(Lines())
    everything = logging.getLogger()
    everything.handlers = [handler]
    everything.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(level)
    for name in ("uvicorn", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
