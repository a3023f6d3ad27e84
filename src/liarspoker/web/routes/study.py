"""The rules of every game, and the odds: one question answered large, each answer under an address of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
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
from liarspoker.web.view_models.odds_fields import whole
from liarspoker.web.view_models.plain import pages_for

router = APIRouter()

SECONDS = 4.0
"""So long a question may take before it is refused."""

_AT_ONCE = 2
_LONGEST = 200

Scene = Callable[[Mapping[str, str]], object]


@cache
def odds_pages() -> tuple[OddsPage, ...]:
    """The questions that the families of games answer, in the order of their tabs."""
    games = {row.family: row for row in catalogue.games()}
    pages = (one for row in games.values() for one in pages_for(row).odds)
    return tuple(sorted(pages, key=lambda one: one.order))


@router.get("/odds")
@router.get("/odds/{kind}")
async def question(request: Request) -> Response:
    """The page of a kind of question."""
    found = next((one for one in odds_pages() if one.path == request.url.path), None)
    if found is None:
        raise HTTPException(404, "there are no such odds")
    return await asked(request, found)


async def asked(request: Request, question: OddsPage, seconds: float = SECONDS) -> Response:
    """The page of a question, worked out beside the server's other work and refused if that takes too long."""
    given = {key: value[:_LONGEST] for key, value in request.query_params.items()}
    try:
        async with asyncio.timeout(seconds):
            found = await _worked_out(question.scene, given, _turns(request.app.state))
    except TimeoutError:
        return await page(request, "odds/heavy.html", 503)
    status = 422 if getattr(found, "answer", True) is None else 200
    return await large_page(request, question.template, status, odds=found, asked=question.path, tabs=odds_pages())


async def _worked_out(scene: Scene, given: Mapping[str, str], turns: asyncio.Semaphore) -> Any:
    """The answer; a question that is given up keeps its turn until its thread ends, since no thread can be stopped."""
    await turns.acquire()
    working = asyncio.get_running_loop().run_in_executor(None, scene, given)
    working.add_done_callback(lambda _: turns.release())
    return await asyncio.shield(working)


def _turns(state: Any) -> asyncio.Semaphore:
    """One for each server: so many questions are worked out at once."""
    if not hasattr(state, "odds_turns"):
        state.odds_turns = asyncio.Semaphore(_AT_ONCE)
    return state.odds_turns  # type: ignore[no-any-return]


@router.get("/rules")
async def rules_shelf(request: Request) -> Response:
    """All games."""
    return await page(request, "rules/index.html", games=catalogue.games())


@router.get("/rules/{game}")
async def game(game: str, request: Request) -> Response:
    """One game; `?players=N` asks what levels pay among so many."""
    players = whole(request.query_params.get("players", ""), 2, 100)
    try:
        scene = await to_thread.run_sync(rules.scene, game, players)
    except UnknownGame as error:
        raise HTTPException(404, str(error)) from None
    return await page(request, "rules/game.html", rules=scene, games=catalogue.games())
