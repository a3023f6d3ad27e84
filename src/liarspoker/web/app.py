"""Adds the pages to the server's application."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.routing import WebSocketRoute

from liarspoker.web import assets, faults
from liarspoker.web.guests import Once
from liarspoker.web.live import table_page_socket
from liarspoker.web.pages import Pages, compile_all
from liarspoker.web.routes import lobby, new, replay, study, table, verify, you

ROUTERS = (
    lobby.router,
    new.router,
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
    app.router.routes.append(WebSocketRoute("/t/{table}/live", table_page_socket))
    faults.tell_people(app)
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
