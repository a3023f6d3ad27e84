"""Adds the pages to the server's application, with error pages for people; API clients still get JSON."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeGuard, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import N_, _, speak
from liarspoker.server.accounts.credentials import Banned
from liarspoker.server.journal import request_id
from liarspoker.server.problems import damage_message, retry_header, status_of
from liarspoker.server.request_tracking import SocketRoute
from liarspoker.server.storage.errors import DatabaseDamaged, StorageError, TableDamaged
from liarspoker.tables.house_rules import NoSuchRules
from liarspoker.web import assets
from liarspoker.web.guests import Once
from liarspoker.web.live import table_page_socket
from liarspoker.web.pages import Pages, compile_all, page
from liarspoker.web.preferences import language_of
from liarspoker.web.routes import (
    correspondence,
    events,
    friends,
    games,
    house_rules,
    lobby,
    mail,
    notices,
    offline,
    ratings,
    replay,
    share,
    study,
    table,
    trainer,
    verify,
    you,
)
from liarspoker.web.words import sentence

ROUTERS = (
    lobby.router,
    friends.router,
    correspondence.router,
    house_rules.router,
    events.router,
    mail.router,
    study.router,
    replay.router,
    trainer.router,
    assets.router,
    table.router,
    share.router,
    verify.router,
    you.router,
    notices.router,
    games.router,
    ratings.router,
    offline.router,
)


def mount_pages(app: FastAPI) -> None:
    """Add the pages, their assets and the error pages to `app`."""
    app.state.pages = Pages(assets.Assets.load())
    app.state.once = Once()
    app.state.larger = {"/replay": replay.MOST_BODY_BYTES, "/you/games/import": games.MOST_BODY_BYTES}
    for router in ROUTERS:
        app.include_router(router, include_in_schema=False)
    app.router.routes.append(SocketRoute("/t/{table}/live", table_page_socket))
    add_error_pages(app)
    app.add_middleware(Languages)
    _compile_after_startup(app)


class Languages:
    """ASGI middleware that sets the language of requests and sockets: of pages and, where a client asks, of the API."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request or a socket in its language; each has a context of its own."""
        if scope["type"] in ("http", "websocket"):
            speak(language_of(HTTPConnection(scope)))
        await self._app(scope, receive, send)


def _compile_after_startup(app: FastAPI) -> None:
    """Make `app` compile the templates in a thread once it has started."""
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
    401: N_("Not logged in"),
    403: N_("Request refused"),
    404: N_("Page not found"),
    405: N_("Method not allowed"),
    409: N_("Not possible now"),
    413: N_("Request too large"),
    422: N_("Invalid request"),
    429: N_("Too many requests"),
    500: N_("Server error"),
    503: N_("Temporarily unavailable"),
}

_ADVICE = {
    401: N_("Choose a name or log in, then open this page again."),
    403: N_("Send the form from this server’s own pages."),
    409: N_("Reload the page to see the current state."),
    429: N_("Wait a few seconds, then try again. Your games are safe."),
    500: N_("Your games are saved. If this happens again, tell the server’s operator."),
    503: N_("Your games are safe. Try again in a few seconds."),
}

_ANONYMOUS = (403, 413, 429, 500, 503)
"""Statuses whose pages don't look up the user, since the server may be overloaded or the database unavailable."""

_WRONG_LINK = N_("Check the link, or ask the person who invited you for a new one.")

_DAMAGED = N_("The server’s operator may have a backup. The rest of this server still works.")

_BANNED_ADVICE = N_("If you think this is a mistake, contact the server’s operator.")

_RETRYABLE = (429, 500, 503)
"""Statuses whose pages offer to try again."""


def add_error_pages(app: FastAPI) -> None:
    """Respond to errors outside the API with pages."""
    for kind in (LiarsPokerError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _with_page(cast(Handler, app.exception_handlers[kind])))


def _with_page(for_programs: Handler) -> Handler:
    async def handler(request: Request, error: Exception) -> Response:
        if request.url.path.startswith("/api/") or request.url.path in ("/health", "/ready"):
            return await for_programs(request, error)
        status, message = _status(error), _message(error)
        if status == 405 and request.method == "GET":  # a form's address, opened as a page: show the page with the form
            return RedirectResponse(request.url.path.rpartition("/")[0] or "/", 303)
        context: dict[str, Any] = {"user": None} if status in _ANONYMOUS else {}
        response = await page(
            request,
            "fault.html",
            status,
            heading=_heading(status, error),
            message=message,
            advice=_advice(request, status, error),
            again=str(request.url.path)
            if status in _RETRYABLE and not _damaged(error) and request.method == "GET"
            else "",
            code=status,
            reference=request_id() if status >= 500 else None,
            **context,
        )
        response.headers.update(retry_header(getattr(error, "retry_after", None)))
        return response

    return handler


def _heading(status: int, error: Exception) -> str:
    if isinstance(error, Banned):
        return _("You are banned")
    if isinstance(error, NoSuchRules):
        return _("These rules can’t be opened")
    return _(_HEADINGS[status]) if status in _HEADINGS else _("Request failed")


def _advice(request: Request, status: int, error: Exception) -> str:
    if isinstance(error, Banned):
        return _(_BANNED_ADVICE)
    if _damaged(error):
        return _(_DAMAGED)
    if status == 404 and request.url.path.startswith("/t/"):
        return _(_WRONG_LINK)
    return _(_ADVICE[status]) if status in _ADVICE else ""


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
        return _("The database isn’t responding, so your last action may or may not have been saved.")
    if isinstance(error, RequestValidationError):
        return _("The URL or the form contains an invalid value. Go back and try again.")
    if isinstance(error, LiarsPokerError):
        return sentence(str(error))
    if isinstance(error, HTTPException) and error.status_code == 404:
        return _("The URL is wrong, or the page no longer exists.")
    if isinstance(error, HTTPException) and error.status_code == 405:
        return _("Method Not Allowed.")
    if isinstance(error, HTTPException):
        return sentence(str(error.detail))
    return _("An unexpected error occurred on the server.")
