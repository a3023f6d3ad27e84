"""Templates to HTML, and HTML to a browser."""

from __future__ import annotations

import asyncio
import gzip
import secrets
from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from types import SimpleNamespace
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, Response

from liarspoker import __version__
from liarspoker.server.accounts.credentials import User
from liarspoker.server.problems import Problem
from liarspoker.server.service import service_of
from liarspoker.web import draw, words
from liarspoker.web.assets import Assets
from liarspoker.web.invitation import code_to_scan
from liarspoker.web.preferences import Preferences
from liarspoker.web.templating import LeanEnvironment, drawn_once
from liarspoker.web.view_models.table import TableScene
from liarspoker.web.view_models.terms import badge

FOLLOWING = "following"
"""Stands in the address of a table's page, and of its socket, that has been open since before the table ended."""

_WORTH_SQUEEZING = 1_000
_AT_ONCE = 2
_SOON = ("base.html", "bar.html", "lobby.html", "lobby_tables.html", "table/page.html", "table/live.html")
"""What is asked for first after a start."""

Given = TypeVar("Given")
Made = TypeVar("Made")


class Pages:
    """Everything that draws pages."""

    def __init__(self, assets: Assets) -> None:
        self.assets = assets
        self._turn = asyncio.Lock()

    def html(self, template: str, context: Mapping[str, Any]) -> str:
        """A template as HTML."""
        return templates().get_template(template).render(asset=self.assets.path, **context)

    async def beside(self, work: Callable[[Given], Made], given: Given) -> Made:
        """What `work` makes of `given`, while the server goes on; a few at once, the others wait."""
        return await to_thread.run_sync(work, given, limiter=self._limiter)

    async def at_leisure(self, work: Callable[[Given], Made], given: Given) -> Made:
        """The same for what may take seconds: one at a time, so that nobody who looks at a table waits behind it."""
        return await to_thread.run_sync(work, given, limiter=self._leisure)

    async def in_turn(self, work: Callable[[Given], Made], given: Given) -> Made:
        """What `work` makes of `given`, one after the other: between two of them the server does what else there is."""
        async with self._turn:
            made = work(given)
            await asyncio.sleep(0)
        return made

    @cached_property
    def _limiter(self) -> CapacityLimiter:
        return CapacityLimiter(_AT_ONCE)

    @cached_property
    def _leisure(self) -> CapacityLimiter:
        return CapacityLimiter(1)


@cache
def templates() -> Environment:
    """All templates of this process, each compiled when it is first needed, or by `compile_all` before."""
    found = LeanEnvironment(
        loader=PackageLoader("liarspoker.web"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
    )
    found.globals.update(badge=badge, code_to_scan=code_to_scan, draw=draw, following=FOLLOWING)
    found.globals.update(fresh_id=fresh_id, version=__version__)
    found.filters.update(words.FILTERS)
    found.globals.update(kept=kept, once=once)
    found.globals["drawn"] = drawn_once(found.get_template("drawings.html"))
    return found


_PARTS: Mapping[str, tuple[str, ...]] = {
    "table/chat.html": ("id", "stage", "seated", "me", "chat", "chat_on"),
    "table/more.html": ("id", "stage", "seated", "me", "owner", "paused", "chat_on", "free", "game", "room"),
    "table/score.html": ("id", "sheet"),
}
"""The parts of a table's page that seldom change, and the fields of its scene that each of them shows."""


def kept(template: str, scene: TableScene) -> Markup:
    """A part of a table's page, drawn again only where what it shows has changed since its page was drawn last.

    It is drawn from those fields of the scene alone that `_PARTS` lists, and from the version that its forms name.
    """
    shown = tuple([getattr(scene, name) for name in _PARTS[template]])
    before = scene.kept.get(template)
    if before is not None and before[0] == shown:
        _, version, html = before
        if version != scene.version:
            html = html.replace(words.form_id(version), words.form_id(scene.version))
    else:
        fields = dict(zip(_PARTS[template], shown, strict=True))
        html = templates().get_template(template).render(scene=SimpleNamespace(version=scene.version, **fields))
    scene.kept[template] = shown, scene.version, html
    return Markup(html)


@lru_cache(maxsize=8192)
def once(macro: Callable[..., Markup], *given: object) -> Markup:
    """What a macro makes of what it is given, which is all that it shows."""
    return macro(*given)


def compile_all(stopped: Callable[[], bool] = lambda: False) -> None:
    """Compile every template, so that nobody who comes first to a page waits for it."""
    for name in sorted(templates().list_templates(), key=_SOON.__contains__, reverse=True):
        if stopped():
            return
        templates().get_template(name)


def fresh_id() -> str:
    """An id for a form that nobody else can know."""
    return secrets.token_hex(16)


def pages_of(connection: HTTPConnection) -> Pages:
    """The pages of the application behind a request or a socket."""
    pages: Pages = connection.app.state.pages
    return pages


async def user_of(connection: HTTPConnection) -> User | None:
    """Who asks, if he has said so here; a cookie that has run out is nobody's."""
    try:
        identity = await service_of(connection).identity(connection)
    except Problem:
        return None
    return None if identity is None else identity.user


async def page(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """The response that shows a page.

    Args:
        request: who asks; his name and his preferences are in the context as `user` and `prefs`, and the address of
            the page as `path` and, with its question, as `here`.
        template: its path below `templates`.
        status: of the response.
        context: what else the template may name.
    """
    return _response(request, pages_of(request).html(template, await _shown(request, context)), status)


async def large_page(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """The same, for a page that is long to draw and to squeeze: beside the server's other work."""
    pages = pages_of(request)

    def drawn(shown: Mapping[str, Any]) -> Response:
        return _response(request, pages.html(template, shown), status)

    return await pages.beside(drawn, await _shown(request, context))


async def _shown(request: Request, context: dict[str, Any]) -> dict[str, Any]:
    """What a template may name: `context`, and what is there on every page."""
    prefs = Preferences.read(request.cookies)
    user = context.pop("user") if "user" in context else await user_of(request)
    return {"user": user, "prefs": prefs, "path": request.url.path, "here": _here(request), **context}


def _here(request: Request) -> str:
    """Where this page is found again; the lobby for one that answers a form."""
    if request.method != "GET":
        return "/"
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def _response(request: Request, html: str, status: int) -> Response:
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding, Cookie"}
    content = html.encode()
    if len(content) >= _WORTH_SQUEEZING and "gzip" in request.headers.get("accept-encoding", ""):
        content = gzip.compress(content, 5)
        headers["Content-Encoding"] = "gzip"
    return HTMLResponse(content, status, headers)
