"""Routes of the rules and of the odds; every answer has its own URL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextvars import copy_context
from functools import cache
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.web.pages import large_page, page
from liarspoker.web.view_models import rules
from liarspoker.web.view_models.family import OddsPage
from liarspoker.web.view_models.new_table import explained_settings
from liarspoker.web.view_models.odds_fields import read_integer
from liarspoker.web.view_models.plain import pages_for

router = APIRouter()

SECONDS = 4.0
"""Time limit of an odds question."""

_PARALLEL = 2
_LONGEST = 200

BuildViewModel = Callable[[Mapping[str, str]], object]


@cache
def odds_pages() -> tuple[OddsPage, ...]:
    """Return the odds pages of all game families, in the order of their tabs."""
    games = {row.family: row for row in catalogue.games()}
    pages = (one for row in games.values() for one in pages_for(row).odds)
    return tuple(sorted(pages, key=lambda one: one.order))


@router.get("/odds")
@router.get("/odds/{kind}")
async def question(request: Request) -> Response:
    """Show an odds page."""
    found = next((one for one in odds_pages() if one.path == request.url.path), None)
    if found is None:
        raise HTTPException(404)
    return await asked(request, found)


async def asked(request: Request, question: OddsPage, seconds: float = SECONDS) -> Response:
    """Show an odds page, computed in a thread; respond with 503 if that takes longer than `seconds`."""
    given = {key: value[:_LONGEST] for key, value in request.query_params.items()}
    try:
        async with asyncio.timeout(seconds):
            found = await _computed(question.view_model, given, _turns(request.app.state))
    except TimeoutError:
        return await page(request, "odds/heavy.html", 503)
    status = 422 if getattr(found, "answer", True) is None else 200
    return await large_page(request, question.template, status, odds=found, asked=question.path, tabs=odds_pages())


async def _computed(build: BuildViewModel, given: Mapping[str, str], turns: asyncio.Semaphore) -> Any:
    """Return the view model. A thread can't be stopped, so an abandoned question holds its turn until it ends."""
    await turns.acquire()
    working = asyncio.get_running_loop().run_in_executor(None, copy_context().run, build, given)
    working.add_done_callback(lambda _: turns.release())
    return await asyncio.shield(working)


def _turns(state: Any) -> asyncio.Semaphore:
    """Return the application's semaphore that limits how many questions run at once."""
    if not hasattr(state, "odds_turns"):
        state.odds_turns = asyncio.Semaphore(_PARALLEL)
    return state.odds_turns  # type: ignore[no-any-return]


@router.get("/rules")
async def rules_shelf(request: Request) -> Response:
    """List the games, and explain the settings of a table."""
    return await page(request, "rules/index.html", games=catalogue.games(), settings=explained_settings())


@router.get("/rules/{game}")
async def game(game: str, request: Request) -> Response:
    """Show the rules of a game; `?players=N` sets the number of players of its payoff table."""
    players = read_integer(request.query_params.get("players", ""), 2, 100)
    try:
        model = await to_thread.run_sync(rules.view_model, game, players)
    except UnknownGame as error:
        raise HTTPException(404, str(error)) from None
    return await page(request, "rules/game.html", rules=model, games=catalogue.games())
