"""Error responses over HTTP, of the form `{"error": {"code": ..., "message": ...}}`.

Server errors also contain the id of the request as `request`.
"""

from __future__ import annotations

import json
import math

from starlette.responses import Response

from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import N_, _
from liarspoker.server.journal import request_id

_CODES = {
    401: "bad-login bad-passkey not-logged-in",
    403: "banned foreign-origin needs-account needs-confirmation needs-login",
    404: "no-such-event no-such-table no-such-token no-such-device no-such-game no-such-rules no-such-user not-found",
    409: "blocked event-full event-started last-way-in login-taken name-taken no-passkeys no-vacation not-a-guest "
    "not-creator not-ended not-friends table-ended too-few too-many-events too-many-friends too-many-passkeys "
    "too-many-rules too-many-tokens yourself",
    413: "too-large",
    422: "bad-command bad-address bad-link bad-name bad-option bad-record bad-subscription unknown-game unknown-bot",
    429: "too-many",
    500: "internal table-damaged database-damaged",
    503: "table-exists repeated storage-failed storage bad-key unavailable leased not-owner conflict",
}
"""Error codes by HTTP status."""

_STATUS = {code: status for status, codes in _CODES.items() for code in codes.split()}


class Problem(LiarsPokerError):
    """A request fails with an error response.

    Attributes:
        code: error code for programs.
        retry_after: seconds after which the client may retry; `None` if a retry doesn't help.
    """

    def __init__(self, code: str, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.retry_after = retry_after


def error_response(code: str, message: str, retry_after: float | None = None, status: int | None = None) -> Response:
    """Return an error response. By default the status follows from the code."""
    headers, status = retry_header(retry_after), status or status_of(code)
    # With the request id, users can report a server error to the operator.
    request = {"request": request_id()} if status >= 500 else {}
    # Escaped as ASCII, since the message may quote lone surrogates, which can't be encoded in UTF-8.
    text = json.dumps({"error": {"code": code, "message": message, **request}})
    return Response(text, status, headers, media_type="application/json")


def retry_header(retry_after: float | None) -> dict[str, str]:
    """Return the `Retry-After` header, if there is a time to wait."""
    return {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}


def status_of(code: str) -> int:
    """Return the HTTP status of an error code."""
    return _STATUS.get(code, 400)


NO_TABLE = N_("this table doesn't exist, or you don't have access to it; ask for a new link")
"""The same message for missing tables and tables that the user can't see, so that it doesn't reveal which."""


_DAMAGED = {
    "table-damaged": N_("the stored data of this table is damaged"),
    "database-damaged": N_("part of the server's stored data is damaged"),
}


def damage_message(code: str) -> str:
    """Return the message of an error code that reports damaged data."""
    return _("{fault}; trying again won't help, so please contact the server's operator", fault=_(_DAMAGED[code]))


def no_table() -> Problem:
    """Return the error for tables that don't exist or that the user can't see."""
    return Problem("no-such-table", _(NO_TABLE))
