"""Rendering: templates to HTML, and HTML to a response."""

from __future__ import annotations

import asyncio
import gzip
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, Response

from liarspoker import __version__
from liarspoker.language import DOMAIN, FOLDER, LANGUAGES, language, per_language
from liarspoker.records.words import REACTION_WORDS, YOU
from liarspoker.server.accounts.credentials import User
from liarspoker.server.accounts.words import LONGEST_NAME
from liarspoker.server.problems import Problem
from liarspoker.server.service import Service, service_of
from liarspoker.server.storage.errors import StorageError
from liarspoker.web import draw, words
from liarspoker.web.assets import Assets
from liarspoker.web.invitation import qr_code
from liarspoker.web.preferences import Preferences
from liarspoker.web.templating import (
    CodeCache,
    LeanEnvironment,
    as_markup,
    cached_module,
    html_message,
    html_of_count,
    html_of_word,
)
from liarspoker.web.view_models.events import points_text
from liarspoker.web.view_models.table import TableViewModel
from liarspoker.web.view_models.terms import badge, own_title, rounds_words
from liarspoker.web.view_models.tips import SEAT, SYMBOLS, lobby_tips, table_tips

FOLLOWING, PARTED = "following", "parts"
"""Query parameters of a table's page and of its socket: the page was open before the table closed; the browser keeps
the parts of a page that are sent separately."""

_LEAST_COMPRESSED = 1_000
"""Smaller pages, in bytes, aren't compressed."""
_PARALLEL = 2
_COMPILED_FIRST = ("base.html", "bar.html", "lobby.html", "lobby_tables.html", "table/page.html", "table/live.html")
"""The templates of the pages that are requested first after a start."""

Given = TypeVar("Given")
Made = TypeVar("Made")


class Pages:
    """Renders pages, and limits how much of that work runs at once."""

    def __init__(self, assets: Assets) -> None:
        self.assets = assets
        self._turn = asyncio.Lock()

    def html(self, template: str, context: Mapping[str, Any]) -> str:
        """Render a template."""
        return templates().get_template(template).render(asset=self.assets.path, **context)

    async def in_thread(self, work: Callable[[Given], Made], given: Given) -> Made:
        """Return `work(given)`, run in a thread; at most two such calls run at once."""
        return await to_thread.run_sync(work, given, limiter=self._limiter)

    async def in_slow_thread(self, work: Callable[[Given], Made], given: Given) -> Made:
        """Return `work(given)` for work that can take seconds: one call at a time, so that table pages don't wait."""
        return await to_thread.run_sync(work, given, limiter=self._slow_limiter)

    async def in_turn(self, work: Callable[[Given], Made], given: Given) -> Made:
        """Return `work(given)`, run in the event loop; between two such calls the loop handles other work."""
        async with self._turn:
            made = work(given)
            await asyncio.sleep(0)
        return made

    @cached_property
    def _limiter(self) -> CapacityLimiter:
        return CapacityLimiter(_PARALLEL)

    @cached_property
    def _slow_limiter(self) -> CapacityLimiter:
        return CapacityLimiter(1)


@cache
def templates() -> Environment:
    """Return the templates of this process. Each is compiled by `compile_all`, or when first used."""
    found = LeanEnvironment(
        loader=PackageLoader("liarspoker.web"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
        bytecode_cache=CodeCache(__file__, words.__file__),
    )
    found.globals.update(badge=badge, rounds_words=rounds_words, own_title=own_title, qr_code=qr_code, draw=draw)
    found.globals.update(following=FOLLOWING, parted=PARTED)
    found.globals.update(_=html_message, ngettext=html_of_count, pgettext=html_of_word)
    found.globals.update(language=language, languages=LANGUAGES, browser_words=browser_words)
    found.globals.update(fresh_id=fresh_id, version=__version__, longest_name=LONGEST_NAME)
    found.globals.update(YOU=YOU, reaction_words=REACTION_WORDS, emoji=words.EMOJI)
    found.globals.update(table_tips=table_tips, lobby_tips=lobby_tips, seat_symbols=SEAT, symbols=SYMBOLS)
    found.filters.update(words.FILTERS, points=points_text)
    found.globals.update(separate_part=separate_part, cached_macro=cached_macro, each=each)
    found.globals["drawn"] = cached_module(found.get_template("drawings.html"))
    for name, template in (("tips", "tips.html"), ("part", "table/parts.html")):  # an import costs time on each page
        found.globals[name] = found.get_template(template).module
    return found


_PARTS: Mapping[str, tuple[str, ...]] = {
    "table/about.html": ("id", "phase", "seated", "me", "owner", "game", "info", "has_records", "may_review"),
    "table/acts.html": ("id", "stage", "seated", "me", "owner", "paused", "chat_on", "free", "game", "info"),
    "table/chat.html": ("id", "phase", "seated", "me", "chat", "chat_on"),
    "table/reactions.html": ("id",),
    "table/score.html": ("id", "sheet"),
}
"""The parts of a table's page that seldom change, and the fields of the view model that each of them shows."""

_ELEMENT = re.compile(r'<(\w+) id="([\w-]+)"[^>]* data-same="([^"]+)"')


def separate_part(template: str, model: TableViewModel, where: str = "") -> Markup:
    """Return a part of a table's page, or its placeholder if the browser has the part or is sent it separately.

    The part is one element with an `id` and a `data-same`. It depends only on the fields that `_PARTS` lists, on the
    language, and on `where` it is. A placeholder has the same `id` and `data-same` but no content. If the browser shows
    an element with the same `data-same`, it leaves that alone; otherwise it replaces the placeholder with the part.
    """
    sent = model.parts
    shown = (language(), *[getattr(model, name) for name in _PARTS[template]])
    before = None if sent is None else sent.shown.get(template + where)
    if before is not None and before[0] == shown:
        return as_markup(before[1])
    fields = dict(zip(_PARTS[template], shown[1:], strict=True))
    html = (
        templates().get_template(template).render(table=SimpleNamespace(version=model.version, **fields), where=where)
    )
    if sent is None or model.revealing:  # the page after the reveal has the part that the browser keeps
        return Markup(html)
    found = _ELEMENT.search(html)
    assert found is not None, template
    tag, name, key = found.groups()
    placeholder = f'<{tag} id="{name}" data-same="{key}" data-part></{tag}>'
    if before is None or before[1] != placeholder:
        sent.unsent[name] = html
    sent.shown[template + where] = shown, placeholder
    return Markup(placeholder)


@per_language(maxsize=8192, typed=True)  # typed: `Markup` and an equal text, which is escaped, are different
def cached_macro(macro: Callable[..., Markup], *given: object) -> Markup:
    """Return `macro(*given)`, cached; the macro may depend on nothing else but the language."""
    return macro(*given)


def each(macro: Callable[[Any], Markup], items: Iterable[object]) -> Markup:
    """Return `macro(item)` for each item, cached; the macro may depend on nothing else but the language."""
    code = language()
    return as_markup("".join([_one(macro, item, code) for item in items]))


@lru_cache(maxsize=16_384)
def _one(macro: Callable[[Any], Markup], item: object, language_code: str) -> Markup:
    """Return `macro(item)`, cached apart from `cached_macro`, whose results are larger."""
    return macro(item)


@per_language()
def browser_words() -> Markup:
    """Return the texts of the browser's code in the current language as JSON; empty in English."""
    if language() == "en":
        return Markup()
    words = Path(FOLDER, language(), "LC_MESSAGES", f"{DOMAIN}.json")
    return Markup(words.read_text(encoding="utf-8").replace("<", "\\u003c"))


def compile_all(stopped: Callable[[], bool] = lambda: False) -> None:
    """Compile every template until `stopped()`, so that the first visitor of a page doesn't wait."""
    for name in sorted(templates().list_templates(), key=_COMPILED_FIRST.__contains__, reverse=True):
        if stopped():
            return
        templates().get_template(name)


def fresh_id() -> str:
    """Return an unguessable id for a form."""
    return secrets.token_hex(16)


def pages_of(connection: HTTPConnection) -> Pages:
    """Return the `Pages` of the application behind a request or a socket."""
    pages: Pages = connection.app.state.pages
    return pages


async def user_of(connection: HTTPConnection) -> User | None:
    """Return the user of a request or a socket; `None` without a valid session."""
    try:
        identity = await service_of(connection).identity(connection)
    except Problem:
        return None
    return None if identity is None else identity.user


async def page(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """Render a page as a response.

    Args:
        request: the request. It provides `user`, `prefs`, `path` and, with its query, `here` to the template.
        template: path below `templates`.
        status: HTTP status.
        context: further variables of the template.
    """
    return _response(request, pages_of(request).html(template, await _shown(request, context)), status)


async def large_page(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """Render a large page as a response; rendering and compression run in a thread."""
    pages = pages_of(request)

    def drawn(shown: Mapping[str, Any]) -> Response:
        return _response(request, pages.html(template, shown), status)

    return await pages.in_thread(drawn, await _shown(request, context))


async def _shown(request: Request, context: dict[str, Any]) -> dict[str, Any]:
    """Return the variables of a template: `context`, and those of every page."""
    prefs = Preferences.read(request.cookies)
    user = context.pop("user") if "user" in context else await user_of(request)
    service = service_of(request)
    return {
        "push_key": service.push.public_key if service.push is not None and user is not None else "",
        "session_tag": session_tag(request.cookies.get(service.cookie, "")),
        "user": user,
        "turns": 0 if user is None else await _turns(service, user),
        "prefs": prefs,
        "path": request.url.path,
        "here": _here(request),
        **context,
    }


def session_tag(secret: str) -> str:
    """Return a short hash by which a browser notices that its session is another one; empty without a session."""
    return sha256(f"tag {secret}".encode(errors="surrogatepass")).hexdigest()[:8] if secret else ""


async def _turns(service: Service, user: User) -> int:
    """Return the number of correspondence tables that wait for the user; 0 if the database doesn't respond."""
    try:
        return await service.storage.count_turns(user.user_id)
    except StorageError:
        return 0


def _here(request: Request) -> str:
    """Return the path and query of this page; the lobby's path for the response to a form."""
    if request.method != "GET":
        return "/"
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def _response(request: Request, html: str, status: int) -> Response:
    headers = {
        "Cache-Control": "no-store",
        "Vary": "Accept-Encoding, Accept-Language, Cookie",
        "Content-Language": language(),
    }
    content = html.encode(errors="replace")  # records can contain lone surrogates
    if len(content) >= _LEAST_COMPRESSED and "gzip" in request.headers.get("accept-encoding", ""):
        content = gzip.compress(content, 5)
        headers["Content-Encoding"] = "gzip"
    return HTMLResponse(content, status, headers)
