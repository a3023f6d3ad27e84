"""How errors are told over HTTP: one shape, `{"error": {"code": ..., "message": ...}}`.

Where the fault is the server's, `request` has the id of the request too.
"""

from __future__ import annotations

import json
import math

from starlette.responses import Response

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.journal import request_id

_CODES = {
    401: "bad-login not-logged-in",
    403: "banned foreign-origin needs-login",
    404: "no-such-table no-such-token no-such-game not-found",
    409: "login-taken not-a-guest too-many-tokens not-ended",
    413: "too-large",
    422: "bad-command bad-name bad-option bad-record unknown-game unknown-bot",
    429: "too-many",
    500: "internal table-damaged database-damaged",
    503: "table-exists repeated storage-failed storage bad-key unavailable leased not-owner conflict",
}
"""The codes of errors by the HTTP status that they have."""

_STATUS = {code: status for status, codes in _CODES.items() for code in codes.split()}


class Problem(LiarsPokerError):
    """A request that cannot be answered as it was meant.

    Attributes:
        code: what programs read.
        retry_after: seconds after which it may be tried again, where that would help.
    """

    def __init__(self, code: str, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.retry_after = retry_after


def error_response(code: str, message: str, retry_after: float | None = None, status: int | None = None) -> Response:
    """The response that tells an error; its status follows from the code, unless it is given."""
    headers, status = retry_header(retry_after), status or status_of(code)
    # Whoever tells the operator of a fault of the server's can say which request it was.
    request = {"request": request_id()} if status >= 500 else {}
    # Escaped, since what is told may be half of a sign, which a program may send and UTF-8 does not have.
    text = json.dumps({"error": {"code": code, "message": message, **request}})
    return Response(text, status, headers, media_type="application/json")


def retry_header(retry_after: float | None) -> dict[str, str]:
    """The header that asks to come again after so many seconds, if any."""
    return {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}


def status_of(code: str) -> int:
    """The HTTP status that an error of this code has."""
    return _STATUS.get(code, 400)


NO_TABLE = "there is no such table, or it is not for you; ask for a new link"
"""The one answer for tables that are not there and tables that may not be seen."""


_DAMAGED = {
    "table-damaged": "what the server has stored of this table is damaged",
    "database-damaged": "a part of what the server has stored is damaged",
}


def damage_message(code: str) -> str:
    """The message of an error of this code, which reports damage to what is stored."""
    return f"{_DAMAGED[code]}, and trying again does not help; tell whoever runs it"


def no_table() -> Problem:
    """The one answer for tables that are not there and tables that may not be seen."""
    return Problem("no-such-table", NO_TABLE)
