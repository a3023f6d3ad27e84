"""Log lines for machines: one JSON object each, with named fields only.

What may stand in a line is listed here. So nothing that a person typed, holds or keeps secret gets in by accident:
not in a message, not in an exception's text, not in a path with a table's id in it, which is an invitation. What we
write is fixed texts, without anything filled in, and the fields below. What libraries write may have anything in it:
their lines name the logger, the place in the code, the kind of exception, and those words that are known to be fixed.
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
FIELDS = ("request", "node", "code", "do", "bot", "error", "reason", "count", "next_try")
"""The extra fields that are written as they are. `reason` is a fixed text too: of ours, of the system, or the name that
a database has for a kind of error."""

HASHED = ("table", "user")
"""The extra fields that are ids, and are written as hashes."""

KNOWN_WORDS = (
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
"""How lines of asyncio, uvicorn and websockets begin that are worth more than the place which wrote them."""


@dataclass(slots=True, eq=False)
class Served:
    """A request or a socket that is being served.

    Attributes:
        id: names it in log lines and in its response.
        over: it has been answered, or closed; what it has set going and what goes on then is not its own any more.
    """

    id: str
    over: bool = False


SERVED: ContextVar[Served | None] = ContextVar("served", default=None)
"""What is being served here, if anything."""


def request_id() -> str | None:
    """The id of the request or socket that is being served here; `None` for none."""
    served = SERVED.get()
    return None if served is None or served.over else served.id


class Lines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": record.msg if _is_ours(record) else record.name,
        }
        if not _is_ours(record):
            words = next((known for known in KNOWN_WORDS if str(record.msg).startswith(known)), None)
            told |= {} if words is None else {"says": words}
            told["from"] = f"{record.module}.{record.funcName}:{record.lineno}"
        request = request_id()
        told |= {} if request is None else {"request": request}
        for name in HASHED:
            if getattr(record, name, None) is not None:
                told[name] = table_mark(getattr(record, name))
        told |= {name: getattr(record, name) for name in FIELDS if getattr(record, name, None) is not None}
        if record.exc_info and record.exc_info[0] is not None:
            told["exception"] = record.exc_info[0].__name__
            told["at_line"] = [
                f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(record.exc_info[2])[-8:]
            ]
        return json.dumps(told)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether the message is a fixed text of this package, without what would be filled in."""
    return record.name.startswith(f"{OURS}.")


def table_mark(table_id: str) -> str:
    """What stands for a table in log lines, and for a user in the same way: a table's id would let a reader in."""
    return sha256(table_id.encode()).hexdigest()[:12]


def begin(level: int = logging.INFO, stream: TextIO | None = None) -> None:
    """Write log lines from now on, those of libraries too."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(Lines())
    everything = logging.getLogger()
    everything.handlers = [handler]
    everything.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(level)
    for name in ("uvicorn", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
