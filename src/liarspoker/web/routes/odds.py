"""The odds: one question answered large, each answer under an address of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from liarspoker.games.digits.page import odds as odds_bid
from liarspoker.games.queen_annes.page import odds as odds_pooled
from liarspoker.games.thorin.page import odds as odds_thorin
from liarspoker.web.pages import large_page, page
from liarspoker.web.view_models import odds_tables

router = APIRouter()

SECONDS = 4.0
"""So long a question may take before it is refused."""

_AT_ONCE = 2
_LONGEST = 200

Scene = Callable[[Mapping[str, str]], Any]


@router.get("/odds")
async def bid(request: Request) -> Response:
    """One bid of digits."""
    return await asked(request, "bid", odds_bid.scene)


@router.get("/odds/pooled")
async def pooled(request: Request) -> Response:
    """A named hand in a pool of cards."""
    return await asked(request, "pooled", odds_pooled.scene)


@router.get("/odds/thorin")
async def thorin(request: Request) -> Response:
    """A draw in Thorin's game."""
    return await asked(request, "thorin", odds_thorin.scene)


@router.get("/odds/tables")
async def tables(request: Request) -> Response:
    """The tables of source 003."""
    return await asked(request, "tables", odds_tables.scene)


async def asked(request: Request, name: str, scene: Scene, seconds: float = SECONDS) -> Response:
    """The page of a question, worked out beside the server's other work and refused if that takes too long."""
    given = {key: value[:_LONGEST] for key, value in request.query_params.items()}
    try:
        async with asyncio.timeout(seconds):
            found = await _worked_out(scene, given, _turns(request.app.state))
    except TimeoutError:
        return await page(request, "odds/heavy.html", 503)
    wrong = getattr(found, "answer", True) is None
    return await large_page(request, f"odds/{name}.html", 422 if wrong else 200, odds=found, asked=name)


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
