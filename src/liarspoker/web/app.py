"""Adds the pages to the server's application, and errors as pages where a person asked; programs get JSON as ever."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeGuard, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.accounts.credentials import Banned
from liarspoker.server.journal import request_id
from liarspoker.server.observed import SocketRoute
from liarspoker.server.problems import damage_message, retry_header, status_of
from liarspoker.server.storage.errors import DatabaseDamaged, StorageError, TableDamaged
from liarspoker.web import assets
from liarspoker.web.guests import Once
from liarspoker.web.live import table_page_socket
from liarspoker.web.pages import Pages, compile_all, page
from liarspoker.web.routes import lobby, replay, study, table, verify, you
from liarspoker.web.words import sentence

ROUTERS = (
    lobby.router,
    study.router,
    replay.router,
    assets.router,
    table.router,
    verify.router,
    you.router,
)


def mount_pages(app: FastAPI) -> None:
    """Add every page, what they load, and errors that people can read."""
    app.state.pages = Pages(assets.Assets.load())
    app.state.once = Once()
    app.state.larger = {"/replay": replay.MOST_BODY_BYTES}
    for router in ROUTERS:
        app.include_router(router, include_in_schema=False)
    app.router.routes.append(SocketRoute("/t/{table}/live", table_page_socket))
    tell_people(app)
    _compile_once_ready(app)


def _compile_once_ready(app: FastAPI) -> None:
    """Let `app` compile the templates beside its other work when it has started; nobody has to wait for that."""
    started = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(here: FastAPI) -> AsyncIterator[Any]:
        async with started(here) as state:
            stopped = threading.Event()
            compiling = threading.Thread(target=compile_all, args=(stopped.is_set,), name="templates", daemon=True)
            compiling.start()
            try:
                yield state
            finally:
                stopped.set()

    app.router.lifespan_context = lifespan


Handler = Callable[[Request, Exception], Awaitable[Response]]

_HEADINGS = {
    401: "You are not logged in",
    403: "Not from there",
    404: "There is nothing here",
    405: "Not that way",
    409: "Not now",
    413: "Too much at once",
    422: "That cannot be",
    429: "A little slower, please",
    500: "Something broke",
    503: "One moment",
}

_ADVICE = {
    401: "Give yourself a name, or log in; then come back here.",
    403: "Open this server’s own pages, and do it from there.",
    409: "Load the page again and look how things stand now.",
    429: "Wait a few seconds, then try again. Nothing of yours is lost.",
    500: "Whatever was acknowledged is kept. If it happens again, tell whoever runs this server.",
    503: "Nothing of yours is lost. Try again in a few seconds.",
}

_UNKNOWN_TO = (403, 413, 429, 500, 503)
"""Where nobody is asked who he is: it may be a flood, or the database may be away."""

_LOST_LINK = "Ask whoever invited you for the link again; perhaps a letter of it was lost on the way."

_FROM_A_BACKUP = "A backup of the server may still have it. Everything else on this server goes on."

_BANNED = "You are banned"
_ASK_THE_HOST = "If you think that this is a mistake, ask whoever runs this server."

_AGAIN = (429, 500, 503)
"""Where it helps to try once more."""


def tell_people(app: FastAPI) -> None:
    """Let errors outside of the API be told as pages."""
    for kind in (LiarsPokerError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _told_to_people(cast(Handler, app.exception_handlers[kind])))


def _told_to_people(for_programs: Handler) -> Handler:
    async def handler(request: Request, error: Exception) -> Response:
        if request.url.path.startswith("/api/") or request.url.path in ("/health", "/ready"):
            return await for_programs(request, error)
        status, message = _status(error), _message(error)
        context: dict[str, Any] = {"user": None} if status in _UNKNOWN_TO else {}
        response = await page(
            request,
            "fault.html",
            status,
            heading=_BANNED if isinstance(error, Banned) else _HEADINGS.get(status, "That did not work"),
            message=message,
            advice=_advice(request, status, error),
            again=str(request.url.path) if status in _AGAIN and not _damaged(error) and request.method == "GET" else "",
            code=status,
            reference=request_id() if status >= 500 else None,
            **context,
        )
        response.headers.update(retry_header(getattr(error, "retry_after", None)))
        return response

    return handler


def _advice(request: Request, status: int, error: Exception) -> str:
    if isinstance(error, Banned):
        return _ASK_THE_HOST
    if _damaged(error):
        return _FROM_A_BACKUP
    return _LOST_LINK if status == 404 and request.url.path.startswith("/t/") else _ADVICE.get(status, "")


def _status(error: Exception) -> int:
    if isinstance(error, HTTPException):
        return error.status_code
    if isinstance(error, RequestValidationError):
        return 422
    return status_of(error.code) if isinstance(error, LiarsPokerError) else 500


def _damaged(error: Exception) -> TypeGuard[TableDamaged | DatabaseDamaged]:
    return isinstance(error, TableDamaged | DatabaseDamaged)


def _message(error: Exception) -> str:
    if _damaged(error):
        return sentence(damage_message(error.code))
    if isinstance(error, StorageError):
        return "Nobody can say now whether that took effect."
    if isinstance(error, RequestValidationError):
        return "The address or the form has something in it that cannot be read. Go back and try again."
    if isinstance(error, LiarsPokerError):
        return sentence(str(error))
    if isinstance(error, HTTPException) and error.status_code == 404:
        return "The address is wrong, or what was here is gone. Start again from the lobby."
    if isinstance(error, HTTPException):
        return sentence(str(error.detail))
    return "It is the server’s fault, not yours."
