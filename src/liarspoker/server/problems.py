"""How errors are told over HTTP: one shape, `{"error": {"code": ..., "message": ...}}`."""

from __future__ import annotations

import json
import math

from starlette.responses import Response

from liarspoker.core.errors import LiarsPokerError

_STATUS = {
    "bad-command": 422,
    "bad-name": 422,
    "bad-option": 422,
    "bad-record": 422,
    "unknown-game": 422,
    "unknown-bot": 422,
    "bad-login": 401,
    "not-logged-in": 401,
    "foreign-origin": 403,
    "needs-login": 403,
    "no-such-table": 404,
    "no-such-token": 404,
    "no-such-game": 404,
    "login-taken": 409,
    "not-a-guest": 409,
    "too-many-tokens": 409,
    "not-ended": 409,
    "not-found": 404,
    "table-exists": 503,
    "repeated": 503,
    "storage-failed": 503,
    "storage": 503,
    "bad-key": 503,
    "internal": 500,
    "table-damaged": 500,
    "database-damaged": 500,
    "too-large": 413,
    "too-many": 429,
    "unavailable": 503,
    "leased": 503,
    "not-owner": 503,
    "conflict": 503,
}


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
    headers = retry_header(retry_after)
    # Escaped, since what is told may be half of a sign, which a program may send and UTF-8 does not have.
    text = json.dumps({"error": {"code": code, "message": message}})
    return Response(text, status or status_of(code), headers, media_type="application/json")


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
