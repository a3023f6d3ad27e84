"""Adds the pages to the server's application."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import WebSocketRoute

from liarspoker.web import faults
from liarspoker.web.assets import Assets
from liarspoker.web.live import table_page_socket
from liarspoker.web.pages import Pages
from liarspoker.web.routes import lobby, new, odds, papers, replay, rules, settings, static, table, verify, you

ROUTERS = (
    lobby.router,
    new.router,
    odds.router,
    papers.router,
    replay.router,
    rules.router,
    settings.router,
    static.router,
    table.router,
    verify.router,
    you.router,
)


def dress(app: FastAPI) -> None:
    """Add every page, what they load, and errors that people can read."""
    assets = Assets.load()
    app.state.pages = Pages(assets)
    for router in ROUTERS:
        app.include_router(router, include_in_schema=False)
    app.router.routes.append(WebSocketRoute("/t/{table}/live", table_page_socket))
    faults.tell_people(app)
